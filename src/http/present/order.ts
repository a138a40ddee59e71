import type { Bracket, LegLevel } from "../../domain/order.ts";
import type { PreparedOrder } from "../../domain/order-ticket.ts";
import type { SizeRule } from "../../domain/order-handling.ts";
import type { OrderResult } from "../../domain/intent-result.ts";
import { ACTION_OF, DURATION_OF, ORDER_TYPE_OF, ROLE_OF, STATUS_OF } from "../words.ts";
import { presentAverage, presentPrice, presentPrices } from "./figures.ts";
import { presentClosed } from "./holding.ts";
import type { Achieved } from "./outcome.ts";
import type { ContractTerms, DescribeContract } from "../../trading/orders/describe-contract.ts";

/** A placed order as it stood when its caller was answered. */
export function presentOrder({ record, result }: Achieved<"PLACE">, describe: DescribeContract) {
  const { order, orderQty, contract, closed, problems } = result;
  const terms = describe(contract);
  const asked = record.intent.kind === "PLACE" ? record.intent.order.bracket : undefined;
  return {
    orderId: order.orderId,
    accountId: record.accountId,
    symbol: terms.symbol,
    status: STATUS_OF[order.ordStatus],
    ...(orderQty !== undefined && { qty: orderQty }),
    filledQty: order.cumQty,
    averagePrice: presentAverage(order.avgPx, terms),
    bracket: presentLegIds(order, asked),
    ...(closed !== undefined && { closed: presentClosed(closed, describe) }),
    ...(problems !== undefined && { problems }),
    intentId: record.intentId,
  };
}

/** Null where no bracket was asked for, and none is there. */
export function presentLegIds(order: OrderResult, asked: Bracket | undefined) {
  const { takeProfitOrderId = null, stopLossOrderId = null } = order;
  const none = asked === undefined && takeProfitOrderId === null && stopLossOrderId === null;
  return none ? null : { takeProfitOrderId, stopLossOrderId };
}

export function presentCancel({ record, result }: Achieved<"CANCEL">) {
  const { replacedLeg } = result;
  return {
    orderId: result.orderId,
    accountId: record.accountId,
    status: "canceled",
    replacedLeg:
      replacedLeg === undefined
        ? null
        : { role: ROLE_OF[replacedLeg.role], orderId: replacedLeg.orderId },
    intentId: record.intentId,
  };
}

/** An order that was changed, as it stood when its caller was answered. */
export function presentModifiedOrder(
  { record, result }: Achieved<"MODIFY">,
  describe: DescribeContract,
) {
  const { order } = result;
  const terms = describe(order.contract);
  return {
    orderId: order.orderId,
    accountId: record.accountId,
    symbol: terms.symbol,
    status: STATUS_OF[order.ordStatus],
    qty: order.orderQty,
    filledQty: order.cumQty,
    remainingQty: order.leavesQty,
    ...presentPrices(order, terms),
    intentId: record.intentId,
  };
}

export function presentProtection(
  { record, result }: Achieved<"PROTECT">,
  describe: DescribeContract,
) {
  return {
    accountId: record.accountId,
    symbol: describe(result.contract).symbol,
    qty: result.orderQty,
    takeProfitOrderId: result.takeProfitOrderId ?? null,
    stopLossOrderId: result.stopLossOrderId ?? null,
    intentId: record.intentId,
  };
}

/** An order as it was asked for, its symbol resolved. */
export function presentAskedOrder(order: PreparedOrder, describe: DescribeContract) {
  const terms = describe(order.contract);
  return {
    symbol: terms.symbol,
    action: ACTION_OF[order.side],
    qty: order.orderQty,
    type: ORDER_TYPE_OF[order.ordType],
    ...presentPrices(order, terms),
    timeInForce: DURATION_OF[order.timeInForce],
    bracket: presentAskedBracket(order.bracket, terms),
  };
}

/** The same of one whose quantity is worked out on the lane; `qty` is given once it is. */
export function presentSizedOrder(
  order: PreparedOrder,
  { rule, qty }: { readonly rule: SizeRule; readonly qty: number | undefined },
  describe: DescribeContract,
) {
  const { min } = rule;
  const asked = rule.by === "risk" ? { risk: rule.money } : { riskPercent: rule.percent };
  return {
    ...presentAskedOrder(order, describe),
    qty: qty ?? null,
    size: { ...asked, ...(min !== undefined && { min }) },
  };
}

export function presentAskedBracket(bracket: Bracket | undefined, terms: ContractTerms) {
  if (bracket === undefined) return null;
  return {
    takeProfit: presentLevel(bracket.takeProfit, terms),
    stopLoss: presentLevel(bracket.stopLoss, terms),
  };
}

function presentLevel(level: LegLevel | undefined, terms: ContractTerms) {
  if (level === undefined) return null;
  return level.by === "price"
    ? { price: presentPrice(level.price, terms) }
    : { ticks: Number(level.distance) };
}
