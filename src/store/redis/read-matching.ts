import type { Redis } from "ioredis";
import { ASKED_AT_ONCE, askInParts } from "./ask-in-parts.ts";
import { type Merged, MergeNewest, type TimedSet } from "./merge-newest.ts";
import type { Stretch, TimedId } from "./read-newest.ts";

/** How many members of a log one page looks at, whether or not they match. */
export const MAX_EXAMINED = 1_000;

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

/** Reads a page of what sorted sets of times name together, newest first. */
export async function readMatching<Kind, Item>(
  redis: Redis,
  sets: readonly TimedSet<Kind>[],
  { limit, read, placeOf, matches, ...stretch }: PageQuery<Kind, Item>,
): Promise<Page<Item>> {
  // One more than asked for tells whether anything comes after.
  const expected = matches === undefined ? limit + 1 : MAX_EXAMINED;
  const merged = new MergeNewest(redis, sets, { ...stretch, expected });
  const found: Item[] = [];
  let examined = 0;
  let last: TimedId | undefined;
  while (found.length <= limit && examined < MAX_EXAMINED) {
    const members = await merged.take(Math.min(ASKED_AT_ONCE, expected, MAX_EXAMINED - examined));
    if (members.length === 0) return { items: found };
    const items = await askInParts(members, read);
    found.push(...items.filter((item) => item !== undefined).filter(matches ?? (() => true)));
    examined += members.length;
    last = members.at(-1);
  }
  const items = found.slice(0, limit);
  const end = items.at(-1);
  const next = found.length > limit && end !== undefined ? placeOf(end) : last;
  return { items, ...(next !== undefined && { next: { at: next.at, id: next.id } }) };
}
