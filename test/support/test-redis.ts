import { endWithTest } from "./side-by-side.ts";
import { startRedisServer, type RedisServer } from "../../src/store/server/redis-server.ts";
import type { RedisExit } from "../../src/store/server/redis-exit.ts";

export interface TestRedis {
  readonly server: RedisServer;
  readonly exits: readonly RedisExit[];
  readonly lines: readonly string[];
  /** Kills the server's process, or does with it what another signal does. */
  readonly signal: (signal: NodeJS.Signals) => void;
}

/** A Redis of the running test's own, so that it can be killed, frozen and damaged. */
export async function startTestRedis(
  dataDir: string,
  binary = process.env["REDIS_SERVER_BIN"],
  atEnd: (end: () => Promise<void>) => void = endWithTest,
): Promise<TestRedis> {
  const exits: RedisExit[] = [];
  const lines: string[] = [];
  const server = await startRedisServer({
    dataDir,
    binary,
    onExit: (exit) => exits.push(exit),
    log: (line) => lines.push(line),
  });
  atEnd(() => server.stop());
  return {
    server,
    exits,
    lines,
    signal: (signal) => {
      if (server.pid === undefined) throw new Error("The server is not running");
      process.kill(server.pid, signal);
    },
  };
}
