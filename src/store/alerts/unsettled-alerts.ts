import type { AccountId } from "../../domain/ids.ts";
import type { Keys } from "../keys.ts";
import { askInParts } from "../../domain/ask-in-parts.ts";
import { isNewer, type Merged } from "../redis/merge-newest.ts";
import type { Source } from "../redis/read-matching.ts";
import { isBelow, type Stretch } from "../redis/read-newest.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { AlertKind } from "./alert-sets.ts";
import type { RedisClient } from "../redis/redis-client.ts";

/** The alerts of accounts whose intents are not settled, newest first; there are few. */
export async function readUnsettled(
  redis: RedisClient,
  keys: Keys,
  accounts: readonly AccountId[],
  stretch: Stretch,
): Promise<Source<AlertKind>> {
  const { fromAt = -Infinity, beforeAt = Infinity, after } = stretch;
  const all = (await askInParts([...new Set(accounts)], unsettledOf)).flat();
  const asked = all
    .filter(({ at }) => at >= fromAt && at < beforeAt)
    .filter(({ at, id }) => after === undefined || at < after.at || isNext(at, id, after))
    .toSorted((one, other) => (isNewer(one, other) ? -1 : 1));
  let passed = 0;
  return {
    take: async (count) => {
      const taken = asked.slice(passed, passed + count);
      passed += taken.length;
      return taken;
    },
    get last() {
      return asked[passed - 1];
    },
    get passed() {
      return passed;
    },
    get isAtEnd() {
      return passed === asked.length;
    },
  };

  async function unsettledOf(account: AccountId): Promise<readonly Merged<AlertKind>[]> {
    const ids = await run(redis.zrange(keys.open(account), "0", "-1"));
    if (ids.length === 0) return [];
    const times = await run(redis.zmscore(keys.acceptedAlerts(account), ...ids));
    // Of an intent that came by no alert there is no time.
    return ids.flatMap((id, nth) => {
      const at = times[nth];
      return at ? [{ id, at: Number(at), kind: { account, isAccepted: true } }] : [];
    });
  }
}

const isNext = (at: number, id: string, after: { at: number; id: string }): boolean =>
  at === after.at && isBelow(id, after.id);
