import type { Redis } from "ioredis";
import type { AccountId } from "../domain/ids.ts";
import type { Fill } from "../domain/order.ts";
import type { Page } from "../trading/gateway.ts";
import type { BrokerPosition } from "../trading/ports.ts";
import type { AccountViews, StoredAccount } from "../trading/store-ports.ts";
import type { Keys } from "./keys.ts";
import { translateStoreErrors } from "./store-error.ts";

/** How many fills of one account are kept; older ones make room. */
const MAX_FILLS = 10_000;

/** What is shown of accounts, as the owner of their connection last wrote it. */
export function createRedisAccountViews({
  redis,
  keys,
  now = Date.now,
}: {
  redis: Redis;
  keys: Keys;
  now?: () => number;
}): AccountViews {
  const run = translateStoreErrors;

  async function accounts(): Promise<readonly StoredAccount[]> {
    const all = await run(redis.hvals(keys.accounts));
    return all.map((account) => JSON.parse(account) as StoredAccount);
  }

  async function addFills(account: AccountId, fills: readonly Fill[]): Promise<void> {
    if (fills.length === 0) return;
    const bodies = fills.flatMap((fill) => [fill.execId, JSON.stringify(fill)]);
    const times = fills.flatMap((fill) => [fill.transactTimeAt, fill.execId]);
    // The time goes last: a fill is listed only once its body is there.
    const [, , size] = await run(
      Promise.all([
        redis.hset(keys.fills(account), ...bodies),
        redis.zadd(keys.fillTimes(account), ...times),
        redis.zcard(keys.fillTimes(account)),
      ]),
    );
    if (size > MAX_FILLS) await dropOldest(account, size - MAX_FILLS);
  }

  /** Bodies first: asked twice over a broken connection, it drops nothing else. */
  async function dropOldest(account: AccountId, count: number): Promise<void> {
    const ids = await run(redis.zrange(keys.fillTimes(account), "0", String(count - 1)));
    await run(redis.hdel(keys.fills(account), ...ids));
    await run(redis.zrem(keys.fillTimes(account), ...ids));
  }

  async function fills(
    account: AccountId,
    { limit, cursor }: { limit: number; cursor?: string },
  ): Promise<Page<Fill>> {
    const newest = cursor === undefined ? undefined : await rankOf(account, cursor);
    const end = newest === undefined ? -1 : newest - 1;
    if (end < 0 && cursor !== undefined) return { items: [] };

    // One more than asked for tells whether there is a next page.
    const start = Math.max(0, end - limit);
    const ids =
      cursor === undefined
        ? await run(redis.zrange(keys.fillTimes(account), `${-limit - 1}`, "-1"))
        : await run(redis.zrange(keys.fillTimes(account), `${start}`, `${end}`));
    const page = ids.reverse().slice(0, limit);
    const bodies = page.length === 0 ? [] : await run(redis.hmget(keys.fills(account), ...page));
    const items = bodies.filter((body) => body !== null).map((body) => JSON.parse(body) as Fill);
    const last = page.at(-1);
    return ids.length > limit && last !== undefined ? { items, nextCursor: last } : { items };
  }

  /** Where a fill stands, counted from the oldest; 0 for one that has made room since. */
  async function rankOf(account: AccountId, id: string): Promise<number> {
    return (await run(redis.zrank(keys.fillTimes(account), id))) ?? 0;
  }

  return {
    accounts,
    addFills,
    fills,

    saveAccounts: async (connection, reported) => {
      const known = await accounts();
      const present = new Set(reported.map(({ accountId }) => accountId));
      const gone = known
        .filter((account) => account.connectionId === connection)
        .filter(({ accountId }) => !present.has(accountId))
        .map((account) => ({ ...account, active: false }));
      const entries = [...reported, ...gone].flatMap((account) => [
        account.accountId,
        JSON.stringify(account),
      ]);
      if (entries.length > 0) await run(redis.hset(keys.accounts, ...entries));
    },

    savePositions: async (account, positions) => {
      const body = JSON.stringify({ positions, asOf: now() });
      await run(redis.set(keys.positions(account), body));
    },

    positions: async (account) => {
      const body = await run(redis.get(keys.positions(account)));
      if (body === null) return { value: [], asOf: 0 };
      const { positions, asOf } = JSON.parse(body) as {
        positions: readonly BrokerPosition[];
        asOf: number;
      };
      return { value: positions, asOf };
    },

    newestFillAt: async (account) => {
      const newest = await run(redis.zrange(keys.fillTimes(account), "-1", "-1", "WITHSCORES"));
      return Number(newest[1] ?? 0);
    },
  };
}
