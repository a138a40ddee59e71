import {
  type ConnectionWhy,
  needsAPerson,
  NOT_OWNED,
  type StoppedStatus,
} from "../../domain/connection-status.ts";
import type { ConnectionId } from "../../domain/ids.ts";
import { GatewayError } from "../../errors.ts";
import type { ConnectionBoard } from "../ports.ts";

export type RequireConnection = (connection: ConnectionId) => void;

const WHY: Readonly<Record<StoppedStatus, string>> = {
  AUTH_EXPIRED: "The broker refused the credentials of",
  FATAL_ERROR: "The broker refuses every session of",
};

/** `/v1` never queues while the connection is down: it answers 503 at once. */
export function createRequireConnection(
  board: Pick<ConnectionBoard, "status" | "why">,
  now: () => number,
): RequireConnection {
  return (connection) => {
    const status = board.status(connection);
    if (status === "CONNECTED") return;
    const why = board.why(connection) ?? NOT_OWNED;
    if (!needsAPerson(status)) throw unavailable(connection, why, now());
    throw new GatewayError(
      "BROKER_UNAVAILABLE",
      `${WHY[status]} connection "${connection}" (${why.reason}); nothing was sent. ` +
        `Once that is settled, ` +
        `POST /v1/connections/${connection}/reconnect`,
    );
  };
}

function unavailable(
  connection: ConnectionId,
  { reason, retryAt }: ConnectionWhy,
  nowMs: number,
): GatewayError {
  const isAhead = retryAt !== undefined && retryAt > nowMs;
  const next = isAhead ? `. The next login is tried at ${new Date(retryAt).toISOString()}` : "";
  return new GatewayError(
    "BROKER_UNAVAILABLE",
    `The broker connection "${connection}" is not available (${reason}); nothing was sent${next}`,
    isAhead ? { retryAfterSeconds: Math.ceil((retryAt - nowMs) / 1_000) } : {},
  );
}
