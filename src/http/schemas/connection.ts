import { Type } from "@sinclair/typebox";
import { choice, nullable } from "./parts.ts";

export const ConnectionIdText = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "A connection's id, as listed by GET /v1/connections",
  examples: ["paper"],
});

export const ConnectionReply = Type.Object(
  {
    connectionId: ConnectionIdText,
    broker: Type.String({ examples: ["paper"] }),
    environment: choice(["demo", "live"]),
    status: choice(
      ["CONNECTING", "CONNECTED", "RECONNECTING", "DISCONNECTED", "AUTH_EXPIRED", "FATAL_ERROR"],
      {
        description:
          "AUTH_EXPIRED: the broker refused the credentials. FATAL_ERROR: it refuses every session. After either of them nothing logs in until you ask for it",
      },
    ),
    since: Type.String({ description: "When it became this status", format: "date-time" }),
    reason: nullable(
      Type.String({ description: "The broker's words, while it waits for you to reconnect it" }),
    ),
  },
  { title: "Connection" },
);

export const ConnectionsReply = Type.Object(
  { connections: Type.Array(ConnectionReply) },
  { title: "Connections" },
);
