import path from "node:path";
import { startRedisServer } from "../../src/store/server/redis-server.ts";
import { ROOT } from "../support/source-tree.ts";
import { bareEnvironment, startNode } from "./child.ts";
import { ACCOUNTS, type Contender, type Place, type Running } from "./contender.ts";
import { processTree } from "./process-figures.ts";
import { startTogether } from "./start-together.ts";

/** A server of `plain-server.ts`, on a Redis that runs with the gateway's own options. */
export function plainContender(kind: string): Contender {
  return { name: kind, start: async (place) => await startPlain(kind, place) };
}

async function startPlain(kind: string, { programs, folder, signal }: Place): Promise<Running> {
  return await startTogether(async (endWith) => {
    const redis = await startRedisServer({
      dataDir: folder,
      binary: process.env["REDIS_SERVER_BIN"],
      log: () => undefined,
      signal,
    });
    endWith(() => redis.stop());
    const child = await startNode([programs.plainServer, kind, redis.path], {
      output: path.join(folder, "output.log"),
      cwd: ROOT,
      env: bareEnvironment(folder),
      signal,
    });
    endWith(child.end);
    const said = await child.untilSaid(/^listens on \S+$/m);
    return {
      url: /^listens on (\S+)$/m.exec(said)?.[1] ?? "",
      hooks: Array.from({ length: ACCOUNTS }, (_, index) => `/hooks/plain-${index + 1}`),
      nodePids: async () => await processTree(child.pid),
      redisPid: redis.pid ?? 0,
      redisSocket: redis.path,
      answeredEarly: async () => 0,
    };
  });
}
