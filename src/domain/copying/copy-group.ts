import type { ContractCode } from "../contracts/contract.ts";
import type { AccountId, CopyGroupId, UserId } from "../ids.ts";

/**
 * What is copied. `fills`: what the leader's fills add up to, at the market. `orders`: the leader's
 * working orders and exits too, so that followers fill where the leader does.
 */
export const COPY_MODES = ["fills", "orders"] as const;
export type CopyMode = (typeof COPY_MODES)[number];

/** How a part of a contract is rounded to whole ones. */
export const COPY_ROUNDINGS = ["down", "nearest", "up"] as const;
export type CopyRounding = (typeof COPY_ROUNDINGS)[number];

/** What is done about a follower that does not hold what it is to hold. */
export const DRIFT_POLICIES = ["alarm", "repair", "flatten"] as const;
export type DriftPolicy = (typeof DRIFT_POLICIES)[number];

/** How large a follower's position is to be. Quantities are contracts. */
export type CopySize =
  | {
      readonly by: "multiplier";
      /** A decimal as text, above 0. */
      readonly multiplier: string;
      readonly rounding: CopyRounding;
    }
  /** So many whenever the leader holds anything, on the leader's side. */
  | { readonly by: "fixed"; readonly qty: number };

/** What a follower's user has set of it. */
export interface FollowerTerms {
  readonly accountId: AccountId;
  readonly size: CopySize;
  /** Short where the leader is long. Only with the mode `fills`. */
  readonly invert: boolean;
  /** Roots by the roots that are traded instead: NQ by MNQ. */
  readonly symbolMap: Readonly<Record<string, string>>;
  /** Roots that may be traded, after the map; absent: all. */
  readonly allowedSymbols?: readonly string[];
  /** The most contracts of one position. */
  readonly maxQty?: number;
  /** Off: nothing is copied to it, exits neither. */
  readonly enabled: boolean;
}

export interface Follower extends FollowerTerms {
  /**
   * Its own contracts in which it came too late: until the leader was flat in them, or it holds what
   * it is to hold, only what reduces its position is copied.
   */
  readonly joining: readonly ContractCode[];
  /**
   * What it held of its own contracts when it began, beside its target: signed. Drift policies leave
   * that alone, until the leader's next trade in the contract or a sync.
   */
  readonly heldBefore?: Readonly<Record<ContractCode, number>>;
  /**
   * A guard has stopped it: only what reduces its positions is copied, until a person resumes it. `at` is
   * missing where it is found, not stored.
   */
  readonly stopped?: { readonly reason: string; readonly at?: number };
  /** Found, never stored: nothing may be copied to it, exits neither; why, in words. */
  readonly barred?: string;
}

/** What a group's user has set of it. */
export interface CopyGroupTerms {
  readonly name: string;
  readonly mode: CopyMode;
  readonly drift: DriftPolicy;
  /** How long a follower may be away from its target before it counts as drifted. */
  readonly driftAfterSeconds: number;
  /** What the leader did longer ago than this opens and grows nothing any more. */
  readonly maxAgeSeconds: number;
  /** So many copies in a row that the follower's side refused stop it. */
  readonly stopAfterRejects: number;
  /** Nothing is copied, exits neither. */
  readonly paused: boolean;
}

/** A leader and the accounts that follow it. Instants are Unix ms by Redis' clock. */
export interface CopyGroup extends CopyGroupTerms {
  readonly groupId: CopyGroupId;
  readonly userId: UserId;
  readonly leader: AccountId;
  readonly followers: readonly Follower[];
  readonly createdAt: number;
}

/** How many followers one group may have, and how many groups one user. */
export const MAX_FOLLOWERS = 100;
export const MAX_COPY_GROUPS = 100;
