import type { ConnectionId, UserId } from "../../domain/ids.ts";
import type { ConnectionRecords } from "./connection-records.ts";
import type { ConnectionStatus, ConnectionWhy } from "../../domain/connection-status.ts";
import type { Caller } from "../people/caller.ts";
import type { LiveConnectionBoard } from "../ports.ts";

export interface WatchConnectionsDeps {
  /** Written before a connection's first login, so that one that never succeeds is told as well. */
  readonly records: Pick<ConnectionRecords, "list" | "find">;
  readonly board: LiveConnectionBoard;
  /** Waits that long, or until it is called off; never rejects, and keeps no process alive. */
  readonly pause: Pause;
}

type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

type OnChange = Parameters<LiveConnectionBoard["onChange"]>[0];

/** A connection is on the board a moment before it is described, and the store may be away. */
const LOOK_AGAIN_MS = 500;

/**
 * Tells how each connection of the caller's user stands: those known now before
 * it resolves, then every change, and one that appears later. Answers what ends it.
 */
export type WatchConnections = (
  caller: Caller,
  hear: (connection: ConnectionId, status: ConnectionStatus, why?: ConnectionWhy) => void,
) => Promise<() => void>;

/** Tells a user's connections, whether or not they have ever been logged in. */
export function createWatchConnections(deps: WatchConnectionsDeps): WatchConnections {
  const { records, board, pause } = deps;
  const users = new Map<ConnectionId, UserId>();
  let loading: Promise<readonly ConnectionId[]> | undefined;
  /** Many clients come back at the same moment; one reading serves them all. */
  const load = () => (loading ??= readUsers().finally(() => (loading = undefined)));

  async function readUsers(): Promise<readonly ConnectionId[]> {
    const listed = await records.list();
    for (const { connectionId, userId } of listed) users.set(connectionId, userId);
    return listed.map(({ connectionId }) => connectionId);
  }

  async function findUser(connection: ConnectionId): Promise<void> {
    const record = await records.find(connection);
    if (record !== undefined) users.set(connection, record.userId);
  }

  return async ({ userId }, hear) => {
    const listed = await load();
    const undescribed = new Undescribed(findUser, pause, (connection) => {
      if (users.has(connection)) {
        notify(connection, board.status(connection), board.why(connection));
      }
      return users.has(connection);
    });
    const notify: OnChange = (connection, status, why) => {
      const user = users.get(connection);
      if (user === userId) hear(connection, status, why);
      else if (user === undefined) undescribed.add(connection);
    };
    const stop = board.onChange(notify);
    // Of one that was removed a new stream hears nothing.
    for (const connection of new Set([...listed, ...board.known()])) {
      notify(connection, board.status(connection), board.why(connection));
    }
    return () => {
      stop();
      undescribed.stop();
    };
  };
}

/** Connections of which it is not known yet whose they are: looked up until it is. */
class Undescribed {
  readonly #look: (connection: ConnectionId) => Promise<void>;
  readonly #pause: Pause;
  readonly #isSettled: (connection: ConnectionId) => boolean;
  readonly #connections = new Set<ConnectionId>();
  readonly #stop = new AbortController();
  #isLooking = false;

  constructor(
    look: (connection: ConnectionId) => Promise<void>,
    pause: Pause,
    isSettled: (connection: ConnectionId) => boolean,
  ) {
    this.#look = look;
    this.#pause = pause;
    this.#isSettled = isSettled;
  }

  add(connection: ConnectionId): void {
    this.#connections.add(connection);
    if (!this.#isLooking) void this.#lookUntilSettled();
  }

  stop(): void {
    this.#stop.abort();
  }

  async #lookUntilSettled(): Promise<void> {
    const { signal } = this.#stop;
    this.#isLooking = true;
    while (!signal.aborted && this.#connections.size > 0) {
      for (const connection of this.#connections) {
        // A store that is away is asked again like one that does not know.
        await this.#look(connection).catch(() => undefined);
        if (signal.aborted) return;
        if (this.#isSettled(connection)) this.#connections.delete(connection);
      }
      if (this.#connections.size === 0) break;
      await this.#pause(LOOK_AGAIN_MS, signal);
    }
    this.#isLooking = false;
  }
}
