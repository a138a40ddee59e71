import type { Draft } from "../../../domain/draft.ts";
import type { ClOrdId } from "../../../domain/ids.ts";
import { plannedLegs } from "../../../domain/asked-exits.ts";
import type { Intent, IntentRecord, Outcome } from "../../../domain/intent.ts";
import type { IntentResult, OrderResult } from "../../../domain/intent-result.ts";
import { counted, type Fill, type OrderReport, understood } from "../../../domain/order.ts";
import type { PreparedOrder } from "../../../domain/order-ticket.ts";
import type { Broker, SubmitOutcome } from "../../ports.ts";
import { CLOCK_SLACK_MS, type SoughtOrder } from "./find-nameless.ts";

/** How an order of ours stands or has ended at the broker. */
export type FoundOrder =
  | { readonly kind: "done"; readonly result: Extract<IntentResult, { kind: "PLACE" }> }
  | Extract<Outcome, { kind: "rejected" }>;

/** What a look-up shows: how it ended, or what it will have ended as if nothing changes in time. */
export type Finding = { readonly kind: "settled"; readonly outcome: Outcome } | AbsentFinding;

export interface AbsentFinding {
  readonly kind: "absent";
  readonly afterwards: Outcome;
  /** Names the missing order: two look-ups that miss different things prove nothing. */
  readonly waiting: string;
  /** Orders that may be there without their names (`find-nameless.ts`). */
  readonly sought: readonly SoughtOrder[];
}

/** What is known beforehand of an order that is looked for. */
type Asked = Pick<PreparedOrder, "contract"> & {
  readonly clOrdId?: ClOrdId;
  /** Only which of its legs there are. */
  readonly bracket?: { readonly takeProfit?: unknown; readonly stopLoss?: unknown };
  /** Absent where it followed from what was held. */
  readonly orderQty?: number;
  /** That is worked out on the lane: the broker says how many were ordered. */
  readonly isSized?: true;
};

/**
 * How the order of an intent stands, looked for by its identifier on two surfaces of the broker: its
 * orders, and its fills. Undefined when neither shows it, which alone proves nothing.
 */
export async function findPlaced(
  record: IntentRecord,
  clOrdId: ClOrdId,
  broker: Broker,
): Promise<FoundOrder | undefined> {
  const { intent, exitPlan } = record;
  if (intent.kind !== "PLACE") return undefined;
  const { leftOut } = exitPlan ?? {};
  if (leftOut === undefined) return await findSent(record, clOrdId, askedBy(intent), broker);
  const found = await findSent(record, clOrdId, { contract: intent.order.contract }, broker);
  if (found?.kind !== "done") return found;
  return { kind: "done", result: { ...found.result, problems: [leftOut] } };
}

/** Until it is sized an intent has a place holder for a quantity. */
function askedBy({ order, handling }: Extract<Intent, { kind: "PLACE" }>): Asked {
  const { contract, bracket = plannedLegs(handling?.exitPlan) } = order;
  if (handling?.size === undefined) return bracket === undefined ? order : { ...order, bracket };
  return { contract, isSized: true, ...(bracket !== undefined && { bracket }) };
}

/** The same for any one order that an intent has sent. */
export async function findSent(
  record: IntentRecord,
  clOrdId: ClOrdId,
  asked: Asked,
  broker: Broker,
): Promise<FoundOrder | undefined> {
  const { accountId, sentAt = record.acceptedAt } = record;
  const sought = { ...asked, clOrdId };
  const order = await broker.findOrder(accountId, clOrdId);
  if (order !== undefined) return await adopt(order, sought, record, broker);

  const fills = await broker.fills(accountId, sentAt - CLOCK_SLACK_MS);
  const own = fills.filter((fill) => fill.clOrdId === clOrdId);
  return own[0] && adoptFills(own, own[0], sought);
}

async function adopt(
  order: OrderReport,
  asked: Asked,
  { accountId }: IntentRecord,
  broker: Broker,
): Promise<FoundOrder> {
  const working = understood(await broker.workingOrders(accountId));
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
  // On the lane the order may have been aimed at another contract than it was accepted with.
  return placed({ ...asked, contract: order.contract }, answer, order);
}

/**
 * The broker shows the order no more, but still its fills: a late fill always counts. One that was taken
 * back proves that the order was there, and fills nothing.
 */
function adoptFills(fills: readonly Fill[], first: Fill, asked: Asked): FoundOrder {
  const own = counted(fills);
  const cumQty = own.reduce((sum, { lastQty }) => sum + lastQty, 0);
  const numerator = own.reduce((sum, { lastQty, lastPx }) => sum + lastQty * lastPx, 0);
  const order = {
    orderId: first.orderId,
    ordStatus: cumQty > 0 && cumQty >= (asked.orderQty ?? cumQty) ? "FILLED" : "CANCELED",
    cumQty,
    ...(cumQty > 0 && { avgPx: { numerator, denominator: cumQty } }),
    // Whether its legs stand is not to be seen from fills.
    ...(asked.bracket !== undefined && unconfirmed(asked)),
  } as const;
  return { kind: "done", result: { kind: "PLACE", contract: first.contract, order } };
}

/**
 * How an accepted order is answered for, with what was reported of it so far, and how long the broker took
 * to accept it where that was seen.
 */
export function placed(
  { contract, clOrdId, bracket, isSized }: Asked,
  answer: Extract<SubmitOutcome, { kind: "accepted" }>,
  report: OrderReport | undefined,
  ackMs?: number,
): FoundOrder {
  // An order that was accepted can still be refused by the broker's risk check right after.
  if (report?.ordStatus === "REJECTED") {
    return { kind: "rejected", reason: report.text ?? "The broker rejected the order" };
  }
  const { orderId, takeProfitOrderId, stopLossOrderId } = answer;
  const { ordStatus = "NEW", cumQty = 0, avgPx } = report ?? {};
  const lacksLeg =
    (bracket?.takeProfit !== undefined && takeProfitOrderId === undefined) ||
    (bracket?.stopLoss !== undefined && stopLossOrderId === undefined);
  const order: Draft<OrderResult> = {
    orderId,
    ordStatus,
    cumQty,
    ...(lacksLeg && unconfirmed({ clOrdId })),
  };
  if (avgPx !== undefined) order.avgPx = avgPx;
  if (takeProfitOrderId !== undefined) order.takeProfitOrderId = takeProfitOrderId;
  if (stopLossOrderId !== undefined) order.stopLossOrderId = stopLossOrderId;
  if (ackMs !== undefined) order.ackMs = ackMs;
  const result = { kind: "PLACE", contract, order } as const;
  if (isSized !== true || report === undefined) return { kind: "done", result };
  return { kind: "done", result: { ...result, orderQty: report.orderQty } };
}

const unconfirmed = ({ clOrdId }: { readonly clOrdId?: ClOrdId | undefined }) =>
  ({ legsUnconfirmed: true, ...(clOrdId !== undefined && { clOrdId }) }) as const;
