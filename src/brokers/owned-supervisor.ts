import type { ConnectionStatus, ConnectionWhy } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { ConnectionLeases } from "../trading/connections/connection-leases.ts";
import type { ConnectionRecords } from "../trading/connections/connection-records.ts";
import type { Owned } from "../trading/ports.ts";
import type { BrokerAdapter } from "./broker-adapter.ts";
import { ConnectionSupervisor, type LoginStop } from "./connection-supervisor.ts";
import type { OwnedLease } from "./owned-lease.ts";

/** What the opening of a plan came to. */
export interface Opened {
  readonly adapter: BrokerAdapter;
  /** Why this process cannot open it; then the adapter stands in. */
  readonly unfit: string | undefined;
}

/** The same whenever the connection is owned. */
export interface SupervisedDeps {
  readonly connectionId: ConnectionId;
  readonly leases: ConnectionLeases;
  /** Stores that a person must act before the next login. */
  readonly records: Pick<ConnectionRecords, "stop" | "stopOf">;
  /** Runs after each session has begun, before the connection counts as connected. */
  readonly onSession: (adapter: BrokerAdapter, owned: Owned) => Promise<void>;
  /** Keeps what the broker reports of its accounts from now on, as long as `isWanted`. */
  readonly onAccounts?: (
    adapter: BrokerAdapter,
    owned: Owned,
    isWanted: () => boolean,
  ) => Promise<void>;
  readonly onStatus: (connection: ConnectionId, status: ConnectionStatus) => void;
  /** Called at each change of the status or its reason. */
  readonly onState?: (
    connection: ConnectionId,
    status: ConnectionStatus,
    why: ConnectionWhy | undefined,
  ) => void;
  /** Without a connection: what concerns all of them. */
  readonly onError: (connection: ConnectionId | undefined, error: unknown) => void;
}

interface OwnedSupervisorDeps extends SupervisedDeps {
  readonly lease: OwnedLease;
  readonly owned: Owned;
  /** Events of an abandoned session would be taken for those of the next one. */
  readonly isPresent: () => boolean;
  /** False once the connection is paused or removed: its accounts are inactive by then. */
  readonly isWanted: () => boolean;
  readonly onConnected: () => void;
  readonly onRetry: () => void;
}

/** The supervisor of a connection for as long as its lease is owned here. */
export function createOwnedSupervisor(
  opened: Opened,
  deps: OwnedSupervisorDeps,
): ConnectionSupervisor {
  const { connectionId, lease, owned, isPresent, isWanted, onConnected, onRetry } = deps;
  const { onSession, onAccounts, onStatus, onState, onError } = deps;
  const { adapter } = opened;
  const supervisor: ConnectionSupervisor = new ConnectionSupervisor({
    connectionId,
    adapter,
    mayRun: lease.isOwned,
    loginStop: loginStopOf(opened, deps),
    onRetry,
    onSession: async () => await onSession(adapter, owned),
    onAccounts: async () => await onAccounts?.(adapter, owned, () => isPresent() && isWanted()),
    onStatus: (status) => {
      if (!isPresent()) return;
      if (status === "CONNECTED") onConnected();
      onStatus(connectionId, status);
    },
    onState: () => {
      if (!isPresent()) return;
      const { status, why } = supervisor;
      onState?.(connectionId, status, why);
      publish(deps, status, why).catch((error: unknown) => onError(connectionId, error));
    },
    onError: (error) => {
      if (isPresent()) onError(connectionId, error);
    },
  });
  return supervisor;
}

function loginStopOf(
  { unfit }: Opened,
  { connectionId, records, lease }: OwnedSupervisorDeps,
): LoginStop {
  return {
    // That it cannot be opened here is no word of the broker, and kept for nobody else.
    find: async () =>
      unfit === undefined
        ? await records.stopOf(connectionId)
        : { status: "FATAL_ERROR", reason: unfit },
    keep: async (stop) => await records.stop(connectionId, lease.epoch, stop),
  };
}

/** The status is stored with the lease, so that it never outlives its owner. */
async function publish(
  { connectionId, leases, lease }: OwnedSupervisorDeps,
  status: ConnectionStatus,
  why: ConnectionWhy | undefined,
): Promise<void> {
  if (!lease.isOwned()) return;
  await leases.takeOrRenew(connectionId, status, why);
  await leases.announce(connectionId);
}
