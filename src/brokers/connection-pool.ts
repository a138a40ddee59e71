import type { ConnectionStatus, ConnectionWhy } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { Connections, OwnedConnection } from "../trading/ports.ts";
import {
  ConnectionOwner,
  type ConnectionOwnerDeps,
  type ConnectionPlan,
} from "./connection-owner.ts";

export interface ConnectionPoolDeps extends Omit<
  ConnectionOwnerDeps,
  "connectionId" | "ownedCount"
> {
  /** Those that there always are. */
  readonly plans: readonly ConnectionPlan[];
}

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
  #isStarted = false;
  #isStopped = false;

  constructor({ plans, ...deps }: ConnectionPoolDeps) {
    this.#deps = deps;
    this.#lasting = plans;
    this.follow([]);
  }

  /** Owns what is free from now on, and keeps it up. */
  start(): void {
    this.#isStarted = true;
    for (const owner of this.#owners.values()) owner.start();
  }

  /**
   * What is to be owned from now on beside what there always is. A connection with a new version ends
   * its session in order and begins another one; one that is not among them any more ends it.
   */
  follow(changing: readonly ConnectionPlan[]): void {
    if (this.#isStopped) return;
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

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#owners.values()].map((owner) => owner.stop()));
  }

  #ownerOf(connectionId: ConnectionId): ConnectionOwner {
    const known = this.#owners.get(connectionId);
    if (known !== undefined) return known;
    const ownedCount = () => this.statuses().length;
    const owner = new ConnectionOwner({ ...this.#deps, connectionId, ownedCount });
    this.#owners.set(connectionId, owner);
    if (this.#isStarted) owner.start();
    return owner;
  }

  #forget(owner: ConnectionOwner): void {
    this.#owners.delete(owner.connectionId);
    void owner.stop();
  }
}
