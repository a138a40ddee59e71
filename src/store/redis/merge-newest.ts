import { askInParts } from "../../domain/ask-in-parts.ts";
import { isBelow, readNewest, type Stretch, type TimedId } from "./read-newest.ts";
import type { RedisClient } from "./redis-client.ts";

/** How few members a look at one set asks for, so that many sets need few looks. */
const SMALLEST_LOOK = 20;

/** A sorted set of times, and what its members are. */
export interface TimedSet<Kind> {
  readonly key: string;
  readonly kind: Kind;
  /** Its members are passed over, also where a later set holds them too. */
  readonly isHidden?: true;
  /** Only what is older, whatever else is asked for. */
  readonly beforeAt?: number | undefined;
}

export type Merged<Kind> = TimedId & { readonly kind: Kind };

/**
 * Reads sorted sets of times as if they were one, newest first; of one instant by their ids
 * backwards. What several sets hold is given once, as a member of the first of them.
 */
export class MergeNewest<Kind> {
  readonly #redis: RedisClient;
  readonly #sets: readonly OpenSet<Kind>[];
  readonly #stretch: Stretch;
  readonly #lookSize: number;
  #last: TimedId | undefined;
  #passed = 0;

  /** `expected` is how many members are probably taken in all. */
  constructor(
    redis: RedisClient,
    sets: readonly TimedSet<Kind>[],
    { expected, ...stretch }: Stretch & { readonly expected: number },
  ) {
    this.#redis = redis;
    this.#sets = sets.map((set) => ({ ...set, unread: [], after: stretch.after, isEnded: false }));
    this.#stretch = stretch;
    this.#lookSize = Math.max(SMALLEST_LOOK, Math.ceil(expected / Math.max(1, sets.length)));
  }

  /** The place up to which it came, hidden members included. */
  get last(): TimedId | undefined {
    return this.#last;
  }

  /** How many members it came by. */
  get passed(): number {
    return this.#passed;
  }

  get isAtEnd(): boolean {
    return this.#sets.every(({ unread, isEnded }) => unread.length === 0 && isEnded);
  }

  /** The next ones, as many as asked for: fewer only when there are no more, or `mostPassed` were passed. */
  async take(count: number, mostPassed = Infinity): Promise<readonly Merged<Kind>[]> {
    const taken: Merged<Kind>[] = [];
    while (taken.length < count && this.#passed < mostPassed) {
      const isDry = ({ unread, isEnded }: OpenSet<Kind>) => unread.length === 0 && !isEnded;
      await askInParts(this.#sets.filter(isDry), async (set) => await this.#look(set));
      const newest = this.#newest();
      const next = newest?.unread.shift();
      if (newest === undefined || next === undefined) break;
      const isShown = newest.isHidden !== true && !isSame(next, this.#last);
      if (isShown) taken.push({ ...next, kind: newest.kind });
      this.#last = next;
      this.#passed += 1;
    }
    return taken;
  }

  async #look(set: OpenSet<Kind>): Promise<void> {
    const { after, key } = set;
    const size = this.#lookSize;
    const beforeAt = Math.min(set.beforeAt ?? Infinity, this.#stretch.beforeAt ?? Infinity);
    const members = await readNewest(this.#redis, key, { ...this.#stretch, beforeAt, after, size });
    set.unread = [...members];
    set.after = members.at(-1);
    set.isEnded = members.length < size;
  }

  /** The set that goes on with the newest member; of the same one, the first set. */
  #newest(): OpenSet<Kind> | undefined {
    let found: OpenSet<Kind> | undefined;
    for (const set of this.#sets) {
      const [head] = set.unread;
      if (head !== undefined && isNewer(head, found?.unread[0])) found = set;
    }
    return found;
  }
}

interface OpenSet<Kind> extends TimedSet<Kind> {
  unread: TimedId[];
  after: TimedId | undefined;
  isEnded: boolean;
}

const isSame = (one: TimedId, other: TimedId | undefined): boolean =>
  one.at === other?.at && one.id === other.id;

export function isNewer(one: TimedId, other: TimedId | undefined): boolean {
  if (other === undefined || one.at !== other.at) return one.at > (other?.at ?? -Infinity);
  return isBelow(other.id, one.id);
}
