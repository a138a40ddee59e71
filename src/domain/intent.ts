import type { DenialCode } from "./denials.ts";
import type { OrderPrice } from "./declared/order-types.ts";
import type { Aim, Holding } from "./alert.ts";
import type { ContractCode } from "./contracts/contract.ts";
import type { AccountId, ClOrdId, CredentialId, IntentId, OrderId, UserId } from "./ids.ts";
import type { Bracket, OrderReport, OrderRole, OrdStatus, Side } from "./order.ts";
import type { OrderValues } from "./order-change.ts";
import type { OrderHandling, OrderTimeout } from "./order-handling.ts";
import type { PreparedOrder, PreparedTerms } from "./order-ticket.ts";
import type { AveragePrice } from "./contracts/price.ts";
import type { ExitPlan as ClosingPlan, LegPlan } from "./carried-plan.ts";
import type { ExitPlan, ExitPlanTicket } from "./exits/exit-plan.ts";
import type { PlannedPair } from "./exits/running-plan.ts";
import type { AskedExits, LostExits, WorkingExits } from "./working-exits.ts";
import type { BracketTicket, TicketProblem } from "./contracts/tick-reader.ts";

/** What is wanted of one account. Worked on the account's lane, strictly one after another. */
export type Intent =
  | {
      readonly kind: "PLACE";
      readonly order: PreparedOrder;
      /** Only the root was named: an exit goes to the month that is held then. */
      readonly isFrontMonth?: true;
      readonly handling?: OrderHandling;
    }
  | { readonly kind: "CANCEL"; readonly orderId: OrderId }
  | {
      readonly kind: "MODIFY";
      readonly orderId: OrderId;
      /** The order's own identifier: by it the broker shows the order once it works no more. */
      readonly clOrdId: ClOrdId;
      readonly change: OrderValues;
    }
  /** Levels by distance count from the position's average price. */
  | ({
      readonly kind: "PROTECT";
      /** Absent: the one position that is open. */
      readonly contract?: ContractCode;
      /** Only the root was named: the month that is held then. */
      readonly isFrontMonth?: true;
    } & AskedLevels)
  | {
      readonly kind: "FLATTEN";
      /** Only this root's positions; absent: all. */
      readonly root?: string;
      /** Only this contract of it, where the caller named one. */
      readonly contract?: ContractCode;
      /** Refuse, and close nothing, when another root than this is held (specification 4.3.2). */
      readonly mustHold?: string;
      /** Cancel every resting order, or only the legs of what is closed. */
      readonly cancelResting: boolean;
    }
  /** Cancels resting entries and leaves exits alone: what a kill switch does to each account. */
  | {
      readonly kind: "CANCEL_ENTRIES";
      /** Only this root's; absent: all. */
      readonly root?: string;
      /** Only this contract of it. */
      readonly contract?: ContractCode;
      /** Orders that a person placed by hand as well: a guard forbids every entry. */
      readonly includesForeign?: true;
    }
  /** Brings the position in one symbol where it is to be, in one order or after a close. */
  | {
      readonly kind: "ADJUST";
      /** What is opened or grown; what is held is closed in the month that it is held in. */
      readonly contract: ContractCode;
      /** Only the root was named. */
      readonly isFrontMonth?: true;
      readonly aim: Aim;
      /** Of the order that opens or grows; what only closes goes at the market. */
      readonly terms: PreparedTerms;
      /** Of the order that opens or grows. */
      readonly handling?: OrderHandling;
      readonly cancelFirst?: true;
      /** Entries whose contracts it closes before others. */
      readonly closes?: readonly ClOrdId[];
      readonly onlyWhen?: readonly Holding[];
    }
  /** Ends an entry that has rested for as long as it may, whatever of it is still working. */
  | {
      readonly kind: "TIMEOUT";
      /** The entry's own. */
      readonly clOrdId: ClOrdId;
      readonly then: OrderTimeout["then"];
      /** What is sent at the market instead is as the entry was. */
      readonly contract: ContractCode;
      readonly side: Side;
      readonly bracket?: Bracket;
      readonly handling?: OrderHandling;
    };

export type IntentKind = Intent["kind"];

/** Where a position's exits are to stand. */
export type AskedLevels =
  | { readonly levels: Bracket }
  /** As it was written: only the position tells how large a tick is. */
  | { readonly written: BracketTicket }
  /** An exit plan for all of the position. */
  | { readonly plan: ExitPlan }
  /** The same as it was written. */
  | { readonly writtenPlan: ExitPlanTicket }
  /** One more pair of exits beside those that stand: for contracts of these entries before others. */
  | { readonly pair: PlannedPair & { readonly side: Side }; readonly closes?: readonly ClOrdId[] };

/** Who may want something of an account. */
export const INTENT_SOURCES = [
  "api",
  "webhook",
  "operator",
  "copy",
  "strategy",
  "guard",
  "timeout",
  "plan",
] as const;

/** Where an intent came from, so that a revoked key's or token's unsent intents can be denied. */
export interface IntentSource {
  readonly kind: (typeof INTENT_SOURCES)[number];
  /** Absent where no request of a person or a program brought it. */
  readonly credentialId?: CredentialId;
}

/** Of a copy: whose, and its number among the leader's. A later one stands for it. */
export interface CopyMark {
  readonly leader: AccountId;
  readonly seq: number;
}

