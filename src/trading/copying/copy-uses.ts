import type { Caller } from "../people/caller.ts";
import type { CopyGroupView } from "./copy-views.ts";
import type { AccountId, CopyGroupId } from "../../domain/ids.ts";
import type {
  CopiesRequest,
  CopyGroupRequest,
  FollowerChange,
  FollowerRequest,
} from "./copy-requests.ts";
import type { CopyGroupTerms } from "../../domain/copying/copy-group.ts";
import type { CopyEntry, LoggedCopy } from "./ports.ts";
import type { Page } from "../reads/page-cursor.ts";

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
