import type { Outcome } from "../../domain/intent.ts";
import type { IntentResult } from "../../domain/intent-result.ts";
import type { ExitPlan as ClosingPlan } from "../../domain/carried-plan.ts";
import type { ExitPlan } from "../../domain/exits/exit-plan.ts";
import { tooFewFor } from "../../domain/exits/too-few.ts";
import { endsAtOnce, type NewOrderSingle, type Side, sign } from "../../domain/order.ts";
import type { OrderHandling } from "../../domain/order-handling.ts";
import { placed } from "./settle/find-placed.ts";
import { planOfEntry } from "./exits/begin-plan.ts";
import { deadlineOf } from "./timeouts/deadline-of.ts";
import type { OrderDeadline } from "./timeouts/ports.ts";
import { beforeSending, type LaneDeps, type LaneTask, type EntryTerms } from "./lane-deps.ts";
import { orAsReported } from "./order-watch.ts";
import { refuseImpossible } from "./refuse-impossible.ts";

/** How long the lane waits for an order that is filled or cancelled at once. */
const CLOSES_WITHIN_MS = 3_000;

type Placed = Extract<IntentResult, { kind: "PLACE" }>;

/** The outcome of sending one order. */
export type SentOrder =
  | { readonly kind: "done"; readonly result: Placed }
  | Exclude<Outcome, { kind: "done" }>;

/** What an order does to the position in its contract. */
export interface Sending {
  /** Signed, before it. */
  readonly held: number;
  /** Given for an order that adds risk. */
  readonly entry?: EntryTerms | undefined;
  /** Given for a close that belongs to an exit. */
  readonly exitPlan?: ClosingPlan | undefined;
  /** What is asked for beside it. */
  readonly handling?: OrderHandling | undefined;
}

/**
 * Sends one order after its write-ahead, and waits for its end where it ends at once. After an exit or
 * a reversal the legs are cut to what is left before the outcome is announced.
 */
export async function sendOrder(
  deps: LaneDeps,
  task: LaneTask,
  order: NewOrderSingle,
  sending: Sending,
): Promise<SentOrder> {
  const { held, entry } = sending;
  const sent = await sendOne(deps, task, order, sending);
  if (sent.kind !== "done") return sent;
  const { cumQty } = sent.result.order;
  const goesAgainst = entry === undefined || held * sign(order.side) < 0;
  if (!goesAgainst || cumQty === 0) return sent;
  // While an outcome is unknown, so is what else the account may have traded.
  if (task.context.unknown.length > 0) return sent;
  const netQty = held + cumQty * sign(order.side);
  const { contract, clOrdId: name, side } = order;
  const { accountId, intent } = task.record;
  const turned = await deps.legs.keepAfter(accountId, {
    id: sent.result.order.orderId,
    name,
    ...(intent.kind === "ADJUST" && intent.closes && { closes: intent.closes }),
    contract,
    side,
    cumQty,
    netQty,
    closing: entry === undefined ? held : undefined,
  });
  if (turned === undefined) return sent;
  const now = `${Math.abs(turned)} ${deps.describe(contract).symbol} ${turned > 0 ? "long" : "short"}`;
  const problem = `The account holds ${now} now: something else filled while this was sent, and both together turned the position around`;
  return withProblems(sent, [problem]);
}

function withProblems(
  sent: Extract<SentOrder, { kind: "done" }>,
  problems: readonly string[],
): SentOrder {
  if (problems.length === 0) return sent;
  const { problems: known = [], ...result } = sent.result;
  return { kind: "done", result: { ...result, problems: [...known, ...problems] } };
}

async function sendOne(
  deps: LaneDeps,
  task: LaneTask,
  order: NewOrderSingle,
  { held, entry, exitPlan, handling }: Sending,
): Promise<SentOrder> {
  const { record, broker, connection } = task;
  const { clOrdId, contract } = order;
  const impossible = refuseImpossible(connection, order);
  if (impossible !== undefined) return impossible;
  const deadline = deadlineFor(task, order, { handling, held });
  if (deadline === "over") return TIME_OVER;
  const running = planOfEntry(deps, task, handling?.exitPlan, order);
  const keeps = {
    ...(running !== undefined && { exitPlan: running }),
    ...(deadline !== undefined && { deadline }),
  };
  const refused = await beforeSending(deps, task, { clOrdId, entry, exitPlan, keeps, contract });
  if (refused !== undefined) return refused;

  const watched = deps.watch.watch(record.accountId, clOrdId);
  try {
    const sentAt = deps.elapsed();
    const answered = await broker.submitOrder(record.accountId, order);
    // A report does not say whether the exits of an entry are there.
    const isExit = entry === undefined && order.bracket === undefined && endsAtOnce(order);
    const answer = isExit ? await orAsReported(answered, watched) : answered;
    if (answer.kind !== "accepted") return answer;
    const ackMs = Math.round(deps.elapsed() - sentAt);
    const report = endsAtOnce(order)
      ? await watched.closedWithin(CLOSES_WITHIN_MS)
      : watched.latest();
    const sent = placed(order, answer, report, ackMs);
    return sent.kind === "done"
      ? withProblems(sent, leftOutOf(handling?.exitPlan, order, held))
      : sent;
  } finally {
    watched.stop();
  }
}

/** How much an order on that side closes, before it opens anything. */
const turnedBy = (side: Side, held: number): number => Math.max(0, -held * sign(side));

/** What of its exit plan so many contracts are too few for, in words. */
function leftOutOf(
  plan: ExitPlan | undefined,
  { bracket, orderQty, side }: NewOrderSingle,
  held: number,
): readonly string[] {
  if (plan === undefined || bracket === undefined) return [];
  return [tooFewFor(plan, orderQty - turnedBy(side, held)) ?? []].flat();
}

/** One whose time is over by now is not sent any more. */
function deadlineFor(
  { record, context }: LaneTask,
  order: NewOrderSingle,
  { handling, held }: Pick<Sending, "handling" | "held">,
): OrderDeadline | "over" | undefined {
  const { timeout } = handling ?? {};
  if (timeout === undefined || endsAtOnce(order)) return undefined;
  if (context.now >= record.acceptedAt + timeout.afterSeconds * 1_000) return "over";
  const timed = { ...handling, timeout };
  // Not by the guard: beside what rests on its side a closing order counts as an entry.
  const onlyCloses = -sign(order.side) * held >= order.orderQty;
  return deadlineOf({ record, order, handling: timed, onlyCloses });
}

const TIME_OVER: SentOrder = {
  kind: "expired",
  reason: "The time for which it may rest was over before it was sent; nothing was sent",
};
