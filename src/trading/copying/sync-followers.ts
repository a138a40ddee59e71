import { asJoined, lateIn, copyStatesOf } from "../../domain/copying/copy-drift.ts";
import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import type { CycleOf } from "../../domain/copying/copy-target.ts";
import type { Quantities } from "../../domain/holdings.ts";
import type { AccountId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import { BrokerReadError } from "../ports.ts";
import type { CopyGroupDirectory } from "./copy-group-directory.ts";
import { holdsAtBroker, type HoldsAtBrokerDeps } from "./read-holds.ts";
import { positionAim } from "./plan-copies.ts";
import type { CopyId } from "./planned-copy.ts";
import type { CopyEntry, CopyNews } from "./ports.ts";
import type { SendCopies, SentCopy } from "./send-copies.ts";
import type { SyncFollowers } from "./sync-copy-group.ts";
import type { IntentStore } from "../orders/ports.ts";

export interface SyncFollowersDeps extends HoldsAtBrokerDeps {
  readonly groups: CopyGroupDirectory;
  readonly intents: Pick<IntentStore, "now">;
  readonly news: Pick<CopyNews, "nextSeq">;
  readonly send: SendCopies;
  readonly copyId: CopyId;
  readonly cycleOf: CycleOf;
}

/**
 * By what the brokers show of the leader and of each follower now. A follower that is stopped is
 * only brought down; one that is joining has joined with this. Throws BROKER_UNAVAILABLE, and has
 * sent nothing then.
 */
export function createSyncFollowers(deps: SyncFollowersDeps): SyncFollowers {
  const { groups, intents, news, send, copyId, cycleOf } = deps;

  return async function syncFollowers(group, followers) {
    // First: what the leader does from here on has a later number, and stands.
    const seq = await news.nextSeq(group.leader);
    const [leaderHolds, ...held] = await Promise.all(
      [group.leader, ...followers.map(({ accountId }) => accountId)].map(readHolds),
    );
    const now = await intents.now();
    const copies = followers.flatMap((follower, n) => {
      const standings = copyStatesOf(
        asJoined(follower),
        leaderHolds ?? new Map(),
        held[n] ?? new Map(),
        cycleOf,
      );
      return standings
        .filter(({ dueQty, heldQty }) => dueQty !== heldQty)
        .map(({ contract, dueQty }) => planSync(group, follower, { contract, dueQty, now, seq }));
    });
    await send(copies);
    for (const follower of followers) {
      if (lateIn(follower).length === 0) continue;
      await groups.changeFollower(group.groupId, follower.accountId, asJoined);
    }
    return copies.map(({ entry }) => entry);
  };

  function planSync(
    { groupId, userId, leader, maxAgeSeconds }: CopyGroup,
    { accountId: follower, stopped }: Follower,
    {
      contract,
      dueQty,
      now,
      seq,
    }: Required<Pick<SentCopy, "seq">> & {
      readonly contract: NonNullable<CopyEntry["contract"]>;
      readonly dueQty: number;
      readonly now: number;
    },
  ): SentCopy {
    return {
      kind: "send",
      entry: {
        copyId: copyId(groupId, follower, `sync ${contract} ${seq}`),
        groupId,
        userId,
        leader,
        follower,
        cause: "sync",
        leaderAt: now,
        notedAt: now,
        contract,
        targetQty: dueQty,
        decisions: ["A person asked for it"],
      },
      intent: positionAim(contract, dueQty),
      seq,
      entryMaxAgeMs: maxAgeSeconds * 1_000,
      isExit: dueQty === 0,
      ...(stopped !== undefined && { exitsOnly: stopped.reason }),
    };
  }

  async function readHolds(account: AccountId): Promise<Quantities> {
    try {
      return await holdsAtBroker(deps, account);
    } catch (error) {
      throw error instanceof BrokerReadError ? errors.brokerUnavailable(error) : error;
    }
  }
}
