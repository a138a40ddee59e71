import type { Channels } from "../../queues/channels.ts";
import type { ConnectionPool } from "../brokers/connection-pool.ts";
import type { ConnectionStatus } from "../domain/connection-status.ts";
import { connectionId, type ConnectionId } from "../domain/ids.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import type { Keys } from "../store/keys.ts";
import type { AccountDirectory } from "../trading/account-directory.ts";
import type { ConnectionBoard } from "../trading/ports.ts";
import type { ConnectionLeases } from "../trading/store-ports.ts";

interface ConnectionBoardDeps {
  readonly leases: ConnectionLeases;
  readonly channels: Channels;
  readonly keys: Keys;
  /** Absent in a process that owns no connections. */
  readonly pool: ConnectionPool | undefined;
  readonly accounts: AccountDirectory;
  readonly log: Logger;
}

/** News can be lost, and a dead owner tells none. */
const LOOK_MS = 1_000;

/** How every connection stands: those owned here as they are, others as their owner last said. */
export async function openConnectionBoard(
  { leases, channels, keys, pool, accounts, log }: ConnectionBoardDeps,
  lifecycle: Lifecycle,
): Promise<ConnectionBoard> {
  const seen = new Map<ConnectionId, ConnectionStatus>();

  async function look(connection: ConnectionId): Promise<void> {
    const status = (await leases.read(connection))?.status ?? "DISCONNECTED";
    const isUpAgain = status === "CONNECTED" && seen.get(connection) !== status;
    seen.set(connection, status);
    // Its owner has reported its accounts before that; here they are known if that is us.
    if (isUpAgain && pool?.find(connection) === undefined) await accounts.load();
  }

  async function lookAtAll(): Promise<void> {
    await Promise.all((await leases.known()).map(look));
  }

  const failed = (error: unknown) => log.warn("Connections could not be looked at", { error });
  const unlisten = await channels.listen(keys.connectionNews, (name) => {
    const connection = connectionId(name);
    pool?.look(connection);
    look(connection).catch(failed);
  });
  await lookAtAll();
  const timer = setInterval(() => void lookAtAll().catch(failed), LOOK_MS);
  lifecycle.started("the connections' board", () => {
    clearInterval(timer);
    unlisten();
  });
  return {
    known: () => [...seen.keys()],
    status: (id) => pool?.find(id)?.status ?? seen.get(id) ?? "DISCONNECTED",
  };
}
