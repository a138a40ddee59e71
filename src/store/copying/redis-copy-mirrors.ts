import type { Mirror } from "../../domain/copying/copy-mirror.ts";
import { type AccountId, accountId } from "../../domain/ids.ts";
import type { CopyMirrors } from "../../trading/copying/ports.ts";
import type { Keys } from "../keys.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

/** Mirrored orders in Redis. A pair is there before its first mirror, and until after its last one. */
export function createRedisCopyMirrors({
  redis,
  keys,
}: {
  redis: RedisClient;
  keys: Keys;
}): CopyMirrors {
  async function list(follower: AccountId): Promise<readonly Mirror[]> {
    const mirrors = await run(redis.hvals(keys.copyMirrors(follower)));
    return mirrors.map((mirror) => JSON.parse(mirror) as Mirror);
  }

  return {
    list,

    pairs: async () => {
      const pairs = await run(redis.smembers(keys.mirrorPairs));
      return pairs.map((pair) => {
        const [leader = "", follower = ""] = pair.split(" ");
        return { leader: accountId(leader), follower: accountId(follower) };
      });
    },

    note: async (follower, mirror) => {
      await run(redis.sadd(keys.mirrorPairs, pairOf(mirror.leader, follower)));
      const { copyId } = mirror;
      await run(redis.hset(keys.copyMirrors(follower), copyId, JSON.stringify(mirror)));
    },

    forget: async (follower, mirrors) => {
      if (mirrors.length === 0) return;
      const copyIds = mirrors.map(({ copyId }) => copyId);
      await run(redis.hdel(keys.copyMirrors(follower), ...copyIds));
      const left = new Set((await list(follower)).map(({ leader }) => leader));
      const gone = new Set(mirrors.map(({ leader }) => leader).filter((one) => !left.has(one)));
      if (gone.size === 0) return;
      const pairs = [...gone].map((leader) => pairOf(leader, follower));
      await run(redis.srem(keys.mirrorPairs, ...pairs));
    },
  };
}

/** No account's id has a space. */
const pairOf = (leader: AccountId, follower: AccountId): string => `${leader} ${follower}`;
