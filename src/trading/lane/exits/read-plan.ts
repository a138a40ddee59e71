import {
  baseOf,
  cumQtyOf,
  type FilledEntry,
  type RunningPlan,
} from "../../../domain/exits/running-plan.ts";
import {
  isTargetFilled,
  type PairState,
  type PlanSight,
} from "../../../domain/exits/plan-steps.ts";
import type { ClOrdId, IntentId, OrderId } from "../../../domain/ids.ts";
import { clOrdIdOf, type IntentRecord, isUnsettled } from "../../../domain/intent.ts";
import { isClosed, type OrderReport, sign } from "../../../domain/order.ts";
import type { Quote } from "../../../domain/quote.ts";
import { firstStopOf } from "../../../domain/exits/plan-levels.ts";
import { firstFillAt, netOf, newestOf, type Trip, toldOf } from "../../../domain/book/lots.ts";
import { netQtyOf, type Snapshot } from "../read-snapshot.ts";
import { type PlanReads, orderOf, recordOf } from "./plan-reads.ts";
import { closesOf } from "./carry-out-plan.ts";
import { filledOf, leftOfPlan, namedBy, isWhollyTold, shownEntry } from "./plan-lots.ts";
import { legsOf } from "./own-legs.ts";

/** What is seen of a plan, beside what the broker shows of its account. */
export type Seen =
  /** Whether anything came of it is not known yet; `isGone` where the broker does not show its order. */
  | { readonly kind: "waits"; readonly isGone?: true }
  /** Nothing was filled, and nothing will be, unless a fill comes late. */
  | { readonly kind: "nothing" }
  | {
      readonly kind: "sight";
      readonly sight: PlanSight;
      readonly running: RunningPlan;
      readonly entry: OrderReport | undefined;
      readonly closeIsOpen: boolean;
      /** Nothing of it is held, nothing of it can still fill, and the book and the broker agree on that. */
      readonly isOver: boolean;
    };

/** How long after it was asked for a plan may have no intent: it is stored before that is accepted. */
const ACCEPTED_WITHIN_MS = 60_000;

/** Reads what became of a plan's entry, of its exits and of what it has asked for itself. */
export async function readPlan(
  given: PlanReads,
  running: RunningPlan,
  snapshot: Snapshot,
  around: {
    /** Of other plans: their exits are not this one's. */
    readonly isOthers: (leg: OrderReport) => boolean;
    readonly quote: Quote | undefined;
    readonly now: number;
  },
): Promise<Seen> {
  const record = await recordOf(given, running.planId);
  const entry = await entryOf(given, running);
  const orderId = await orderIdOf(given, running, entry);
  const { clOrdId } = running;
  const reads = {
    ...given,
    trip: namedBy(given, running, [{ orderId, ...(clOrdId !== undefined && { clOrdId }) }]),
  };
  const netQty = netQtyOf(snapshot, running.contract);
  const filled = filledOf(reads, running, entry, netQty);
  if (filled === undefined) {
    // One that works still may have been made larger.
    if (isListed(running, snapshot)) return { kind: "waits" };
    return withoutFill(reads, running, record, entry, around.now);
  }
  if (running.scope === "position" && running.firstLegs === undefined) {
    if (record === undefined) return unaccepted(running, around.now);
    if (isUnsettled(record.state)) return { kind: "waits" };
    if (record.outcome?.kind !== "done") return { kind: "nothing" };
  }
  const isEntryWorking =
    running.scope === "entry" &&
    running.filled === undefined &&
    (entry === undefined ? isListed(running, snapshot) : !isClosed(entry.ordStatus));
  const pairIds = running.pairs.map((_, nth) => reads.intentIdOf(running.planId, "pair", nth + 1));
  const states = await pairStates(reads, running.pairs, pairIds);
  const closed = await closedBy(reads, running);
  const known = learn(running, {
    orderId,
    filled,
    isEntryWorking,
    record,
    trip: reads.trip,
    now: around.now,
    states,
    closed,
  });
  const legs = await legsOf(reads, known, snapshot, { pairIds, isOthers: around.isOthers });
  const heldQty = Math.max(0, sign(known.side) * netQty);
  const own = [...legs.orders, ...closed.orders].map((order) => ({ ...order, ...closesOf(known) }));
  const left = leftOfPlan({ ...reads, trip: namedBy(reads, known, own) }, known, {
    entry: shownEntry(known, filled),
    legs: legs.orders,
    closedQty: closed.qty,
    netQty,
  });
  const sight: PlanSight = {
    base: baseOf(known, filled),
    isEntryWorking,
    filledQty: filled.qty,
    openQty: Math.max(0, Math.min(left, heldQty)),
    heldQty,
    firstLegs: legs.first,
    firstFilledQty: legs.firstFilledQty,
    pairLegs: legs.pairs,
    pairStates: states,
    hasStood: legs.pairStood,
    otherStopQty: legs.otherStopQty,
    otherTargetQty: legs.otherTargetQty,
    quote: around.quote,
  };
  const fills = {
    filledQty: filled.qty,
    first: legs.firstProfitQty,
    pairs: legs.pairFills.map(({ profit }) => profit),
  };
  return {
    kind: "sight",
    sight,
    running: afterTarget({ ...sinceSeen(known, record, legs), ...legs.seen }, fills),
    entry,
    closeIsOpen: closed.isOpen,
    isOver:
      (isUnnamed(known) ? heldQty === 0 : left === 0 && isWhollyTold(reads.trip, known, filled)) &&
      !isEntryWorking &&
      netOf(reads.trip) === netQty,
  };
}

