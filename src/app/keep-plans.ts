import type { Channels } from "../../queues/channels.ts";
import type { ConnectionPool } from "../brokers/connection-pool.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import type { Keys } from "../store/keys.ts";
import type { AccountDirectory } from "../trading/connections/account-directory.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { type AddedPlansDeps, readAddedPlans } from "../brokers/open-connection.ts";

export interface KeepPlansDeps extends AddedPlansDeps {
  readonly channels: Channels;
  readonly keys: Keys;
  readonly accounts: AccountDirectory;
  /** Absent in a process that owns no connections: it only keeps up with their accounts. */
  readonly pool: ConnectionPool | undefined;
  readonly log: Logger;
}

/** Words can be lost. */
const LOOK_MS = 2_000;

/** Follows what users change of their connections: at once, and by a slow look for a word that was lost. */
export async function keepPlans(deps: KeepPlansDeps, lifecycle: Lifecycle): Promise<void> {
  const { channels, keys, pool, accounts, log } = deps;
  const failed = (error: unknown) => log.warn("Connections could not be looked at", { error });
  const look = oneAtATime(async () => {
    pool?.follow(await readAddedPlans(deps));
  });
  const loadAccounts = oneAtATime(() => accounts.load());
  const unlisten = await channels.listen(keys.connectionChanges, () => {
    look().catch(failed);
    loadAccounts().catch(failed);
  });
  await look();
  const timer = setInterval(() => void look().catch(failed), LOOK_MS);
  lifecycle.started("the look at what users connect", () => {
    clearInterval(timer);
    unlisten();
  });
}
