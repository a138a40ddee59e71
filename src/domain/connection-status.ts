/** How one broker connection stands. The words are those of the connection-health stream. */
export const CONNECTION_STATUSES = [
  "CONNECTING",
  "CONNECTED",
  "RECONNECTING",
  "DISCONNECTED",
  "AUTH_EXPIRED",
  "FATAL_ERROR",
] as const;

export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** Why a connection is not up. */
export interface ConnectionWhy {
  /** Fit to be shown to its user. */
  readonly reason: string;
  /** When the next login is tried (Unix ms); in the past while it is under way. */
  readonly retryAt?: number;
}

/** A status other than CONNECTED never goes without its reason. */
export type ConnectionState =
  | { readonly status: "CONNECTED" }
  | (ConnectionWhy & { readonly status: Exclude<ConnectionStatus, "CONNECTED"> });

export function whyOf(state: ConnectionState): ConnectionWhy | undefined {
  if (state.status === "CONNECTED") return undefined;
  const { reason, retryAt } = state;
  return { reason, ...(retryAt !== undefined && { retryAt }) };
}

export function isSameWhy(one: ConnectionWhy | undefined, other: ConnectionWhy | undefined) {
  return one?.reason === other?.reason && one?.retryAt === other?.retryAt;
}

/** No process reports its state. */
export const NOT_OWNED: ConnectionWhy = {
  reason: "No process of the gateway holds the connection",
};

/** Trying again would not help: nothing logs in until a person asks for it. */
export type StoppedStatus = Extract<ConnectionStatus, "AUTH_EXPIRED" | "FATAL_ERROR">;

export function needsAPerson(status: ConnectionStatus): status is StoppedStatus {
  return status === "AUTH_EXPIRED" || status === "FATAL_ERROR";
}
