import { barLoops } from "../../domain/copying/copy-conflicts.ts";
import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import type { AccountId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { identities } from "./account-identities.ts";
import { findFollower, findGroup } from "./find-copy-group.ts";
import type { CopyEntry, CopyGroups } from "./ports.ts";
import type { CopyUses } from "./copy-uses.ts";

/** Brings followers to what their leader's position comes to; answers the copies that are for it. */
export type SyncFollowers = (
  group: CopyGroup,
  followers: readonly Follower[],
) => Promise<readonly CopyEntry[]>;

export interface SyncCopyGroupDeps {
  readonly groups: Pick<CopyGroups, "read">;
  readonly accounts: Pick<AccountDirectory, "find">;
  readonly syncFollowers: SyncFollowers;
}

/** For a person who wants followers where they are to be now, those that are joining too. */
export function createSyncCopyGroup({
  groups,
  accounts,
  syncFollowers,
}: SyncCopyGroupDeps): CopyUses["syncCopyGroup"] {
  return async (caller, id, account) => {
    const known = barLoops((await groups.read()).groups, identities(accounts));
    const group = findGroup(known, caller, id);
    const followers = followersToSync(group, account);
    if (group.paused) throw errors.copyPaused(`The copy group "${group.name}" is paused`);
    return await syncFollowers(group, followers);
  };
}

/** One that is off is left out, and a refusal where it was asked for by name. */
function followersToSync(group: CopyGroup, account: AccountId | undefined): readonly Follower[] {
  if (account === undefined) {
    return group.followers.filter(({ enabled, barred }) => enabled && barred === undefined);
  }
  const follower = findFollower(group, account);
  if (follower.barred !== undefined) throw errors.copyLoop(follower.barred);
  if (!follower.enabled) throw errors.copyPaused(`The follower ${account} is switched off`);
  return [follower];
}