/** Whose kill switch holds for an intent, and whose revocation. */
export interface IntentOwner {
  readonly userId: UserId;
  readonly credentialId?: CredentialId;
}

export function ownerOf({ userId, source: { credentialId } }: IntentOrigin): IntentOwner {
  return { userId, ...(credentialId !== undefined && { credentialId }) };
}

interface IntentOrigin {
  readonly userId: UserId;
  readonly source: IntentSource;
}

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

/** Given with what was not carried out. */
interface Undone {
  /** By what was held then, it would have closed something (`asked-for.ts`). */
  readonly closes?: true;
}

/**
 * How an intent ended. Denied is ours, rejected is the broker's: like `notSent`, `expired`,
 * `overtaken` and `withdrawn` they are said only of an intent of which nothing at all was carried
 * out.
 */
export type Outcome =
  | { readonly kind: "done"; readonly result: IntentResult }
  | ({
      readonly kind: "denied";
      readonly code: DenialCode;
      readonly reason: string;
      /** What of the request is wrong, by the API's names; absent: all of it. */
      readonly details?: readonly TicketProblem[];
      /** Of exits that cannot be: the position that they were asked for. */
      readonly contract?: ContractCode;
      /** It would have opened something against the strategy's own order. */
      readonly contradicts?: true;
    } & Undone)
  | ({ readonly kind: "rejected"; readonly reason: string } & Undone)
  /**
   * The new levels are not there. `canceled` names the old ones in words; unless they could be put
   * back, the position stands without them.
   */
  | {
      readonly kind: "unprotected";
      readonly canceled: string;
      readonly reason: string;
      readonly restored: boolean;
      /** The exits that are not there, where that is not all of them. */
      readonly missing?: LostExits["exits"];
      /** What protects the position all the same, though not as asked, in words. */
      readonly standing?: string;
    }
  /** The connection was down; no byte left. */
  | ({ readonly kind: "notSent"; readonly reason: string } & Undone)
  | ({ readonly kind: "expired"; readonly reason: string } & Undone)
  /**
   * An entry after which the whole account was flattened before it was sent, or a copy that a newer one
   * replaces. It is final.
   */
  | { readonly kind: "overtaken"; readonly reason: string }
  /** Its caller stopped waiting before it was sent. */
  | ({ readonly kind: "withdrawn"; readonly reason: string } & Undone)
  /** Bytes may have reached the broker, and nothing proves what happened. */
  | {
      readonly kind: "unknown";
      readonly reason: string;
      /** Of an exit that goes on: what it has done by now. */
      readonly soFar?: IntentResult;
    }
  /**
   * Was unknown; the broker proved that it never had the order, or never did what was asked. Of an
   * order that was to be changed or cancelled and is there no more: that nothing of it can still come.
   */
  | { readonly kind: "lost"; readonly reason: string };

/** The names of all outcomes, in the order in which they are listed. */
export const OUTCOME_KINDS = [
  "done",
  "denied",
  "rejected",
  "unprotected",
  "notSent",
  "expired",
  "overtaken",
  "withdrawn",
  "unknown",
  "lost",
] as const satisfies readonly Outcome["kind"][];

/** PREPARED: durable, not sent. SENDING: a byte may have left. After that, the outcome's name. */
export type IntentState = "PREPARED" | "SENDING" | Uppercase<Outcome["kind"]>;

/** The state of an intent that ended so. */
export const stateOf = ({ kind }: Outcome): IntentState =>
  kind.toUpperCase() as Uppercase<Outcome["kind"]>;

/** Everything that is kept about one intent. Instants are Unix ms by Redis' clock. */
export interface IntentRecord {
  readonly intentId: IntentId;
  readonly accountId: AccountId;
  readonly userId: UserId;
  readonly source: IntentSource;
  readonly requestId: string;
  readonly intent: Intent;
  /** Everything but the sending. */
  readonly test?: true;
  /** The only side on which it may open or grow a position. */
  readonly entrySide?: Side;
  /** Nothing of it may open or grow a position; why, in words. */
  readonly exitsOnly?: string;
  /** What is said of that; absent: what follows from where the intent came from. */
  readonly exitsOnlyCode?: DenialCode;
  readonly copy?: CopyMark;
  readonly state: IntentState;
  /** The identifiers of everything sent for it, each stored before its first byte left. */
  readonly clOrdIds: readonly ClOrdId[];
  readonly acceptedAt: number;
  /** From here on it is not sent, if it would open or grow a position. */
  readonly entryExpiresAt: number;
  /** From here on it is not sent, even if it reduces a position. */
  readonly exitExpiresAt: number;
  /** What stands at the broker once it is carried through; written before anything is cancelled. */
  readonly plan?: LegPlan;
  readonly exitPlan?: ClosingPlan;
  readonly sentAt?: number;
  readonly settledAt?: number;
  readonly outcome?: Outcome;
}

/** Those of an intent that may still lead to an order, or has led to one that we cannot see yet. */
export const UNSETTLED: readonly IntentState[] = ["PREPARED", "SENDING", "UNKNOWN"];

export const isUnsettled = (state: IntentState): boolean => UNSETTLED.includes(state);

/** The identifier of an intent's nth order, 1 for the first: the same on every run of the intent. */
export function clOrdIdOf(intentId: IntentId, nth: number): ClOrdId {
  return `${intentId}-${nth}` as ClOrdId;
}
