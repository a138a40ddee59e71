import type { ConnectionId, UserId } from "../domain/ids.ts";
import type { AccountDirectory } from "./account-directory.ts";
import type { Gateway } from "./gateway.ts";
import type { LiveConnectionBoard } from "./ports.ts";

export interface WatchConnectionsDeps {
  readonly accounts: AccountDirectory;
  readonly board: LiveConnectionBoard;
}

/** Tells a user's connections: those that the user has accounts on. */
export function createWatchConnections({
  accounts,
  board,
}: WatchConnectionsDeps): Gateway["watchConnections"] {
  let loading: Promise<void> | undefined;
  /** Many clients come back at the same moment; one reading serves them all. */
  const load = () => (loading ??= accounts.load().finally(() => (loading = undefined)));

  function isOf(user: UserId, connection: ConnectionId): boolean {
    for (const { userId, connectionId } of accounts.all()) {
      if (userId === user && connectionId === connection) return true;
    }
    return false;
  }

  return async ({ userId }, hear) => {
    await load();
    const stop = board.onChange((connection, status) => {
      if (isOf(userId, connection)) hear(connection, status);
    });
    const own = new Set(accounts.of(userId).map(({ connectionId }) => connectionId));
    for (const connection of own) hear(connection, board.status(connection));
    return stop;
  };
}
