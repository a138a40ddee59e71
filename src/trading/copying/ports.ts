import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { CopyGroup } from "../../domain/copying/copy-group.ts";
import type { Mirror } from "../../domain/copying/copy-mirror.ts";
import type { Quantities } from "../../domain/holdings.ts";
import type { AccountId, CopyGroupId, IntentId, OrderId, UserId } from "../../domain/ids.ts";
import type { CopyMark, IntentRecord } from "../../domain/intent.ts";
import type { Fill, Side } from "../../domain/order.ts";
import type { AveragePrice } from "../../domain/contracts/price.ts";

/** Every group of the appliance, as they stood together. */
export interface KnownCopyGroups {
  readonly groups: readonly CopyGroup[];
  /** Grows with each change of any of them. */
  readonly version: number;
}

/** Where copy groups are kept. */
export interface CopyGroups {
  readonly read: () => Promise<KnownCopyGroups>;
  /** As `read` has it, for a fraction of its cost. */
  readonly version: () => Promise<number>;
  /**
   * Writes a group, new or changed, and tells every process. From then on its leader's fills are
   * noted for copying. False when any group was changed since that version: read them again.
   */
  readonly save: (group: CopyGroup, version: number) => Promise<boolean>;
  /** As `save`. What was noted of a leader that leads nobody any more is forgotten. */
  readonly remove: (group: CopyGroupId, version: number) => Promise<boolean>;
}

/** A fill of a leader in the order in which its account's were recorded, from 1. */
export interface NotedFill {
  readonly seq: number;
  readonly fill: Fill;
}

/** What a leader did and nobody has copied yet, with what it holds after all of it. */
export interface LeaderNews {
  /** Oldest first; empty when nothing is to be copied. */
  readonly fills: readonly NotedFill[];
  /** By contract: what is held by every fill recorded so far. */
  readonly holds: Quantities;
  /** The store's clock, Unix ms. */
  readonly now: number;
}

/** Leaders' fills, noted in the step that records them and kept until they are copied. */
export interface CopyNews {
  readonly read: (leader: AccountId) => Promise<LeaderNews>;
  /** These are copied: forgets them. */
  readonly done: (leader: AccountId, seqs: readonly number[]) => Promise<void>;
  /** A number for what is copied without a fill, later than every one that was given before. */
  readonly nextSeq: (leader: AccountId) => Promise<number>;
  /**
   * Notes that a copy is on its way into the follower's contract. False when a later one of the same
   * leader was noted before: this one is old. Numbers of two leaders are never compared.
   */
  readonly claim: (follower: AccountId, contract: ContractCode, copy: CopyMark) => Promise<boolean>;
  /** Whether a later copy into the contract was noted, so that this one is old. */
  readonly isOld: (follower: AccountId, contract: ContractCode, copy: CopyMark) => Promise<boolean>;
  /** Counts a refusal of the follower's side, or begins again at 0. Answers how many in a row. */
  readonly countRejects: (follower: AccountId, isRejected: boolean) => Promise<number>;
}

/** Why something was copied. */
export const COPY_CAUSES = ["fill", "order", "drift", "sync"] as const;
export type CopyCause = (typeof COPY_CAUSES)[number];

/** What the copy log keeps of one copy to one follower. Quantities are contracts. */
export interface CopyEntry {
  /** Also the id of its intent, where there is one; follows from the leader's event. */
  readonly copyId: IntentId;
  readonly groupId: CopyGroupId;
  readonly userId: UserId;
  readonly leader: AccountId;
  readonly follower: AccountId;
  readonly cause: CopyCause;
  /** When the leader did it, Unix ms by its broker's clock; without a leader's event, when noted. */
  readonly leaderAt: number;
  /** When it was noted, Unix ms by Redis' clock. */
  readonly notedAt: number;
  /** What the leader did: absent where it did nothing. */
  readonly leaderContract?: ContractCode;
  readonly leaderSide?: Side;
  readonly leaderQty?: number;
  /** In ticks of the leader's contract. */
  readonly leaderPx?: AveragePrice;
  readonly leaderOrderId?: OrderId;
  /** The follower's own contract; absent where the leader's has none there. */
  readonly contract?: ContractCode;
  /** What the follower is to hold of it after: signed. Absent where an order was copied. */
  readonly targetQty?: number;
  /** What was decided, in words, in order. */
  readonly decisions: readonly string[];
  /** How often it was made before, and nothing of it had left; absent: never. */
  readonly repeat?: number;
}

/** How a copy ended that has no intent. */
export interface CopySkipped {
  readonly reason: string;
}

/** What was measured of a copy once its intent had ended. */
export interface CopyMeasure {
  /** What the follower's fills for it average, in ticks of its own contract; absent without a fill. */
  readonly avgPx?: AveragePrice;
  readonly filledQty: number;
  /** How much worse than the leader's price, in ticks of the follower's contract; negative: better. */
  readonly slippageTicks?: number;
  /** From the leader's fill until the follower's order was sent, ms; absent where none was. */
  readonly sentMs?: number;
  /** From the leader's fill until the follower's broker had answered, ms. */
  readonly settledMs: number;
}

export interface LoggedCopy {
  readonly entry: CopyEntry;
  readonly skipped?: CopySkipped;
  /** Absent for what was skipped, and until it is accepted. */
  readonly intent?: IntentRecord;
  readonly measure?: CopyMeasure;
}

/** Where a page of copies goes on: after this one. */
export interface CopyPosition {
  readonly at: number;
  readonly copyId: IntentId;
}

export interface CopyQuery {
  /** At least 1. */
  readonly limit: number;
  readonly after?: CopyPosition;
  /** Only copies that it holds for. */
  readonly matches?: (copy: LoggedCopy) => boolean;
}

export interface CopiesRead {
  readonly items: readonly LoggedCopy[];
  /** Absent when nothing comes after. A page may be short, and even empty, with more to come. */
  readonly next?: CopyPosition;
}

/** What became of every copy, by follower. The newest 10,000 of each are kept, for some days. */
export interface CopyLog {
  /**
   * Writes a copy before its intent is accepted, or with why there is none; the same one again
   * changes nothing. While it has no intent, whether it is skipped is as it was noted last; the rest
   * is as it was noted first.
   */
  readonly note: (entry: CopyEntry, skipped?: CopySkipped) => Promise<void>;
  /** Of an intent that ended. */
  readonly measure: (entry: CopyEntry, measure: CopyMeasure) => Promise<void>;
  /** Those that have an intent, or may have, and were not measured: oldest first. */
  readonly open: (follower: AccountId) => Promise<readonly LoggedCopy[]>;
  /** Newest first, over all the followers; of one instant, by their ids backwards. */
  readonly list: (followers: readonly AccountId[], query: CopyQuery) => Promise<CopiesRead>;
}

/** Orders of followers that stand for orders of their leaders: noted before they are sent. */
export interface CopyMirrors {
  /** Every account that has any, with whose orders they stand for. */
  readonly pairs: () => Promise<readonly MirrorPair[]>;
  readonly list: (follower: AccountId) => Promise<readonly Mirror[]>;
  /** Writes one, new or changed. */
  readonly note: (follower: AccountId, mirror: Mirror) => Promise<void>;
  readonly forget: (follower: AccountId, mirrors: readonly Mirror[]) => Promise<void>;
}

export interface MirrorPair {
  readonly leader: AccountId;
  readonly follower: AccountId;
}

/** How a copy that is not the newest into its contract any more is ended on its lane, unsent. */
export const SUPERSEDED = "A newer copy stands for it, or copying ended before it was sent";
