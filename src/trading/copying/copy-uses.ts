import type { Caller } from "../people/caller.ts";
import type { CopyGroupView } from "./copy-views.ts";
import type { AccountId, CopyGroupId } from "../../domain/ids.ts";
import type { CopyGroupTerms, CopyRounding } from "../../domain/copying/copy-group.ts";
import type { CopyEntry, LoggedCopy } from "./ports.ts";
import type { Page } from "../reads/page-cursor.ts";
import type { CopyOutcome } from "./copy-outcome.ts";

/** What callers may do with their copy groups. */
export interface CopyUses {
  readonly listCopyGroups: (caller: Caller) => Promise<readonly CopyGroupView[]>;
  readonly findCopyGroup: (caller: Caller, group: CopyGroupId) => Promise<CopyGroupView>;
  /** Throws COPY_LOOP where an account would lead and follow, or follow twice. */
  readonly createCopyGroup: (caller: Caller, request: CopyGroupRequest) => Promise<CopyGroupView>;
  readonly changeCopyGroup: (
    caller: Caller,
    group: CopyGroupId,
    change: Partial<CopyGroupTerms>,
  ) => Promise<CopyGroupView>;
  /** What its accounts hold stays as it is. */
  readonly deleteCopyGroup: (caller: Caller, group: CopyGroupId) => Promise<void>;
  /** Adds a follower, or sets all of its terms anew. */
  readonly putFollower: (
    caller: Caller,
    group: CopyGroupId,
    account: AccountId,
    request: FollowerRequest,
  ) => Promise<CopyGroupView>;
  readonly changeFollower: (
    caller: Caller,
    group: CopyGroupId,
    account: AccountId,
    change: FollowerChange,
  ) => Promise<CopyGroupView>;
  readonly removeFollower: (
    caller: Caller,
    group: CopyGroupId,
    account: AccountId,
  ) => Promise<CopyGroupView>;
  /** Brings one follower, or all that are on, to what the leader's position comes to. */
  readonly syncCopyGroup: (
    caller: Caller,
    group: CopyGroupId,
    account?: AccountId,
  ) => Promise<readonly CopyEntry[]>;
  readonly listCopies: (
    caller: Caller,
    group: CopyGroupId,
    request: CopiesRequest,
  ) => Promise<Page<LoggedCopy>>;
}

/** What a user sets of one follower; what is left out is what the gateway does by itself. */
export interface FollowerRequest {
  /** A decimal as text. Not beside `fixedQty`; without either it is 1. */
  readonly multiplier?: string;
  /** Of a multiplier only; without it down. */
  readonly rounding?: CopyRounding;
  /** Contracts. */
  readonly fixedQty?: number;
  readonly invert?: boolean;
  /** Roots, in any case. */
  readonly symbolMap?: Readonly<Record<string, string>>;
  readonly allowedSymbols?: readonly string[];
  readonly maxQty?: number;
  readonly enabled?: boolean;
}

/** What changes of a follower: what is left out stays as it is, null clears. */
export interface FollowerChange extends Omit<FollowerRequest, "allowedSymbols" | "maxQty"> {
  readonly allowedSymbols?: readonly string[] | null;
  readonly maxQty?: number | null;
  /** Ends what a guard has stopped. */
  readonly resume?: true;
}

/** A new group; what is left out is what the gateway does by itself. */
export interface CopyGroupRequest extends Partial<CopyGroupTerms> {
  readonly leader: AccountId;
  readonly followers: readonly (FollowerRequest & { readonly accountId: AccountId })[];
}

/** Which copies of a group, newest first. */
export interface CopiesRequest {
  readonly limit: number;
  /** `nextCursor` of the page before; it holds for the same filters only. */
  readonly cursor?: string;
  /** One that follows, or followed; without it all that follow now. */
  readonly accountId?: AccountId;
  readonly outcome?: CopyOutcome;
}
