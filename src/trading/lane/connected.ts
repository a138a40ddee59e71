import type { AccountId } from "../../domain/ids.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { Connections, Decider, OwnedConnection } from "../ports.ts";
import type { Ahead } from "./ahead.ts";
import { HeldBroker, OwnedBroker, requireOwned } from "./owned-broker.ts";

/** One session with a broker. Each is an object of its own: what it has shown is told apart by it. */
export interface LaneSession {
  /**
   * The store's clock when it was taken over, Unix ms. What was accepted before that may have been
   * sent by a former owner, or by this process before the store lost what it had last written.
   */
  readonly beganAt: number;
}

/** The session in which the account was read in full; undefined while it was not. */
export type SessionOf = (account: AccountId) => LaneSession | undefined;

/** A connection as the lanes use it: its broker takes commands only while it is owned here. */
export interface LaneConnection extends Pick<
  OwnedConnection,
  "ownership" | "cancelEndsLinkedLeg" | "nativeOco" | "trailsFromMarket" | "keepsHours" | "lacks"
> {
  readonly broker: OwnedBroker;
  readonly session: LaneSession;
}

export interface ConnectedDeps {
  readonly accounts: AccountDirectory;
  readonly connections: Connections;
  readonly sessionOf: SessionOf;
}

/**
 * The connection of an account, when it is owned here and stands, and the account is in step with
 * it. Throws `LeaseLostError` when another process may own it by now. Of an intent that is run before
 * it is accepted, the broker takes no command until it is. `by` is what decides on what is read.
 */
export function connectedOf(
  account: AccountId,
  { accounts, connections, sessionOf }: ConnectedDeps,
  { by, ahead }: { readonly by?: Decider; readonly ahead?: Ahead | undefined } = {},
): LaneConnection | undefined {
  const stored = accounts.find(account);
  const owned = stored && connections.find(stored.connectionId);
  if (owned === undefined) return undefined;
  requireOwned(owned.ownership);
  const session = sessionOf(account);
  if (owned.status !== "CONNECTED" || session === undefined) return undefined;
  const { ownership, cancelEndsLinkedLeg, nativeOco, trailsFromMarket, keepsHours, lacks } = owned;
  const broker =
    ahead === undefined ? new OwnedBroker(owned, by) : new HeldBroker(owned, ahead, by);
  return {
    ownership,
    cancelEndsLinkedLeg,
    nativeOco,
    trailsFromMarket,
    keepsHours,
    lacks,
    session,
    broker,
  };
}
