import type { ExitsMissing } from "../brokers/broker-kind.ts";
import type { ConnectionPool } from "../brokers/connection-pool.ts";
import { readAddedPlans } from "../brokers/open-connection.ts";
import { connectionId } from "../domain/ids.ts";
import { openConnectionBoard } from "../brokers/connection-board.ts";
import type { LiveConnectionBoard } from "../trading/ports.ts";
import { followChanges, oneAtATime } from "./follow-changes.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Foundation } from "./open-foundation.ts";

export interface FollowConnectionsParts extends Foundation {
  /** Absent in a process that owns no connections: it only keeps up with how they stand. */
  readonly pool: ConnectionPool | undefined;
  readonly exitsMissing: ExitsMissing;
}

const LOOK_MS = 2_000;

/** Keeps up with which connections users have, and how every one of them stands. */
export async function followConnections(
  parts: FollowConnectionsParts,
  lifecycle: Lifecycle,
): Promise<LiveConnectionBoard> {
  const { channels, keys, pool, accounts, log } = parts;
  const onError = (error: unknown) => log.warn("Connections could not be looked at", { error });
  const { board, close } = await openConnectionBoard({
    ...parts,
    own: pool,
    listen: async (hear) =>
      await channels.listen(keys.connectionNews, (name) => hear(connectionId(name))),
    onError,
  });
  lifecycle.started("the connections' board", close);

  const loadAccounts = oneAtATime(() => accounts.load());
  const setups = await followChanges({
    listen: async (hear) =>
      await channels.listen(keys.connectionChanges, () => {
        hear();
        loadAccounts().catch(onError);
      }),
    look: async () => pool?.follow(await readAddedPlans(parts)),
    everyMs: LOOK_MS,
    onError,
  });
  lifecycle.started("the look at what users connect", setups.stop);
  await setups.look();
  return board;
}
