import { Type } from "@sinclair/typebox";
import { choice, nullable } from "./parts.ts";

export const ConnectionIdText = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "A connection's id, as listed by GET /v1/connections",
  examples: ["paper"],
});

const BrokerName = Type.String({ minLength: 1, maxLength: 32, examples: ["tradovate"] });
const Environment = choice(["demo", "live"]);
const Name = Type.String({ minLength: 1, maxLength: 64, examples: ["Evaluation"] });
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

const CONNECTION = {
  connectionId: ConnectionIdText,
  broker: Type.String({ examples: ["paper"] }),
  environment: Environment,
  name: nullable(Type.String({ description: "As its user calls it; null for the gateway's own" })),
  paused: Type.Boolean(),
  status: choice(
    ["CONNECTING", "CONNECTED", "RECONNECTING", "DISCONNECTED", "AUTH_EXPIRED", "FATAL_ERROR"],
    {
      description:
        "AUTH_EXPIRED: the broker refused the credentials. FATAL_ERROR: it refuses every session. After either of them nothing logs in until you ask for it",
    },
  ),
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

export const ConnectionReply = Type.Object(CONNECTION, { title: "Connection" });

export const ReconnectReply = Type.Object(
  { ...CONNECTION, next: Type.String({ description: "What comes of it, and when" }) },
  { title: "Reconnect" },
);

export const ConnectionDetailReply = Type.Object(
  {
    ...CONNECTION,
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
