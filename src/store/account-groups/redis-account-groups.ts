import type { AccountGroup } from "../../domain/account-groups/account-group.ts";
import type { AccountGroups } from "../../trading/account-groups/ports.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { inTurn } from "../redis/in-turn.ts";
import { runScript } from "../redis/script.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { changeAccountGroup } from "./change-account-group.ts";

export const accountGroupScripts = [changeAccountGroup];

/** Account groups in Redis: a hash of each user, by their ids, read anew by whoever needs one. */
export function createRedisAccountGroups({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
}): AccountGroups {
  const decode = (text: string) => JSON.parse(text) as AccountGroup;
  const encode = (group: AccountGroup | undefined) =>
    group === undefined ? "" : JSON.stringify(group);

  async function change(
    { userId, groupId }: AccountGroup,
    before: AccountGroup | undefined,
    after: AccountGroup | undefined,
    most: number,
  ): Promise<boolean> {
    const args = [groupId, encode(before), encode(after), most];
    return (await runScript(redis, changeAccountGroup, [keys.accountGroups(userId)], args)) === 1;
  }

  return {
    read: async (user) => {
      const groups = await run(redis.hvals(keys.accountGroups(user)));
      return groups
        .map(decode)
        .sort((a, b) => a.createdAt - b.createdAt || (a.groupId < b.groupId ? -1 : 1));
    },
    find: async (user, id) => {
      // Alerts read their group one after another, and are accepted in that order.
      const found = await inTurn(run(redis.hget(keys.accountGroups(user), id)));
      return found === null ? undefined : decode(found);
    },
    save: async (group, before, most) => await change(group, before, group, most),
    remove: async (group) => await change(group, group, undefined, 0),
  };
}
