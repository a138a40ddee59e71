/** What is shown of connections in the API document's story; `examples.ts` has the rest of it. */

const CONNECTION = {
  connectionId: "paper",
  broker: "paper",
  environment: "demo",
  status: "CONNECTED",
  since: "2026-09-21T14:30:00.000Z",
  reason: null,
};

export const REFUSED_CONNECTION = {
  ...CONNECTION,
  connectionId: "live-1",
  broker: "tradovate",
  environment: "live",
  status: "AUTH_EXPIRED",
  reason: "Incorrect username or password",
};

export const CONNECTIONS = { connections: [CONNECTION, REFUSED_CONNECTION] };
