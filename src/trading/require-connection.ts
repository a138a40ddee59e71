import type { ConnectionId } from "../domain/ids.ts";
import { errors } from "../errors.ts";
import type { Connections, OwnedConnection } from "./ports.ts";

export type RequireConnection = (connection: ConnectionId) => OwnedConnection;

/** `/v1` never queues while the connection is down: it answers 503 at once. */
export function createRequireConnection(connections: Connections): RequireConnection {
  return (connection) => {
    const owned = connections.find(connection);
    if (owned?.status === "CONNECTED") return owned;
    throw errors.brokerUnavailable(undefined, connection);
  };
}
