import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId, CopyGroupId, IntentId } from "../../domain/ids.ts";
import type { Intent } from "../../domain/intent.ts";
import type { CopyEntry } from "./ports.ts";

/**
 * The id of a copy: the same for the same group, follower and event, whoever asks and how often. Of
 * the form of every intent's id.
 */
export type CopyId = (group: CopyGroupId, follower: AccountId, event: string) => IntentId;

/** What is to be done for one follower. */
export type PlannedCopy =
  | {
      readonly kind: "skip";
      readonly entry: CopyEntry;
      /** In words. */
      readonly reason: string;
      readonly isExit: false;
      /** The follower should have been copied to in this contract, and could not be. */
      readonly missed?: ContractCode;
    }
  | {
      readonly kind: "send";
      readonly entry: CopyEntry;
      readonly intent: Intent;
      /**
       * Its number among the leader's: of two for one contract, the later one stands. Absent where
       * both stand, as of a leader's orders.
       */
      readonly seq?: number;
      /** How old it may become unsent, if it opens or grows a position, ms. */
      readonly entryMaxAgeMs: number;
      /** It only takes something off, as far as that can be told from the leader. */
      readonly isExit: boolean;
      /** Nothing of it may open or grow a position; why, in words. */
      readonly exitsOnly?: string;
    };
