import type { Strategy } from "../../domain/strategies/strategy.ts";
import type { Strategies } from "../../trading/strategies/ports.ts";
import type { Keys } from "../keys.ts";
import { runScript } from "../redis/script.ts";
import { changeStrategy } from "./change-strategy.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const strategyScripts = [changeStrategy];

/** Strategies in Redis: one hash, so that they are read as they stand together. */
export function createRedisStrategies({
  redis,
  keys,
}: {
  redis: RedisClient;
  keys: Keys;
}): Strategies {
  async function change(
    id: Strategy["strategyId"],
    strategy: string,
    version: number,
    nextAt: number | undefined,
  ): Promise<boolean> {
    const names = [keys.strategies, keys.nextSlots, keys.evaluations(id)];
    const args = [String(version), id, strategy, nextAt ?? "", keys.strategyChanges];
    return (await runScript(redis, changeStrategy, names, args)) === 1;
  }

  return {
    read: async () => {
      const { version = "0", ...strategies } = await run(redis.hgetall(keys.strategies));
      const oldestFirst = Object.values(strategies)
        .map(decode)
        .sort((a, b) => a.createdAt - b.createdAt || (a.strategyId < b.strategyId ? -1 : 1));
      return { strategies: oldestFirst, version: Number(version) };
    },

    version: async () => Number((await run(redis.hget(keys.strategies, "version"))) ?? "0"),

    find: async (id) => {
      const strategy = await run(redis.hget(keys.strategies, id));
      return strategy === null ? undefined : decode(strategy);
    },

    save: async (strategy, version, nextAt) =>
      await change(strategy.strategyId, encode(strategy), version, nextAt),

    remove: async (id, version) => await change(id, "", version, undefined),
  };
}

/** Scripts compare versions, and what users wrote is no matter of theirs: it stands before the JSON. */
const encode = (strategy: Strategy): string => `${strategy.version} ${JSON.stringify(strategy)}`;

const decode = (text: string): Strategy =>
  JSON.parse(text.slice(text.indexOf(" ") + 1)) as Strategy;
