import { isDeepStrictEqual } from "node:util";
import type { Outcome } from "../../domain/intent.ts";
import type { IntentResult } from "../../domain/intent-result.ts";
import type { ExitPlan as ClosingPlan } from "../../domain/carried-plan.ts";
import type { ExitPlan } from "../../domain/exits/exit-plan.ts";
import { tooFewFor } from "../../domain/exits/too-few.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import { declaredType } from "../../domain/declared/order-types.ts";
import { closingHalf } from "../../domain/contracts/exit-contract.ts";
import { closableBy, exposureOf, openAgainst } from "../../domain/exposure.ts";
import { endsAtOnce, type NewOrderSingle, type Side, sign } from "../../domain/order.ts";
import type { OrderHandling } from "../../domain/order-handling.ts";
import { placed } from "./settle/find-placed.ts";
import { planOfEntry } from "./exits/begin-plan.ts";
import { deadlineOf } from "./timeouts/deadline-of.ts";
import type { OrderDeadline } from "./timeouts/ports.ts";
import {
  beforeSending,
  type EntryTerms,
  type LaneDeps,
  type LaneTask,
  withUserSwitch,
} from "./lane-deps.ts";
import { orAsReported } from "./order-watch.ts";
import { refuseImpossible } from "./refuse-impossible.ts";
import { BrokerReadError } from "../ports.ts";
import { refuseEntry } from "./guard-order.ts";
import { netQtyOf } from "./read-snapshot.ts";
import {
  isCurrent,
  isCurrentForEntry,
  MOST_LOOKS,
  readQuietly,
  readView,
  type View,
} from "./view.ts";

/** How long the lane waits for an order that is filled or cancelled at once. */
const CLOSES_WITHIN_MS = 3_000;

type Placed = Extract<IntentResult, { kind: "PLACE" }>;

/** How a decision, or an order, ends by which nothing was done. */
export type Stopped = Exclude<Outcome, { kind: "done" }>;

/** The outcome of sending one order. */
export type SentOrder = Done | Stopped;

interface Done {
  readonly kind: "done";
  readonly result: Placed;
}

/** An order that may be sent, as it was decided by a view. */
export interface Decided {
  readonly order: NewOrderSingle;
  /** The position in its contract by that view: signed, before the order. */
  readonly held: number;
  /** Given for an order that adds risk. */
  readonly entry?: EntryTerms | undefined;
  /** The part of it that is left out, and why, in words. */
  readonly problem?: string | undefined;
  readonly view: View;
}

export const isDecided = (one: Decided | Stopped): one is Decided => "order" in one;

/** Everything that an order is sent with. */
export interface Sending {
  /** Decides once more, by a new view; for an exit, how much of it there is still to close. */
  readonly again: () => Promise<Decided | Stopped>;
  /** The part of an entry that closes goes where the rest may not. */
  readonly closesInPart?: boolean;
  /** Given for a close that belongs to an exit. */
  readonly exitPlan?: ClosingPlan | undefined;
  /** What is asked for beside it. */
  readonly handling?: OrderHandling | undefined;
}

/**
 * Sends one order after its write-ahead, and waits for its end where it ends at once. In the instant of
 * sending the view that it was decided by must be current: after news it is decided again, and goes only if
 * it is the same then or less. After an exit or a reversal the legs are cut to what is left before the
 * outcome is announced. A result says a quantity where that is less than was decided at first.
 */
export async function sendOrder(
  deps: LaneDeps,
  task: LaneTask,
  decided: Decided,
  sending: Sending,
): Promise<SentOrder> {
  const now = await writeAhead(deps, task, decided, sending);
  if (!isDecided(now)) return now;
  const { order, held, entry } = now;
  const submitted = await submit(deps, task, now, sending);
  if (submitted.kind !== "done") return submitted;
  const told = withProblems(submitted, now.problem === undefined ? [] : [now.problem]);
  const isLess = order.orderQty < decided.order.orderQty;
  const sent = isLess ? withQty(told, order.orderQty) : told;
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
  const nowHeld = `${Math.abs(turned)} ${deps.describe(contract).symbol} ${turned > 0 ? "long" : "short"}`;
  const problem = `The account holds ${nowHeld} now: something else filled while this was sent, and both together turned the position around`;
  return withProblems(sent, [problem]);
}

