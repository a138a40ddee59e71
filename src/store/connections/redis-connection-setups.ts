import { type ConnectionId, connectionId } from "../../domain/ids.ts";
import type {
  ConnectionSetup,
  ConnectionSetups,
  StoredSetup,
} from "../../trading/connections/connection-setups.ts";
import type { Keys } from "../keys.ts";
import { runScript } from "../redis/script.ts";
import { removeConnectionSetup } from "./remove-connection-setup.ts";
import { saveConnectionSetup } from "./save-connection-setup.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const connectionSetupScripts = [saveConnectionSetup, removeConnectionSetup];

/** What users have set of their connections, in Redis. */
export function createRedisConnectionSetups({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
}): ConnectionSetups {
  async function find(connection: ConnectionId): Promise<StoredSetup | undefined> {
    const [version, setup] = await run(
      redis.hmget(keys.connectionSetup(connection), "version", "setup"),
    );
    if (typeof version !== "string" || typeof setup !== "string") return undefined;
    return { ...(JSON.parse(setup) as ConnectionSetup), version: Number(version) };
  }

  async function write(version: number, setup: ConnectionSetup): Promise<boolean> {
    const names = [keys.connectionSetup(setup.connectionId)];
    const args = [String(version), JSON.stringify(setup)];
    return (await runScript(redis, saveConnectionSetup, names, args)) === 1;
  }

  async function announce(connection: ConnectionId): Promise<void> {
    await run(redis.publish(keys.connectionChanges, connection));
  }

  return {
    find,
    announce,

    newId: async (broker) => {
      const number = await run(redis.hincrby(keys.connectionNumbers, broker, 1));
      return connectionId(`${broker}-${number}`);
    },

    // Listed once it is whole: what is listed is begun.
    create: async (setup) => {
      await write(0, setup);
      await run(redis.sadd(keys.addedConnections, setup.connectionId));
      await announce(setup.connectionId);
    },

    list: async () => {
      const ids = (await run(redis.smembers(keys.addedConnections))) as ConnectionId[];
      const found = await Promise.all(ids.sort().map(find));
      return found.filter((setup) => setup !== undefined);
    },

    save: async ({ version, ...setup }) => {
      const isSaved = await write(version, setup);
      if (isSaved) await announce(setup.connectionId);
      return isSaved;
    },

    remove: async (connection) => {
      const names = [
        keys.connectionSetup(connection),
        keys.connectionMemory(connection),
        keys.connectionStop(connection),
        keys.connection(connection),
      ];
      await runScript(redis, removeConnectionSetup, names, []);
      await run(redis.srem(keys.addedConnections, connection));
      await run(redis.srem(keys.connections, connection));
      await announce(connection);
    },

    claimLogin: async (login, ms) =>
      (await run(redis.set(keys.loginClaim(login), "1", "PX", ms, "NX"))) === "OK",

    freeLogin: async (login) => {
      await run(redis.del(keys.loginClaim(login)));
    },

    beginTrial: async (connection, ms) => {
      const key = keys.connectionTrial(connection);
      return (await run(redis.set(key, "1", "PX", ms, "NX"))) === "OK";
    },

    endTrial: async (connection) => {
      await run(redis.del(keys.connectionTrial(connection)));
    },
  };
}
