import type { ConnectionId } from "../domain/ids.ts";
import type { ConnectionLeases } from "../trading/connections/connection-leases.ts";
import { WakeablePause } from "./wakeable-pause.ts";

/** One connection among the processes that may own it. */
export interface ConnectionShare {
  /** Asks who is there. */
  readonly meet: () => Promise<void>;
  /** Whether this process is to own it; false while it is not known who is there. */
  readonly isOurs: () => boolean;
  /** Whether this process may own one more. */
  readonly hasRoom: () => boolean;
  /** Whether another process may take it over: it has room, and has not failed to. */
  readonly othersMay: () => boolean;
  /** It could not be taken over here: others come first for it, for a while. */
  readonly noteFailure: () => void;
  /** It could be taken over here after all. */
  readonly forgetFailure: () => void;
}

interface ConnectionTurnDeps {
  readonly connectionId: ConnectionId;
  readonly leases: Pick<ConnectionLeases, "read">;
  readonly share: ConnectionShare;
  readonly onError: (connection: ConnectionId, error: unknown) => void;
}

/** How often a process that waits for a lease checks whether it is free. */
const LOOK_MS = 250;
/** Whoever is to own a connection needs less than this to find it free and take it. */
const THEIR_TURN_MS = 1_000;
/**
 * How often a process looks at a connection that another one is to own. What changes is announced: this
 * only finds one whose owner died and whose next owner does not take it, and of each of thousands.
 */
const OTHERS_LOOK_MS = 5_000;

/** When this process tries to take a connection's lease: others may come first. */
export class ConnectionTurn {
  readonly #deps: ConnectionTurnDeps;
  readonly #pause = new WakeablePause();

  constructor(deps: ConnectionTurnDeps) {
    this.#deps = deps;
  }

  /** The lease may be free, or who is to own the connection has changed: looks now. */
  wake(): void {
    this.#pause.wake();
  }

  /** Waits until it is time to try again. */
  async pause(): Promise<void> {
    await this.#pause.for(LOOK_MS);
  }

  /** Leaves a free connection to who is to own it, for a while. */
  async comes(isOver: () => boolean): Promise<void> {
    const { isOurs, meet } = this.#deps.share;
    let freeSince: number | undefined;
    if (!isOurs()) await meet();
    while (!isOurs() && !isOver()) {
      freeSince = (await this.#isFree()) ? (freeSince ?? performance.now()) : undefined;
      if (freeSince !== undefined) {
        if (performance.now() - freeSince >= THEIR_TURN_MS) return;
        await meet();
        if (isOurs()) return;
      }
      const isWatched = freeSince !== undefined;
      await this.#pause.for(isWatched ? LOOK_MS : OTHERS_LOOK_MS * (0.5 + Math.random()));
    }
  }

  async #isFree(): Promise<boolean> {
    const { connectionId, leases, onError } = this.#deps;
    try {
      return (await leases.read(connectionId)) === undefined;
    } catch (error) {
      onError(connectionId, error);
      return false;
    }
  }
}
