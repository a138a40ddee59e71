import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Intent, IntentRecord } from "../../domain/intent.ts";
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

/** An entry that waits until no earlier outcome is unknown. It has no job any more. */
export interface ParkedIntent {
  readonly record: IntentRecord;
  /** The process whose caller may be waiting for its outcome. */
  readonly replyTo: string;
}

/** Keeps the legs of a contract in line with its position after that has changed. */
export interface KeepsLegs {
  /** Returns the open quantity where it is now on the other side of what was to be closed. */
  readonly keepAfter: (
    account: AccountId,
    held: {
      readonly contract: ContractCode;
      readonly netQty: number;
      readonly closes: number | undefined;
    },
  ) => Promise<number | undefined>;
}
