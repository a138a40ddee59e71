import { ASKED_AT_ONCE, askInParts } from "../../domain/ask-in-parts.ts";
import { type Merged, MergeNewest, type TimedSet } from "./merge-newest.ts";
import type { Stretch, TimedId } from "./read-newest.ts";
import type { RedisClient } from "./redis-client.ts";

/** How many members of a log one page looks at, whether or not they match. */
export const MAX_EXAMINED = 1_000;

/** How many members of hidden sets one page passes over: they are not read. */
export const MAX_PASSED = 10_000;

export interface PageQuery<Kind, Item> extends Stretch {
  /** At least 1. */
  readonly limit: number;
  /** What a member stands for; undefined when it was forgotten since. */
  readonly read: (member: Merged<Kind>) => Promise<Item | undefined>;
  readonly placeOf: (item: Item) => TimedId;
  readonly matches?: ((item: Item) => boolean) | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Absent when nothing comes after. A page may be short, and even empty, with more to come. */
  readonly next?: TimedId;
}

/** Where the members of a page come from, newest first. */
export type Source<Kind> = Pick<MergeNewest<Kind>, "take" | "last" | "passed" | "isAtEnd">;

/** Reads a page of what sorted sets of times name together, newest first. */
export async function readMatching<Kind, Item>(
  redis: RedisClient,
  sets: readonly TimedSet<Kind>[],
  query: PageQuery<Kind, Item>,
): Promise<Page<Item>> {
  const { fromAt, beforeAt, after } = query;
  const hides = sets.some(({ isHidden }) => isHidden === true);
  const expected = hides ? MAX_PASSED : expectedBy(query);
  return await readPage(new MergeNewest(redis, sets, { fromAt, beforeAt, after, expected }), query);
}

/** One more than asked for tells whether anything comes after. */
const expectedBy = <Kind, Item>({ limit, matches }: PageQuery<Kind, Item>): number =>
  matches === undefined ? limit + 1 : MAX_EXAMINED;

export async function readPage<Kind, Item>(
  source: Source<Kind>,
  query: PageQuery<Kind, Item>,
): Promise<Page<Item>> {
  const { limit, read, placeOf, matches = () => true } = query;
  const atOnce = Math.min(ASKED_AT_ONCE, expectedBy(query));
  const found: Item[] = [];
  let examined = 0;
  while (found.length <= limit && examined < MAX_EXAMINED && source.passed < MAX_PASSED) {
    const members = await source.take(Math.min(atOnce, MAX_EXAMINED - examined), MAX_PASSED);
    if (members.length === 0 && source.isAtEnd) return { items: found };
    const items = await askInParts(members, read);
    found.push(...items.filter((item) => item !== undefined).filter(matches));
    examined += members.length;
  }
  const items = found.slice(0, limit);
  const end = items.at(-1);
  const next = found.length > limit && end !== undefined ? placeOf(end) : source.last;
  return { items, ...(next !== undefined && { next: { at: next.at, id: next.id } }) };
}
