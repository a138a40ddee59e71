import type { ConnectionStatus, ConnectionWhy } from "../../domain/connection-status.ts";
import type { ConnectionId, UserId } from "../../domain/ids.ts";
import type { Member } from "../../domain/spread.ts";
import type {
  ConnectionLeases,
  FencedAccount,
} from "../../trading/connections/connection-leases.ts";
import { decodeWhy, encodeWhy } from "./connection-why.ts";
import type { Keys } from "../keys.ts";
import { runScript, toHash } from "../redis/script.ts";
import { UserGuards, userGuardScripts } from "../intents/user-guards.ts";
import { endLease } from "./end-lease.ts";
import { meetMembers } from "./meet-members.ts";
import { takeLease } from "./take-lease.ts";
import { readConnection } from "./read-connection.ts";
import { translateStoreErrors } from "../store-error.ts";
import { StoreError } from "../../trading/store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const leaseScripts = [takeLease, endLease, readConnection, meetMembers, ...userGuardScripts];

/** How long a lease lasts unrenewed: so long do the lanes of a dead owner stand still. */
export const LEASE_MS = 3_000;

export interface ConnectionLeaseDeps {
  readonly redis: RedisClient;
  readonly keys: Keys;
  /** This process' name; no two processes share one. */
  readonly processId: string;
}

interface OwnersStatus {
  readonly status: ConnectionStatus;
  readonly why: ConnectionWhy | undefined;
}

/** The leases in Redis. They end by Redis' own clock. */
export function createRedisConnectionLeases(deps: ConnectionLeaseDeps): ConnectionLeases {
  const { redis, keys, processId } = deps;
  const run = translateStoreErrors;
  const guards = new UserGuards({ redis, keys });

  async function lease(
    connection: ConnectionId,
    { status, why }: OwnersStatus,
    newEpoch: number | "",
  ): Promise<unknown> {
    const args = [processId, LEASE_MS, status, newEpoch, encodeWhy(why)];
    return await runScript(redis, takeLease, [keys.connection(connection)], args);
  }

  async function take(connection: ConnectionId, given: OwnersStatus): Promise<unknown> {
    // Known before it is held: whoever ends the leases of the dead finds it.
    await run(redis.sadd(keys.connections, connection));
    // An epoch of all connections together: an account that moves between two is fenced right.
    return await lease(connection, given, await run(redis.incr(keys.epochs)));
  }

  async function takeOrRenew(
    connection: ConnectionId,
    status: ConnectionStatus,
    why?: ConnectionWhy,
  ): Promise<number | undefined> {
    const given = { status, why };
    const renewed = await lease(connection, given, "");
    const epoch = renewed === -1 ? await take(connection, given) : renewed;
    return epoch === 0 ? undefined : Number(epoch);
  }

  async function known(): Promise<readonly ConnectionId[]> {
    return (await run(redis.smembers(keys.connections))) as ConnectionId[];
  }

  async function announce(connection: ConnectionId): Promise<void> {
    await run(redis.publish(keys.connectionNews, connection));
  }

  async function end(connection: ConnectionId, owner: string): Promise<void> {
    const ended = await runScript(redis, endLease, [keys.connection(connection)], [owner]);
    if (ended === 1) await announce(connection);
  }

  async function meet(name: string, told: string): Promise<readonly Member[]> {
    const reply = await runScript(redis, meetMembers, [keys.members], [name, told, LEASE_MS]);
    return Object.entries(toHash(reply)).map(([member, text]) => ({
      ...(JSON.parse(text) as Omit<Member, "name">),
      name: member,
    }));
  }

  async function fence(accounts: readonly FencedAccount[], epoch: number): Promise<void> {
    const users = new Set(accounts.map(({ userId }) => userId));
    const idsOf = (user: UserId) =>
      accounts.filter(({ userId }) => userId === user).map(({ accountId }) => accountId);
    const fenced = await Promise.all(
      [...users].map((user) => guards.fence(user, idsOf(user), epoch)),
    );
    if (fenced.every(Boolean)) return;
    const message = "the connection has a later owner";
    throw new StoreError(message, { certainlyNotWritten: false });
  }

  return {
    takeOrRenew,
    known,
    announce,
    fence,
    forget: async (connection) => {
      await run(redis.srem(keys.connections, connection));
    },
    release: async (connection) => await end(connection, processId),
    meet: async (me) => ({ name: processId, members: await meet(processId, JSON.stringify(me)) }),
    part: async () => void (await meet(processId, "")),
    endOf: async (owner = "") => {
      if (owner === "") await run(redis.del(keys.members));
      else await meet(owner, "");
      await Promise.all((await known()).map((connection) => end(connection, owner)));
    },
    read: async (connection) => {
      const reply = await runScript(redis, readConnection, [keys.connection(connection)], []);
      const [status, owner, text] = reply as [ConnectionStatus?, string?, (string | null)?];
      if (status === undefined || owner === undefined) return undefined;
      const why = decodeWhy(status, text);
      return { status, owner, ...(why !== undefined && { why }) };
    },
  };
}
