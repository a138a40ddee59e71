import type { Config } from "../../config/index.ts";
import type { AccountId, IntentId } from "../domain/ids.ts";
import type { Logger } from "../observability/logger.ts";
import { createRedisIntentStore } from "../store/redis-intent-store.ts";
import type { SubmitIntentDeps } from "../trading/submit-intent.ts";
import type { OpenStore } from "./open-store.ts";
import { retentionMs } from "./retention.ts";

/** Withdraws an unsent intent, however long the store is away. */
export function createAbandon({
  store,
  config,
  log,
}: {
  readonly store: OpenStore;
  readonly config: Config;
  readonly log: Logger;
}): SubmitIntentDeps["abandon"] {
  const { worker: redis, keys } = store;
  const intents = createRedisIntentStore({ redis, keys, retentionMs: retentionMs(config) });
  return (account: AccountId, id: IntentId, reason: string): void => {
    intents
      .withdraw(account, id, { kind: "withdrawn", reason })
      // Nothing to withdraw is the good case: the write that lost its answer never happened.
      .catch((error: unknown) => log.debug("Nothing was withdrawn", { intentId: id, error }));
  };
}
