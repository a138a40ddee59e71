import { connectionId, type ConnectionId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import type { Gateway } from "../../trading/gateway.ts";
import { presentConnection } from "../present/connection.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import { ConnectionIdText, ConnectionReply, ConnectionsReply } from "../schemas/connection.ts";
import { CONNECTIONS, REFUSED_CONNECTION } from "./connection-examples.ts";

const CONNECTION_ID = /^[A-Za-z0-9_.-]{1,64}$/;

/** The connections to brokers, and the way out of those that ask for a person. */
export function connectionRoutes({ gateway }: { readonly gateway: Gateway }): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      path: "/v1/connections",
      id: "listConnections",
      tag: "Accounts",
      summary: "List the connections to brokers",
      scope: "read",
      replies: [
        {
          status: 200,
          description: "Every connection",
          schema: ConnectionsReply,
          example: CONNECTIONS,
        },
      ],
      errors: [],
      async handle({ caller }) {
        const connections = await gateway.listConnections(caller);
        return { status: 200, body: { connections: connections.map(presentConnection) } };
      },
    }),
    apiRoute({
      method: "POST",
      path: "/v1/connections/{id}/reconnect",
      id: "reconnectConnection",
      tag: "Accounts",
      summary: "Let a connection log in again",
      description:
        "For one whose credentials or sessions the broker refused, once the reason is settled: wrong credentials, tried again, lock accounts. To any other connection it does nothing.",
      scope: "trade",
      params: { id: ConnectionIdText },
      replies: [
        {
          status: 202,
          description: "It may log in; this is how it stood. GET /v1/connections tells the rest",
          schema: ConnectionReply,
          example: REFUSED_CONNECTION,
        },
      ],
      errors: ["NOT_FOUND"],
      async handle({ caller, params }) {
        const connection = await gateway.reconnectConnection(caller, connectionOf(params["id"]));
        return { status: 202, body: presentConnection(connection) };
      },
    }),
  ];
}

/** An id that can be none of ours is not looked up: it answers as one that does not exist. */
function connectionOf(text = ""): ConnectionId {
  if (!CONNECTION_ID.test(text)) throw errors.notFound("connection");
  return connectionId(text);
}
