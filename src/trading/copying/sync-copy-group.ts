import type { IsOneMarket } from "../../domain/contracts/product.ts";
import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import type { AccountId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import { type AccountDirectory, identities } from "../connections/account-directory.ts";
import { asFound, type CopyGroupDirectory } from "./copy-group-directory.ts";
import { findFollower, findGroup } from "./find-copy-group.ts";
import type { CopyEntry, CopyGroups, CopyNews } from "./ports.ts";
import type { CopyUses } from "./copy-uses.ts";
import { asJoined, lateIn, copyStatesOf } from "../../domain/copying/copy-drift.ts";
import type { CycleOf } from "../../domain/copying/copy-target.ts";
import type { Quantities } from "../../domain/holdings.ts";
import { BrokerReadError } from "../ports.ts";
import { holdsAtBroker, type HoldsAtBrokerDeps } from "./read-holds.ts";
import { positionAim, type CopyId } from "./plan-copies.ts";
import type { SendCopies, SentCopy } from "./send-copies.ts";
import type { IntentStore } from "../orders/ports.ts";

/** Brings followers to what their leader's position comes to; answers the copies that are for it. */
export type SyncFollowers = (
  group: CopyGroup,
  followers: readonly Follower[],
) => Promise<readonly CopyEntry[]>;

export interface SyncCopyGroupDeps {
  readonly groups: Pick<CopyGroups, "read">;
  readonly accounts: Pick<AccountDirectory, "find">;
  readonly isOneMarket: IsOneMarket;
  readonly syncFollowers: SyncFollowers;
}

/** For a person who wants followers where they are to be now, those that are joining too. */
export function createSyncCopyGroup({
  groups,
  accounts,
  isOneMarket,
  syncFollowers,
}: SyncCopyGroupDeps): CopyUses["syncCopyGroup"] {
  return async (caller, id, account) => {
    const facts = { identityOf: identities(accounts), isOneMarket };
    const known = asFound((await groups.read()).groups, facts);
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
