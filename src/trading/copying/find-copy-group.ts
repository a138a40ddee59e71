import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import type { AccountId, CopyGroupId, UserId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";

/** The user's group, or NOT_FOUND: the same answer for another's and for none. */
export function findGroup(
  groups: readonly CopyGroup[],
  { userId }: { readonly userId: UserId },
  id: CopyGroupId,
): CopyGroup {
  const found = groups.find(({ groupId }) => groupId === id);
  if (found === undefined || found.userId !== userId) throw errors.notFound("copy group");
  return found;
}

export function findFollower({ followers }: CopyGroup, account: AccountId): Follower {
  const found = followers.find(({ accountId }) => accountId === account);
  if (found === undefined) throw errors.notFound("follower");
  return found;
}
