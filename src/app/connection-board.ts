import type { Channels } from "../../queues/channels.ts";
import type { ConnectionPool } from "../brokers/connection-pool.ts";
import type { ConnectionStatus } from "../domain/connection-status.ts";
import { connectionId, type ConnectionId } from "../domain/ids.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import type { Keys } from "../store/keys.ts";
import type { AccountDirectory } from "../trading/account-directory.ts";
import type { LiveConnectionBoard } from "../trading/ports.ts";
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

type Listener = Parameters<LiveConnectionBoard["onChange"]>[0];

/** News can be lost, and a dead owner tells none. */
const LOOK_MS = 1_000;
/** Our own news come by the store as well, in a moment; while it is away this look is what tells. */
const OWN_LOOK_MS = 50;

/** How every connection stands: those owned here as they are, others as their owner last said. */
export async function openConnectionBoard(
  deps: ConnectionBoardDeps,
  lifecycle: Lifecycle,
): Promise<LiveConnectionBoard> {
  const { channels, keys, pool, log } = deps;
  const board = new Board(deps);
  const failed = (error: unknown) => log.warn("Connections could not be looked at", { error });
  const unlisten = await channels.listen(keys.connectionNews, (name) => {
    const connection = connectionId(name);
    pool?.look(connection);
    board.lookAtOwn();
    board.look(connection).catch(failed);
  });
  await board.lookAtAll();
  const timers = [
    setInterval(() => void board.lookAtAll().catch(failed), LOOK_MS),
    ...(pool === undefined ? [] : [setInterval(() => board.lookAtOwn(), OWN_LOOK_MS)]),
  ];
  lifecycle.started("the connections' board", () => {
    timers.forEach((timer) => clearInterval(timer));
    unlisten();
  });
  return board;
}

class Board implements LiveConnectionBoard {
  readonly #deps: ConnectionBoardDeps;
  readonly #seen = new Map<ConnectionId, ConnectionStatus>();
  readonly #told = new Map<ConnectionId, ConnectionStatus>();
  readonly #listeners = new Set<Listener>();
  /** Connections that came up elsewhere, and whose accounts are not read yet. */
  readonly #unread = new Set<ConnectionId>();
  #isLooking = false;

  constructor(deps: ConnectionBoardDeps) {
    this.#deps = deps;
  }

  readonly known = (): readonly ConnectionId[] => [...this.#seen.keys()];

  readonly status = (connection: ConnectionId): ConnectionStatus =>
    this.#ownStatus(connection) ?? this.#seen.get(connection) ?? "DISCONNECTED";

  readonly onChange = (listener: Listener): (() => void) => {
    // Wrapped, so that a listener added twice is called twice and removed once.
    const own: Listener = (connection, status) => listener(connection, status);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  };

  /** Those that are owned here, without a round trip. */
  lookAtOwn(): void {
    for (const { connectionId: connection, status } of this.#deps.pool?.statuses() ?? []) {
      // So that it is not an old word of the store that counts once it is not owned here any more.
      this.#seen.set(connection, status);
      this.#tell(connection);
    }
  }

  async look(connection: ConnectionId): Promise<void> {
    const lease = await this.#deps.leases.read(connection);
    const own = this.#ownStatus(connection);
    const status = own ?? lease?.status ?? "DISCONNECTED";
    const isUpAgain = status === "CONNECTED" && this.#seen.get(connection) !== status;
    this.#seen.set(connection, status);
    // Its owner has reported its accounts before that; here they are known if that is us.
    if (isUpAgain && own === undefined) this.#unread.add(connection);
    // Who hears of a change asks whose connection it is.
    if (this.#unread.has(connection)) {
      await this.#deps.accounts.load();
      this.#unread.delete(connection);
    }
    this.#tell(connection);
  }

  /** One look at a time: while the store is away they would pile up. */
  async lookAtAll(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const connections = await this.#deps.leases.known();
      await Promise.all(connections.map((connection) => this.look(connection)));
      this.#forgetAllBut(new Set(connections));
    } finally {
      this.#isLooking = false;
    }
  }

  /** What was paused or removed is not known any more, once it was told that it is down. */
  #forgetAllBut(known: ReadonlySet<ConnectionId>): void {
    for (const [connection, status] of this.#seen) {
      if (known.has(connection) || this.#ownStatus(connection) !== undefined) continue;
      if (status === "DISCONNECTED") {
        this.#seen.delete(connection);
        this.#told.delete(connection);
      } else this.look(connection).catch(() => undefined); // The next look comes in a second.
    }
  }

  #ownStatus(connection: ConnectionId): ConnectionStatus | undefined {
    return this.#deps.pool?.find(connection)?.status;
  }

  #tell(connection: ConnectionId): void {
    const status = this.status(connection);
    if (this.#told.get(connection) === status) return;
    this.#told.set(connection, status);
    for (const listener of this.#listeners) listener(connection, status);
  }
}
