import {
  type AdjustIntent,
  type AdjustSnapshot,
  heldQtyOf,
  isMeantBy,
} from "../../../domain/adjust.ts";
import { type ContractCode, rootOfCode } from "../../../domain/contracts/contract.ts";
import type { IntentRecord, Outcome } from "../../../domain/intent.ts";
import {
  CAME_LATE,
  type CarriedMove,
  hasReplacedLater,
  isBeyond,
  isLate,
  LATER_REPLACED,
  ONE_BAR_MS,
  onlyTookOut,
  type StrategyMove,
  TAKEN_OUT_LATE,
} from "../../../domain/strategy-move.ts";
import type { LoggedAlert } from "../../alerts/alert-log.ts";
import { dryRunDone } from "../dry-run.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import { readSnapshot } from "../read-snapshot.ts";
import { type AdjustRun, newRun, nothingToDo } from "./adjust-answer.ts";

/** More than one bar sends. */
const MOST_OF_ONE_BAR = 20;

/** The account's position before a strategy's message, signed: later messages are judged by it. */
export const foundBy = (intent: AdjustIntent, snapshot: AdjustSnapshot): number | undefined =>
  intent.aim.to === "position" && intent.aim.strategy !== undefined
    ? heldQtyOf(intent, snapshot)
    : undefined;

/**
 * A late message does nothing, unless it still takes something out. One that has replaced a later message
 * before that was sent is carried out, with an alarm.
 */
type Arrival = "inOrder" | Late | "lateExit" | "replacedLater";
/** After a later message that was not carried to its end, there is an alarm. */
type Late = "late" | "lateAstray";

export const isToEnd = (arrival: Arrival): arrival is Late =>
  arrival === "late" || arrival === "lateAstray";

/**
 * Whether a strategy's message was overtaken on its way by one that followed it in the strategy. The alert log
 * says what was carried out a moment before, also by another process. A way out goes on without the log.
 */
export async function judgeArrival(
  { alerts }: Pick<LaneDeps, "alerts">,
  { record, broker }: LaneTask,
  intent: AdjustIntent,
): Promise<Arrival> {
  const { aim, contract } = intent;
  if (aim.to !== "position" || aim.strategy?.from === undefined) return "inOrder";
  const isExit = onlyTookOut(aim);
  const isMeant = (code: ContractCode) => isMeantBy(intent, code);
  const heldQty = async () =>
    heldQtyOf(intent, await readSnapshot(record.accountId, broker, isMeant));
  let carried: readonly CarriedMove[];
  try {
    const { items } = await alerts.list([record.accountId], {
      limit: MOST_OF_ONE_BAR,
      fromAt: record.acceptedAt - ONE_BAR_MS,
      matches: (alert) => isOfStrategy(alert, record, contract),
    });
    carried = items.flatMap(carriedMove);
    if (!isLate(aim, carried)) {
      const replaced = items.flatMap(replacedMove);
      if (replaced.length === 0) return "inOrder";
      return hasReplacedLater(aim, replaced, await heldQty()) ? "replacedLater" : "inOrder";
    }
  } catch (error) {
    if (isExit) return "inOrder";
    throw error;
  }
  const held = await heldQty();
  if (isExit && isBeyond(aim, held)) return "lateExit";
  // It may have kept the later one from opening.
  const isReached = carried.some(({ netQty }) => netQty === held);
  // A message to be flat also ends what rests.
  if (aim.netQty === 0) return isReached ? "inOrder" : "replacedLater";
  return isReached ? "late" : "lateAstray";
}

/** Nothing is to be done, and its answer says why. */
export async function endLate(
  task: LaneTask,
  intent: AdjustIntent,
  arrival: Late,
): Promise<Outcome> {
  const reason = arrival === "late" ? CAME_LATE : LATER_REPLACED;
  if (task.record.test === true) return dryRunDone([{ kind: "withhold", reason }]);
  const run: AdjustRun = { ...newRun(), ...(arrival === "lateAstray" && { contradicts: true }) };
  return await nothingToDo(task, intent, reason, run);
}

/** The run of an adjustment that is carried out, with what is kept of a strategy's message. */
export function runOf(
  intent: AdjustIntent,
  snapshot: AdjustSnapshot,
  arrival: Exclude<Arrival, Late>,
): AdjustRun {
  const run: AdjustRun = { ...newRun(), found: foundBy(intent, snapshot) };
  if (arrival !== "inOrder") {
    run.contradicts = true;
    run.problems.push(arrival === "lateExit" ? TAKEN_OUT_LATE : LATER_REPLACED);
  }
  return run;
}

function isOfStrategy(
  alert: LoggedAlert,
  { intentId, source }: IntentRecord,
  contract: AdjustIntent["contract"],
): boolean {
  if (!("intent" in alert) || alert.intent.intentId === intentId) return false;
  if (alert.entry.webhookId !== source.credentialId) return false;
  const { intent } = alert.intent;
  return intent.kind === "ADJUST" && rootOfCode(intent.contract) === rootOfCode(contract);
}

function carriedMove(alert: LoggedAlert): readonly CarriedMove[] {
  const move = moveOf(alert);
  const result = move?.outcome?.kind === "done" ? move.outcome.result : undefined;
  if (move?.strategy === undefined || result?.kind !== "ADJUST") return [];
  if (result.found === undefined) return [];
  return [{ netQty: move.netQty, move: move.strategy, found: result.found }];
}

/** The move of a message that gave way unsent. */
function replacedMove(alert: LoggedAlert): readonly StrategyMove[] {
  const { strategy, outcome } = moveOf(alert) ?? {};
  return strategy === undefined || outcome?.kind !== "overtaken" ? [] : [strategy];
}

function moveOf(alert: LoggedAlert) {
  if (!("intent" in alert)) return undefined;
  const { intent, outcome } = alert.intent;
  if (intent.kind !== "ADJUST" || intent.aim.to !== "position") return undefined;
  return { ...intent.aim, outcome };
}
