import type { AccountId, IntentId } from "../../domain/ids.ts";
import type { Keys } from "../keys.ts";
import { askInParts } from "../../domain/ask-in-parts.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { translateStoreErrors } from "../store-error.ts";

/** Longer than a failover takes. */
const REMEMBERED_MS = 60_000;

interface Accepted {
  readonly account: AccountId;
  readonly intent: IntentId;
  /** By `performance.now()`. */
  readonly at: number;
}

/** What this process has accepted a moment ago, to be looked for where the store changes servers. */
export class RecentAcceptances {
  #accepted: Accepted[] = [];

  note(account: AccountId, intent: IntentId): void {
    const now = performance.now();
    const [first] = this.#accepted;
    if (first !== undefined && first.at < now - 2 * REMEMBERED_MS) this.#forget(now);
    this.#accepted.push({ account, intent, at: now });
  }

  /** Those that are not there any more. Throws `StoreError`. */
  async missing(redis: RedisClient, keys: Keys): Promise<readonly Omit<Accepted, "at">[]> {
    this.#forget(performance.now());
    const asked = [...this.#accepted];
    const found = await askInParts(asked, ({ account, intent }) =>
      translateStoreErrors(redis.exists(keys.intent(account, intent))),
    );
    const missing = asked.filter((_, at) => found[at] === 0);
    // Each of them is told once.
    this.#accepted = this.#accepted.filter((one) => !missing.includes(one));
    return missing;
  }

  #forget(now: number): void {
    this.#accepted = this.#accepted.filter(({ at }) => at >= now - REMEMBERED_MS);
  }
}
