import type { AccountId } from "../../domain/ids.ts";
import type { AccountDirectory } from "../account-directory.ts";
import type { Connections, OwnedConnection } from "../ports.ts";

/** The connection of an account, when it is owned here and stands. */
export function connectedOf(
  account: AccountId,
  { accounts, connections }: { accounts: AccountDirectory; connections: Connections },
): OwnedConnection | undefined {
  const stored = accounts.find(account);
  const owned = stored && connections.find(stored.connectionId);
  return owned?.status === "CONNECTED" ? owned : undefined;
}
