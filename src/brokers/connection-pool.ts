import type { ConnectionStatus, ConnectionWhy } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { Connections, OwnedConnection } from "../trading/ports.ts";
import {
  ConnectionOwner,
  type ConnectionOwnerDeps,
  type ConnectionPlan,
} from "./connection-owner.ts";
import { ConnectionSharing } from "./connection-sharing.ts";

export interface ConnectionPoolDeps extends Omit<
  ConnectionOwnerDeps,
  "connectionId" | "share" | "onEnded"
> {
  /** Those that there always are. */
  readonly plans: readonly ConnectionPlan[];
  /** How many connections this process owns at most. */
  readonly most?: number | undefined;
  /** Called with how many connections no process has room for, each time that was looked at. */
  readonly onWithoutRoom?: (count: number) => void;
}

/** So many sessions are handed over side by side: each ends at the broker, and begins anew elsewhere. */
const MOST_HANDED_OVER = 4;
/** One that came back is not handed over again for this long: whoever is to own it does not take it. */
const KEPT_MS = 60_000;

export interface ConnectionFigures {
  readonly connectionId: ConnectionId;
  readonly status: ConnectionStatus;
  /** Sessions of this process that were followed by another try, since it started. */
  readonly retries: number;
  /** When the broker was last heard of, Unix ms. */
  readonly lastMessageAt: number | undefined;
}

/** The broker connections that this process owns, or would own if nobody else did. */
export class ConnectionPool implements Connections {
  readonly #deps: Omit<ConnectionPoolDeps, "plans">;
  readonly #lasting: readonly ConnectionPlan[];
  readonly #owners = new Map<ConnectionId, ConnectionOwner>();
  readonly #sharing: ConnectionSharing;
  readonly #handedOverAt = new Map<ConnectionId, number>();
  #isStarted = false;
  #isStopped = false;

  constructor({ plans, ...deps }: ConnectionPoolDeps) {
    this.#deps = deps;
    this.#lasting = plans;
    this.#sharing = new ConnectionSharing({
      ...deps,
      connections: () => [...this.#owners.keys()],
      isFull: () => this.#isFull,
      onMet: () => {
        deps.onWithoutRoom?.(this.#sharing.withoutRoom);
        this.#handOver();
      },
      // An owner may have died, and nobody else may take what it had.
      onSpread: () => this.#lookAtOthers(),
      onError: (error) => deps.onError(undefined, error),
    });
    this.follow([]);
  }

