import type { Gateway } from "../../trading/gateway.ts";
import { presentUndelivered } from "../present/destination.ts";
import { destinationOf } from "../requests/path-ids.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import {
  CountReply,
  DestinationIdText,
  DiscardQuery,
  ReplayBody,
  UndeliveredQuery,
  UndeliveredReply,
} from "../schemas/destination.ts";
import { UNDELIVERED } from "../schemas/destination-examples.ts";

/** What a destination did not take, for a week: sent again, or forgotten. */
export function undeliveredRoutes(gateway: Gateway): ApiRoute[] {
  const shared = {
    path: "/v1/destinations/{id}/undelivered",
    tag: "Notifications",
    scope: "notify",
    params: { id: DestinationIdText },
    errors: ["NOT_FOUND"],
  } as const;
  const counted = (description: string) => [
    { status: 200, description, schema: CountReply, example: { count: 2 } },
  ];
  return [
    apiRoute({
      ...shared,
      method: "GET",
      id: "listUndelivered",
      effect: "read",
      summary: "List what a destination did not take, newest first",
      description: "Events that were given up, each with the reason of its last attempt.",
      query: UndeliveredQuery,
      replies: [
        {
          status: 200,
          description: "A page of them",
          schema: UndeliveredReply,
          example: UNDELIVERED,
        },
      ],
      async handle({ caller, params, query: { limit, cursor } }) {
        const page = await gateway.listUndelivered(caller, destinationOf(params), {
          limit,
          ...(cursor !== undefined && { cursor }),
        });
        const undelivered = page.items.map(presentUndelivered);
        return { status: 200, body: { undelivered, nextCursor: page.nextCursor ?? null } };
      },
    }),
    apiRoute({
      ...shared,
      method: "POST",
      path: "/v1/destinations/{id}/undelivered/replay",
      id: "replayUndelivered",
      effect: "change",
      audit: { message: "Undelivered events sent again", level: "info" },
      summary: "Send again what a destination did not take",
      body: ReplayBody,
      bodyExamples: { one: { events: ["ev_1"] }, all: { all: true } },
      replies: counted("How many are sent again"),
      async handle({ caller, params, body: { events } }) {
        const destinationId = destinationOf(params);
        const count = await gateway.replayUndelivered(caller, destinationId, events);
        return { status: 200, body: { count }, changed: { destinationId, count } };
      },
    }),
    apiRoute({
      ...shared,
      method: "DELETE",
      id: "discardUndelivered",
      effect: "change",
      audit: { message: "Undelivered events forgotten", level: "info" },
      summary: "Forget what a destination did not take",
      query: DiscardQuery,
      replies: counted("How many are forgotten"),
      async handle({ caller, params, query }) {
        const destinationId = destinationOf(params);
        const events = query.events?.split(",");
        const count = await gateway.discardUndelivered(caller, destinationId, events);
        return { status: 200, body: { count }, changed: { destinationId, count } };
      },
    }),
  ];
}
