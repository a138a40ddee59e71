import { type AdjustIntent, isMeantBy, mayOpen, positionsFor } from "../../../domain/adjust.ts";
import {
  calledRoot,
  type ContractCode,
  isNameless,
  isUnnamed,
} from "../../../domain/contracts/contract.ts";
import type { OpenPosition } from "../../../domain/contracts/exit-contract.ts";
import type { IntentRecord, Outcome } from "../../../domain/intent.ts";
import type { IntentResult } from "../../../domain/intent-result.ts";
import type { AskedExits } from "../../../domain/working-exits.ts";
import { BrokerReadError } from "../../ports.ts";
import { newProgress, type Progress } from "../closing/progress.ts";
import { goesOnAs, isDemand } from "../closing/going-on.ts";
import { isClean, NOTHING_LEFT, type Rest } from "../closing/read-rest.ts";
import type { LaneDeps, LaneTask, Refusal } from "../lane-deps.ts";
import { type Held, readHeld } from "../read-snapshot.ts";
import {
  closedOf,
  leftIn,
  lostExits,
  openReason,
  problemsOf,
  unclearIn,
} from "../closing/describe-rest.ts";

type Adjusted = Extract<IntentResult, { kind: "ADJUST" }>;

/** What an adjustment has done so far. */
export interface AdjustRun {
  readonly progress: Progress;
  /** What was not carried out, and why, in words. */
  readonly problems: string[];
  /** What was to be ended and is still there. */
  left: Rest;
  /** The exits that were asked for of what stood already. */
  exits: AskedExits;
  /** How the first thing ended that did not go as it was to. */
  failed?: Exclude<Outcome, { kind: "done" }>;
  /** The account's position before it, signed, for a strategy's message. */
  found?: number | undefined;
  /** It goes against the strategy's own order. */
  contradicts?: true;
  entry?: { readonly contract: ContractCode; readonly order: NonNullable<Adjusted["order"]> };
}

/** One adjustment under way. */
export interface Adjusting {
  readonly deps: LaneDeps;
  readonly task: LaneTask;
  readonly intent: AdjustIntent;
  readonly run: AdjustRun;
  /** Why its exit plan makes no bracket: then nothing is opened. */
  readonly unplanned?: Refusal | undefined;
}

export const newRun = (progress: Progress = newProgress()): AdjustRun => ({
  progress,
  problems: [],
  left: NOTHING_LEFT,
  exits: { kind: "none" },
});

/** Notes what did not go as it was to; `what` begins the sentence. */
export function fail(
  run: AdjustRun,
  what: string,
  outcome: NonNullable<AdjustRun["failed"]>,
): void {
  run.failed ??= outcome;
  run.problems.push(`${what}: ${outcome.reason}`);
}

/** "Denied", "rejected" and "not sent" are said only when nothing at all was carried out. */
export async function answerAdjust(
  deps: LaneDeps,
  task: LaneTask,
  intent: AdjustIntent,
  run: AdjustRun,
): Promise<Outcome> {
  const { progress, left, failed, entry, exits } = run;
  const { record } = task;
  const mayBeSent = progress.goesOn && failed?.kind === "notSent" && !isDemand(record);
  const isOpenStill = failed?.kind === "unknown" || mayBeSent;
  const open = isOpenStill ? failed.reason : openReason(record, progress, isClean(left));
  const closed = closedOf(progress);
  const isUnderWay = progress.closes.some(({ isOver }) => !isOver);
  const isDone =
    closed.length > 0 || progress.canceled.size > 0 || isUnderWay || entry !== undefined;
  // Exits that stood as asked already are no reason to call what was refused done.
  const isUntouched = !isDone && !(exits.kind === "standing" && task.isBegun);
  const [failure] = isClean(left) ? [] : progress.failures;
  const nothingDone = failure ?? failed;
  const isInVain = isUntouched && nothingDone !== undefined && open === undefined;
  if (isInVain && (isClean(left) || !mayGoOn(record, progress, nothingDone))) return nothingDone;

  const unprotected = lostExits(left, progress);
  const ending = isClean(left) ? [] : problemsOf(left, progress, deps.describe);
  const problems = [...new Set([...ending, ...unclearIn(left), ...run.problems])];
  const outcome = await shownAtTheEnd(task, intent, {
    contract: entry?.contract ?? intent.contract,
    closed,
    canceledOrderIds: [...progress.canceled.keys()],
    problems,
    exits,
    ...(run.found !== undefined && { found: run.found }),
    ...(run.contradicts === true && { contradicts: run.contradicts }),
    ...(entry !== undefined && { order: entry.order }),
    ...(unprotected.length > 0 && { unprotected }),
  });
  if (open !== undefined) return { kind: "unknown", reason: open, soFar: outcome.result };
  const reason = problems.join(". ") || (nothingDone?.reason ?? NOT_THERE);
  const soFar = outcome.result;
  return (
    goesOnAs(
      deps,
      task,
      { rest: left, progress, hasEntered: entry !== undefined },
      { soFar, reason },
    ) ?? outcome
  );
}

