import type { ClOrdId, IntentId, OrderId } from "../../domain/ids.ts";
import type { IntentRecord, LegPlan, Outcome } from "../../domain/intent.ts";
import { isClosed, type Fill, type OrderReport } from "../../domain/order.ts";
import type { PreparedOrder } from "../../domain/order-ticket.ts";
import type { Broker } from "../ports.ts";
import type { IntentStore } from "../store-ports.ts";
import { liveLegs } from "./legs.ts";
import { cancelEntries } from "./run-cancel-entries.ts";
import { placed } from "./run-place.ts";

/** Two look-ups at least this far apart, on two surfaces, prove that something did not happen. */
const ABSENT_FOR_MS = 5_000;
/** Clocks differ: fills are looked for from a little before the order was sent. */
const CLOCK_SLACK_MS = 60_000;

export interface SettleUnknownDeps {
  readonly intents: IntentStore;
  readonly now: () => number;
}

/** What a look-up shows: how it ended, or what it will have ended as if nothing changes in time. */
type Finding =
  | { readonly kind: "settled"; readonly outcome: Outcome }
  | { readonly kind: "absent"; readonly afterwards: Outcome; readonly waiting: string };

/**
 * Settles intents whose outcome is unknown from what the broker shows, and never by sending an order
 * again ("Rules for money" 4). What cannot be settled stays unknown.
 */
export class UnknownSettler {
  readonly #deps: SettleUnknownDeps;
  /** Since when the broker has shown no sign of it; looked at anew after a restart. */
  readonly #absentSince = new Map<IntentId, number>();

  constructor(deps: SettleUnknownDeps) {
    this.#deps = deps;
  }

  async settle(record: IntentRecord, broker: Broker): Promise<IntentRecord> {
    const { intentId } = record;
    const outcome = this.#judge(intentId, await lookUp(record, broker));
    if (outcome.kind !== "unknown") this.#absentSince.delete(intentId);
    return await this.#deps.intents.settle(record, outcome);
  }

  #judge(intentId: IntentId, finding: Finding): Outcome {
    if (finding.kind === "settled") return finding.outcome;
    const now = this.#deps.now();
    const since = this.#absentSince.get(intentId) ?? now;
    this.#absentSince.set(intentId, since);
    if (now - since >= ABSENT_FOR_MS) return finding.afterwards;
    return { kind: "unknown", reason: finding.waiting };
  }
}

async function lookUp(record: IntentRecord, broker: Broker): Promise<Finding> {
  const { accountId, intent, plan } = record;
  switch (intent.kind) {
    case "PLACE":
      return await findOrder(record, intent.order, broker);
    case "CANCEL":
      return await findCancel(record, intent.orderId, broker);
    case "PROTECT":
      return await findLegs(record, plan, broker, () => ({
        kind: "lost",
        reason: "The broker shows no new levels; the old ones are as they were",
      }));
    case "FLATTEN":
      return await findRest(record, broker);
    case "CANCEL_ENTRIES":
      return { kind: "settled", outcome: await cancelEntries(accountId, broker) };
  }
}

/** How an order of ours stands that the broker shows; undefined when it does not show it after all. */
export async function findPlaced(
  record: IntentRecord,
  clOrdId: ClOrdId,
  broker: Broker,
): Promise<Outcome | undefined> {
  if (record.intent.kind !== "PLACE") return undefined;
  const found = await findOrder({ ...record, clOrdIds: [clOrdId] }, record.intent.order, broker);
  return found.kind === "settled" ? found.outcome : undefined;
}

async function findOrder(
  record: IntentRecord,
  prepared: PreparedOrder,
  broker: Broker,
): Promise<Finding> {
  const { accountId, clOrdIds, sentAt = record.acceptedAt } = record;
  const [clOrdId] = clOrdIds;
  const order = clOrdId && (await broker.findOrder(accountId, clOrdId));
  if (order !== undefined) return await adopt(order, prepared, record, broker);

  // The order is not among the broker's orders: the fills are the second surface.
  const fills = await broker.fills(accountId, sentAt - CLOCK_SLACK_MS);
  const own = fills.filter((fill) => fill.clOrdId !== undefined && fill.clOrdId === clOrdId);
  if (own[0] !== undefined) return adoptFills(own, own[0], prepared);
  return {
    kind: "absent",
    afterwards: { kind: "lost", reason: "The broker proved that it never had the order" },
    waiting: "The broker does not show the order; it is looked up again",
  };
}

async function adopt(
  order: OrderReport,
  prepared: PreparedOrder,
  { accountId }: IntentRecord,
  broker: Broker,
): Promise<Finding> {
  const working = await broker.workingOrders(accountId);
  const leg = (role: OrderReport["role"]) =>
    working.find((one) => one.parentOrderId === order.orderId && one.role === role)?.orderId;
  const takeProfitOrderId = leg("TAKE_PROFIT");
  const stopLossOrderId = leg("STOP_LOSS");
  const answer = {
    kind: "accepted",
    orderId: order.orderId,
    ...(takeProfitOrderId !== undefined && { takeProfitOrderId }),
    ...(stopLossOrderId !== undefined && { stopLossOrderId }),
  } as const;
  return { kind: "settled", outcome: placed(prepared, answer, order) };
}

