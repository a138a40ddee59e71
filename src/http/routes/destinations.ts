import type { Gateway } from "../../trading/gateway.ts";
import { presentDestination, presentTest } from "../present/destination.ts";
import { presentTime } from "../present/figures.ts";
import { destinationOf } from "../requests/path-ids.ts";
import {
  checkSettings,
  readDestinationChange,
  readNewDestination,
} from "../requests/read-destination.ts";
import { readOperatorAlarms, refusedAlarms } from "../requests/read-operator-alarms.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import {
  ChangeDestinationBody,
  CreateDestinationBody,
  CreatedDestinationReply,
  DestinationIdText,
  DestinationReply,
  DestinationsReply,
  DestinationTestReply,
  LinkReply,
  RotatedSecretReply,
} from "../schemas/destination.ts";
import {
  CREATED_DESTINATION,
  DESTINATION,
  DESTINATION_BODIES,
  DESTINATION_CHANGES,
} from "../schemas/destination-examples.ts";
import { OPERATOR_ALARMS, OperatorAlarmsBody } from "../schemas/operator-alarm.ts";
import { undeliveredRoutes } from "./undelivered.ts";

export interface DestinationRouteDeps {
  readonly gateway: Gateway;
}

const SHARED = { tag: "Notifications", scope: "notify" } as const;

/** Where a user is told what happened. */
export function destinationRoutes({ gateway }: DestinationRouteDeps): ApiRoute[] {
  return [
    ...collection(gateway),
    ...single(gateway),
    ...actions(gateway),
    ...undeliveredRoutes(gateway),
    operatorAlarms(gateway),
  ];
}

function collection(gateway: Gateway): ApiRoute[] {
  const shared = { ...SHARED, path: "/v1/destinations" } as const;
  return [
    apiRoute({
      ...shared,
      method: "POST",
      id: "createDestination",
      effect: "change",
      audit: { message: "Destination created" },
      summary: "Add a destination of notifications",
      description:
        "Secrets in its settings are sealed and never shown again. What a signed webhook is signed with is made here, and shown in this answer only.",
      asksProof: true,
      body: CreateDestinationBody,
      bodyExamples: DESTINATION_BODIES,
      replies: [
        {
          status: 201,
          description: "The destination",
          schema: CreatedDestinationReply,
          example: CREATED_DESTINATION,
        },
      ],
      errors: ["SIGN_IN_AGAIN", "NOT_FOUND", "TOO_MANY_DESTINATIONS", "SEALING_UNAVAILABLE"],
      async handle({ caller, body }) {
        const terms = readNewDestination(body);
        const { destination, secret = null } = await gateway.createDestination(caller, terms);
        const { id: destinationId, kind } = destination;
        const created = { ...presentDestination(destination), secret };
        return { status: 201, body: created, changed: { destinationId, kind } };
      },
    }),
    apiRoute({
      ...shared,
      method: "GET",
      id: "listDestinations",
      effect: "read",
      summary: "List the destinations, and how each stands",
      replies: [
        {
          status: 200,
          description: "Every destination, without its secrets",
          schema: DestinationsReply,
          example: { destinations: [DESTINATION] },
        },
      ],
      errors: [],
      async handle({ caller }) {
        const destinations = await gateway.listDestinations(caller);
        return { status: 200, body: { destinations: destinations.map(presentDestination) } };
      },
    }),
  ];
}

function single(gateway: Gateway): ApiRoute[] {
  const shared = {
    ...SHARED,
    path: "/v1/destinations/{id}",
    params: { id: DestinationIdText },
  } as const;
  const replies = [
    {
      status: 200,
      description: "The destination, without its secrets",
      schema: DestinationReply,
      example: DESTINATION,
    },
  ];
  return [
    apiRoute({
      ...shared,
      replies,
      method: "GET",
      id: "readDestination",
      effect: "read",
      summary: "Read a destination, and how it stands",
      errors: ["NOT_FOUND"],
      handle: async ({ caller, params }) => ({
        status: 200,
        body: presentDestination(await gateway.findDestination(caller, destinationOf(params))),
      }),
    }),
    apiRoute({
      ...shared,
      replies,
      method: "PATCH",
      id: "changeDestination",
      effect: "change",
      audit: { message: "Destination changed" },
      summary: "Change a destination: its name, settings and rules, or switch it on again",
      asksProof: true,
      body: ChangeDestinationBody,
      bodyExamples: DESTINATION_CHANGES,
      errors: ["SIGN_IN_AGAIN", "NOT_FOUND", "CHANGED_MEANWHILE", "SEALING_UNAVAILABLE"],
      async handle({ caller, params, body }) {
        const destinationId = destinationOf(params);
        if (body.settings !== undefined) {
          const { kind } = await gateway.findDestination(caller, destinationId);
          checkSettings(kind, body.settings);
        }
        const change = readDestinationChange(body);
        const view = await gateway.changeDestination(caller, destinationId, change);
        return { status: 200, body: presentDestination(view), changed: { destinationId } };
      },
    }),
    apiRoute({
      ...shared,
      method: "DELETE",
      id: "deleteDestination",
      effect: "change",
      audit: { message: "Destination deleted" },
      summary: "Delete a destination",
      description: "What waits for it, and what was undelivered, goes with it.",
      asksProof: true,
      replies: [{ status: 204, description: "Deleted" }],
      errors: ["SIGN_IN_AGAIN", "NOT_FOUND"],
      async handle({ caller, params }) {
        const destinationId = destinationOf(params);
        await gateway.deleteDestination(caller, destinationId);
        return { status: 204, changed: { destinationId } };
      },
    }),
  ];
}

