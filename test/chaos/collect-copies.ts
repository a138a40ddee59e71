import { accountId } from "../../src/domain/ids.ts";
import type { ApiClient } from "../support/http-client.ts";
import type { Cluster } from "./cluster.ts";
import type { FollowedLeader } from "./following.ts";
import type { Copying, ToldCopy } from "./history.ts";

/** As many as the gateway gives at once. */
const PAGE = 200;

interface FollowerReply {
  readonly accountId: string;
  readonly state: string;
  readonly reason: string | null;
}

/** As the gateway shows it; what the checks do not need is left out. */
interface CopyReply {
  readonly id: string;
  readonly accountId: string;
  readonly cause: ToldCopy["cause"];
  readonly outcome: ToldCopy["outcome"];
  readonly reason: string | null;
  readonly targetQty: number | null;
  readonly leader: { readonly at: string } | null;
  readonly sentMs: number | null;
}

/**
 * Whether no leader did anything that is not handed on, every follower is where it is to be, and the
 * log tells how each copy ended. One that never reached its lane is ended there after half a minute.
 */
export async function isCopied(
  cluster: Cluster,
  groups: readonly FollowedLeader[],
  api: ApiClient,
): Promise<boolean> {
  for (const { groupId, leader, isGuarded = false } of groups) {
    const { redis, keys } = cluster;
    if ((await redis.zcard(keys.copyNews(accountId(leader)))) > 0) return false;
    const followers = await readFollowers(groupId, api);
    // Who is stopped moves no more: waiting for it would not help. Nor who is kept away by guards.
    const isStill = followers.every(({ state }) => ["following", "stopped"].includes(state));
    if (!isStill && !isGuarded) return false;
    for (const { accountId: follower } of followers) {
      if ((await redis.zcard(keys.openCopies(accountId(follower)))) > 0) return false;
    }
  }
  return true;
}

/** What was copied, as callers are told. */
export async function readCopying(
  { redis, keys }: Cluster,
  groups: readonly FollowedLeader[],
  api: ApiClient,
): Promise<Copying> {
  const copies: ToldCopy[] = [];
  const fills: Record<string, readonly string[]> = {};
  const stopped: Record<string, string> = {};
  for (const { groupId, leader } of groups) {
    copies.push(...(await readCopies(groupId, api)));
    fills[leader] = await redis.hkeys(keys.fills(accountId(leader)));
    for (const { accountId: account, state, reason } of await readFollowers(groupId, api)) {
      if (state === "stopped") stopped[account] = reason ?? "";
    }
  }
  return { groups, copies, fills, stopped };
}

async function readFollowers(groupId: string, api: ApiClient): Promise<readonly FollowerReply[]> {
  const { status, body, text } = await api.get(`/v1/copy-groups/${groupId}`);
  if (status !== 200) throw new Error(`The copy group ${groupId} cannot be read: ${text}`);
  return body.followers as readonly FollowerReply[];
}

async function readCopies(groupId: string, api: ApiClient): Promise<readonly ToldCopy[]> {
  const copies: ToldCopy[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const after: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const reply = await api.get(`/v1/copy-groups/${groupId}/copies?limit=${PAGE}${after}`);
    if (reply.status !== 200) throw new Error(`Copies cannot be read: ${reply.text}`);
    copies.push(...(reply.body.copies as readonly CopyReply[]).map(toTold));
    cursor = reply.body.nextCursor as string | null;
  }
  return copies;
}

function toTold({ id, accountId: follower, ...copy }: CopyReply): ToldCopy {
  return {
    copyId: id,
    follower,
    cause: copy.cause,
    outcome: copy.outcome,
    reason: copy.reason ?? "",
    targetQty: copy.targetQty ?? undefined,
    sentMs: copy.sentMs ?? undefined,
    ...(copy.leader !== null && { leaderAt: Date.parse(copy.leader.at) }),
  };
}