/** The broker forgot the order and kept its fills: a late fill is always believed. */
function adoptFills(fills: readonly Fill[], first: Fill, prepared: PreparedOrder): Finding {
  const cumQty = fills.reduce((sum, { lastQty }) => sum + lastQty, 0);
  const numerator = fills.reduce((sum, { lastQty, lastPx }) => sum + lastQty * lastPx, 0);
  const order = {
    orderId: first.orderId,
    ordStatus: cumQty >= prepared.orderQty ? "FILLED" : "CANCELED",
    cumQty,
    avgPx: { numerator, denominator: cumQty },
  } as const;
  const { contract } = prepared;
  return { kind: "settled", outcome: { kind: "done", result: { kind: "PLACE", contract, order } } };
}

async function findCancel(
  record: IntentRecord,
  orderId: OrderId,
  broker: Broker,
): Promise<Finding> {
  const working = await broker.workingOrders(record.accountId);
  const order = working.find((one) => one.orderId === orderId && !isClosed(one.ordStatus));
  if (order !== undefined) {
    return {
      kind: "absent",
      afterwards: {
        kind: "lost",
        reason: "The broker did not cancel the order; it is still working",
      },
      waiting: "The order is still working; the cancellation may be under way",
    };
  }
  const done: Outcome = { kind: "done", result: { kind: "CANCEL", orderId } };
  if (record.plan === undefined) return { kind: "settled", outcome: done };
  return await findLegs(record, record.plan, broker, () => done);
}

/**
 * Whether the exits that were to stand do stand. An interrupted replacement that left an open
 * position without them is said to be unprotected, never done.
 */
async function findLegs(
  { accountId }: IntentRecord,
  plan: LegPlan | undefined,
  broker: Broker,
  nothingCanceled: () => Outcome,
): Promise<Finding> {
  if (plan === undefined) return { kind: "settled", outcome: nothingCanceled() };
  const [positions, working] = await Promise.all([
    broker.positions(accountId),
    broker.workingOrders(accountId),
  ]);
  const position = positions.find(({ contract }) => contract === plan.contract);
  const legs = liveLegs(working, plan);
  const profit = legs.find(({ price }) => price !== undefined && price === plan.takeProfitPx);
  const loss = legs.find(({ stopPx }) => stopPx !== undefined && stopPx === plan.stopLossPx);
  const stands =
    (plan.takeProfitPx === undefined || profit !== undefined) &&
    (plan.stopLossPx === undefined || loss !== undefined);

  if (position === undefined || stands) {
    const result = {
      kind: "PROTECT",
      contract: plan.contract,
      orderQty: Math.abs(position?.netQty ?? 0),
      ...(profit !== undefined && { takeProfitOrderId: profit.orderId }),
      ...(loss !== undefined && { stopLossOrderId: loss.orderId }),
    } as const;
    const before = nothingCanceled();
    return {
      kind: "settled",
      outcome: before.kind === "done" ? before : { kind: "done", result },
    };
  }
  return {
    kind: "absent",
    afterwards: interrupted(plan, legs.length > 0),
    waiting: "The replacement is not at the broker; it is looked up again",
  };
}

function interrupted({ canceled }: LegPlan, somethingStands: boolean): Outcome {
  if (canceled === "" || somethingStands) {
    return {
      kind: "lost",
      reason: "The broker shows no new levels; the old ones are as they were",
    };
  }
  const reason = "It was interrupted, and the broker shows no replacement";
  return { kind: "unprotected", canceled, reason, restored: false };
}

/** What an interrupted flatten left is read anew: another close could turn a position around. */
async function findRest({ accountId, clOrdIds }: IntentRecord, broker: Broker): Promise<Finding> {
  const [positions, working, sent] = await Promise.all([
    broker.positions(accountId),
    broker.workingOrders(accountId),
    Promise.all(clOrdIds.map((id) => broker.findOrder(accountId, id))),
  ]);
  const closes = sent.filter((order) => order !== undefined).filter(({ cumQty }) => cumQty > 0);
  const closed = closes.map(({ contract, side, cumQty, orderId }) => ({
    contract,
    netQty: side === "SELL" ? cumQty : -cumQty,
    orderId,
  }));
  return {
    kind: "absent",
    waiting: "The flatten was interrupted; what it left is read again",
    afterwards: {
      kind: "done",
      result: {
        kind: "FLATTEN",
        closed,
        canceledOrderIds: [],
        remaining: positions.map(({ contract, netQty }) => ({ contract, netQty })),
        remainingOrderIds: working.map(({ orderId }) => orderId),
        problems: positions.length === 0 ? [] : ["It was interrupted; flatten again"],
      },
    },
  };
}
