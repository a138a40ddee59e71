import type { AccountId } from "../../domain/ids.ts";
import {
  type AccountBook,
  addEntry,
  type DayOf,
  EMPTY_BOOK,
} from "../../domain/ledger/account-book.ts";
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

export interface RedisLedgerDeps {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly dayOf: DayOf;
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
   * lines leave from the oldest on. Undefined where it is not, or much has come since.
   */
  async function goOn(account: AccountId): Promise<AccountBook | undefined> {
    const known = remembered.get(account);
    if (known === undefined) return undefined;
    const { upTo } = known;
    const [first, ...lines]: readonly StreamEntry[] = await run(
      redis.xrange(keys.ledger(account), upTo, "+", "COUNT", AT_ONCE),
    );
    if (first?.[0] !== upTo || lines.length === AT_ONCE - 1) return undefined;
    const sum = lines.reduce((book, line) => addEntry(book, decodeEntry(line), dayOf), known.sum);
    const added = known.added + lines.length;
    await keep(account, { upTo: lines.at(-1)?.[0] ?? upTo, sum, added }, KEPT_EVERY);
    return sum;
  }

  async function keep(
    account: AccountId,
    { upTo, sum, added }: Remembered,
    keptEvery: number,
  ): Promise<void> {
    const isDue = added >= keptEvery;
    if (isDue) {
      await runScript(redis, saveBook, [keys.account(account)], [upTo, JSON.stringify(sum)]);
    }
    remembered.delete(account);
    remembered.set(account, { upTo, sum, added: isDue ? 0 : added });
    for (const oldest of remembered.keys()) {
      if (remembered.size <= MOST_REMEMBERED) break;
      remembered.delete(oldest);
    }
  }

  async function bookOf(account: AccountId, keptEvery: number): Promise<AccountBook> {
    const key = keys.ledgerBook(account);
    const [upTo, kept] = await run(redis.hmget(key, "upTo", "book"));
    let sum = kept ? (JSON.parse(kept) as AccountBook) : EMPTY_BOOK;
    let [last, added] = [upTo ?? undefined, 0];
    for (;;) {
      const from = last === undefined ? "-" : `(${last}`;
      const lines = await run(redis.xrange(keys.ledger(account), from, "+", "COUNT", AT_ONCE));
      for (const line of lines) sum = addEntry(sum, decodeEntry(line), dayOf);
      last = lines.at(-1)?.[0] ?? last;
      added += lines.length;
      if (lines.length < AT_ONCE) break;
    }
    // Lines leave once a sum with them is kept: some of those that come after this one may have left.
    const isKeptStill = (await run(redis.hget(key, "upTo"))) === (upTo ?? null);
    if (!isKeptStill) return await bookOf(account, keptEvery);
    if (last !== undefined) await keep(account, { upTo: last, sum, added }, keptEvery);
    return sum;
  }

  async function archive(
    account: AccountId,
    { keep, written }: Parameters<Ledger["archive"]>[1],
  ): Promise<number> {
    const key = keys.ledger(account);
    let left = (await run(redis.xlen(key))) - keep;
    if (left <= 0) return 0;
    const count = left;
    await bookOf(account, 1);
    while (left > 0) {
      const size = Math.min(left, AT_ONCE);
      const lines = await run(redis.xrange(key, "-", "+", "COUNT", size));
      const newest = lines.at(-1)?.[0];
      if (newest === undefined) break;
      await written(lines.map(decodeEntry));
      await run(redis.xtrim(key, "MINID", next(newest)));
      left -= lines.length;
    }
    return count - left;
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

/** The first id that comes after a line's. */
function next(id: string): string {
  const [ms = "0", seq = "0"] = id.split("-");
  return `${ms}-${Number(seq) + 1}`;
}
