import type { ConnectionStatus } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { Connections, OwnedConnection } from "../trading/ports.ts";
import {
  ConnectionOwner,
  type ConnectionOwnerDeps,
  type ConnectionPlan,
} from "./connection-owner.ts";

export interface ConnectionPoolDeps extends Omit<ConnectionOwnerDeps, "plan" | "ownedCount"> {
  readonly plans: readonly ConnectionPlan[];
}

export interface ConnectionFigures {
  readonly connectionId: ConnectionId;
  readonly status: ConnectionStatus;
  /** Sessions of this process that were followed by another try, since it started. */
  readonly retries: number;
  /** When the broker was last heard of, Unix ms. */
  readonly lastHeardAt: number | undefined;
}

/** The broker connections that this process owns, or would own if nobody else did. */
export class ConnectionPool implements Connections {
  readonly #owners: ReadonlyMap<ConnectionId, ConnectionOwner>;

  constructor({ plans, ...deps }: ConnectionPoolDeps) {
    this.#owners = new Map(
      plans.map((plan) => [
        plan.connectionId,
        new ConnectionOwner({ ...deps, plan, ownedCount: () => this.statuses().length }),
      ]),
    );
  }

  /** Owns what is free from now on, and keeps it up. */
  start(): void {
    for (const owner of this.#owners.values()) owner.start();
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
  statuses(): { readonly connectionId: ConnectionId; readonly status: ConnectionStatus }[] {
    return [...this.#owners.values()].flatMap(({ connectionId, owned }) =>
      owned === undefined ? [] : [{ connectionId, status: owned.status }],
    );
  }

  /** For the metrics, of the connections that this process owns. */
  figures(): ConnectionFigures[] {
    return [...this.#owners.values()].flatMap(({ connectionId, owned, retries, lastHeardAt }) =>
      owned === undefined ? [] : [{ connectionId, status: owned.status, retries, lastHeardAt }],
    );
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#owners.values()].map((owner) => owner.stop()));
  }
}
