import type { OptionValues } from "./declared/webhook-options.ts";
import type { AskedExitPlan } from "./exits/exit-plan.ts";
import type { Side } from "./order.ts";
import type { OrderTicket } from "./order-ticket.ts";
import type { StrategyMove } from "./strategy-move.ts";
import type { BracketTicket } from "./contracts/tick-reader.ts";

/** Which side of the market a position is on. */
export type Holding = "FLAT" | "LONG" | "SHORT";

/**
 * Where the position in one symbol is to go, decided on the lane from what is held then. Quantities
 * are contracts.
 */
export type Aim =
  /** Signed: positive is long, 0 is flat. With the order of the strategy that led there, if the sender names it. */
  | { readonly to: "position"; readonly netQty: number; readonly strategy?: StrategyMove }
  /** Exactly this order, after what `cancelFirst` and `onlyWhen` ask for. */
  | { readonly to: "order"; readonly side: Side; readonly qty: number }
  /** To the other side: with as many as are held, or with `qty`. */
  | { readonly to: "reverse"; readonly qty?: number }
  /**
   * Out of a part of it, at most all of it; with `holding` only if it is held so. `percent` is above
   * 0 and at most 100; a part of a contract is rounded to the nearest whole one, and at least 1.
   */
  | { readonly to: "close"; readonly qty: number; readonly holding?: Holding }
  | { readonly to: "close"; readonly percent: number; readonly holding?: Holding }
  /** More on the side that is held; refused when nothing is. */
  | { readonly to: "add"; readonly qty: number }
  /** In on one side, out of the other one first. */
  | {
      readonly to: "enter";
      readonly side: Side;
      readonly qty: number;
      /** Where that side is held already: more of it, nothing, or out of that too and in anew. */
      readonly whenHeld: "add" | "refuse" | "replace";
      /**
       * Where the other side is held: out of all of it, then in with `qty`; or, when `qty` is less
       * than is held, out of `qty` and no more.
       */
      readonly whenOpposite: "close" | "reduceIfLess";
      /**
       * Where all of the other side is closed: absent, in with `qty` after it. `never` stops there;
       * `withRest` goes in with what `qty` is more than was held.
       */
      readonly swap?: "never" | "withRest";
      /** Where an order of ours works on that side already: absent, it is no matter. */
      readonly whenWorking?: "refuse";
    };

/** How an order is to be placed whose side and quantity follow from what is held. */
export type OrderTerms = Omit<OrderTicket, "symbol" | "side" | "orderQty">;

/** What one alert asks for, in whatever dialect it was written; symbols and prices are still text. */
export type AlertRequest =
  /** Exactly this order. */
  | { readonly kind: "order"; readonly ticket: OrderTicket }
  | {
      readonly kind: "adjust";
      readonly symbol: string;
      readonly aim: Aim;
      readonly terms: OrderTerms;
      /**
       * Cancel what rests in the symbol before; exits of what stays open are kept. Absent: of a
       * position yes, which speaks of the whole, of all else no.
       */
      readonly cancelFirst?: boolean;
      /** Refuse unless the symbol is held so. */
      readonly onlyWhen?: readonly Holding[];
    }
  /** Everything of the account, or with a symbol everything or nothing (specification 4.3.1, 4.3.2). */
  | { readonly kind: "flatten"; readonly symbol?: string }
  /** Everything of one symbol, what rests in it included. */
  | { readonly kind: "exit"; readonly symbol: string }
  /** Cancels resting entries of the symbol, or of the account; exits of open positions stay. */
  | { readonly kind: "cancel"; readonly symbol?: string }
  /** Puts exits on an open position, or moves them; with a plan there are no legs. */
  | {
      readonly kind: "protect";
      readonly symbol: string;
      readonly legs: BracketTicket;
      readonly exitPlan?: AskedExitPlan;
    };

/** One of the accounts that a sender names. */
export interface NamedAccount {
  /** Where it is named. */
  readonly at: string;
  /** As it was written: an id, or the broker's name or number of it. */
  readonly name: string;
  /** What is asked of this one, where each is asked for something of its own. */
  readonly request?: AlertRequest;
  /** What is wrong with naming it, whichever it is. */
  readonly problem?: string;
}

/** One alert as it was read. */
export interface ReadAlert {
  readonly request: AlertRequest;
  /** Which accounts of the webhook's group it is for; absent: all of them that are on. */
  readonly accounts?: readonly NamedAccount[];
  /** The sender's own name for it: the same one within a day is the same alert. */
  readonly senderAlertId?: string;
  /** The position after or before the fill, as its fields say it: two fills of one bar differ in it. */
  readonly saidPosition?: string;
  /** Everything but the sending. */
  readonly test?: true;
  /** The sender's own limit to how old it may become unsent, ms; never longer than the webhook's. */
  readonly maxAgeMs?: number;
  /**
   * The latest time at which it may have fired, by what the sender says, Unix ms by the sender's clock. The age
   * of what opens or grows a position counts from there.
   */
  readonly firedAt?: number;
  /** The price that it names as that of its chart, as it was written; no order is placed by it. */
  readonly signalPrice?: string;
  /** Fields that ask for nothing we act on, by name. */
  readonly unread: readonly string[];
  /** Which exits the alert says that its order is to go without, in words. */
  readonly notes?: readonly string[];
}

/** What a webhook's owner has set for all of its alerts. What is absent is not restricted. */
export type WebhookOptions = Partial<OptionValues<Side, string>>;

/** What is left out stays; null clears one, so that the gateway's default holds again. */
export type WebhookOptionsChange = {
  readonly [Name in keyof WebhookOptions]?: Required<WebhookOptions>[Name] | null;
};
