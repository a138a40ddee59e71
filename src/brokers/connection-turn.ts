import type { ConnectionId } from "../domain/ids.ts";
import type { ConnectionLeases } from "../trading/connections/connection-leases.ts";
import { WakeablePause } from "./wakeable-pause.ts";

/** One connection among the processes that may own it. */
export interface ConnectionShare {
  /** Asks who is there. */
  readonly meet: () => Promise<void>;
  /** Whether this process is to own it; false while it is not known who is there. */
  readonly isOurs: () => boolean;
  /** Whether another process of that name is there. */
  readonly isThere: (name: string) => boolean;
  /** Whether this process owns as many as it may. */
  readonly isFull: () => boolean;
  /** Whether it may own one more, beside those that it is just trying to take. */
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
 * How often a process looks at a connection that another one owns, or that it has no room for itself, and
 * of each of thousands: what changes there is announced.
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
    await this.#pause.for(this.#deps.share.isFull() ? seldomMs() : LOOK_MS);
  }

  /** Leaves a free connection to who is to own it, for a while. */
  async comes(isOver: () => boolean): Promise<void> {
    const { isOurs, meet } = this.#deps.share;
    let freeSince: number | undefined;
    if (!isOurs()) await meet();
    while (!isOurs() && !isOver()) {
      const holder = await this.#holder();
      freeSince = holder === "nobody" ? (freeSince ?? performance.now()) : undefined;
      if (freeSince !== undefined) {
        if (performance.now() - freeSince >= THEIR_TURN_MS) return;
        await meet();
        if (isOurs()) return;
      }
      await this.#pause.for(holder === "there" ? seldomMs() : LOOK_MS);
    }
  }

  /** Who owns the connection; one that is gone died, or is stopping. Not asked where there is no room. */
  async #holder(): Promise<"nobody" | "gone" | "there"> {
    const { connectionId, leases, share, onError } = this.#deps;
    if (share.isFull()) return "there";
    try {
      const held = await leases.read(connectionId);
      if (held === undefined) return "nobody";
      return share.isThere(held.owner) ? "there" : "gone";
    } catch (error) {
      onError(connectionId, error);
      return "there";
    }
  }
}

/** Thousands that are looked at together at first are looked at apart soon. */
const seldomMs = (): number => OTHERS_LOOK_MS * (0.5 + Math.random());
