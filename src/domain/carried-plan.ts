import type { OrderKey } from "./book/lots.ts";
import type { Aim } from "./alert.ts";
import type { ContractCode } from "./contracts/contract.ts";
import type { ClOrdId, OrderId } from "./ids.ts";
import type { OrderRole, Side } from "./order.ts";
import type { Ticks } from "./contracts/price.ts";

/** The exits that a cancel or a protection leaves behind, so that an interrupted one can be judged. */
export interface LegPlan {
  readonly contract: ContractCode;
  readonly side: Side;
  /** At least one of the two is there, except where a cancel leaves no leg behind. */
  readonly takeProfitPx?: Ticks;
  readonly stopLossPx?: Ticks;
  /** What was cancelled for it, in words. */
  readonly canceled: string;
  /** How many contracts the exits are to close. */
  readonly orderQty?: number;
  /** Where the exits of a protection stood before it; empty when there were none. */
  readonly before?: Pick<LegPlan, "takeProfitPx" | "stopLossPx">;
  /** All the exits that stood then; of a cancel: the other leg of the pair. */
  readonly oldOrderIds?: readonly OrderId[];
  /** The old exits make way for new ones, so an old one proves nothing; absent: they are changed. */
  readonly replaces?: true;
  /** Of a cancel: the order that it names. A plan without it may still be for one placed by hand. */
  readonly canceledClOrdId?: ClOrdId;
  /** Of a cancel: the other leg of the pair, as it was before it is placed again. */
  readonly survivorClOrdId?: ClOrdId;
  /** Why the new exits were refused: these are the old ones, put back. */
  readonly putBackAfter?: string;
}

/** A close of an exit that may have been sent. */
export interface SentClose {
  readonly contract: ContractCode;
  readonly clOrdId: ClOrdId;
  /** What was held: +1 long, -1 short. */
  readonly direction: number;
  /** The orders whose contracts it closes, where others are held beside them. */
  readonly lots?: readonly OrderKey[];
}

/** An order that was to be cancelled; of one that is not understood not all is known. */
export interface SentCancel {
  readonly orderId: OrderId;
  readonly clOrdId?: ClOrdId;
  readonly contract?: ContractCode;
  readonly role?: OrderRole;
  /** Of a plain order that rested: the exit that it was for what is held on the other side. */
  readonly closes?: { readonly side: Side; readonly exit: Exclude<OrderRole, "ORDER"> };
  /** The exit that it was: it is placed again where the close is refused for certain. */
  readonly leg?: TakenLeg;
}

/** An exit that made way for a close, as it worked. */
export interface TakenLeg {
  readonly exit: Exclude<OrderRole, "ORDER">;
  readonly side: Side;
  readonly px: Ticks;
  readonly leavesQty: number;
  /** The order that the other leg of its pair was. */
  readonly pairOf?: OrderId;
}

/** Exits that are placed again after a close was refused, under the identifier of their pair. */
export interface GivenBack {
  readonly clOrdId: ClOrdId;
  /** The orders that made way, and whose place they take. */
  readonly of: readonly OrderId[];
  /** One of these by its name: its fills are for the same entries. */
  readonly leg?: ClOrdId;
}

/**
 * How far an exit has come. Written ahead with each thing that it sends, so that it can go on after
 * it was interrupted. Its identifiers that are no close's stand for cancels.
 */
export interface ExitPlan {
  /** Without those that the broker certainly never had. */
  readonly closes: readonly SentClose[];
  /** How many of these there were. */
  readonly unsent?: number;
  readonly cancels: readonly SentCancel[];
  readonly given?: readonly GivenBack[];
  /** Of an adjustment: what of its aim closes something, where anything does. */
  readonly aim?: Aim;
  /** Of an adjustment: an order was to follow. */
  readonly opens?: true;
  /** Of one order that leaves as less than was asked for, without its exits: why, in words. */
  readonly leftOut?: string;
}
