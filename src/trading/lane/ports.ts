import type { NamedOrder, ShownOrder } from "../../domain/book/lots.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId, IntentId } from "../../domain/ids.ts";
import type { Intent, IntentRecord, Outcome } from "../../domain/intent.ts";
import type { UnknownIntent } from "../../domain/overtaking.ts";
import type { AccountLimits, KillSwitch } from "../../domain/limits.ts";

/** Everything the lane decides on. What may change before the order is sent is checked again then. */
export interface LaneContext {
  readonly record: IntentRecord;
  /** The store's clock, Unix ms. */
  readonly now: number;
  /** Whether an exit of the account, or of what this intent may open, was accepted after it. */
  readonly exitFollows: boolean;
  /** Whether a target for all of what this intent may open was accepted after it. */
  readonly targetFollows: boolean;
  /** A later exit that is not carried out yet, and that the open position may still refuse. */
  readonly mayFollow?: Intent;
  /** The account's other intents that are unknown, or were begun and never settled. */
  readonly unknown: readonly UnknownIntent[];
  /** Whether an intent accepted before this one is parked. */
  readonly parkedBefore: boolean;
  readonly limits: Partial<AccountLimits>;
  readonly accountKillSwitch: KillSwitch;
}

/** The job of an intent that is active on its lane: until it has ended, nobody takes the next one. */
export interface ActiveJob {
  readonly intentId: IntentId;
  /** As the queue keeps it. */
  readonly data: string;
  /** What working it begins with, as it was when it was taken; absent without a record. */
  readonly context?: LaneContext;
}

/** The lanes as their owner works them. */
export interface LaneStore {
  /** Takes the lane's next job, unless another process has one in hand. */
  readonly take: (account: AccountId) => Promise<ActiveJob | undefined>;
  /** Ends an intent, removes its active job and takes the next one, in one step. */
  readonly finish: (
    account: AccountId,
    id: IntentId,
    how: {
      readonly settlement?: Settlement | undefined;
      readonly takesNext: boolean;
      /** The process that is told in the same step how the intent stands, where it is to be ended. */
      readonly tells?: string | undefined;
    },
  ) => Promise<FinishedJob>;
  /** Gives an active job back to the head of its lane. */
  readonly giveBack: (account: AccountId, id: IntentId) => Promise<void>;
  /**
   * Gives jobs that were started and not finished, by a dead owner or by a failed turn of ours, back to
   * the head of their lane, in their order. Only for a lane that nobody works meanwhile. How far each
   * had come is in its record.
   */
  readonly putBack: (account: AccountId) => Promise<void>;
}

/** How an intent ends that was worked. */
export interface Settlement {
  /** The intent as it was read at any time before. */
  readonly record: IntentRecord;
  readonly outcome: Outcome;
  /** What another process may have begun meanwhile goes on. */
  readonly onlyUnsent: boolean;
}

export interface FinishedJob {
  /** Where it was to be ended: the intent as it then stands. The first final outcome stays. */
  readonly record?: IntentRecord | undefined;
  /** False where somebody else had put it back meanwhile; then nothing was taken. */
  readonly wasActive: boolean;
  readonly next?: ActiveJob | undefined;
}

/** An entry that waits until no earlier outcome is unknown. It has no job any more. */
export interface ParkedIntent {
  readonly record: IntentRecord;
  /** The process whose caller may be waiting for its outcome. */
  readonly replyTo: string;
}

/** Keeps the legs of a contract in line with its position after that has changed. */
export interface KeepsLegs {
  /** Returns the open quantity where it is now on the other side of what was to be closed. */
  readonly keepAfter: (account: AccountId, filled: FilledOrder) => Promise<number | undefined>;
}

/** An order of ours that has just filled. */
export interface FilledOrder extends NamedOrder, Pick<ShownOrder, "side" | "cumQty"> {
  readonly contract: ContractCode;
  /** The position that must be held after it, signed. */
  readonly netQty: number;
  /** The position before it, signed, if it only closes that. */
  readonly closing: number | undefined;
}
