import type { ConnectionId } from "../domain/ids.ts";
import { errors } from "../errors.ts";
import type { ConnectionBoard } from "./ports.ts";

export type RequireConnection = (connection: ConnectionId) => void;

/** `/v1` never queues while the connection is down: it answers 503 at once. */
export function createRequireConnection(board: ConnectionBoard): RequireConnection {
  return (connection) => {
    if (board.status(connection) !== "CONNECTED") {
      throw errors.brokerUnavailable(undefined, connection);
    }
  };
}
