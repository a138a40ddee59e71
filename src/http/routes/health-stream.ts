import { Type } from "@sinclair/typebox";
import { CHANGE_KINDS } from "../../trading/changes.ts";
import { EVENT_STREAM_TYPE } from "../stream/event-stream.ts";
import type { HealthHub } from "../stream/health-hub.ts";
import type { StreamRoute } from "../route.ts";

const DESCRIPTION = `Server-sent events: one \`data: <JSON>\` line an item, and an empty line after it.

A \`snapshot\` of each broker connection comes first, and for one that appears later; a \`status\` at
each change of the status, or of why it is that. Both carry \`connectionId\`, \`status\` and \`ts\` (Unix
time in ms), and unless it is CONNECTED the \`reason\` and, where a login is planned, \`retryAt\`. A \`heartbeat\` comes
every 15 seconds and carries \`ts\` only: after more than 30 seconds without any item the stream is dead,
so connect again.

Statuses: CONNECTING, CONNECTED, RECONNECTING (lost, and being mended), DISCONNECTED (nobody works on
it), AUTH_EXPIRED (the broker refuses the credentials), FATAL_ERROR (a person must look).

The stream has no lifetime of its own. It ends when the gateway stops, when its key is revoked or its
session is over, and when its client leaves more than 64 KiB unread. A key or a session may have 20 streams
open at a time, at each process that takes calls.`;

const EXAMPLE = `retry: 3000

data: {"type":"snapshot","connectionId":"paper","status":"CONNECTED","ts":1790001000000}

data: {"type":"status","connectionId":"paper","status":"RECONNECTING","reason":"The broker closed the connection","retryAt":"2026-09-21T14:30:04.700Z","ts":1790001004321}

data: {"type":"status","connectionId":"paper","status":"CONNECTED","ts":1790001004702}

data: {"type":"heartbeat","ts":1790001015000}

`;

const CHANGES_DESCRIPTION = `Server-sent events: all that \`GET /v1/connection-health/stream\` tells, and a
\`changed\` item whenever something of the caller's looks different: what was read before is old then.

\`changes\` names each account by \`accountId\`, or any by null, with \`what\`: ${CHANGE_KINDS.join(", ")}.
marks: prices of what is held have moved, and what GET /v1/balances says with them. overview: everything
else, such as limits, kill switches and followers. Changes of the same second come together, so that
prices are told once a second at most. An item may tell more than has changed. Whoever was not connected has missed what came
meanwhile: read everything again after each connect. What follows from time alone, such as a request
that waits long or a price that gets old, is not told.

It ends, and counts among the 20 of a key or a session, as the other one does.`;

const CHANGES_EXAMPLE = `retry: 3000

data: {"type":"snapshot","connectionId":"paper","status":"CONNECTED","ts":1790001000000}

data: {"type":"changed","changes":[{"accountId":"paper-1","what":["orders","positions"]}],"ts":1790001004321}

data: {"type":"changed","changes":[{"accountId":null,"what":["marks"]}],"ts":1790001005322}

data: {"type":"heartbeat","ts":1790001015000}

`;

/** How broker connections stand, and what else there is to look at, told as it changes. */
export function healthStreamRoutes(hub: HealthHub): StreamRoute[] {
  return [
    {
      kind: "stream",
      method: "GET",
      path: "/v1/connection-health/stream",
      id: "streamConnectionHealth",
      tag: "Accounts",
      summary: "Follow how the broker connections stand",
      description: DESCRIPTION,
      effect: "read",
      scope: "read",
      replies: [
        {
          status: 200,
          description: "The stream, until it is closed",
          contentType: EVENT_STREAM_TYPE,
          schema: Type.String({ description: "Items as server-sent events" }),
          example: EXAMPLE,
        },
      ],
      errors: ["NOT_ACCEPTABLE", "TOO_MANY_STREAMS"],
      open: async (caller) => await hub.open(caller, "health"),
    },
    {
      kind: "stream",
      method: "GET",
      path: "/v1/stream",
      id: "streamChanges",
      tag: "Accounts",
      summary: "Follow what changes",
      description: CHANGES_DESCRIPTION,
      effect: "read",
      scope: "read",
      replies: [
        {
          status: 200,
          description: "The stream, until it is closed",
          contentType: EVENT_STREAM_TYPE,
          schema: Type.String({ description: "Items as server-sent events" }),
          example: CHANGES_EXAMPLE,
        },
      ],
      errors: ["NOT_ACCEPTABLE", "TOO_MANY_STREAMS"],
      open: async (caller) => await hub.open(caller, "everything"),
    },
  ];
}
