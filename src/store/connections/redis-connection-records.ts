import type { ConnectionStatus, StoppedStatus } from "../../domain/connection-status.ts";
import { type ConnectionId, userId } from "../../domain/ids.ts";
import type {
  ConnectionRecord,
  ConnectionRecords,
  ConnectionStop,
} from "../../trading/connections/connection-records.ts";
import { decodeWhy } from "./connection-why.ts";
import type { Keys } from "../keys.ts";
import { runScript } from "../redis/script.ts";
import { readConnectionRecord } from "./read-connection-record.ts";
import { stopConnection } from "./stop-connection.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { SealedMemories } from "../../trading/connections/ports.ts";
import type { RedisClient } from "../redis/redis-client.ts";

type Text = string | null;

/** What is kept of connections beside their leases, in Redis. */
export function createRedisConnectionRecords({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
}): ConnectionRecords {
  const keysOf = (connection: ConnectionId) => [
    keys.connection(connection),
    keys.connectionStop(connection),
  ];

  async function find(connection: ConnectionId): Promise<ConnectionRecord | undefined> {
    const reply = await runScript(redis, readConnectionRecord, keysOf(connection), []);
    return decode(connection, reply as Parameters<typeof decode>[1]);
  }

  return {
    find,

    list: async () => {
      const [owned, added] = await run(
        Promise.all([redis.smembers(keys.connections), redis.smembers(keys.addedConnections)]),
      );
      const ids = [...new Set([...owned, ...added])] as ConnectionId[];
      const found = await Promise.all(ids.sort().map(find));
      return found.filter((record) => record !== undefined);
    },

    describe: async (connection, { userId: user, broker, environment }) => {
      const facts = { userId: user, broker, environment };
      await run(redis.hset(keys.connection(connection), facts));
    },

    stop: async (connection, epoch, { status, reason }) => {
      const args = [epoch, status, reason];
      return (await runScript(redis, stopConnection, keysOf(connection), args)) === 1;
    },

    stopOf: async (connection) => {
      const fields = await run(redis.hmget(keys.connectionStop(connection), "status", "reason"));
      return decodeStop(fields[0], fields[1]);
    },

    resume: async (connection) => {
      await run(redis.del(keys.connectionStop(connection)));
      await run(redis.publish(keys.connectionNews, connection));
    },

    forget: async (connection) => {
      await run(redis.hdel(keys.connection(connection), "userId", "broker", "environment"));
      await run(redis.del(keys.connectionStop(connection)));
      await run(redis.srem(keys.connections, connection));
    },
  };
}

function decode(
  connectionId: ConnectionId,
  [user, broker, environment, status, since, stopStatus, reason, text]: readonly [
    user: Text,
    broker: Text,
    environment: Text,
    status: ConnectionStatus | "",
    since: number,
    stopStatus: Text,
    stopReason: Text,
    why: Text,
  ],
): ConnectionRecord | undefined {
  if (user === null || broker === null) return undefined;
  const stop = decodeStop(stopStatus, reason);
  const why = decodeWhy(status, text);
  return {
    connectionId,
    userId: userId(user),
    broker,
    environment: environment === "live" ? "live" : "demo",
    status: status === "" ? "DISCONNECTED" : status,
    since,
    ...(why && { why }),
    ...(stop && { stop }),
  };
}

function decodeStop(status: Text = null, reason: Text = null): ConnectionStop | undefined {
  return status === null ? undefined : { status: status as StoppedStatus, reason: reason ?? "" };
}

/** Longer than a token or a pause of any broker lasts. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

export function createRedisSealedMemories({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
}): SealedMemories {
  return {
    load: async (connection) =>
      (await run(redis.get(keys.connectionMemory(connection)))) ?? undefined,

    save: async (connection, sealed) => {
      await run(redis.set(keys.connectionMemory(connection), sealed, "PX", KEPT_MS));
    },
  };
}
