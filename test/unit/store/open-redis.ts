import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import { inject } from "vitest";
import { connectRedis, type RedisRole, untilRedisReady } from "../../../src/store/redis/connect.ts";
import { redisTarget } from "../../../src/store/redis/redis-target.ts";
import { createKeys, type Keys } from "../../../src/store/keys.ts";
import { loadScripts, type Script } from "../../../src/store/redis/script.ts";
import type { AnswerOptions } from "../../support/roomy.ts";
import { HANGS_AFTER_MS } from "../../support/wait.ts";

/** A corner of the run's Redis that no other test file touches. */
export interface RedisCorner {
  readonly keys: Keys;
  readonly open: (role: RedisRole, scripts?: readonly Script[]) => Promise<Redis>;
  /** Every key in the corner. */
  readonly stored: () => Promise<string[]>;
  /** Removes the keys and ends the connections. */
  readonly close: () => Promise<void>;
}

/** A busy machine makes no command fail, unless the test is about that and sets `answersOnTime`. */
export async function openCorner(
  target: string = inject("redisUrl"),
  { answersOnTime = false }: AnswerOptions = {},
): Promise<RedisCorner> {
  const times = answersOnTime ? {} : { commandTimeoutMs: HANGS_AFTER_MS };
  const keys = createKeys(`test-${randomBytes(6).toString("hex")}`);
  const connections: Redis[] = [];

  async function open(role: RedisRole, scripts: readonly Script[] = []): Promise<Redis> {
    const redis = connectRedis(redisTarget(target), role, times) as Redis;
    connections.push(redis);
    await untilRedisReady(redis, HANGS_AFTER_MS);
    await loadScripts(redis, scripts);
    return redis;
  }

  const admin = await open("worker");
  async function stored(): Promise<string[]> {
    const found: string[] = [];
    let cursor = "0";
    do {
      const [next, names] = await admin.scan(cursor, "MATCH", `${keys.prefix}:*`, "COUNT", 1_000);
      found.push(...names);
      cursor = next;
    } while (cursor !== "0");
    return [...new Set(found)].sort();
  }

  return {
    keys,
    open,
    stored,
    close: async () => {
      const left = await stored();
      while (left.length > 0) await admin.del(...left.splice(0, 1_000));
      for (const redis of connections) redis.disconnect();
    },
  };
}