/** Whether the broker shows the entry among the orders that work. */
const isListed = ({ clOrdId }: RunningPlan, { working }: Snapshot): boolean =>
  working.some((order) => order.clOrdId === clOrdId);

/** A target that has filled is remembered: its order is shown only for a while. */
function afterTarget(
  running: RunningPlan,
  fills: Parameters<typeof isTargetFilled>[2],
): RunningPlan {
  const { breakeven } = running.plan;
  if (breakeven?.after.by !== "target" || running.breakevenReached === true) return running;
  if (!isTargetFilled(running, breakeven.after.target - 1, fills)) return running;
  return { ...running, breakevenReached: true };
}

/** The broker may show exits that have ended for a while only. */
function sinceSeen(
  running: RunningPlan,
  record: IntentRecord | undefined,
  { hasStood }: { readonly hasStood: boolean },
): RunningPlan {
  const { isUnseen, ...seen } = running;
  if (isUnseen === undefined) return running;
  const result = record?.outcome?.kind === "done" ? record.outcome.result : undefined;
  const order = result !== undefined && "order" in result ? result.order : undefined;
  const leg = firstStopOf(running.plan) === undefined ? "takeProfitOrderId" : "stopLossOrderId";
  const isTold = order !== undefined && leg in order;
  return hasStood || isTold ? seen : running;
}

/** What is kept of what was seen, since the broker may not show it for as long as the plan works. */
function learn(
  running: RunningPlan,
  seen: {
    readonly orderId: OrderId | undefined;
    readonly filled: FilledEntry;
    readonly isEntryWorking: boolean;
    readonly record: IntentRecord | undefined;
    readonly trip: Trip;
    readonly now: number;
    readonly states: readonly PairState[];
    readonly closed: Closed;
  },
): RunningPlan {
  const { orderId, filled, isEntryWorking, record, trip, now, states, closed } = seen;
  // The broker's clock is another one.
  const openedAt = running.openedAt ?? now;
  const { clOrdId, begunAt } = running;
  const firstAt = clOrdId && firstFillAt(trip, clOrdId);
  // Nothing fills before it is asked for, however slow the broker's clock is.
  const filledAt = running.filledAt ?? (firstAt && Math.max(begunAt, firstAt));
  const result = record?.outcome?.kind === "done" ? record.outcome.result : undefined;
  const ids =
    running.scope === "position" && result?.kind === "PROTECT"
      ? [result.takeProfitOrderId, result.stopLossOrderId].filter((id) => id !== undefined)
      : undefined;
  return {
    ...running,
    ...(running.scope === "position" && { since: running.since ?? newestOf(trip) }),
    openedAt,
    ...(filledAt !== undefined && { filledAt }),
    pairs: running.pairs.map((pair, nth) => {
      const state = states[nth];
      return state === "standing" || state === "failed" ? { ...pair, ended: state } : pair;
    }),
    ...(closed.ended > 0 && { closed: { closes: closed.ended, qty: closed.qty } }),
    ...(orderId !== undefined && { orderId }),
    ...(!isEntryWorking && { filled }),
    ...(running.firstLegs === undefined && ids !== undefined && { firstLegs: ids }),
  };
}

/** A plan is stored before its intent is accepted, and a repeat never is. */
const unaccepted = ({ begunAt }: RunningPlan, now: number): Seen => ({
  kind: now - begunAt > ACCEPTED_WITHIN_MS ? "nothing" : "waits",
});

