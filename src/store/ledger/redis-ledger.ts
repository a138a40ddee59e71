import { setImmediate } from "node:timers/promises";
import type { AccountId } from "../../domain/ids.ts";
import {
  type AccountBook,
  addEntry,
  type DayOf,
  EMPTY_BOOK,
} from "../../domain/ledger/account-book.ts";
import { asCorrected } from "../../domain/ledger/corrected-lines.ts";
import type { PlacedEntry } from "../../domain/ledger/ledger-entry.ts";
import type { Ledger } from "../../trading/money/ports.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { runScript } from "../redis/script.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { decodeEntry, type StreamEntry } from "./ledger-record.ts";
import { saveBook } from "./save-book.ts";

export const ledgerScripts = [saveBook];

const AT_ONCE = 500;
/** Of so many lines the sum is kept: whoever reads next begins there. */
const KEPT_EVERY = 64;
/** Accounts whose sums this process remembers, beside. */
const MOST_REMEMBERED = 10_000;

/** What the lines up to one of them, that one included, add up to. */
interface Remembered {
  readonly upTo: string;
  readonly sum: AccountBook;
  /** Lines since the sum that the store keeps. */
  readonly added: number;
}

/** The sum of the lines that have left: summing up anew begins with it. */
interface Base {
  readonly book: AccountBook;
  /** Corrections that are in the book already, though their own lines come after it. */
  readonly settled: readonly string[];
}

interface LinesSince {
  readonly base: Base;
  /** The last line of the base; absent before the first one is kept. */
  readonly baseUpTo: string | undefined;
  readonly all: readonly PlacedEntry[];
}

export interface RedisLedgerDeps {
  readonly redis: RedisClient;
  readonly keys: Keys;
  /** The day (ISO) of an account that an instant belongs to. */
  readonly dayOf: (account: AccountId, at: number) => string;
}

