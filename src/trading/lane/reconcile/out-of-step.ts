import type { AccountId } from "../../../domain/ids.ts";
import type { ConnectedDeps } from "../connected.ts";
import type { StoredAccount } from "../../connections/ports.ts";

/**
 * The accounts whose broker cannot be read, of connections that stand in this process. Of a
 * connection that is down no account can be in step; that is reported as a trouble of its own.
 */
export function accountsOutOfStep(
  accounts: Iterable<StoredAccount>,
  { connections, sessionOf }: Pick<ConnectedDeps, "connections" | "sessionOf">,
): readonly AccountId[] {
  const stored = [...accounts];
  const known = new Set(stored.map(({ connectionId }) => connectionId));
  const connected = new Set(
    [...known].filter((id) => connections.find(id)?.status === "CONNECTED"),
  );
  return stored
    .filter(({ connectionId, active }) => active && connected.has(connectionId))
    .map(({ accountId }) => accountId)
    .filter((accountId) => sessionOf(accountId) === undefined);
}
