import {
  baseOf,
  type FilledEntry,
  type FirstOrder,
  openedOf,
  type RunningPlan,
} from "../../../domain/exits/running-plan.ts";
import { firstStopOf } from "../../../domain/exits/plan-levels.ts";
import {
  isStop,
  isTargetFilled,
  type PairState,
  type PlanSight,
  stopQtyOf,
} from "../../../domain/exits/plan-steps.ts";
import {
  type AccountId,
  type ClOrdId,
  intentIdOf,
  type IntentId,
  legIdOf,
  sentIdOf,
} from "../../../domain/ids.ts";
import { clOrdIdOf, type IntentRecord, isUnsettled } from "../../../domain/intent.ts";
import { isLiveLeg } from "../../../domain/legs.ts";
import { isClosed, opposite, type OrderReport, sign } from "../../../domain/order.ts";
import type { Quote } from "../../../domain/quote.ts";
import type { Broker } from "../../ports.ts";
import { netQtyOf, type Snapshot } from "../read-snapshot.ts";

/** The intents that a plan derives, the same in every process. */
export type PlanIntentId = (plan: IntentId, what: "pair" | "close", nth: number) => IntentId;

export interface PlanReads {
  readonly account: AccountId;
  readonly broker: Pick<Broker, "findOrder">;
  readonly intentIdOf: PlanIntentId;
  readonly find: (account: AccountId, intent: IntentId) => Promise<IntentRecord | undefined>;
  /** Orders that work no more stay as they are. */
  readonly ended: Map<ClOrdId, OrderReport>;
  /** So do intents that have ended. */
  readonly settled: Map<IntentId, IntentRecord>;
  /** These may have no record yet. */
  readonly submitting: ReadonlySet<IntentId>;
}

/** What is seen of a plan, beside what the broker shows of its account. */
export type Seen =
  /** Whether anything came of it is not known yet; `isGone` where the broker does not show its order. */
  | { readonly kind: "waits"; readonly isGone?: true }
  /** Nothing was filled, and nothing will be. */
  | { readonly kind: "nothing" }
  | {
      readonly kind: "sight";
      readonly sight: PlanSight;
      readonly running: RunningPlan;
      readonly entry: OrderReport | undefined;
      readonly closeIsOpen: boolean;
    };

/** How long after it was asked for a plan may have no intent: it is stored before that is accepted. */
const ACCEPTED_WITHIN_MS = 60_000;

/** Reads what became of a plan's entry, of its exits and of what it has asked for itself. */
export async function readPlan(
  reads: PlanReads,
  running: RunningPlan,
  snapshot: Snapshot,
  around: {
    /** Of other plans: their exits are not this one's. */
    readonly isOthers: (leg: OrderReport) => boolean;
    readonly quote: Quote | undefined;
    readonly now: number;
  },
): Promise<Seen> {
  const record = await recordOf(reads, running.planId);
  const entry = await entryOf(reads, running);
  const filled = running.filled ?? filledBy(running, entry);
  if (filled === undefined) return withoutFill(running, record, entry, around.now);
  if (running.scope === "position" && running.firstLegs === undefined) {
    if (record === undefined || isUnsettled(record.state)) return { kind: "waits" };
    if (record.outcome?.kind !== "done") return { kind: "nothing" };
  }
  const isEntryWorking =
    running.scope === "entry" &&
    running.filled === undefined &&
    (entry === undefined || !isClosed(entry.ordStatus));
  const pairIds = running.pairs.map((_, nth) => reads.intentIdOf(running.planId, "pair", nth + 1));
  const states = await pairStates(reads, running.pairs, pairIds);
  const closed = await closedBy(reads, running);
  const known = learn(running, {
    filled,
    isEntryWorking,
    record,
    entry,
    now: around.now,
    states,
    closed,
  });
  const legs = await legsOf(reads, known, snapshot, { pairIds, isOthers: around.isOthers });
  const heldQty = Math.max(0, sign(known.side) * netQtyOf(snapshot, known.contract));
  const ownFilled = legs.firstFilledQty + legs.pairFills.reduce((sum, { all }) => sum + all, 0);
  const left = known.scope === "position" ? heldQty : filled.qty - ownFilled - closed.qty;
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
    otherStopQty: legs.otherStopQty,
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
    running: afterTarget({ ...known, ...legs.seen }, fills),
    entry,
    closeIsOpen: closed.isOpen,
  };
}

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

