/** What is shown of connections in the API document's story; `examples.ts` has the rest of it. */

const CONNECTION = {
  connectionId: "paper",
  broker: "paper",
  environment: "demo",
  name: null,
  paused: false,
  status: "CONNECTED",
  since: "2026-09-21T14:30:00.000Z",
  reason: null,
  retryAt: null,
};

export const ADDED_CONNECTION = {
  ...CONNECTION,
  connectionId: "tradovate-1",
  broker: "tradovate",
  environment: "live",
  name: "Evaluation",
};

export const REFUSED_CONNECTION = {
  ...ADDED_CONNECTION,
  status: "AUTH_EXPIRED",
  reason: "Incorrect username or password",
};

export const RECONNECT = { ...REFUSED_CONNECTION, next: "It logs in now" };

export const CONNECTION_DETAIL = {
  ...ADDED_CONNECTION,
  settings: { name: "trader7", cid: "8" },
  secrets: { password: true, sec: true },
};

export const CONNECTION_TEST = {
  result: "ok",
  reason: null,
  accounts: [{ accountId: "tradovate-1-12345", name: "DEMO12345", active: true }],
};

export const CONNECTIONS = { connections: [CONNECTION, REFUSED_CONNECTION] };

export const BROKERS = {
  brokers: [
    {
      broker: "tradovate",
      label: "Tradovate",
      environments: ["demo", "live"],
      fields: [
        {
          name: "name",
          label: "User name",
          type: "text",
          required: true,
          secret: false,
          description: "User name of the Tradovate login",
        },
        {
          name: "appVersion",
          label: "Application version",
          type: "text",
          required: false,
          secret: false,
          description: "Version of the application as registered with the API key",
          default: "1.0",
        },
      ],
    },
  ],
};
