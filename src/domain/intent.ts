import type { DenialCode } from "./denials.ts";
import type { Aim, Holding } from "./alert.ts";
import type { ContractCode } from "./contracts/contract.ts";
import type { ClosedPosition, IntentResult } from "./intent-result.ts";
import type { AccountId, ClOrdId, CredentialId, IntentId, OrderId, UserId } from "./ids.ts";
import type { Bracket, Side } from "./order.ts";
import type { OrderValues } from "./order-change.ts";
import type { OrderHandling, OrderTimeout } from "./order-handling.ts";
import type { PreparedOrder, PreparedTerms } from "./order-ticket.ts";
import type { ExitPlan as ClosingPlan, LegPlan } from "./carried-plan.ts";
import type { ExitPlan, ExitPlanTicket } from "./exits/exit-plan.ts";
import type { PlannedPair } from "./exits/running-plan.ts";
import type { LostExits } from "./working-exits.ts";
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
      readonly whenClosed?: WhenClosed;
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
      readonly whenClosed?: WhenClosed;
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
      /** It only closed when it was sent: at the market it closes what is then left, and opens nothing. */
      readonly onlyCloses?: true;
    };

/** An exit whose market is closed is refused so; absent: it is held until the opening. */
export type WhenClosed = "refuse";

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

/** Given with what was not carried out. */
interface Undone {
  /** By what was held then, it would have closed something (`asked-for.ts`). */
  readonly closes?: true;
}

/** Given with what goes on by itself. */
interface GoesOn {
  readonly soFar: IntentResult;
  /** Its closes that had ended, and exits that were not placed again: the broker may not show them any more. */
  readonly settled: readonly {
    readonly clOrdId: ClOrdId;
    readonly cumQty: number;
    readonly orderId?: OrderId;
  }[];
}

/**
 * How an intent ended. Denied is ours, rejected is the broker's: like `notSent`, `expired`,
 * `overtaken` and `withdrawn` they are said only of an intent of which nothing at all was carried
 * out; where an exit that went on ends so, `soFar` is what of it was.
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
      /** When the closed market opens, Unix ms. */
      readonly opensAt?: number;
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
  | ({ readonly kind: "expired"; readonly reason: string; readonly soFar?: IntentResult } & Undone)
  /**
   * An entry after which the whole account was flattened before it was sent, or a copy that a newer one
   * replaces. It is final. So ends what goes on when a newer target says where the position is to be.
   */
  | { readonly kind: "overtaken"; readonly reason: string; readonly soFar?: IntentResult }
  /** Its caller stopped waiting before it was sent, or a person took back what goes on. */
  | ({
      readonly kind: "withdrawn";
      readonly reason: string;
      readonly soFar?: IntentResult;
    } & Undone)
  /** Bytes may have reached the broker, and nothing proves what happened. */
  | {
      readonly kind: "unknown";
      readonly reason: string;
      /** Of an exit that goes on: what it has done by now. */
      readonly soFar?: IntentResult;
    }
  /**
   * An exit that was refused for now, or carried out in part. It goes on by itself until what it closes is
   * flat.
   */
  | ({
      readonly kind: "unfinished";
      readonly reason: string;
      /** A part of it waits for its market until then: Unix ms. */
      readonly opensAt?: number;
    } & GoesOn)
  /** An exit of what cannot be closed before its market opens. It goes on then. */
  | ({
      readonly kind: "held";
      readonly reason: string;
      /** When the first of these markets opens, by its exchange's hours: Unix ms. */
      readonly opensAt: number;
      /** The closing part of an adjustment, as it was decided. */
      readonly aim?: Aim;
    } & GoesOn)
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
  "unfinished",
  "held",
  "lost",
] as const satisfies readonly Outcome["kind"][];

/** PREPARED: durable, not sent. SENDING: a byte may have left. After that, the outcome's name. */
export type IntentState = "PREPARED" | "SENDING" | Uppercase<Outcome["kind"]>;

/** The state of an intent that ended so. */
export const stateOf = ({ kind }: Pick<Outcome, "kind">): IntentState =>
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

/** Those of an exit that goes on by itself. Nothing waits for it. */
export const GOING_ON = ["UNFINISHED", "HELD"] as const satisfies readonly IntentState[];

/** Those of an intent that may still lead to an order, or has led to one that we cannot see yet. */
export const UNSETTLED: readonly IntentState[] = ["PREPARED", "SENDING", "UNKNOWN", ...GOING_ON];

export const isUnsettled = (state: IntentState): boolean => UNSETTLED.includes(state);

/** Whether an exit is not done yet and is tried again by itself. */
export const isGoingOn = (state: IntentState): boolean =>
  (GOING_ON as readonly IntentState[]).includes(state);

/** The result so far of an exit that is not over. */
export const soFarOf = (outcome: Outcome | undefined): IntentResult | undefined =>
  outcome !== undefined && "soFar" in outcome ? outcome.soFar : undefined;

/** The positions, or parts of them, that an exit has closed before it ended, or by now. */
export function closedSoFar(outcome: Outcome | undefined): readonly ClosedPosition[] {
  const soFar = soFarOf(outcome);
  return soFar !== undefined && "closed" in soFar ? soFar.closed : [];
}

/** The identifier of an intent's nth order, 1 for the first: the same on every run of the intent. */
export function clOrdIdOf(intentId: IntentId, nth: number): ClOrdId {
  return `${intentId}-${nth}` as ClOrdId;
}