const withQty = ({ result }: Done, orderQty: number): Done => ({
  kind: "done",
  result: { ...result, orderQty },
});

function withProblems(sent: Done, problems: readonly string[]): Done {
  if (problems.length === 0) return sent;
  const { problems: known = [], ...result } = sent.result;
  return { kind: "done", result: { ...result, problems: [...known, ...problems] } };
}

/** Answers the order as it is in the instant of sending. */
async function writeAhead(
  deps: LaneDeps,
  task: LaneTask,
  decided: Decided,
  sending: Sending,
): Promise<Decided | Stopped> {
  const { order, held, entry } = decided;
  const { exitPlan, handling } = sending;
  const { clOrdId, contract } = order;
  const impossible = refuseImpossible(task.connection, order);
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
  const now = await asItIs(deps, task, decided, sending);
  if (!isDecided(now)) return now;
  // The deadline that is stored knows whether the order only closes.
  const isOther = deadline !== undefined && closesOnly(now) !== closesOnly(decided);
  return isOther ? MOVED : now;
}

/** The order as it was written ahead, or less of it; an exit does not wait for an account to rest. */
async function asItIs(
  deps: LaneDeps,
  task: LaneTask,
  written: Decided,
  sending: Sending,
): Promise<Decided | Stopped> {
  let now = written;
  let again = sending.again;
  let isExit = written.entry === undefined;
  const isShown = () =>
    now.entry === undefined
      ? isCurrent(deps, task, now.view)
      : isCurrentForEntry(deps, task, now.view);
  for (let look = 1; !isShown(); look += 1) {
    const next = look > MOST_LOOKS ? undefined : await again().catch(unreadable);
    if (next === undefined && now.entry === undefined) return now;
    if (next !== undefined && !isDecided(next)) return next;
    const fit = next && within(next, written);
    if (fit !== undefined && isExit) {
      now = fit;
      continue;
    }
    const { refusal, mayClose } = await sinceThen(deps, task);
    if (fit?.entry !== undefined && refusal === undefined) {
      now = fit;
      continue;
    }
    const outcome = refusal ?? MOVED;
    const isParted = mayClose && (isExit || sending.closesInPart === true);
    const isHalf = fit !== undefined && fit.entry === undefined;
    const shown = (next ?? now).view;
    const half = isHalf ? fit : closingOf(deps, written, shown, outcome.reason);
    if (half === undefined || !isParted) return outcome;
    if (look > MOST_LOOKS) return half;
    // The part that closes is an exit from then on.
    now = half;
    isExit = true;
    again = async () => await leftToClose(deps, task, half);
  }
  return now;
}

function unreadable(error: unknown): undefined {
  if (!(error instanceof BrokerReadError)) throw error;
}

/** Reading the account takes its time: an entry may have been overtaken, stopped or become too old. */
async function sinceThen(
  deps: LaneDeps,
  { record: { accountId, intentId } }: LaneTask,
): Promise<{ readonly refusal?: Stopped; readonly mayClose: boolean }> {
  const context = await deps.intents.loadForLane(accountId, intentId);
  if (context === undefined) return { mayClose: false };
  const refusal = refuseEntry(await withUserSwitch(deps, context));
  // A newer target may keep just what is held.
  return { ...(refusal !== undefined && { refusal }), mayClose: !context.targetFollows };
}

/** As much of an order as may go under the write-ahead of another one; undefined for nothing. */
function within(next: Decided, written: Decided): Decided | undefined {
  const { orderQty, bracket: _, ...terms } = next.order;
  const { orderQty: most, bracket: __, ...writtenTerms } = written.order;
  if (!isDeepStrictEqual(terms, writtenTerms)) return undefined;
  if (next.entry !== undefined && !isDeepStrictEqual(next.entry, written.entry)) return undefined;
  return { ...next, order: { ...next.order, orderQty: Math.min(orderQty, most) } };
}