  /** Owns what is free from now on, and keeps it up. */
  start(): void {
    this.#isStarted = true;
    this.#sharing.start();
    for (const owner of this.#owners.values()) owner.start();
  }

  /**
   * What is to be owned from now on beside what there always is. A connection with a new version ends
   * its session in order and begins another one; one that is not among them any more ends it.
   */
  follow(changing: readonly ConnectionPlan[]): void {
    const plans = new Map(
      [...this.#lasting, ...changing].map((plan) => [plan.connectionId, plan] as const),
    );
    for (const plan of plans.values()) this.#ownerOf(plan.connectionId).follow(plan);
    for (const [connection, owner] of this.#owners) {
      if (plans.has(connection)) continue;
      owner.follow(undefined);
      if (owner.isResting) this.#forget(owner);
    }
  }

  /** Whether its session is being ended in order: its lanes begin nothing more. */
  isLeaving(connection: ConnectionId): boolean {
    return this.#owners.get(connection)?.isLeaving === true;
  }

  find(connection: ConnectionId): OwnedConnection | undefined {
    return this.#owners.get(connection)?.owned;
  }

  /** The lease may have become free, or a person may have acted. */
  look(connection: ConnectionId): void {
    this.#owners.get(connection)?.look();
  }

  /** The store was away: every connection is reconciled before its lanes go on. */
  resync(): void {
    for (const owner of this.#owners.values()) owner.resync();
  }

  /** Of the connections that this process owns. */
  statuses(): {
    readonly connectionId: ConnectionId;
    readonly status: ConnectionStatus;
    readonly why?: ConnectionWhy | undefined;
  }[] {
    return [...this.#owners.values()].flatMap(({ connectionId, owned }) =>
      owned === undefined ? [] : [{ connectionId, status: owned.status, why: owned.why }],
    );
  }

  /** For the metrics, of the connections that this process owns. */
  figures(): ConnectionFigures[] {
    return [...this.#owners.values()].flatMap(({ connectionId, owned, retries, lastMessageAt }) =>
      owned === undefined ? [] : [{ connectionId, status: owned.status, retries, lastMessageAt }],
    );
  }

  /** For the metrics: what this process owns, and what no process has room for. */
  sharing(): { readonly owned: number; readonly withoutRoom: number } {
    return { owned: this.figures().length, withoutRoom: this.#sharing.withoutRoom };
  }

  /**
   * The others take what this one leaves. Each session ends once its lanes have finished what they have
   * begun, at the latest after `withinMs`, and whether or not the store is there.
   */
  async stop(withinMs?: number): Promise<void> {
    this.#isStopped = true;
    const owners = [...this.#owners.values()].map((owner) => owner.stop(withinMs));
    await Promise.all([this.#sharing.stop(), ...owners]);
  }

  #ownerOf(connectionId: ConnectionId): ConnectionOwner {
    const known = this.#owners.get(connectionId);
    if (known !== undefined) return known;
    const owner = new ConnectionOwner({
      ...this.#deps,
      connectionId,
      share: {
        meet: async () => await this.#sharing.meet(),
        isOurs: () => this.#sharing.isOurs(connectionId),
        isThere: (name) => this.#sharing.isThere(name),
        hasRoom: () => this.#hasRoom,
        isFull: () => this.#isFull,
        othersMay: () => this.#sharing.othersMay(connectionId),
        noteFailure: () => this.#sharing.noteFailure(connectionId),
        forgetFailure: () => this.#sharing.forgetFailure(connectionId),
      },
      onEnded: () => this.#onEnded(),
    });
    this.#owners.set(connectionId, owner);
    if (this.#isStarted && !this.#isStopped) owner.start();
    return owner;
  }

  /** Counted with those that it is just trying to take. */
  get #hasRoom(): boolean {
    const { most } = this.#deps;
    return most === undefined || this.#count(({ hold }) => hold !== "none") < most;
  }

  get #isFull(): boolean {
    const { most } = this.#deps;
    return most !== undefined && this.#count(({ hold }) => hold === "held") >= most;
  }

  #count(isSo: (owner: ConnectionOwner) => boolean): number {
    return [...this.#owners.values()].filter(isSo).length;
  }

  /** One that was full has room again for what it did not look at. */
  #onEnded(): void {
    const { most } = this.#deps;
    if (most === undefined) return;
    if (this.#count(({ hold }) => hold === "held") === most - 1) this.#lookAtOthers();
  }

  #lookAtOthers(): void {
    for (const owner of this.#owners.values()) if (owner.hold !== "held") owner.look();
  }

  /** Leaves to others what they are to own by now, and may take; what is nobody's stays here. */
  #handOver(): void {
    if (this.#isStopped || !this.#sharing.isSettled) return;
    const owned = [...this.#owners.values()].filter((owner) => owner.owned !== undefined);
    let room = MOST_HANDED_OVER - owned.filter(({ isLeaving }) => isLeaving).length;
    for (const owner of owned) {
      const { connectionId, isLeaving } = owner;
      if (room <= 0) return;
      if (isLeaving || !this.#sharing.isTheirs(connectionId)) continue;
      const before = this.#handedOverAt.get(connectionId) ?? -Infinity;
      if (performance.now() - before < KEPT_MS) continue;
      this.#handedOverAt.set(connectionId, performance.now());
      owner.handOver();
      room -= 1;
    }
  }

  #forget(owner: ConnectionOwner): void {
    this.#owners.delete(owner.connectionId);
    this.#handedOverAt.delete(owner.connectionId);
    void owner.stop();
  }
}
