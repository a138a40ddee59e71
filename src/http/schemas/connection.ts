import { Type } from "@sinclair/typebox";
import { CONNECTION_STATUSES } from "../../domain/connection-status.ts";
import { choice, nameText, nullable } from "./parts.ts";

export const ConnectionIdText = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "A connection's id, as listed by GET /v1/connections",
  examples: ["paper"],
});

const BrokerName = Type.String({ minLength: 1, maxLength: 32, examples: ["tradovate"] });
const Environment = choice(["demo", "live"]);
const Name = nameText("Evaluation");
const SettingText = Type.String({ maxLength: 4_096 });

/** Which names there are is the broker's business: they are checked against its own schema. */
const SettingsGiven = Type.Record(
  Type.String(),
  Type.Union([SettingText, Type.Number(), Type.Boolean()]),
  {
    maxProperties: 50,
    description:
      "What the broker asks for, such as name and password. Secrets are sealed, and never shown again",
  },
);

const SettingsChanged = Type.Record(
  Type.String(),
  Type.Union([SettingText, Type.Number(), Type.Boolean(), Type.Null()]),
  {
    maxProperties: 50,
    description:
      "What is left out stays, secrets too; null clears. The session ends in order and another one begins with the new settings",
  },
);

export const AddConnectionBody = Type.Object(
  {
    broker: BrokerName,
    environment: Environment,
    name: Type.Optional(Name),
    settings: SettingsGiven,
  },
  { title: "AddConnection", additionalProperties: false },
);

export const ChangeConnectionBody = Type.Object(
  {
    name: Type.Optional(Name),
    paused: Type.Optional(
      Type.Boolean({
        description:
          "While it is true nothing logs in, and the connection's accounts are inactive: alerts for them are 403, exits too. Positions and orders stay at the broker",
      }),
    ),
    settings: Type.Optional(SettingsChanged),
  },
  { title: "ChangeConnection", additionalProperties: false, minProperties: 1 },
);

const ConnectionFields = {
  connectionId: ConnectionIdText,
  broker: Type.String({ examples: ["paper"] }),
  environment: Environment,
  name: nullable(Type.String({ description: "As its user calls it; null for the gateway's own" })),
  paused: Type.Boolean(),
  status: choice(CONNECTION_STATUSES, {
    description:
      "AUTH_EXPIRED: the broker refused the credentials. FATAL_ERROR: it refuses every session. After either of them nothing logs in until you ask for it",
  }),
  since: Type.String({ description: "When it became this status", format: "date-time" }),
  reason: nullable(
    Type.String({
      description: "Why it is not connected, in the broker's words or ours; null only while it is",
    }),
  ),
  retryAt: nullable(
    Type.String({
      description: "When the next login is tried; null where none is planned",
      format: "date-time",
    }),
  ),
};

export const ConnectionReply = Type.Object(ConnectionFields, { title: "Connection" });

export const ReconnectReply = Type.Object(
  { ...ConnectionFields, next: Type.String({ description: "What comes of it, and when" }) },
  { title: "Reconnect" },
);

export const ConnectionDetailReply = Type.Object(
  {
    ...ConnectionFields,
    settings: nullable(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: "Without the secret ones; null for the gateway's own connection",
      }),
    ),
    secrets: nullable(
      Type.Record(Type.String(), Type.Boolean(), {
        description: "Whether each secret setting is set",
      }),
    ),
  },
  { title: "ConnectionDetail" },
);

export const ConnectionsReply = Type.Object(
  { connections: Type.Array(ConnectionReply) },
  { title: "Connections" },
);

export const ConnectionTestReply = Type.Object(
  {
    result: choice(["ok", "connected", "busy", "refused", "failed"], {
      description:
        "ok: it was logged in, read and logged out. connected: it is up already, so nothing was tried. busy: somebody is logging in with it now, so nothing was tried. refused: the broker's last word. failed: anything else",
    }),
    reason: nullable(Type.String({ description: "The broker's words, or ours" })),
    accounts: Type.Array(
      Type.Object({
        accountId: Type.String(),
        name: Type.String(),
        active: Type.Boolean(),
      }),
    ),
  },
  { title: "ConnectionTest" },
);

const FieldReply = Type.Object(
  {
    name: Type.String({ description: "As the settings of POST /v1/connections have it" }),
    label: Type.String({ description: "For a form" }),
    type: choice(["text", "number", "boolean"]),
    required: Type.Boolean(),
    secret: Type.Boolean({ description: "Sealed where it is kept, and never shown again" }),
    description: Type.Optional(Type.String()),
    default: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
        description: "What it is when it is left out",
      }),
    ),
    options: Type.Optional(
      Type.Array(Type.Object({ value: Type.String(), label: Type.String() }), {
        description: "The only values that it takes",
      }),
    ),
  },
  { title: "BrokerField" },
);

const NoticeReply = Type.Object(
  {
    text: Type.String(),
    source: Type.String({ description: "Who says so, and where it was read" }),
    asOf: Type.String({ format: "date", description: "When it was looked up" }),
  },
  { title: "BrokerNotice" },
);

export const BrokersReply = Type.Object(
  {
    brokers: Type.Array(
      Type.Object(
        {
          broker: Type.String({ examples: ["tradovate"] }),
          label: Type.String({ examples: ["Tradovate"] }),
          environments: Type.Array(Environment, {
            description: "The ones that a connection can have; the one to begin with comes first",
          }),
          notices: Type.Array(NoticeReply, {
            description: "What to know before a login is added",
          }),
          fields: Type.Array(FieldReply),
        },
        { title: "Broker" },
      ),
    ),
  },
  { title: "Brokers" },
);

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
      notices: [],
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
    {
      broker: "projectx",
      label: "ProjectX (TopstepX)",
      environments: ["live"],
      notices: [
        {
          text: "Set the account to Auto OCO Brackets on the firm's platform",
          source: "The service's own words, as others have recorded them",
          asOf: "2026-11-27",
        },
      ],
      fields: [
        {
          name: "firm",
          label: "Firm",
          type: "text",
          required: true,
          secret: false,
          description: "The firm that the accounts are with",
          options: [{ value: "topstep", label: "Topstep (TopstepX)" }],
        },
      ],
    },
  ],
};