/** What is kept of what was seen, since the broker may not show it for as long as the plan works. */
function learn(
  running: RunningPlan,
  seen: {
    readonly filled: FilledEntry;
    readonly isEntryWorking: boolean;
    readonly record: IntentRecord | undefined;
    readonly entry: OrderReport | undefined;
    readonly now: number;
    readonly states: readonly PairState[];
    readonly closed: Closed;
  },
): RunningPlan {
  const { filled, isEntryWorking, record, entry, now, states, closed } = seen;
  const filledAt = entry === undefined ? now : Math.min(now, entry.transactTimeAt);
  const openedAt = running.openedAt ?? (running.scope === "entry" ? filledAt : now);
  const result = record?.outcome?.kind === "done" ? record.outcome.result : undefined;
  const ids =
    running.scope === "position" && result?.kind === "PROTECT"
      ? [result.takeProfitOrderId, result.stopLossOrderId].filter((id) => id !== undefined)
      : undefined;
  return {
    ...running,
    openedAt,
    pairs: running.pairs.map((pair, nth) => {
      const state = states[nth];
      return state === "standing" || state === "failed" ? { ...pair, ended: state } : pair;
    }),
    ...(closed.ended > 0 && { closed: { closes: closed.ended, qty: closed.qty } }),
    ...(!isEntryWorking && { filled }),
    ...(running.firstLegs === undefined && ids !== undefined && { firstLegs: ids }),
  };
}

function withoutFill(
  running: RunningPlan,
  record: IntentRecord | undefined,
  entry: OrderReport | undefined,
  now: number,
): Seen {
  if (entry !== undefined) return { kind: isClosed(entry.ordStatus) ? "nothing" : "waits" };
  if (record === undefined) {
    return { kind: now - running.begunAt > ACCEPTED_WITHIN_MS ? "nothing" : "waits" };
  }
  if (isUnsettled(record.state)) return { kind: "waits" };
  // Of one that was carried out the broker may only not show the order now.
  return record.outcome?.kind === "done" ? { kind: "waits", isGone: true } : { kind: "nothing" };
}

function filledBy(running: RunningPlan, entry: OrderReport | undefined): FilledEntry | undefined {
  const qty = openedOf(running, entry?.cumQty ?? 0);
  return qty === 0 || entry?.avgPx === undefined ? undefined : { qty, avgPx: entry.avgPx };
}

async function entryOf(
  reads: PlanReads,
  { clOrdId, filled }: RunningPlan,
): Promise<OrderReport | undefined> {
  if (clOrdId === undefined || filled !== undefined) return undefined;
  return await orderOf(reads, clOrdId);
}

interface PairFill {
  readonly all: number;
  readonly profit: number;
}

interface OwnLegs {
  readonly first: readonly OrderReport[];
  readonly firstFilledQty: number;
  readonly firstProfitQty: number;
  readonly pairs: readonly OrderReport[];
  readonly pairFills: readonly PairFill[];
  readonly otherStopQty: number;
  readonly seen: Pick<RunningPlan, "firstOrders">;
}

async function legsOf(
  reads: PlanReads,
  running: RunningPlan,
  { working }: Snapshot,
  {
    pairIds,
    isOthers,
  }: { readonly pairIds: readonly IntentId[]; readonly isOthers: (leg: OrderReport) => boolean },
): Promise<OwnLegs> {
  const side = opposite(running.side);
  const live = working.filter(
    (leg) => isLiveLeg(leg) && leg.contract === running.contract && leg.side === side,
  );
  const owner = (leg: OrderReport) => leg.clOrdId && intentIdOf(leg.clOrdId);
  const ofPair = (leg: OrderReport) => pairIds.some((id) => id === owner(leg));
  const pairs = live.filter(ofPair);
  const first = live.filter((leg) => !ofPair(leg) && isFirst(running, leg) && !isOthers(leg));
  const others = live.filter((leg) => !pairs.includes(leg) && !first.includes(leg));
  const firstOrders = ordersSeen(running, first);
  const firstFill = await firstFills(reads, { ...running, firstOrders }, first);
  const pairFills = await Promise.all(
    running.pairs.map(async ({ takeProfitPx, stopLossPx }, nth) => {
      const id = pairIds[nth];
      if (id === undefined) return { all: 0, profit: 0 };
      const has = { profit: takeProfitPx !== undefined, loss: stopLossPx !== undefined };
      return await fillsOf(reads, clOrdIdOf(id, 1), has);
    }),
  );
  return {
    first,
    firstFilledQty: firstFill.all,
    firstProfitQty: firstFill.profit,
    pairs,
    pairFills,
    otherStopQty: stopQtyOf(others),
    seen: firstOrders.length > 0 ? { firstOrders } : {},
  };
}

