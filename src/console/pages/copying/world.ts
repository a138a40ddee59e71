import type { components } from "../../api/schema.ts";

type Schemas = components["schemas"];

export type Account = Schemas["Account"];
type Connection = Schemas["Connection"];
export type CopyGroup = Schemas["CopyGroup"];
export type CreateCopyGroupBody = Schemas["CreateCopyGroup"];
export type ChangeCopyGroupBody = Schemas["ChangeCopyGroup"];
export type CopyMode = CopyGroup["mode"];
export type DriftPolicy = CopyGroup["driftPolicy"];
export type Follower = Schemas["Follower"];
export type FollowerState = Follower["state"];
export type FollowerPosition = Schemas["FollowerPosition"];
export type PutFollowerBody = Schemas["PutFollower"];
export type ChangeFollowerBody = Schemas["ChangeFollower"];
export type Synced = Schemas["SyncCopies"];
export type Copy = Schemas["Copy"];
export type CopyOutcome = Copy["outcome"];

/** What the pages of copy trading are made of. */
export interface World {
  readonly groups: readonly CopyGroup[];
  readonly accounts: readonly Account[];
  readonly connections: readonly Connection[];
}

/** What is shown of one follower, and of whose group. */
export interface FollowerProps {
  group: CopyGroup;
  follower: Follower;
  accounts: readonly Account[];
  refresh: () => void;
}

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
