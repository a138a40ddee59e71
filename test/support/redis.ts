import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { startRedisServer } from "../../src/store/server/redis-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the run's Redis is: a URL, or the path of a Unix socket. ioredis takes either. */
    redisUrl: string;
  }
}

/**
 * Starts a throw-away Redis for the run with the gateway's own options, unless TEST_REDIS_URL names
 * one. Test files share it and run at the same time, so each uses a key prefix of its own.
 */
export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const given = process.env["TEST_REDIS_URL"];
  if (given !== undefined) {
    project.provide("redisUrl", given);
    return undefined;
  }

  const dataDir = await mkdtemp(path.join(tmpdir(), "gateway-redis-"));
  const server = await startRedisServer({
    dataDir,
    binary: process.env["REDIS_SERVER_BIN"],
    // The one about memory overcommit is for operators.
    log: (line) => line.includes("overcommit") || process.stderr.write(`redis: ${line}\n`),
  });
  project.provide("redisUrl", server.path);

  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
