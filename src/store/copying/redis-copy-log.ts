import type { AccountId, IntentId } from "../../domain/ids.ts";
import type { IntentRecord } from "../../domain/intent.ts";
import type {
  CopiesRead,
  CopyLog,
  CopyQuery,
  LoggedCopy,
  CopyEntry,
  CopyMeasure,
  CopySkipped,
} from "../../trading/copying/ports.ts";
import { askInParts } from "../../domain/ask-in-parts.ts";
import { decodeIntent, type Fields, RECORD_FIELDS, toIntentId } from "../intents/intent-record.ts";
import type { Keys } from "../keys.ts";
import { readMatching } from "../redis/read-matching.ts";
import { runScript } from "../redis/script.ts";
import { measureCopy } from "./measure-copy.ts";
import { noteCopy } from "./note-copy.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const copyLogScripts = [measureCopy, noteCopy];

/** The copy log in Redis, by follower. `retentionMs` is how long a copy is kept. */
export function createRedisCopyLog({
  redis,
  keys,
  retentionMs,
}: {
  redis: RedisClient;
  keys: Keys;
  retentionMs: number;
}): CopyLog {
  return { note, measure, open, list };

  async function note(...[entry, skipped]: Parameters<CopyLog["note"]>): Promise<void> {
    const { copyId, follower, notedAt } = entry;
    const names = [
      keys.copy(follower, copyId),
      keys.copies(follower),
      keys.openCopies(follower),
      keys.intent(follower, copyId),
    ];
    await runScript(redis, noteCopy, names, [
      copyId,
      JSON.stringify(entry),
      skipped === undefined ? "" : JSON.stringify(skipped),
      notedAt,
      retentionMs,
      MAX_COPIES_KEPT,
      keys.copy(follower, toIntentId("")),
    ]);
  }

  async function measure(...[entry, what]: Parameters<CopyLog["measure"]>): Promise<void> {
    const { copyId, follower } = entry;
    const names = [keys.copy(follower, copyId), keys.openCopies(follower)];
    await runScript(redis, measureCopy, names, [copyId, JSON.stringify(what)]);
  }

  async function open(follower: AccountId): Promise<readonly LoggedCopy[]> {
    const ids = await run(redis.zrange(keys.openCopies(follower), "0", "-1"));
    const found = await askInParts(ids, async (id) => await read(follower, toIntentId(id)));
    return found.filter((copy) => copy !== undefined);
  }

  async function list(followers: readonly AccountId[], query: CopyQuery): Promise<CopiesRead> {
    const { limit, after, matches } = query;
    const sets = followers.map((account) => ({ key: keys.copies(account), kind: account }));
    const { items, next } = await readMatching(redis, sets, {
      limit,
      after: after && { at: after.at, id: after.copyId },
      matches,
      read: async ({ id, kind }) => await read(kind, toIntentId(id)),
      placeOf: ({ entry }) => ({ at: entry.notedAt, id: entry.copyId }),
    });
    return { items, ...(next && { next: { at: next.at, copyId: toIntentId(next.id) } }) };
  }

  /** Undefined for what was forgotten since. */
  async function read(follower: AccountId, copy: IntentId): Promise<LoggedCopy | undefined> {
    const [fields, intentFields] = await run(
      Promise.all([
        redis.hmget(keys.copy(follower, copy), ...COPY_FIELDS),
        redis.hmget(keys.intent(follower, copy), ...RECORD_FIELDS),
      ]),
    );
    return decodeCopy(fields, decodeIntent(follower, copy, intentFields));
  }
}

/** How many copies to one account the log keeps; older ones make room for newer ones. */
export const MAX_COPIES_KEPT = 10_000;

/** The fields of a copy's hash, in the order `decodeCopy` reads them. */
const COPY_FIELDS = ["entry", "skipped", "measure"] as const;

/**
 * Takes `COPY_FIELDS`. A copy that was thought to be skipped, and
 * has an intent all the same, is what became of that. Undefined for one that is not there.
 */
function decodeCopy(
  [entry, skipped, measure]: Fields,
  intent: IntentRecord | undefined,
): LoggedCopy | undefined {
  if (!entry) return undefined;
  return {
    entry: JSON.parse(entry) as CopyEntry,
    ...(intent !== undefined && { intent }),
    ...(skipped && intent === undefined && { skipped: JSON.parse(skipped) as CopySkipped }),
    ...(measure && { measure: JSON.parse(measure) as CopyMeasure }),
  };
}
