import type { AccountClocks } from "../../trading/money/change-account-day.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { changeField } from "../redis/change-field.ts";
import { runScript } from "../redis/script.ts";
import { translateStoreErrors as run } from "../store-error.ts";

export const accountClockScripts = [changeField];

/** Beside the accounts that brokers report, since a report replaces those. */
export const createRedisAccountClocks = ({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
}): AccountClocks => ({
  change: async (account, former, next) => {
    const was = former === undefined ? "" : JSON.stringify(former);
    const args = [account, was, JSON.stringify(next)];
    const isWritten = (await runScript(redis, changeField, [keys.accountClocks], args)) === 1;
    // Every process reads its accounts anew.
    if (isWritten) await run(redis.publish(keys.connectionChanges, account));
    return isWritten;
  },
});
