/** How one broker connection stands. The words are those of the connection-health stream. */
export type ConnectionStatus =
  | "CONNECTING"
  | "CONNECTED"
  | "RECONNECTING"
  | "DISCONNECTED"
  | "AUTH_EXPIRED"
  | "FATAL_ERROR";
