import type { TSchema } from "@sinclair/typebox";
import { declaredEvent, EVENT_TYPES, type EventType } from "../../domain/notify/event.ts";
import type { Tag } from "../route.ts";
import { EVENT_SCHEMAS } from "../schemas/event.ts";
import { exampleBody } from "../schemas/event-examples.ts";

type Json = Readonly<Record<string, unknown>>;

const TAG: Tag = "Notifications";

const HEADERS = {
  "webhook-id": "The event's id, the same in each attempt: take each once",
  "webhook-timestamp": "Of this attempt, Unix time in seconds: refuse what is 5 minutes off",
  "webhook-signature":
    "v1, and the HMAC-SHA256 of id.timestamp.body in base64; several with spaces",
};

/** What we post to a destination of the kind `webhook`, one entry a type of event. */
export function webhooksOf(refer: (schema: TSchema) => Json): Json {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: operation(type, refer) }]));
}

function operation(type: EventType, refer: (schema: TSchema) => Json): Json {
  const { title, description } = declaredEvent(type);
  const media = { schema: refer(EVENT_SCHEMAS[type]), example: exampleBody(type) };
  return {
    operationId: `told ${type}`.replaceAll(/[ ._](\w)/g, (_, letter: string) =>
      letter.toUpperCase(),
    ),
    tags: [TAG],
    summary: title,
    description: `${description}.`,
    security: [],
    parameters: Object.entries(HEADERS).map(([name, words]) => ({
      name,
      in: "header",
      required: true,
      description: words,
      schema: { type: "string" },
    })),
    requestBody: { required: true, content: { "application/json": media } },
    responses: {
      "2XX": { description: "Taken. Anything else is tried again" },
      410: { description: "Never again: the destination is switched off" },
    },
  };
}
