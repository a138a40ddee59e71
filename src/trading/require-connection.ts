import { needsAPerson, type StoppedStatus } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import { errors, GatewayError } from "../errors.ts";
import type { ConnectionBoard } from "./ports.ts";

export type RequireConnection = (connection: ConnectionId) => void;

const WHY: Readonly<Record<StoppedStatus, string>> = {
  AUTH_EXPIRED: "The broker refused the credentials of",
  FATAL_ERROR: "The broker refuses every session of",
};

/** `/v1` never queues while the connection is down: it answers 503 at once. */
export function createRequireConnection(board: ConnectionBoard): RequireConnection {
  return (connection) => {
    const status = board.status(connection);
    if (status === "CONNECTED") return;
    if (!needsAPerson(status)) throw errors.brokerUnavailable(undefined, connection);
    throw new GatewayError(
      "BROKER_UNAVAILABLE",
      `${WHY[status]} connection "${connection}"; nothing was sent. ` +
        `GET /v1/connections has its words; once that is settled, ` +
        `POST /v1/connections/${connection}/reconnect`,
    );
  };
}
