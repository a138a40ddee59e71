// The goal: an unsafe Redis is recognised, and its operator is told what to set.
// The method: change the options of a real server while it runs.
import type { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { connectRedis, untilRedisReady } from "../../src/store/redis/connect.ts";
import { examineServer } from "../../src/store/trust/durability.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { HANGS_AFTER_MS } from "../support/wait.ts";

async function freshRedis(): Promise<Redis> {
  const { server } = await startTestRedis(await temporaryFolder());
  const redis = connectRedis({ path: server.path }, "request");
  onTestFinished(() => redis.disconnect());
  await untilRedisReady(redis, HANGS_AFTER_MS);
  return redis;
}

async function textsOf(redis: Redis): Promise<string[]> {
  return (await examineServer(redis)).findings.map(({ text }) => text);
}

test("the gateway's own Redis has no problem", async () => {
  expect((await examineServer(await freshRedis())).findings).toEqual([]);
});

test("each wrong option is named, with the value to set", async () => {
  const redis = await freshRedis();
  await redis.config("SET", "appendonly", "no");
  await redis.config("SET", "appendfsync", "everysec");
  await redis.config("SET", "maxmemory-policy", "allkeys-lru");

  expect(await textsOf(redis)).toEqual([
    expect.stringMatching(/^appendonly is no, .*; set it to yes$/),
    expect.stringMatching(/^appendfsync is everysec, .*; set it to always$/),
    expect.stringMatching(/^maxmemory-policy is allkeys-lru, .*; set it to noeviction$/),
  ]);
});

test("a server that hides its options is a problem of its own", async () => {
  const redis = await freshRedis();
  await redis.call("ACL", "SETUSER", "default", "-config");

  expect(await textsOf(redis)).toEqual([
    expect.stringMatching(/CONFIG GET is refused.*ALLOW_UNSAFE_REDIS=true/),
  ]);
});
