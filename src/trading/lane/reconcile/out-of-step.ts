import type { ConnectionPool } from "../../../brokers/connection-pool.ts";
import type { AccountId } from "../../../domain/ids.ts";
import type { SessionOf } from "../connected.ts";
import type { StoredAccount } from "../../store-ports.ts";

/**
 * The accounts whose broker cannot be read, of connections that stand in this process. Of a
 * connection that is down no account can be in step; that is a trouble of its own.
 */
export function accountsOutOfStep(
  accounts: Iterable<StoredAccount>,
  { pool, sessionOf }: { readonly pool: ConnectionPool; readonly sessionOf: SessionOf },
): readonly AccountId[] {
  const connected = new Set(
    pool
      .statuses()
      .flatMap(({ connectionId, status }) => (status === "CONNECTED" ? [connectionId] : [])),
  );
  return [...accounts]
    .filter(({ connectionId, active }) => active && connected.has(connectionId))
    .map(({ accountId }) => accountId)
    .filter((accountId) => sessionOf(accountId) === undefined);
}
