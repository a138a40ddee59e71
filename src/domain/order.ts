import {
  type OrderPrice,
  type OrdType,
  ORDER_PRICES,
  PRICES_AS_MET,
  declaredPrice,
  declaredType,
} from "./declared/order-types.ts";
import type { ContractCode } from "./contracts/contract.ts";
import { type ClOrdId, type ExecId, isOwnClOrdId, type OrderId } from "./ids.ts";
import type { AveragePrice, Ticks } from "./contracts/price.ts";
import type { BrokerTerms } from "./broker-terms.ts";

export const SIDES = ["BUY", "SELL"] as const;
export const TIMES_IN_FORCE = ["DAY", "GTC", "IOC", "FOK"] as const;

export type Side = (typeof SIDES)[number];
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

export const opposite = (side: Side): Side => (side === "BUY" ? "SELL" : "BUY");

/** +1 for a buy, -1 for a sell. */
export const sign = (side: Side): 1 | -1 => (side === "BUY" ? 1 : -1);

/** Where a leg of a bracket goes: at a price, or so many ticks away from the entry's first fill. */
export type LegLevel =
  | { readonly by: "price"; readonly price: Ticks }
  /** Always positive; which direction it counts in follows from the leg and the entry's side. */
  | { readonly by: "distance"; readonly distance: Ticks };

/** At most one take-profit (a limit order) and one stop-loss (a stop order), linked OCO. */
export interface Bracket {
  readonly takeProfit?: LegLevel;
  readonly stopLoss?: LegLevel;
}

/** An order's own prices in ticks; which of them it has follows from its type. */
export type OrderPrices = { readonly [Name in OrderPrice]?: Ticks };

/** The prices of an order, without all else and without those that it has not. */
export function pricesOf(order: {
  readonly [Name in OrderPrice]?: Ticks | undefined;
}): OrderPrices {
  const prices: { [Name in OrderPrice]?: Ticks } = {};
  for (const name of ORDER_PRICES) {
    const price = order[name];
    if (price !== undefined) prices[name] = price;
  }
  return prices;
}

/** Where an order rests: at what it waits for, else at its limit. */
export const levelOf = (order: OrderPrices): Ticks | undefined =>
  PRICES_AS_MET.filter((name) => declaredPrice(name).counts === "price")
    .map((name) => order[name])
    .find((price) => price !== undefined);

/** FIX NewOrderSingle, reduced to what a futures order needs. Quantities are contracts. */
export interface NewOrderSingle extends OrderPrices {
  readonly clOrdId: ClOrdId;
  readonly contract: ContractCode;
  readonly side: Side;
  /** A positive integer. */
  readonly orderQty: number;
  readonly ordType: OrdType;
  readonly timeInForce: TimeInForce;
  /** Legs go live for the filled quantity and grow with it. */
  readonly bracket?: Bracket;
}

/** Two exits of which the fill or cancel of one ends the other. At least one level is present. */
export interface ProtectionOrder {
  readonly contract: ContractCode;
  /** The side of the exits: SELL protects a long position. */
  readonly side: Side;
  readonly orderQty: number;
  readonly takeProfit?: { readonly clOrdId: ClOrdId; readonly price: Ticks };
  readonly stopLoss?: { readonly clOrdId: ClOrdId; readonly stopPx: Ticks };
}

/** New values for a working order; what is absent stays as it is. `orderQty` counts what is filled too. */
export interface OrderChange extends OrderPrices {
  readonly orderId: OrderId;
  readonly orderQty?: number;
}

export const ORD_STATUSES = [
  "PENDING_NEW",
  "HELD",
  "NEW",
  "PARTIALLY_FILLED",
  "PENDING_CANCEL",
  "FILLED",
  "CANCELED",
  "EXPIRED",
  "REJECTED",
] as const;

/** FIX OrdStatus. HELD is a bracket leg that waits for its entry's first fill. */
export type OrdStatus = (typeof ORD_STATUSES)[number];

const CLOSED: ReadonlySet<OrdStatus> = new Set(["FILLED", "CANCELED", "EXPIRED", "REJECTED"]);

/** Whether nothing more is expected of the order. A late fill still counts. */
export function isClosed(status: OrdStatus): boolean {
  return CLOSED.has(status);
}

/** Whether an order is filled or gone as soon as the broker has worked it. */
export function endsAtOnce({
  ordType,
  timeInForce,
}: Pick<NewOrderSingle, "ordType" | "timeInForce">): boolean {
  return declaredType(ordType).exit === undefined || timeInForce === "IOC" || timeInForce === "FOK";
}

/** What part an order plays: an entry, a leg of a bracket or protection, or just an order. */
export type OrderRole = "ORDER" | "TAKE_PROFIT" | "STOP_LOSS";