/** The part of an order that closes what is held by a view, where the rest of it is refused. */
export function closingOf(
  { describe }: Pick<LaneDeps, "describe">,
  { order }: Pick<Decided, "order">,
  view: View,
  refusal: string,
): Decided | undefined {
  const exposure = exposureOf(order.contract, view);
  const qty = closableBy(order, exposure);
  if (qty === 0) return undefined;
  const { symbol } = describe(order.contract);
  const { bracket: _, ...bare } = order;
  const half =
    qty === order.orderQty ? { order: bare } : closingHalf(order, qty, { symbol, refusal });
  return { ...half, held: exposure.netQty, view };
}

const closesOnly = ({
  order: { side, orderQty },
  held,
}: Pick<Decided, "order" | "held">): boolean => -sign(side) * held >= orderQty;

/**
 * An exit for as much of it as there is still to close, with `sparedQty` contracts left alone: what a stop
 * has closed since, or is about to, is not closed twice.
 */
export async function leftToClose(
  deps: LaneDeps,
  task: LaneTask,
  { order, problem }: Pick<Decided, "order" | "problem">,
  sparedQty = 0,
): Promise<Decided | Stopped> {
  const { contract, side, ordType } = order;
  const isMeant = (code: ContractCode) => code === contract;
  const leftOf = (view: View): number => {
    const exposure = exposureOf(contract, view);
    // Stops stay where rivals have to give way.
    const isStop = declaredType(ordType).exit === "STOP_LOSS";
    const closable = isStop
      ? openAgainst(side, exposure)
      : closableBy({ ...order, orderQty: Infinity }, exposure);
    return closable - sparedQty;
  };
  const read = async () => await readView(deps, task, isMeant);
  const isNeeded = (one: View) => leftOf(one) <= 0;
  const view = await readQuietly(deps, task, { read, isNeeded, isMeant });
  const held = netQtyOf(view, contract);
  const orderQty = Math.min(order.orderQty, leftOf(view));
  if (orderQty <= 0) {
    const isHeld = -sign(side) * held > sparedQty;
    return isHeld || !isCurrent(deps, task, view) ? BEING_CLOSED : CLOSED_MEANWHILE;
  }
  const cut =
    orderQty < order.orderQty
      ? `Only ${orderQty} of ${order.orderQty} that were to be closed were held still`
      : undefined;
  const told = [problem, cut].filter((one) => one !== undefined).join(". ");
  return {
    order: { ...order, orderQty },
    held,
    view,
    ...(told !== "" && { problem: told }),
  };
}

/** Nothing was left of an exit to close. */
export const CLOSED_MEANWHILE: Stopped = {
  kind: "notSent",
  reason: "Its position was closed while the order was about to leave",
};

/** The exit is not done by it: the other order may end unfilled. */
export const BEING_CLOSED: Stopped = {
  kind: "notSent",
  reason: "Something else is closing its position; nothing was sent",
};

export const MOVED: Stopped = {
  kind: "notSent",
  reason: "The account changed while the order was about to leave; nothing was sent",
};

async function submit(
  deps: LaneDeps,
  { record, broker }: LaneTask,
  { order, held, entry }: Decided,
  { handling }: Sending,
): Promise<SentOrder> {
  const watched = deps.watch.watch(record.accountId, order.clOrdId);
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
  { handling, held }: Pick<Sending, "handling"> & Pick<Decided, "held">,
): OrderDeadline | "over" | undefined {
  const { timeout } = handling ?? {};
  if (timeout === undefined || endsAtOnce(order)) return undefined;
  if (context.now >= record.acceptedAt + timeout.afterSeconds * 1_000) return "over";
  const timed = { ...handling, timeout };
  // Not by the guard: beside what rests on its side a closing order counts as an entry.
  return deadlineOf({ record, order, handling: timed, onlyCloses: closesOnly({ order, held }) });
}

const TIME_OVER: Stopped = {
  kind: "expired",
  reason: "The time for which it may rest was over before it was sent; nothing was sent",
};
