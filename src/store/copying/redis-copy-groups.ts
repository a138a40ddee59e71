import type { CopyGroup } from "../../domain/copying/copy-group.ts";
import type { AccountId, CopyGroupId } from "../../domain/ids.ts";
import type { CopyGroups, KnownCopyGroups } from "../../trading/copying/ports.ts";
import type { Keys } from "../keys.ts";
import { runScript } from "../redis/script.ts";
import { changeCopyGroup } from "./change-copy-group.ts";
import { setLeading } from "./set-leading.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const copyGroupScripts = [changeCopyGroup, setLeading];

/**
 * Copy groups in Redis: one hash, so that they are read as they stand together. That an account
 * leads is kept with the account itself, where its fills are recorded: before its first group is
 * there, and until after its last one is gone.
 */
export function createRedisCopyGroups({
  redis,
  keys,
}: {
  redis: RedisClient;
  keys: Keys;
}): CopyGroups {
  async function read(): Promise<KnownCopyGroups> {
    const { version = "0", ...groups } = await run(redis.hgetall(keys.copyGroups));
    const inOrder = Object.values(groups)
      .map((group) => JSON.parse(group) as CopyGroup)
      .sort((a, b) => a.createdAt - b.createdAt || (a.groupId < b.groupId ? -1 : 1));
    return { groups: inOrder, version: Number(version) };
  }

  async function change(id: CopyGroupId, group: string, version: number): Promise<boolean> {
    const args = [String(version), id, group, keys.copyChanges];
    return (await runScript(redis, changeCopyGroup, [keys.copyGroups], args)) === 1;
  }

  async function setLeads(leader: AccountId, leads: boolean, version: number): Promise<void> {
    const names = [keys.copyLead(leader), keys.copyNews(leader)];
    await runScript(redis, setLeading, names, [leads ? 1 : 0, version]);
  }

  /** By the groups as they are now: whoever changed them last, and whatever came of it. */
  async function settleLeader(leader: AccountId): Promise<void> {
    const { groups, version } = await read();
    const leads = groups.some((group) => group.leader === leader);
    if (!leads) await setLeads(leader, false, version);
  }

  async function leaderOf(id: CopyGroupId): Promise<AccountId | undefined> {
    const { groups } = await read();
    return groups.find(({ groupId }) => groupId === id)?.leader;
  }

  return {
    read,
    version: async () => Number((await run(redis.hget(keys.copyGroups, "version"))) ?? "0"),

    save: async (group, version) => {
      const { groupId, leader } = group;
      const before = await leaderOf(groupId);
      // By the version that the groups have once this one is saved.
      await setLeads(leader, true, version + 1);
      const isSaved = await change(groupId, JSON.stringify(group), version);
      if (!isSaved) await settleLeader(leader);
      if (before !== undefined && before !== leader) await settleLeader(before);
      return isSaved;
    },

    remove: async (groupId, version) => {
      const leader = await leaderOf(groupId);
      const isRemoved = await change(groupId, "", version);
      if (leader !== undefined) await settleLeader(leader);
      return isRemoved;
    },
  };
}