/** One order as the broker knows it now. */
export interface OrderReport extends OrderPrices {
  readonly orderId: OrderId;
  /** Absent on an order placed by hand, which carries no identifier of ours. */
  readonly clOrdId?: ClOrdId;
  readonly contract: ContractCode;
  /** Present where the contract is not of our table: prices are counted in its ticks then. */
  readonly terms?: BrokerTerms;
  readonly side: Side;
  readonly ordType: OrdType;
  readonly timeInForce: TimeInForce;
  readonly ordStatus: OrdStatus;
  readonly orderQty: number;
  readonly cumQty: number;
  readonly leavesQty: number;
  /** Absent until something is filled. */
  readonly avgPx?: AveragePrice;
  readonly role: OrderRole;
  /** The entry whose bracket this leg belongs to; absent on a protection attached later. */
  readonly parentOrderId?: OrderId;
  /** The other leg of the pair. */
  readonly linkedOrderId?: OrderId;
  /** The broker's words on a rejection, cancel or expiry. */
  readonly text?: string;
  /** Unix ms by the broker's clock. */
  readonly transactTimeAt: number;
}

/**
 * An order that works at the broker and cannot be understood: what it may do is not known. It can be
 * shown, and cancelled by its number. That it has no more fields makes everybody who reads working
 * orders say what becomes of it.
 */
export interface OpaqueOrder {
  readonly orderId: OrderId;
  /** What of it is missing or unknown, as one sentence for a person. */
  readonly problem: string;
  /** Absent on an order placed by hand, or where even that cannot be read. */
  readonly clOrdId?: ClOrdId;
  /** Absent where the broker names none: it may be an order in any contract then. */
  readonly contract?: ContractCode;
  readonly side?: Side;
}

/** What a broker lists as working: orders, and what it did not say enough of. */
export type WorkingOrder = OrderReport | OpaqueOrder;

export const isOpaque = (order: WorkingOrder): order is OpaqueOrder => "problem" in order;

/** Only the orders that are understood: for callers that must neither act on the others nor count them. */
export const understood = (orders: readonly WorkingOrder[]): readonly OrderReport[] =>
  orders.filter((order): order is OrderReport => !isOpaque(order));

/** Whether an order that is not understood may be one in this contract. */
export const mayBeIn = ({ contract }: OpaqueOrder, code: ContractCode): boolean =>
  contract === undefined || contract === code;

/**
 * Whether the order was placed by hand or by another program. It is shown, and only a flatten, or a
 * cancel that names it, ever touches it.
 */
export function isForeign({ clOrdId }: Pick<OrderReport, "clOrdId">): boolean {
  return clOrdId === undefined || !isOwnClOrdId(clOrdId);
}

/** One execution. `realizedPnl` is present when the fill closed something, as the broker counts it. */
export interface Fill {
  readonly execId: ExecId;
  readonly orderId: OrderId;
  readonly clOrdId?: ClOrdId;
  readonly contract: ContractCode;
  /** Present where the contract is not of our table: the price is counted in its ticks then. */
  readonly terms?: BrokerTerms;
  readonly side: Side;
  readonly lastQty: number;
  readonly lastPx: Ticks;
  /** Exact, in the contract's currency. */
  readonly realizedPnl?: string;
  /** What it cost, where the broker says so: exact, positive for what is paid. */
  readonly fee?: string;
  /** Of the fee; absent where the broker does not say. */
  readonly feeCurrency?: string;
  /** The exchange's trade date as the broker says it, `2026-11-26`; absent where it does not. Shown only. */
  readonly tradeDay?: string;
  readonly transactTimeAt: number;
  /**
   * The broker or the exchange has taken it back (a bust): nothing of it counts. It still proves that
   * its order was at the broker.
   */
  readonly takenBack?: true;
  /** The entries whose contracts it closes before others, as its intent names them; of a recorded fill alone. */
  readonly closes?: readonly ClOrdId[];
}

/** The fills that count: every sum of quantities asks this. */
export const counted = (fills: readonly Fill[]): readonly Fill[] =>
  fills.filter(({ takenBack }) => takenBack !== true);

/** The fill's effect on the position, signed. */
export const netOf = ({ side, lastQty, takenBack }: Fill): number =>
  takenBack === true ? 0 : sign(side) * lastQty;

/** FIX ExecutionReport: what just happened to one order, and how the order stands after it. */
export interface ExecutionReport {
  readonly execType:
    | "NEW"
    | "TRADE"
    | "TRADE_CANCEL"
    | "TRADE_CORRECT"
    | "CANCELED"
    | "EXPIRED"
    | "REJECTED"
    | "REPLACED"
    | "RESTATED";
  readonly order: OrderReport;
  /**
   * Present on TRADE. On RESTATED it is one that was told before (by its `execId`), with more than was
   * known then: what it cost. On TRADE_CANCEL and TRADE_CORRECT it is one that the broker takes back or
   * corrects, as it is from now on; it may come before the fill itself was reported.
   */
  readonly fill?: Fill;
}

/** A fill of an order that is not understood: what it did to the position is certain all the same. */
export interface OpaqueExecution {
  readonly execType: "TRADE" | "TRADE_CANCEL" | "TRADE_CORRECT";
  readonly order: OpaqueOrder;
  readonly fill: Fill;
}

/** What a broker reports of an order. */
export type BrokerReport = ExecutionReport | OpaqueExecution;

/** Whether what the account holds has changed by this report. */
export const movesPosition = ({ execType }: BrokerReport): boolean =>
  execType === "TRADE" || execType === "TRADE_CANCEL" || execType === "TRADE_CORRECT";

export const isUnderstood = (report: BrokerReport): report is ExecutionReport =>
  !isOpaque(report.order);
