import type { ConnectionStatus, StoppedStatus } from "../../domain/connection-status.ts";
import type { ConnectionId } from "../../domain/ids.ts";
import type { Alarms, StateKind } from "./alarm.ts";

/** A broker's last word; nothing logs in again until a person has asked for it. */
export const STOPS = {
  AUTH_EXPIRED: "loginRefused",
  FATAL_ERROR: "connectionRefused",
} as const satisfies Readonly<Record<StoppedStatus, StateKind>>;

/** Raises what a connection has come to, and clears what it was before. */
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
