// The goal: at the limit of Redis' memory every command passes, in whatever form it is sent.
// The method: a Redis of its own, filled up by a value of somebody else's, and one command after another.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRedis, untilRedisReady } from "../../src/store/redis/connect.ts";
import { defineScript, runScript } from "../../src/store/redis/script.ts";
import { type RedisServer, startRedisServer } from "../../src/store/server/redis-server.ts";
import { HANGS_AFTER_MS } from "../support/wait.ts";

let dataDir: string;
let server: RedisServer;
let redis: Redis;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "past-full-"));
  server = await startRedisServer({
    dataDir,
    binary: process.env["REDIS_SERVER_BIN"],
    log: () => undefined,
  });
  redis = connectRedis({ path: server.path }, "worker");
  await untilRedisReady(redis, HANGS_AFTER_MS);
  await redis.setrange("ballast", 8 * 1024 * 1024, "x");
  await redis.config("SET", "maxmemory", "8mb");
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const setFirst = (name: string) =>
  `redis.call('SET', KEYS[1], ARGV[1]) return '${name} ' .. tostring(#ARGV)`;

test("a script that Redis does not know yet", async () => {
  const script = defineScript(setFirst("unknown"));
  expect(await runScript(redis, script, ["{a}script"], ["v"])).toBe("unknown 1");
  expect(await redis.get("{a}script")).toBe("v");
});

test("a script with many arguments", async () => {
  const script = defineScript(setFirst("many"));
  await redis.script("LOAD", script.lua);
  const args = Array.from({ length: 6_000 }, (_, at) => at);
  expect(await runScript(redis, script, ["{a}many"], args)).toBe("many 6000");
});

test("a script that says itself what goes past the limit is refused, whole too", async () => {
  const script = defineScript(setFirst("asking"), { asksForRoom: true });
  const refused = { why: "full", certainlyNotWritten: true };
  await expect(runScript(redis, script, ["{a}asking"], ["v"])).rejects.toMatchObject(refused);
  await redis.script("LOAD", script.lua);
  await expect(runScript(redis, script, ["{a}asking"], ["v"])).rejects.toMatchObject(refused);
  expect(await redis.exists("{a}asking")).toBe(0);
});

test("the scripts of the library of queues, first whole and then by their digest", async () => {
  const queue = new Queue("{turns}", { connection: redis, prefix: "past-full" });
  for (const jobId of ["one", "two", "three"]) await queue.add("turn", {}, { jobId });
  expect(await queue.getWaitingCount()).toBe(3);
  await queue.close();
});

test("of a transaction that is refused nothing is written", async () => {
  const parts = redis.multi().set("{a}first", "1").set("{a}second", "2");
  await expect(parts.exec()).rejects.toThrow("EXECABORT");
  expect(await redis.exists("{a}first", "{a}second")).toBe(0);
});
