import type { Redis } from "ioredis";
import { type AccountId, execId } from "../domain/ids.ts";
import type { Fill } from "../domain/order.ts";
import {
  type AccountViews,
  type FillPosition,
  type FillQuery,
  MAX_FILLS_KEPT,
} from "../trading/store-ports.ts";
import type { Keys } from "./keys.ts";
import { translateStoreErrors as run } from "./store-error.ts";

/** How many fills one look takes along where only some of them are wanted. */
const LOOK_SIZE = 500;

/**
 * Reads an account's fills by the index of their times, newest first. Every look asks for what
 * comes after a time and an id, never for a rank: ranks move while fills come and make room.
 */
export function createReadFills(redis: Redis, keys: Keys): AccountViews["fills"] {
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
      after = positions.at(-1);
      if (positions.length < size || found.length > limit) return found.slice(0, limit + 1);
    }
  }

  async function look(account: AccountId, query: FillQuery, size: number) {
    const { fromAt, beforeAt, after } = query;
    const oldest = fromAt === undefined ? "-inf" : `${fromAt}`;
    const newest = beforeAt === undefined ? "+inf" : `(${beforeAt}`;
    if (after === undefined) return await range(account, newest, oldest, size);

    // Of one instant there are few, and of those only the id says which come after the position.
    const [sameInstant, older] = await Promise.all([
      run(redis.zrange(keys.fillTimes(account), `${after.at}`, `${after.at}`, "BYSCORE", "REV")),
      range(account, `(${after.at}`, oldest, size),
    ]);
    const rest = sameInstant
      .filter((id) => isBelow(id, after.execId))
      .map((id) => ({ at: after.at, execId: execId(id) }));
    return [...rest, ...older].slice(0, size);
  }

  async function range(
    account: AccountId,
    newest: string,
    oldest: string,
    size: number,
  ): Promise<readonly FillPosition[]> {
    const key = keys.fillTimes(account);
    const reply = await run(
      redis.zrange(key, newest, oldest, "BYSCORE", "REV", "LIMIT", 0, size, "WITHSCORES"),
    );
    return toPositions(reply);
  }

  /** A fill may have made room since its position was read: then it is left out. */
  async function load(
    account: AccountId,
    positions: readonly FillPosition[],
  ): Promise<readonly Fill[]> {
    if (positions.length === 0) return [];
    const ids = positions.map((position) => position.execId);
    const bodies = await run(redis.hmget(keys.fills(account), ...ids));
    return bodies.filter((body) => body !== null).map((body) => JSON.parse(body) as Fill);
  }

  /** The oldest one's time, once others may have made room for newer ones. */
  async function keptSince(account: AccountId): Promise<number | undefined> {
    const key = keys.fillTimes(account);
    const [count, oldest] = await run(
      Promise.all([redis.zcard(key), redis.zrange(key, "0", "0", "WITHSCORES")]),
    );
    return count < MAX_FILLS_KEPT ? undefined : toPositions(oldest)[0]?.at;
  }
}

const positionOf = ({ transactTimeAt, execId: id }: Fill): FillPosition => ({
  at: transactTimeAt,
  execId: id,
});

/** Redis orders ids of one score by their bytes, which is not how JavaScript orders texts. */
function isBelow(id: string, other: string): boolean {
  return Buffer.compare(Buffer.from(id), Buffer.from(other)) < 0;
}

/** Redis answers members and scores in turns. */
function toPositions(reply: readonly string[]): readonly FillPosition[] {
  const positions: FillPosition[] = [];
  for (let index = 0; index < reply.length; index += 2) {
    positions.push({ execId: execId(reply[index] ?? ""), at: Number(reply[index + 1]) });
  }
  return positions;
}
