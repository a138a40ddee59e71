import { connectionId, type ConnectionId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import type { Gateway } from "../../trading/gateway.ts";
import { presentConnection, presentConnectionDetail, presentTrial } from "../present/connection.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import {
  AddConnectionBody,
  ChangeConnectionBody,
  CONNECTION_DETAIL,
  CONNECTION_TEST,
  ConnectionDetailReply,
  ConnectionIdText,
  CONNECTIONS,
  ConnectionsReply,
  ConnectionTestReply,
  RECONNECT,
  ReconnectReply,
} from "../schemas/connection.ts";

const CONNECTION_ID = /^[A-Za-z0-9_.-]{1,64}$/;
const TAG = "Accounts";

interface ConnectionRouteDeps {
  readonly gateway: Gateway;
}

/** The connections to brokers: which there are, what they log in with, and how they stand. */
export function connectionRoutes({ gateway }: ConnectionRouteDeps): ApiRoute[] {
  return [...collection(gateway), ...single(gateway), ...actions(gateway)];
}

function collection(gateway: Gateway): ApiRoute[] {
  const shared = { path: "/v1/connections", tag: TAG } as const;
  return [
    apiRoute({
      ...shared,
      method: "POST",
      id: "addConnection",
      effect: "change",
      audit: { message: "Connection added" },
      summary: "Add a connection to a broker",
      description:
        "It is logged in right after; GET /v1/connections/{id} tells how that went, and GET /v1/accounts has its accounts then. An environment stays what it is: demo and live are two connections.",
      scope: "manage",
      body: AddConnectionBody,
      bodyExamples: {
        tradovate: {
          broker: "tradovate",
          environment: "demo",
          name: "Evaluation",
          settings: { name: "trader7", password: "<password>", cid: "8", sec: "<secret>" },
        },
        projectx: {
          broker: "projectx",
          environment: "live",
          name: "Practice",
          settings: { firm: "topstep", userName: "trader7", apiKey: "<key>" },
        },
      },
      replies: [
        {
          status: 201,
          description: "The connection, which is not logged in yet",
          schema: ConnectionDetailReply,
          example: CONNECTION_DETAIL,
        },
      ],
      errors: ["LOGIN_IN_USE", "CHANGED_MEANWHILE", "TOO_MANY_CONNECTIONS", "SEALING_UNAVAILABLE"],
      async handle({ caller, body: { name, ...request } }) {
        const wanted = { ...request, ...(name !== undefined && { name }) };
        const added = await gateway.addConnection(caller, wanted);
        const changed = { connectionId: added.connectionId, kind: added.broker };
        return { status: 201, body: presentConnectionDetail(added), changed };
      },
    }),
    apiRoute({
      ...shared,
      method: "GET",
      id: "listConnections",
      summary: "List the connections to brokers",
      effect: "read",
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
  ];
}

function single(gateway: Gateway): ApiRoute[] {
  const shared = {
    path: "/v1/connections/{id}",
    tag: TAG,
    params: { id: ConnectionIdText },
  } as const;
  const replies = [
    {
      status: 200,
      description: "The connection, without its secrets",
      schema: ConnectionDetailReply,
      example: CONNECTION_DETAIL,
    },
  ];
  return [
    apiRoute({
      ...shared,
      replies,
      method: "GET",
      id: "readConnection",
      summary: "Read a connection",
      effect: "read",
      scope: "read",
      errors: ["NOT_FOUND"],
      async handle({ caller, params }) {
        const connection = await gateway.findConnection(caller, connectionOf(params["id"]));
        return { status: 200, body: presentConnectionDetail(connection) };
      },
    }),
    apiRoute({
      ...shared,
      replies,
      method: "PATCH",
      id: "changeConnection",
      effect: "change",
      audit: { message: "Connection changed" },
      summary: "Change a connection: its name and settings, or pause it",
      description:
        "New settings may log in even when the broker has refused the ones before. What was sent gets its answer first.",
      scope: "manage",
      body: ChangeConnectionBody,
      bodyExamples: {
        password: { settings: { password: "<password>" } },
        pause: { paused: true },
      },
      errors: [
        "NOT_FOUND",
        "CONNECTION_FIXED",
        "LOGIN_IN_USE",
        "CHANGED_MEANWHILE",
        "SEALING_UNAVAILABLE",
      ],
      async handle({ caller, params, body: { name, paused, settings } }) {
        const change = {
          ...(name !== undefined && { name }),
          ...(paused !== undefined && { paused }),
          ...(settings !== undefined && { settings }),
        };
        const connection = connectionOf(params["id"]);
        const view = await gateway.changeConnection(caller, connection, change);
        const state = view.setup?.paused === true ? "paused" : "active";
        const changed = { connectionId: connection, state };
        return { status: 200, body: presentConnectionDetail(view), changed };
      },
    }),
    apiRoute({
      ...shared,
      method: "DELETE",
      id: "removeConnection",
      effect: "change",
      audit: { message: "Connection removed" },
      summary: "Remove a connection",
      description:
        "Ends its session and forgets its secrets. Its accounts become inactive: alerts for them are 403. Their history stays, and so does what is open at the broker.",
      scope: "manage",
      replies: [{ status: 204, description: "Removed" }],
      errors: ["NOT_FOUND", "CONNECTION_FIXED"],
      async handle({ caller, params }) {
        const connection = connectionOf(params["id"]);
        await gateway.removeConnection(caller, connection);
        return { status: 204, changed: { connectionId: connection } };
      },
    }),
  ];
}

function actions(gateway: Gateway): ApiRoute[] {
  const shared = { tag: TAG, params: { id: ConnectionIdText }, method: "POST" } as const;
  return [
    apiRoute({
      ...shared,
      path: "/v1/connections/{id}/test",
      id: "testConnection",
      effect: "change",
      audit: { message: "Connection tested", level: "info" },
      summary: "Try a connection's settings out",
      description:
        "Logs in with them, reads the accounts and logs out; it never sends an order, and never beside a session that is up. It may take 15 seconds.",
      scope: "manage",
      replies: [
        {
          status: 200,
          description: "What came of it, in the broker's words",
          schema: ConnectionTestReply,
          example: CONNECTION_TEST,
        },
      ],
      errors: ["NOT_FOUND", "CONNECTION_FIXED"],
      async handle({ caller, params }) {
        const connection = connectionOf(params["id"]);
        const trial = await gateway.testConnection(caller, connection);
        const changed = { connectionId: connection, outcome: trial.result };
        return { status: 200, body: presentTrial(trial), changed };
      },
    }),
    apiRoute({
      ...shared,
      path: "/v1/connections/{id}/reconnect",
      id: "reconnectConnection",
      effect: "change",
      audit: { message: "Connection reconnected by hand" },
      summary: "Reconnect a connection",
      description:
        "A connected one ends its session and begins the next one, with the token that it has. One whose credentials or sessions the broker refused logs in again: settle the reason first, since wrong credentials, tried again, lock accounts. Any other connection logs in by itself and is left alone: next says when.",
      scope: "manage",
      replies: [
        {
          status: 202,
          description:
            "How it stood, and in next what comes of it. GET /v1/connections tells the rest",
          schema: ReconnectReply,
          example: RECONNECT,
        },
      ],
      errors: ["NOT_FOUND", "CHANGED_MEANWHILE"],
      async handle({ caller, params }) {
        const connection = connectionOf(params["id"]);
        const view = await gateway.reconnectConnection(caller, connection);
        const changed = { connectionId: connection };
        return { status: 202, body: { ...presentConnection(view), next: view.next }, changed };
      },
    }),
  ];
}

/** An id that can be none of ours is not looked up: it answers as one that does not exist. */
function connectionOf(text = ""): ConnectionId {
  if (!CONNECTION_ID.test(text)) throw errors.notFound("connection");
  return connectionId(text);
}