/** The ledgers in Redis: a stream of each account, which is never changed but at its end. */
export function createRedisLedger({ redis, keys, dayOf }: RedisLedgerDeps): Ledger {
  const remembered = new Map<AccountId, Remembered>();
  return {
    book: async (account) => (await goOn(account)) ?? (await bookOf(account, KEPT_EVERY)),
    length: async (account) => await run(redis.xlen(keys.ledger(account))),
    archive,
    entries,
  };

  /**
   * From where this process was last. While the line that it ended with is there, so are all after it:
   * lines leave from the oldest on. Answers undefined if it is not, if much has come since, or if a
   * correction has.
   */
  async function goOn(account: AccountId): Promise<AccountBook | undefined> {
    const known = remembered.get(account);
    if (known === undefined) return undefined;
    const { upTo } = known;
    const [first, ...lines]: readonly StreamEntry[] = await run(
      redis.xrange(keys.ledger(account), upTo, "+", "COUNT", AT_ONCE),
    );
    if (first?.[0] !== upTo || lines.length === AT_ONCE - 1) return undefined;
    const entries = lines.map(decodeEntry);
    if (entries.some(isCorrection)) return undefined;
    const sum = addAll(account, known.sum, entries);
    const added = known.added + lines.length;
    await keep(account, { upTo: lines.at(-1)?.[0] ?? upTo, sum, added }, KEPT_EVERY);
    return sum;
  }

  /** The book after lines without a correction of a fill before them. */
  function addAll(
    account: AccountId,
    book: AccountBook,
    lines: readonly PlacedEntry[],
  ): AccountBook {
    const ownDay: DayOf = (at) => dayOf(account, at);
    return lines.reduce((sum, line) => addEntry(sum, line, ownDay), book);
  }

  async function keep(
    account: AccountId,
    { upTo, sum, added }: Remembered,
    keptEvery: number,
  ): Promise<void> {
    const isDue = added >= keptEvery;
    if (isDue) {
      await saveSum(account, [upTo, JSON.stringify(sum), "upTo", "book"]);
    }
    remembered.delete(account);
    remembered.set(account, { upTo, sum, added: isDue ? 0 : added });
    for (const oldest of remembered.keys()) {
      if (remembered.size <= MOST_REMEMBERED) break;
      remembered.delete(oldest);
    }
  }

  async function saveSum(account: AccountId, args: readonly string[]): Promise<void> {
    await runScript(redis, saveBook, [keys.account(account)], args);
  }

  async function bookOf(account: AccountId, keptEvery: number): Promise<AccountBook> {
    const key = keys.ledgerBook(account);
    const [upTo, kept] = await run(redis.hmget(key, "upTo", "book"));
    let sum = kept ? (JSON.parse(kept) as AccountBook) : EMPTY_BOOK;
    let [last, added] = [upTo ?? undefined, 0];
    let hasCorrection = false;
    for await (const lines of linesAfter(account, last)) {
      hasCorrection ||= lines.some(isCorrection);
      sum = addAll(account, sum, lines);
      last = lines.at(-1)?.id ?? last;
      added += lines.length;
    }
    if (hasCorrection) {
      const lines = await linesSinceBase(account);
      last = lines.all.at(-1)?.id ?? last;
      sum = await sumOf(account, lines, lines.all);
      added = keptEvery;
    }
    // Lines leave once a sum with them is kept: some of those that come after this one may have left.
    const isKeptStill = (await run(redis.hget(key, "upTo"))) === (upTo ?? null);
    if (!isKeptStill) return await bookOf(account, keptEvery);
    if (last !== undefined) await keep(account, { upTo: last, sum, added }, keptEvery);
    return sum;
  }

  async function* linesAfter(
    account: AccountId,
    line: string | undefined,
  ): AsyncGenerator<readonly PlacedEntry[]> {
    for (let last = line; ;) {
      const from = last === undefined ? "-" : `(${last}`;
      const lines = await run(redis.xrange(keys.ledger(account), from, "+", "COUNT", AT_ONCE));
      if (lines.length > 0) yield lines.map(decodeEntry);
      if (lines.length < AT_ONCE) return;
      last = lines.at(-1)?.[0];
    }
  }

  /** All that has not left, with what the lines before add up to. */
  async function linesSinceBase(account: AccountId): Promise<LinesSince> {
    const key = keys.ledgerBook(account);
    const [upTo, kept] = await run(redis.hmget(key, "baseUpTo", "base"));
    const base = kept ? (JSON.parse(kept) as Base) : { book: EMPTY_BOOK, settled: [] };
    const all: PlacedEntry[] = [];
    for await (const lines of linesAfter(account, upTo ?? undefined)) all.push(...lines);
    const isStill = (await run(redis.hget(key, "baseUpTo"))) === (upTo ?? null);
    return isStill ? { base, baseUpTo: upTo ?? undefined, all } : await linesSinceBase(account);
  }

  /**
   * The sum of some of the lines, and those before, with every correction among all of them. A long
   * ledger takes a second of the thread, which is left to orders in between.
   */
  async function sumOf(
    account: AccountId,
    { base, all }: LinesSince,
    some: readonly PlacedEntry[],
  ): Promise<AccountBook> {
    const [settled, ids] = [new Set(base.settled), new Set(some.map(({ id }) => id))];
    const lines = asCorrected(all, ({ id }) => settled.has(id)).filter(({ id }) => ids.has(id));
    let sum = base.book;
    for (let from = 0; from < lines.length; from += AT_ONCE) {
      sum = addAll(account, sum, lines.slice(from, from + AT_ONCE));
      await setImmediate();
    }
    return sum;
  }

  /**
   * Moves the start of summing up anew, but for the newest lines: a line is in the base before it leaves.
   * Answers the last line that may leave.
   */
  async function moveBase(account: AccountId, keep: number): Promise<string | undefined> {
    const lines = await linesSinceBase(account);
    const { all, base: former, baseUpTo } = lines;
    const some = all.slice(0, Math.max(0, all.length - keep));
    const upTo = some.at(-1)?.id;
    if (upTo === undefined) return baseUpTo;
    const filled = new Set(some.flatMap((one) => (one.kind === "fill" ? [one.fill.execId] : [])));
    const settled = all
      .slice(some.length)
      .filter(
        (one) =>
          one.kind === "correction" &&
          (filled.has(one.fill.execId) || former.settled.includes(one.id)),
      )
      .map(({ id }) => id);
    const base: Base = { book: await sumOf(account, lines, some), settled };
    await saveSum(account, [upTo, JSON.stringify(base), "baseUpTo", "base"]);
    return upTo;
  }

  /** Which lines leave is said by the last of them: more may be written meanwhile. */
  async function archive(
    account: AccountId,
    { keep, written }: Parameters<Ledger["archive"]>[1],
  ): Promise<number> {
    const key = keys.ledger(account);
    if ((await run(redis.xlen(key))) <= keep) return 0;
    const upTo = await moveBase(account, keep);
    if (upTo === undefined) return 0;
    await bookOf(account, 1);
    for (let count = 0; ;) {
      const lines = await run(redis.xrange(key, "-", upTo, "COUNT", AT_ONCE));
      const newest = lines.at(-1)?.[0];
      if (newest === undefined) return count;
      await written(lines.map(decodeEntry));
      await run(redis.xtrim(key, "MINID", next(newest)));
      count += lines.length;
    }
  }

  async function entries(
    account: AccountId,
    { limit, before }: Parameters<Ledger["entries"]>[1],
  ): ReturnType<Ledger["entries"]> {
    const until = before === undefined ? "+" : `(${before}`;
    const lines: readonly StreamEntry[] = await run(
      redis.xrevrange(keys.ledger(account), until, "-", "COUNT", limit + 1),
    );
    const items = lines.slice(0, limit).map(decodeEntry);
    const last = items.at(-1);
    return { items, ...(lines.length > limit && last !== undefined && { next: last.id }) };
  }
}

const isCorrection = ({ kind }: PlacedEntry): boolean => kind === "correction";

/** The first id that comes after a line's. */
function next(id: string): string {
  const [ms = "0", seq = "0"] = id.split("-");
  return `${ms}-${Number(seq) + 1}`;
}
