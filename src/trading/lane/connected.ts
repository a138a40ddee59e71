import type { AccountId } from "../../domain/ids.ts";
import type { AccountDirectory } from "../account-directory.ts";
import type { Connections, OwnedConnection } from "../ports.ts";
import { OwnedBroker, requireHeld } from "./owned-broker.ts";

/** A connection as the lanes use it: its broker takes commands only while it is owned here. */
export type LaneConnection = Omit<OwnedConnection, "status" | "broker"> & {
  readonly broker: OwnedBroker;
};

/**
 * The connection of an account, when it is owned here and stands. Throws `StoreError` when another
 * process may own it by now.
 */
export function connectedOf(
  account: AccountId,
  { accounts, connections }: { accounts: AccountDirectory; connections: Connections },
): LaneConnection | undefined {
  const stored = accounts.find(account);
  const owned = stored && connections.find(stored.connectionId);
  if (owned === undefined) return undefined;
  requireHeld(owned.ownership);
  if (owned.status !== "CONNECTED") return undefined;
  const { ownership, cancelEndsLinkedLeg } = owned;
  return { ownership, cancelEndsLinkedLeg, broker: new OwnedBroker(owned) };
}