function actions(gateway: Gateway): ApiRoute[] {
  const shared = {
    ...SHARED,
    method: "POST",
    effect: "change",
    params: { id: DestinationIdText },
  } as const;
  return [
    apiRoute({
      ...shared,
      path: "/v1/destinations/{id}/test",
      id: "testDestination",
      audit: { message: "Destination tested", level: "info" },
      summary: "Send a sample to a destination now",
      description: "Also to one that is switched off. It may take 15 seconds.",
      replies: [
        {
          status: 200,
          description: "What came back",
          schema: DestinationTestReply,
          example: { delivered: false, status: 404, reason: "The webhook is gone", ms: 118 },
        },
      ],
      errors: ["NOT_FOUND"],
      async handle({ caller, params }) {
        const destinationId = destinationOf(params);
        const result = await gateway.testDestination(caller, destinationId);
        const outcome = result.isDelivered ? "delivered" : "failed";
        return { status: 200, body: presentTest(result), changed: { destinationId, outcome } };
      },
    }),
    apiRoute({
      ...shared,
      path: "/v1/destinations/{id}/rotate-secret",
      id: "rotateDestinationSecret",
      audit: { message: "Destination's secret rotated" },
      summary: "Make a new secret for a signed webhook",
      description: "For a day, posts are signed with the new one and the former one.",
      asksProof: true,
      replies: [
        {
          status: 200,
          description: "The new secret",
          schema: RotatedSecretReply,
          example: { secret: "whsec_<base64>", formerUntil: "2026-09-22T14:30:00.000Z" },
        },
      ],
      errors: ["SIGN_IN_AGAIN", "NOT_FOUND", "CHANGED_MEANWHILE", "SEALING_UNAVAILABLE"],
      async handle({ caller, params }) {
        const destinationId = destinationOf(params);
        const { secret, formerUntil } = await gateway.rotateSecret(caller, destinationId);
        const body = { secret, formerUntil: presentTime(formerUntil) };
        return { status: 200, body, changed: { destinationId } };
      },
    }),
    apiRoute({
      ...shared,
      path: "/v1/destinations/{id}/link",
      id: "linkDestination",
      audit: { message: "Destination's link asked for" },
      summary: "Make a code that links a Telegram chat",
      description: "Its owner sends it to the bot within ten minutes, in a private chat.",
      asksProof: true,
      replies: [
        {
          status: 200,
          description: "The code, and what to send",
          schema: LinkReply,
          example: { code: "4F7Q2K", send: "/start 4F7Q2K", until: "2026-09-21T14:40:00.000Z" },
        },
      ],
      errors: ["SIGN_IN_AGAIN", "NOT_FOUND"],
      async handle({ caller, params }) {
        const destinationId = destinationOf(params);
        const { code, until } = await gateway.linkDestination(caller, destinationId);
        const body = { code, send: `/start ${code}`, until: presentTime(until) };
        return { status: 200, body, changed: { destinationId } };
      },
    }),
  ];
}

/** Hundreds of alarms with long texts. */
const MOST_ALARM_BYTES = 1024 * 1024;

function operatorAlarms(gateway: Gateway): ApiRoute {
  return apiRoute({
    ...SHARED,
    method: "POST",
    path: "/v1/operator-alarms",
    id: "tellOperatorAlarms",
    effect: "change",
    audit: { message: "Operator's alarms told", level: "info" },
    summary: "Tell your destinations what your Alertmanager sends",
    description:
      "The severity is that of the label `severity`: page and critical are critical; info and none are info; all others are warnings. A body of up to 1 MiB is taken. Alarms left out of a message (`truncatedAlerts`), and a message that is refused, are reported to your destinations as alarms.",
    body: OperatorAlarmsBody,
    bodyLimit: MOST_ALARM_BYTES,
    onRefused: async (caller, error) => {
      await gateway.tellOperatorAlarms(caller, [refusedAlarms(error)]);
    },
    bodyExamples: { firing: OPERATOR_ALARMS },
    replies: [{ status: 204, description: "Taken; the destinations are told next" }],
    errors: [],
    async handle({ caller, body }) {
      const alarms = readOperatorAlarms(body);
      await gateway.tellOperatorAlarms(caller, alarms);
      return { status: 204, changed: { count: body.alerts.length } };
    },
  });
}
