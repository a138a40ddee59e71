import type { ConnectionStatus, ConnectionWhy } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { Ownership } from "../trading/ports.ts";
import type { ConnectionLeases } from "../trading/connections/connection-leases.ts";

const RENEW_MS = 700;
/**
 * Well within the lease (`LEASE_MS` of the store): an owner that could not renew for this long gives
 * up ownership before anyone else can take it.
 */
const FENCE_MS = 2_100;

export interface OwnedLeaseDeps {
  readonly connection: ConnectionId;
  readonly epoch: number;
  /** When the lease was requested, by `clock`. */
  readonly since: Instant;
  readonly leases: ConnectionLeases;
  /** The status that is published with each renewal. */
  readonly status: () => ConnectionStatus;
  readonly why?: () => ConnectionWhy | undefined;
  readonly clock?: Clock;
}

/** One moment by two clocks: each misses something that the other sees. */
export interface Instant {
  readonly elapsed: number;
  readonly wall: number;
}

export type Clock = () => Instant;

/** The monotonic clock stops while the machine sleeps; the wall clock can be set back. */
export const clock: Clock = () => ({ elapsed: performance.now(), wall: Date.now() });

/** A lease that this process owns: renewed until dropped, and trusted only while renewals succeed. */
export class OwnedLease implements Ownership {
  /** Resolves when another process owns the connection, or may own it. */
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

  /** Ends ownership at once. The lease itself expires, or is released. */
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
    // A higher epoch is ours too, but the lease had expired in between: the session must start over.
    if (epoch !== "failed" && epoch !== this.epoch) return this.drop();
    if (epoch !== "failed") this.#renewedAt = askedAt;
    this.#renewLater();
  }

  async #renewLease(): Promise<number | undefined | "failed"> {
    const { connection, leases, status, why } = this.#deps;
    try {
      return await leases.takeOrRenew(connection, status(), why?.());
    } catch {
      // While the store is away `isOwned` turns false and nothing is sent; the next renewal decides.
      return "failed";
    }
  }
}
