import { translateStoreErrors as run } from "../store-error.ts";
import type { RedisClient } from "./redis-client.ts";

/** A member of a sorted set of times. */
export interface TimedId {
  /** Unix ms. */
  readonly at: number;
  readonly id: string;
}

/** A stretch of time, both ends of which may be open. */
export interface Stretch {
  readonly fromAt?: number | undefined;
  readonly beforeAt?: number | undefined;
  /** Only what comes after it: what is older, and of its instant the ids below its own. */
  readonly after?: TimedId | undefined;
}

/**
 * Reads a sorted set of times, newest first; of one instant by their ids backwards. It asks for what
 * comes after a time and an id, never for a rank: ranks move while members come and make room.
 */
export async function readNewest(
  redis: RedisClient,
  key: string,
  { size, ...stretch }: Stretch & { readonly size: number },
): Promise<readonly TimedId[]> {
  const { fromAt = -Infinity, beforeAt = Infinity, after } = stretch;
  const oldest = bound(fromAt);
  if (after === undefined || after.at >= beforeAt) {
    return await range(`(${bound(beforeAt)}`, oldest);
  }
  if (after.at < fromAt) return [];

  // Of one instant there are few, and of those only the id says which come after the position.
  const [sameInstant, older] = await Promise.all([
    run(redis.zrange(key, `${after.at}`, `${after.at}`, "BYSCORE", "REV")),
    range(`(${after.at}`, oldest),
  ]);
  const rest = sameInstant
    .filter((id) => isBelow(id, after.id))
    .map((id) => ({ at: after.at, id }));
  return [...rest, ...older].slice(0, size);

  async function range(newest: string, least: string): Promise<readonly TimedId[]> {
    const reply = await run(
      redis.zrange(key, newest, least, "BYSCORE", "REV", "LIMIT", 0, size, "WITHSCORES"),
    );
    return toTimedIds(reply);
  }
}

const bound = (at: number): string => {
  if (at === Infinity) return "+inf";
  return at === -Infinity ? "-inf" : `${at}`;
};

/** Redis orders ids of one score by their bytes, which is not how JavaScript orders texts. */
export function isBelow(id: string, other: string): boolean {
  return Buffer.compare(Buffer.from(id), Buffer.from(other)) < 0;
}

/** Redis answers members and scores in turns. */
export function toTimedIds(reply: readonly string[]): readonly TimedId[] {
  const members: TimedId[] = [];
  for (let index = 0; index < reply.length; index += 2) {
    members.push({ id: reply[index] ?? "", at: Number(reply[index + 1]) });
  }
  return members;
}