const NOT_THERE = "The position is not yet where it is to be";

/** A refused close is tried again; a refusal of the gateway itself is final. */
const mayGoOn = (
  record: IntentRecord,
  { goesOn }: Progress,
  { kind }: Pick<Outcome, "kind">,
): boolean => isDemand(record) && (kind === "rejected" || (kind === "notSent" && goesOn));

const NONE = { kind: "none" } as const;

/**
 * All was as it is to be, or is on its way there: `problem` says so then. No exits were asked for of
 * what is held.
 */
export async function nothingToDo(
  task: LaneTask,
  intent: AdjustIntent,
  problem: string | undefined,
  run: Pick<AdjustRun, "found" | "contradicts" | "problems"> = newRun(),
): Promise<Outcome> {
  const { contract } = intent;
  const { found, contradicts } = run;
  const problems = [...(problem === undefined ? [] : [problem]), ...run.problems];
  const result = { contract, closed: [], canceledOrderIds: [], problems, exits: NONE };
  return await shownAtTheEnd(task, intent, {
    ...result,
    ...(found !== undefined && { found }),
    ...(contradicts === true && { contradicts }),
  });
}

async function shownAtTheEnd(
  task: LaneTask,
  intent: AdjustIntent,
  result: Omit<Adjusted, "kind" | "netQty">,
): Promise<Extract<Outcome, { kind: "done" }>> {
  const read = await readAtTheEnd(task);
  if (read === undefined) return { kind: "done", result: { kind: "ADJUST", ...result } };
  const { positions } = read;
  const held = positionsFor(intent, positions);
  const unread = read.opaquePositions.filter(
    ({ contract }) => contract === undefined || isMeantBy(intent, contract),
  );
  const [first] = held;
  const own = held.find(({ contract }) => contract === result.contract);
  const shown = result.order === undefined ? (own ?? first) : own;
  const { contract = result.contract, netQty = 0 } = shown ?? {};
  const problems = [
    ...result.problems,
    ...(mayOpen(intent.aim) ? [] : namelessLeft(intent, positions)),
    ...(mayOpen(intent.aim) ? [] : unclearIn({ unclear: [], opaquePositions: unread })),
  ];
  // Nothing that may be held still is called flat.
  const figure = shown === undefined && unread.length > 0 ? {} : { netQty };
  return { kind: "done", result: { kind: "ADJUST", ...result, problems, contract, ...figure } };
}

/** Of what the broker does not say enough of to be planned with, what may have been meant. */
export function namelessLeft(
  { contract }: AdjustIntent,
  positions: readonly OpenPosition[],
): readonly string[] {
  const mayBeMeant = (code: ContractCode) =>
    isNameless(code) || (isUnnamed(code) && calledRoot(code) === calledRoot(contract));
  return leftIn(positions.filter((one) => mayBeMeant(one.contract)));
}

/** What was done is done: a read that fails now leaves only the figure out. */
async function readAtTheEnd({ record, broker }: LaneTask): Promise<Held | undefined> {
  try {
    return await readHeld(record.accountId, broker);
  } catch (error) {
    if (error instanceof BrokerReadError) return undefined;
    throw error;
  }
}
