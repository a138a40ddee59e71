import type { Config } from "../../config/index.ts";
import { type DataFolder, openDataFolder } from "../data-folder/data-folder.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import { type RedisTarget, redisTarget } from "../store/redis/redis-target.ts";
import { startRedisServer } from "../store/server/redis-server.ts";

/** Where Redis is, once it runs; started here unless the settings name one. */
export interface RedisPlace {
  readonly target: RedisTarget;
  readonly isOwn: boolean;
  /** Where it writes, when it is started here. */
  readonly folder?: string;
}

export interface OpenRedisOptions {
  /** Gives the start up. */
  readonly signal?: AbortSignal | undefined;
  /** Called once our own begins to read its data. */
  readonly onReading?: () => void;
}

/** Makes sure that there is a Redis to talk to; our own lies in the data folder, which is held then. */
export async function openRedis(
  config: Config,
  lifecycle: Lifecycle,
  log: Logger,
  { signal, onReading }: OpenRedisOptions = {},
): Promise<RedisPlace> {
  if (config.REDIS_URL !== undefined) {
    return { target: redisTarget(config.REDIS_URL), isOwn: false };
  }
  const folder: DataFolder = await openDataFolder(config.DATA_DIR);
  lifecycle.started("the data folder", () => folder.close());
  const server = await startRedisServer({
    dataDir: folder.path,
    binary: config.REDIS_SERVER_BIN,
    ...(signal !== undefined && { signal }),
    ...(onReading !== undefined && { onReading }),
    onExit: () => log.error("The gateway's Redis ended on its own; it is started again"),
    log: (line) => log.warn("Redis says", { reason: line }),
  });
  lifecycle.started("Redis", () => server.stop());
  return { target: { path: server.path }, isOwn: true, folder: folder.path };
}
