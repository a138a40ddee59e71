import type { ConnectionStatus, ConnectionWhy } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { Ownership } from "../trading/ports.ts";
import type { ConnectionLeases } from "../trading/connections/connection-leases.ts";

const RENEW_MS = 700;
/**
 * Well inside the lease (`LEASE_MS` of the store): an owner that could not renew for so long takes
 * itself for replaced before anyone can replace it.
 */
const FENCE_MS = 2_100;

export interface OwnedLeaseDeps {
  readonly connection: ConnectionId;
  readonly epoch: number;
  /** When the taking was asked for, by `clock`. */
  readonly since: Instant;
  readonly leases: ConnectionLeases;
  /** What everyone is told with each renewal. */
  readonly status: () => ConnectionStatus;
  readonly why?: () => ConnectionWhy | undefined;
  readonly clock?: Clock;
}

/** One moment by two clocks: each of them misses something that the other one sees. */
export interface Instant {
  readonly elapsed: number;
  readonly wall: number;
}

export type Clock = () => Instant;

/** The steady clock stands still while the machine sleeps; the wall clock can be set back. */
export const clock: Clock = () => ({ elapsed: performance.now(), wall: Date.now() });

/** A lease in our hand: renewed until it is dropped, and believed only as long as that worked. */
export class OwnedLease implements Ownership {
  /** Resolves when another process owns the connection, or may. */
  readonly lost: Promise<void>;

  readonly #deps: OwnedLeaseDeps;
  readonly #clock: Clock;
  #renewedAt: Instant;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #lose: () => void = () => undefined;

  constructor(deps: OwnedLeaseDeps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? clock;
    this.#renewedAt = deps.since;
    this.lost = new Promise((resolve) => (this.#lose = resolve));
    this.#renewLater();
  }

  get epoch(): number {
    return this.#deps.epoch;
  }

  readonly isOwned = (): boolean => {
    if (this.#isOver) return false;
    const now = this.#clock();
    const { elapsed, wall } = this.#renewedAt;
    return now.elapsed - elapsed < FENCE_MS && now.wall - wall < FENCE_MS;
  };

  /** Nothing is done in its name any more. The lease itself ends by time, or is given back. */
  drop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#lose();
  }

  #renewLater(): void {
    this.#timer = setTimeout(() => void this.#renew(), RENEW_MS);
  }

  async #renew(): Promise<void> {
    const askedAt = this.#clock();
    const epoch = await this.#renewLease();
    if (this.#isOver) return;
    // A higher epoch is ours too, but the lease had ended meanwhile: all is to be begun anew.
    if (epoch !== "failed" && epoch !== this.epoch) return this.drop();
    if (epoch !== "failed") this.#renewedAt = askedAt;
    this.#renewLater();
  }

  async #renewLease(): Promise<number | undefined | "failed"> {
    const { connection, leases, status, why } = this.#deps;
    try {
      return await leases.takeOrRenew(connection, status(), why?.());
    } catch {
      // While the store is away nothing is sent: `isHeld` sees to it, and the next renewal tells.
      return "failed";
    }
  }
}
