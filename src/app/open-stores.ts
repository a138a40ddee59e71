import type { Config } from "../../config/index.ts";
import { createRedisAccountViews } from "../store/accounts/redis-account-views.ts";
import { createRedisCredentialStore } from "../store/people/redis-credential-store.ts";
import { createRedisIntentStore } from "../store/intents/redis-intent-store.ts";
import { createRedisLimitStore } from "../store/intents/redis-limit-store.ts";
import { AccountDirectory } from "../trading/connections/account-directory.ts";
import type { User } from "../domain/people/credential.ts";
import type { OpenStore } from "./open-store.ts";
import { retryUntilDeadline } from "../store/retry-until-deadline.ts";
import { alertRetentionMs, retentionMs } from "../store/retention.ts";
import type { AccountViews } from "../trading/reads/ports.ts";
import type { CredentialStore } from "../trading/people/ports.ts";
import type { IntentStore } from "../trading/orders/ports.ts";
import type { LimitStore } from "../trading/guards/ports.ts";

/** What callers who wait are served from. */
export interface Stores {
  readonly intents: IntentStore;
  readonly views: AccountViews;
  readonly limits: LimitStore;
  readonly credentials: CredentialStore;
  readonly accounts: AccountDirectory;
  /** The appliance's first user. */
  readonly user: User;
}

export async function openStores(
  { request: redis, worker, keys }: OpenStore,
  config: Config,
): Promise<Stores> {
  const views = createRedisAccountViews({ redis, keys });
  const accounts = new AccountDirectory({ views, now: Date.now });
  const credentials = createRedisCredentialStore({ redis, keys });
  const patient = createRedisCredentialStore({ redis: worker, keys });
  const user = await patient.firstUser("owner");
  await retryUntilDeadline(() => accounts.load());
  return {
    intents: createRedisIntentStore({
      redis,
      keys,
      retentionMs: retentionMs(config),
      alertRetentionMs: alertRetentionMs(config),
    }),
    limits: createRedisLimitStore({ redis, keys }),
    views,
    accounts,
    credentials,
    user,
  };
}
