import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { AccountId, ClOrdId, OrderId } from "../../../domain/ids.ts";
import {
  isClosed,
  type OrderReport,
  type OrderRole,
  type OrdStatus,
  type Side,
  type TimeInForce,
} from "../../../domain/order.ts";
import {
  needs,
  ORDER_PRICES,
  type OrderPrice,
  type OrdType,
  waitsForTrigger,
} from "../../../domain/declared/order-types.ts";
import type { Ticks } from "../../../domain/contracts/price.ts";

/** An order's own prices, as far as it has them. */
export type ExchangePrices = { [Name in OrderPrice]: Ticks | undefined };

/** One order as the exchange keeps it. Only the exchange changes it; others see `toReport`. */
export interface ExchangeOrder extends ExchangePrices {
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly clOrdId: ClOrdId | undefined;
  readonly contract: ContractCode;
  readonly side: Side;
  readonly ordType: OrdType;
  readonly timeInForce: TimeInForce;
  readonly role: OrderRole;
  readonly parentOrderId: OrderId | undefined;
  readonly linkedOrderId: OrderId | undefined;
  /** The legs of this entry. */
  readonly legIds: readonly OrderId[];
  ordStatus: OrdStatus;
  orderQty: number;
  cumQty: number;
  /** The sum of quantity times price over all fills. */
  filledTicks: number;
  /** Where a leg goes once its entry's first fill says from where to count. */
  distance: Ticks | undefined;
  /** Whether a stop has been hit, so that it is a market or limit order now. */
  isTriggered: boolean;
  /** Time priority: the smaller number came first. Unique and increasing over all accounts. */
  priority: number;
  /** When a day order ends. */
  readonly expireAt: number | undefined;
  text: string | undefined;
  transactTimeAt: number;
}

/** An object whose optional fields are filled in one after another. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };

export function leavesQty({ ordStatus, orderQty, cumQty }: ExchangeOrder): number {
  return isClosed(ordStatus) ? 0 : orderQty - cumQty;
}

/** Whether the order waits for the market to reach its stop price. */
export function isWaitingStop({ ordType, isTriggered }: ExchangeOrder): boolean {
  return !isTriggered && waitsForTrigger(ordType);
}

/** The limit that binds the order now; undefined when it takes any price. */
export function limitOf({ ordType, price }: ExchangeOrder): Ticks | undefined {
  return needs(ordType, "price") ? price : undefined;
}

/** A snapshot of the order for others to keep. */
export function toReport(order: ExchangeOrder): OrderReport {
  const report: Writable<OrderReport> = {
    orderId: order.orderId,
    contract: order.contract,
    side: order.side,
    ordType: order.ordType,
    timeInForce: order.timeInForce,
    ordStatus: order.ordStatus,
    orderQty: order.orderQty,
    cumQty: order.cumQty,
    leavesQty: leavesQty(order),
    role: order.role,
    transactTimeAt: order.transactTimeAt,
  };
  for (const name of ORDER_PRICES) {
    const price = order[name];
    if (price !== undefined) report[name] = price;
  }
  if (order.clOrdId !== undefined) report.clOrdId = order.clOrdId;
  if (order.cumQty > 0) {
    report.avgPx = { numerator: order.filledTicks, denominator: order.cumQty };
  }
  if (order.parentOrderId !== undefined) report.parentOrderId = order.parentOrderId;
  if (order.linkedOrderId !== undefined) report.linkedOrderId = order.linkedOrderId;
  if (order.text !== undefined) report.text = order.text;
  return report;
}