/** The exits that came with a plan for a position, as they were seen first. */
function ordersSeen(
  { scope, firstOrders = [] }: RunningPlan,
  live: readonly OrderReport[],
): readonly FirstOrder[] {
  if (scope !== "position") return [];
  const isNew = (id: ClOrdId) => firstOrders.every(({ clOrdId }) => clOrdId !== id);
  const fresh = live.flatMap((leg): FirstOrder[] => {
    const { clOrdId, cumQty } = leg;
    if (clOrdId === undefined || !isNew(clOrdId)) return [];
    return [{ clOrdId, isStop: isStop(leg), cumQty }];
  });
  return [...firstOrders, ...fresh];
}

function isFirst({ scope, clOrdId, firstLegs }: RunningPlan, leg: OrderReport): boolean {
  if (scope === "position") return firstLegs?.includes(leg.orderId) === true;
  return leg.clOrdId !== undefined && sentIdOf(leg.clOrdId) === clOrdId;
}

async function firstFills(
  reads: PlanReads,
  { clOrdId, plan, firstOrders = [] }: RunningPlan,
  live: readonly OrderReport[],
): Promise<PairFill> {
  if (clOrdId === undefined) {
    const fills = await Promise.all(
      firstOrders.map(async ({ clOrdId: id, isStop: isLoss, cumQty: before }) => {
        const order = live.find((leg) => leg.clOrdId === id) ?? (await orderOf(reads, id));
        const qty = Math.max(0, (order?.cumQty ?? before) - before);
        return { all: qty, profit: isLoss ? 0 : qty };
      }),
    );
    const sum = (of: keyof PairFill) => fills.reduce((total, fill) => total + fill[of], 0);
    return { all: sum("all"), profit: sum("profit") };
  }
  return await fillsOf(reads, clOrdId, {
    profit: plan.targets[0]?.at !== undefined,
    loss: firstStopOf(plan) !== undefined,
  });
}

async function fillsOf(
  reads: PlanReads,
  id: ClOrdId,
  has: { readonly profit: boolean; readonly loss: boolean },
): Promise<PairFill> {
  const [profit, loss] = await Promise.all([
    has.profit ? orderOf(reads, legIdOf(id, "TAKE_PROFIT")) : undefined,
    has.loss ? orderOf(reads, legIdOf(id, "STOP_LOSS")) : undefined,
  ]);
  const profitQty = profit?.cumQty ?? 0;
  return { all: profitQty + (loss?.cumQty ?? 0), profit: profitQty };
}

/** An order by its identifier; one that has ended is not asked for again. */
async function orderOf(
  { account, broker, ended }: PlanReads,
  id: ClOrdId,
): Promise<OrderReport | undefined> {
  const known = ended.get(id);
  if (known !== undefined) return known;
  const order = await broker.findOrder(account, id);
  if (order !== undefined && isClosed(order.ordStatus)) ended.set(id, order);
  return order;
}

async function recordOf(
  { account, find, settled }: PlanReads,
  id: IntentId,
): Promise<IntentRecord | undefined> {
  const known = settled.get(id);
  if (known !== undefined) return known;
  const record = await find(account, id);
  if (record !== undefined && !isUnsettled(record.state)) settled.set(id, record);
  return record;
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
}

/** What the plan's own closes have closed. */
async function closedBy(
  reads: PlanReads,
  { planId, closes, closed = { closes: 0, qty: 0 } }: RunningPlan,
): Promise<Closed> {
  let { closes: ended, qty } = closed;
  let isOpen = false;
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
  }
  return { qty, ended, isOpen };
}
