import type { components } from "../../api/schema.ts";

type Schemas = components["schemas"];

export type Account = Schemas["Account"];
export type Connection = Schemas["Connection"];
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
