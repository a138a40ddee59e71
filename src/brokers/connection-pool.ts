import type { ConnectionStatus } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { Connections, OwnedConnection, ReportListener } from "../trading/ports.ts";
import type { BrokerAdapter } from "./broker-adapter.ts";
import { ConnectionSupervisor } from "./connection-supervisor.ts";

export interface ConnectionPoolDeps {
  readonly onSession: (connection: ConnectionId, adapter: BrokerAdapter) => Promise<void>;
  readonly onStatus: (connection: ConnectionId, status: ConnectionStatus) => void;
  readonly onReport: ReportListener;
  readonly onError: (connection: ConnectionId, error: unknown) => void;
}

interface Member {
  readonly adapter: BrokerAdapter;
  readonly supervisor: ConnectionSupervisor;
}

/** The broker connections that this process owns, each under its own supervisor. */
export class ConnectionPool implements Connections {
  readonly #deps: ConnectionPoolDeps;
  readonly #members = new Map<ConnectionId, Member>();

  constructor(deps: ConnectionPoolDeps) {
    this.#deps = deps;
  }

  /** Starts keeping the connection up. Its first session may still be on its way. */
  add(connection: ConnectionId, adapter: BrokerAdapter): void {
    const { onSession, onStatus, onReport, onError } = this.#deps;
    const supervisor = new ConnectionSupervisor({
      connectionId: connection,
      adapter,
      onSession: async () => await onSession(connection, adapter),
      onStatus: (status) => onStatus(connection, status),
      onError: (error) => onError(connection, error),
    });
    adapter.onReport(onReport);
    this.#members.set(connection, { adapter, supervisor });
    supervisor.start();
  }

  find(connection: ConnectionId): OwnedConnection | undefined {
    const member = this.#members.get(connection);
    if (member === undefined) return undefined;
    const { adapter, supervisor } = member;
    const { cancelEndsLinkedLeg } = adapter.capabilities;
    return { broker: adapter, status: supervisor.status, cancelEndsLinkedLeg };
  }

  statuses(): { readonly connectionId: ConnectionId; readonly status: ConnectionStatus }[] {
    return [...this.#members].map(([connectionId, { supervisor }]) => ({
      connectionId,
      status: supervisor.status,
    }));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#members.values()].map(({ supervisor }) => supervisor.stop()));
  }
}
