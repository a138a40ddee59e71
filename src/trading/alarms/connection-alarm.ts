import type { ConnectionStatus, StoppedStatus } from "../../domain/connection-status.ts";
import type { ConnectionId } from "../../domain/ids.ts";
import type { Alarms, StateKind } from "./alarm.ts";

/** The broker has refused for good; nothing logs in again until a person asks for it. */
export const STOPS = {
  AUTH_EXPIRED: "loginRefused",
  FATAL_ERROR: "connectionRefused",
} as const satisfies Readonly<Record<StoppedStatus, StateKind>>;

/** Raises the alarm of a connection's status, and clears those of its other ones. */
export function alarmOfConnection(
  { raise, clear }: Alarms,
  connectionId: ConnectionId,
  status: ConnectionStatus,
  reason = "",
): void {
  for (const [stopped, kind] of Object.entries(STOPS)) {
    if (status === stopped) raise({ kind, connectionId, reason });
    else clear({ kind, connectionId });
  }
}
