import type { ConnectionView } from "../../trading/gateway.ts";
import { presentTime } from "./figures.ts";

export function presentConnection(connection: ConnectionView) {
  const { connectionId, broker, environment, status, since, reason } = connection;
  return {
    connectionId,
    broker,
    environment,
    status,
    since: presentTime(since),
    reason: reason ?? null,
  };
}
