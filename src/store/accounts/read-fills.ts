import { type AccountId, execId } from "../../domain/ids.ts";
import type { Fill } from "../../domain/order.ts";
import type { Keys } from "../keys.ts";
import { decodeFill } from "./fill-record.ts";
import { readNewest, type TimedId, toTimedIds } from "../redis/read-newest.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import {
  type FillPosition,
  type FillQuery,
  MAX_FILLS_KEPT,
} from "../../trading/reads/fill-pages.ts";
import type { AccountViews } from "../../trading/reads/ports.ts";
import type { RedisClient } from "../redis/redis-client.ts";

/** How many fills one look takes along where only some of them are wanted. */
const LOOK_SIZE = 500;

/** Reads an account's fills by the index of their times, newest first. */
export function createReadFills(redis: RedisClient, keys: Keys): AccountViews["fills"] {
  return async function fills(account, query) {
    const [found, keptSinceAt] = await Promise.all([find(account, query), keptSince(account)]);
    const items = found.slice(0, query.limit);
    const last = items.at(-1);
    return {
      items,
      ...(found.length > query.limit && last !== undefined && { next: positionOf(last) }),
      ...(keptSinceAt !== undefined && { keptSinceAt }),
    };
  };

  /** One more than asked for, if there is one: it tells whether there is a next page. */
  async function find(account: AccountId, query: FillQuery): Promise<readonly Fill[]> {
    const { limit, isOf } = query;
    const size = isOf === undefined ? limit + 1 : LOOK_SIZE;
    const found: Fill[] = [];
    let { after } = query;
    for (;;) {
      const positions = await look(
        account,
        { ...query, ...(after !== undefined && { after }) },
        size,
      );
      const fills = await load(account, positions);
      found.push(...fills.filter(({ contract }) => isOf === undefined || isOf(contract)));
      after = toPosition(positions.at(-1));
      if (positions.length < size || found.length > limit) return found.slice(0, limit + 1);
    }
  }

  async function look(account: AccountId, { after, ...query }: FillQuery, size: number) {
    const from = after && { at: after.at, id: after.execId };
    return await readNewest(redis, keys.fillTimes(account), { ...query, after: from, size });
  }

  /** A fill may have made room since its position was read: then it is left out. */
  async function load(account: AccountId, positions: readonly TimedId[]): Promise<readonly Fill[]> {
    if (positions.length === 0) return [];
    const ids = positions.map(({ id }) => id);
    const bodies = await run(redis.hmget(keys.fills(account), ...ids));
    return bodies.flatMap((body, nth) => {
      const position = positions[nth];
      return typeof body === "string" && position ? [decodeFill(position, body)] : [];
    });
  }

  /** The oldest one's time, once others may have made room for newer ones. */
  async function keptSince(account: AccountId): Promise<number | undefined> {
    const key = keys.fillTimes(account);
    const [count, oldest] = await run(
      Promise.all([redis.zcard(key), redis.zrange(key, "0", "0", "WITHSCORES")]),
    );
    return count < MAX_FILLS_KEPT ? undefined : toTimedIds(oldest)[0]?.at;
  }
}

const toPosition = (last: TimedId | undefined): FillPosition | undefined =>
  last && { at: last.at, execId: execId(last.id) };

const positionOf = ({ transactTimeAt, execId: id }: Fill): FillPosition => ({
  at: transactTimeAt,
  execId: id,
});