function withoutFill(
  { trip }: PlanReads,
  running: RunningPlan,
  record: IntentRecord | undefined,
  entry: OrderReport | undefined,
  now: number,
): Seen {
  const hasEnded = running.filled !== undefined || (entry && isClosed(entry.ordStatus));
  if (hasEnded === true) {
    // Its fills are all known: they closed what was held on the other side, or were taken back.
    const cumQty = Math.max(cumQtyOf(running), entry?.cumQty ?? 0);
    return { kind: isWhollyTold(trip, running, { cumQty }) ? "nothing" : "waits" };
  }
  if (entry !== undefined) return { kind: "waits" };
  if (record === undefined) return unaccepted(running, now);
  if (isUnsettled(record.state)) return { kind: "waits" };
  if (record.outcome?.kind !== "done") return { kind: "nothing" };
  const { clOrdId } = running;
  const isTold = clOrdId !== undefined && toldOf(trip, clOrdId) >= orderedQty(record);
  // The broker may only not show the order now, unless its fills are all known.
  return isTold ? { kind: "nothing" } : { kind: "waits", isGone: true };
}

/** Contracts of the order that brought a plan; Infinity where that is not known. */
function orderedQty({ intent, outcome }: IntentRecord): number {
  const result = outcome?.kind === "done" ? outcome.result : undefined;
  if (result?.kind === "ADJUST" || result?.kind === "TIMEOUT") {
    return result.order?.orderQty ?? Infinity;
  }
  if (result?.kind !== "PLACE") return Infinity;
  return result.orderQty ?? (intent.kind === "PLACE" ? intent.order.orderQty : Infinity);
}

/** In plans of before it is asked for once more: fills may name their order by it alone. */
async function orderIdOf(
  reads: PlanReads,
  running: RunningPlan,
  entry: OrderReport | undefined,
): Promise<OrderId | undefined> {
  const known = entry?.orderId ?? running.orderId;
  const { clOrdId, filled } = running;
  if (known !== undefined || clOrdId === undefined || filled === undefined) return known;
  if (isWhollyTold(reads.trip, running, { cumQty: cumQtyOf(running) })) return undefined;
  return (await orderOf(reads, clOrdId))?.orderId;
}

/** A plan of before whose entry's fills have no name that is known: it lasts until its contract is flat. */
const isUnnamed = ({ clOrdId, filled, orderId }: RunningPlan): boolean =>
  clOrdId !== undefined && filled !== undefined && filled.isTold !== true && orderId === undefined;

async function entryOf(
  reads: PlanReads,
  { clOrdId, filled }: RunningPlan,
): Promise<OrderReport | undefined> {
  if (clOrdId === undefined || filled !== undefined) return undefined;
  return await orderOf(reads, clOrdId);
}

async function pairStates(
  reads: PlanReads,
  pairs: RunningPlan["pairs"],
  ids: readonly IntentId[],
): Promise<readonly PairState[]> {
  return await Promise.all(
    pairs.map(async ({ ended }, nth): Promise<PairState> => {
      const id = ids[nth];
      if (ended !== undefined || id === undefined) return ended ?? "failed";
      const record = await recordOf(reads, id);
      // One that was stored with the plan and not submitted yet is submitted again.
      if (record === undefined) return "unsent";
      if (isUnsettled(record.state)) return "open";
      return record.outcome?.kind === "done" ? "standing" : "failed";
    }),
  );
}

interface Closed {
  readonly qty: number;
  /** How many of the plan's closes have ended, one after another. */
  readonly ended: number;
  readonly isOpen: boolean;
  /** The orders of those that have ended since it was seen last. */
  readonly orders: readonly Pick<OrderReport, "orderId" | "clOrdId">[];
}

/** What the plan's own closes have closed. */
async function closedBy(
  reads: PlanReads,
  { planId, closes, closed = { closes: 0, qty: 0 } }: RunningPlan,
): Promise<Closed> {
  let { closes: ended, qty } = closed;
  let isOpen = false;
  const orders: { readonly orderId: OrderId; readonly clOrdId: ClOrdId }[] = [];
  for (let nth = ended + 1; nth <= closes; nth += 1) {
    const id = reads.intentIdOf(planId, "close", nth);
    const record = await recordOf(reads, id);
    if (record === undefined ? reads.submitting.has(id) : isUnsettled(record.state)) isOpen = true;
    if (isOpen) continue;
    // One without a record was stored with the plan and never submitted.
    ended = nth;
    const outcome = record?.outcome;
    if (outcome?.kind !== "done" || outcome.result.kind !== "ADJUST") continue;
    qty += outcome.result.closed.reduce((sum, { netQty }) => sum + Math.abs(netQty), 0);
    orders.push(
      ...outcome.result.closed.map(({ orderId }) => ({ orderId, clOrdId: clOrdIdOf(id, 1) })),
    );
  }
  return { qty, ended, isOpen, orders };
}
