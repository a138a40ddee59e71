import type { Account, CopyGroup, World } from "./types.ts";

/** Accounts that may lead a group: those that follow nobody. */
export function mayLead({
  accounts,
  groups,
}: Pick<World, "accounts" | "groups">): readonly Account[] {
  const following = followingIn(groups);
  return accounts.filter(({ id }) => !following.has(id));
}

/** Accounts that may be added to a group: those that neither lead nor follow. */
export function mayFollow({
  accounts,
  groups,
}: Pick<World, "accounts" | "groups">): readonly Account[] {
  const following = followingIn(groups);
  const leading = new Set(groups.map(({ leaderAccountId }) => leaderAccountId));
  return accounts.filter(({ id }) => !following.has(id) && !leading.has(id));
}

const followingIn = (groups: readonly CopyGroup[]): ReadonlySet<string> =>
  new Set(groups.flatMap(({ followers }) => followers.map(({ accountId }) => accountId)));
