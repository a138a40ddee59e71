import type { BrokerStateStore } from "../../trading/ports.ts";
import { untilRedisReady } from "../redis/connect.ts";
import type { Keys } from "../keys.ts";
import { runScript } from "../redis/script.ts";
import { commitBrokerState } from "./commit-broker-state.ts";
import { readLongHash } from "../redis/limit-waiting.ts";
import type { RedisClient } from "../redis/redis-client.ts";

const COMES_BACK_WITHIN_MS = 1_000;

export const brokerStateScripts = [commitBrokerState];

/** Where the paper broker keeps each account: one hash, changed all at once. */
export function createRedisBrokerState({
  redis,
  keys,
}: {
  redis: RedisClient;
  keys: Keys;
}): BrokerStateStore {
  return {
    load: async (account) => {
      const entries = await readLongHash(redis, keys.brokerState(account));
      return new Map(Object.entries(entries));
    },

    commit: async (account, { put, remove, expect }) => {
      // A connection that was just dropped is back in a moment; the order is worth the wait.
      if (redis.status !== "ready") {
        await untilRedisReady(redis, COMES_BACK_WITHIN_MS).catch(() => undefined);
      }
      const isThere = expect.value === undefined ? "0" : "1";
      const args = [expect.key, isThere, expect.value ?? "", String(remove.length), ...remove];
      for (const [name, value] of put) args.push(name, value);
      const done = await runScript(redis, commitBrokerState, [keys.brokerState(account)], args);
      if (done !== 1) throw new Error(`account ${account} was changed by another process`);
    },
  };
}
