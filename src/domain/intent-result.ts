import type { OrderPrice } from "./declared/order-types.ts";
import type { ContractCode } from "./contracts/contract.ts";
import type { AveragePrice } from "./contracts/price.ts";
import type { ClOrdId, OrderId } from "./ids.ts";
import type { Bracket, OrderReport, OrderRole, OrdStatus, Side } from "./order.ts";
import type { PreparedOrder } from "./order-ticket.ts";
import type { AskedExits, LostExits, WorkingExits } from "./working-exits.ts";

/** How an order that was sent stood when the caller was answered. */
export interface OrderResult {
  readonly orderId: OrderId;
  readonly ordStatus: OrdStatus;
  readonly cumQty: number;
  readonly avgPx?: AveragePrice;
  readonly takeProfitOrderId?: OrderId;
  readonly stopLossOrderId?: OrderId;
  /** A leg that was asked for was not confirmed: the position may stand unprotected. */
  readonly legsUnconfirmed?: true;
  /** Its own identifier, where legs are unconfirmed: theirs follow from it. */
  readonly clOrdId?: ClOrdId;
  /** ms from the write-ahead to the broker's answer; absent where the order was looked up. */
  readonly ackMs?: number;
}

/** An order that was changed, as it stood when the caller was answered. */
export type ModifiedOrder = Pick<
  OrderReport,
  "orderId" | "contract" | "ordStatus" | "orderQty" | "cumQty" | "leavesQty" | OrderPrice
>;

export interface ClosedPosition {
  readonly contract: ContractCode;
  /** What was held: positive long, negative short. */
  readonly netQty: number;
  readonly orderId: OrderId;
  /** How the order that closed it stood, where it was sent as an order. */
  readonly order?: Pick<OrderResult, "ordStatus" | "avgPx">;
}

export interface RemainingPosition {
  readonly contract: ContractCode;
  readonly netQty: number;
}

/** What an intent achieved. */
export type IntentResult =
  | {
      readonly kind: "PLACE";
      readonly contract: ContractCode;
      /** Of a reversal of which only the close was carried out: the order that closed. */
      readonly order: OrderResult;
      /** How many were ordered, where that was worked out here. */
      readonly orderQty?: number;
      /** What was held in another month and was closed first; absent when nothing was. */
      readonly closed?: readonly ClosedPosition[];
      /** What was not carried out, and why, in words; absent when all was. */
      readonly problems?: readonly string[];
    }
  | {
      readonly kind: "CANCEL";
      readonly orderId: OrderId;
      /** The other leg of the pair, placed again under a new id. */
      readonly replacedLeg?: { readonly role: OrderRole; readonly orderId: OrderId };
    }
  | { readonly kind: "MODIFY"; readonly order: ModifiedOrder }
  | ({ readonly kind: "PROTECT" } & WorkingExits)
  | {
      readonly kind: "FLATTEN";
      readonly closed: readonly ClosedPosition[];
      readonly canceledOrderIds: readonly OrderId[];
      readonly remaining: readonly RemainingPosition[];
      readonly remainingOrderIds: readonly OrderId[];
      /** What went wrong on the way, in words; empty when nothing remains. */
      readonly problems: readonly string[];
      /** Exits that were cancelled for a position that could not be closed then. */
      readonly unprotected?: readonly LostExits[];
    }
  | {
      readonly kind: "CANCEL_ENTRIES";
      readonly canceledOrderIds: readonly OrderId[];
      /** Exits of a position that went as a whole, since they could not be cut to it. */
      readonly unprotected?: readonly LostExits[];
    }
  | {
      readonly kind: "ADJUST";
      /** Of what was opened or grown, or of what is held. */
      readonly contract: ContractCode;
      readonly closed: readonly ClosedPosition[];
      readonly canceledOrderIds: readonly OrderId[];
      /** What was opened or grown; absent when nothing was to be. */
      readonly order?: OrderResult & { readonly side: Side; readonly orderQty: number };
      /** Of what stood already; the order's own are told with it. Absent in records of before. */
      readonly exits?: AskedExits;
      /** Signed, as the broker showed it at the end; absent when it could not be read. */
      readonly netQty?: number;
      /** What was not carried out, and why, in words; empty when all was. */
      readonly problems: readonly string[];
      /** The position right before, signed, if a strategy's message brought it. */
      readonly found?: number;
      /** It went against the strategy's own order, and only took out; `problems` say how. */
      readonly contradicts?: true;
      /** Exits that were cancelled for a position that could not be closed then. */
      readonly unprotected?: readonly LostExits[];
    }
  | {
      readonly kind: "TIMEOUT";
      readonly contract: ContractCode;
      /** The entry; how much of it filled is absent where the broker does not show it. */
      readonly entry: { readonly orderId?: OrderId; readonly cumQty?: number };
      /** Empty where the entry had ended by itself. */
      readonly canceledOrderIds: readonly OrderId[];
      /** What was left of it, as it was sent at the market. */
      readonly order?: OrderResult & { readonly side: Side; readonly orderQty: number };
      /** What was not carried out, and why, in words; empty when all was. */
      readonly problems: readonly string[];
    }
  /** Nothing was sent, as asked: what would have been, had it not been a test. */
  | { readonly kind: "TEST"; readonly steps: readonly DryRunStep[] };

/** One thing that a test would have done at the broker. */
export type DryRunStep =
  | {
      readonly kind: "order";
      readonly order: PreparedOrder;
      /** Whether it opens or grows a position, so that limits and kill switch hold for it. */
      readonly adds: boolean;
    }
  /** Without a contract the broker names none. */
  | { readonly kind: "cancel"; readonly orderId: OrderId; readonly contract?: ContractCode }
  /** `netQty` is what is held now. */
  | { readonly kind: "close"; readonly contract: ContractCode; readonly netQty: number }
  | { readonly kind: "protect"; readonly contract: ContractCode; readonly levels: Bracket }
  /** It would wait until the outcome of something earlier is known. */
  | { readonly kind: "wait"; readonly reason: string }
  /** The order after a close would not be placed. */
  | { readonly kind: "withhold"; readonly reason: string };
