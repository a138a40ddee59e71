import { setTimeout as sleep } from "node:timers/promises";
import {
  type ConnectionStatus,
  type ConnectionWhy,
  isSameWhy,
  needsAPerson,
  NOT_OWNED,
} from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import type { AccountDirectory } from "../trading/connections/account-directory.ts";
import type { ConnectionBoard, LiveConnectionBoard } from "../trading/ports.ts";
import type { ConnectionLeases } from "../trading/connections/connection-leases.ts";

interface ConnectionBoardDeps {
  readonly leases: ConnectionLeases;
  /** Absent in a process that owns no connections. */
  readonly own: ConnectionPool | undefined;
  readonly accounts: AccountDirectory;
  /** Hears that a connection stands otherwise than before, wherever it is owned; answers what ends it. */
  readonly listen: (hear: (connection: ConnectionId) => void) => Promise<() => void>;
  /** It is looked at again. */
  readonly onError: (error: unknown) => void;
}

interface Seen {
  readonly status: ConnectionStatus;
  readonly why?: ConnectionWhy | undefined;
}

const NOBODYS: Seen = { status: "DISCONNECTED", why: NOT_OWNED };

type Listener = Parameters<LiveConnectionBoard["onChange"]>[0];

/** News can be lost, and a dead owner tells none. */
const LOOK_MS = 1_000;
/** Of others' connections, in each look: of thousands, each is looked at less often. */
const MOST_LOOKED_AT = 200;
/** Our own news come by the store as well, in a moment; while it is away this look is what tells. */
const OWN_LOOK_MS = 50;

/** How every connection stands: those owned here as they are, others as their owner last said. */
export async function openConnectionBoard(
  deps: ConnectionBoardDeps,
): Promise<{ readonly board: LiveConnectionBoard; readonly close: () => void }> {
  const { own, listen, onError: failed } = deps;
  const board = new Board(deps);
  const unlisten = await listen((connection) => {
    own?.look(connection);
    board.lookAtOwn();
    board.look([connection]).catch(failed);
  });
  await board.lookAround(Infinity);
  const timers = [
    setInterval(() => void board.lookAround().catch(failed), LOOK_MS),
    ...(own === undefined ? [] : [setInterval(() => board.lookAtOwn(), OWN_LOOK_MS)]),
  ];
  const close = () => {
    timers.forEach((timer) => clearInterval(timer));
    unlisten();
  };
  return { board, close };
}

class Board implements LiveConnectionBoard {
  readonly #deps: ConnectionBoardDeps;
  readonly #seen = new Map<ConnectionId, Seen>();
  readonly #announced = new Map<ConnectionId, Seen>();
  readonly #listeners = new Set<Listener>();
  /** Connections that came up elsewhere, and whose accounts are not read yet. */
  readonly #unread = new Set<ConnectionId>();
  #isLooking = false;
  /** Where the last look around ended, among those that it may look at. */
  #turn = 0;

  constructor(deps: ConnectionBoardDeps) {
    this.#deps = deps;
  }

  readonly known = (): readonly ConnectionId[] => [...this.#seen.keys()];

  readonly status = (connection: ConnectionId): ConnectionStatus =>
    this.#standing(connection).status;

  readonly why = (connection: ConnectionId): ConnectionWhy | undefined =>
    this.#standing(connection).why;

  readonly onChange = (listener: Listener): (() => void) => {
    // Wrapped, so that a listener added twice is called twice and removed once.
    const own: Listener = (connection, status, why) => listener(connection, status, why);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  };

  /** Those that are owned here, without a round trip. */
  lookAtOwn(): void {
    for (const { connectionId: connection, ...standing } of this.#deps.own?.statuses() ?? []) {
      // So that it is not an old word of the store that counts once it is not owned here any more.
      this.#seen.set(connection, standing);
      this.#announce(connection);
    }
  }

  async look(connections: readonly ConnectionId[]): Promise<void> {
    const { leases, accounts } = this.#deps;
    const found = await Promise.all(connections.map((connection) => leases.read(connection)));
    for (const [at, connection] of connections.entries()) this.#note(connection, found[at]);
    // Who hears of a change asks whose connection it is.
    const unread = connections.filter((connection) => this.#unread.has(connection));
    if (unread.length > 0) {
      await accounts.load();
      for (const connection of unread) this.#unread.delete(connection);
    }
    for (const connection of connections) this.#announce(connection);
  }

  /** One look at a time: while the store is away they would pile up. */
  async lookAround(most = MOST_LOOKED_AT): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const connections = await this.#deps.leases.known();
      const others = connections.filter((connection) => this.#own(connection) === undefined);
      const from = this.#turn < others.length ? this.#turn : 0;
      this.#turn = from + most;
      await this.look(others.slice(from, this.#turn));
      this.#forgetAllBut(new Set(connections));
    } finally {
      this.#isLooking = false;
    }
  }

  #note(connection: ConnectionId, lease: Seen | undefined): void {
    const own = this.#own(connection);
    const { status, why } = own ?? lease ?? NOBODYS;
    const isUpAgain = status === "CONNECTED" && this.#seen.get(connection)?.status !== "CONNECTED";
    this.#seen.set(connection, { status, why });
    // Its owner has reported its accounts before that; here they are known if that is us.
    if (isUpAgain && own === undefined) this.#unread.add(connection);
  }

  /** What was paused or removed is not known any more, once it was told that it is down. */
  #forgetAllBut(known: ReadonlySet<ConnectionId>): void {
    for (const [connection, { status }] of this.#seen) {
      if (known.has(connection) || this.#own(connection) !== undefined) continue;
      if (status === "DISCONNECTED") {
        this.#seen.delete(connection);
        this.#announced.delete(connection);
      } else this.look([connection]).catch(() => undefined); // The next look comes in a second.
    }
  }

  #own(connection: ConnectionId): Seen | undefined {
    return this.#deps.own?.find(connection);
  }

  #standing(connection: ConnectionId): Seen {
    return this.#own(connection) ?? this.#seen.get(connection) ?? NOBODYS;
  }

  #announce(connection: ConnectionId): void {
    const { status, why } = this.#standing(connection);
    const announced = this.#announced.get(connection);
    if (announced?.status === status && isSameWhy(announced.why, why)) return;
    this.#announced.set(connection, { status, why });
    for (const listener of this.#listeners) listener(connection, status, why);
  }
}

/** How long the first sessions may take before the gateway listens without them. */
const CONNECT_WITHIN_MS = 5_000;

/**
 * Waits until every connection but those at rest stands or asks for a person, wherever it is owned,
 * or for a few seconds.
 */
export async function untilConnected(
  board: Pick<ConnectionBoard, "known" | "status">,
  signal?: AbortSignal,
  resting: ReadonlySet<ConnectionId> = new Set(),
): Promise<void> {
  const deadline = performance.now() + CONNECT_WITHIN_MS;
  while (performance.now() < deadline) {
    const known = board.known().filter((id) => !resting.has(id));
    if (known.length > 0 && known.every((id) => isSettled(board.status(id)))) return;
    signal?.throwIfAborted();
    await sleep(10);
  }
}

const isSettled = (status: ConnectionStatus): boolean =>
  status === "CONNECTED" || needsAPerson(status);
