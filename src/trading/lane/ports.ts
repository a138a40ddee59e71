import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Intent, IntentRecord } from "../../domain/intent.ts";
import type { UnknownIntent } from "../../domain/overtaking.ts";
import type { AccountLimits, KillSwitch } from "../../domain/limits.ts";

/** Everything the lane decides on. What may change until the order is sent is asked again then. */
export interface LaneContext {
  readonly record: IntentRecord;
  /** The store's clock, Unix ms. */
  readonly now: number;
  /** Whether what empties the account, or what this intent may open, was accepted after it. */
  readonly exitFollows: boolean;
  /** Whether a target for all of what this intent may open was accepted after it. */
  readonly targetFollows: boolean;
  /** An exit that was accepted after it, is not carried out yet, and may be refused by what is held. */
  readonly mayFollow?: Intent;
  /** The other intents of the account whose outcome is unknown, or that were begun and never settled. */
  readonly unknown: readonly UnknownIntent[];
  /** Whether an intent accepted before this one is held. */
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

/** What keeps the legs of a contract right when its position was changed. */
export interface KeepsLegs {
  /** Answers what is held then, where that is the other side of what was to be closed. */
  readonly keepAfter: (
    account: AccountId,
    held: {
      readonly contract: ContractCode;
      readonly netQty: number;
      readonly closes: number | undefined;
    },
  ) => Promise<number | undefined>;
}
