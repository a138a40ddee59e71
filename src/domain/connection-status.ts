/** How one broker connection stands. The words are those of the connection-health stream. */
export type ConnectionStatus =
  | "CONNECTING"
  | "CONNECTED"
  | "RECONNECTING"
  | "DISCONNECTED"
  | "AUTH_EXPIRED"
  | "FATAL_ERROR";

/** Trying again would not help: nothing logs in until a person has asked for it. */
export type StoppedStatus = Extract<ConnectionStatus, "AUTH_EXPIRED" | "FATAL_ERROR">;

export function needsAPerson(status: ConnectionStatus): status is StoppedStatus {
  return status === "AUTH_EXPIRED" || status === "FATAL_ERROR";
}
