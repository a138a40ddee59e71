import {
  type Answer,
  type HttpService,
  json,
  lengthOf,
  listOf,
  parsed,
  type Request,
} from "./service.ts";

/** Of the webhook that there is. */
export const DISCORD_PATH = "/api/webhooks/1143/a-Secret_of_discord";

const LIMITS = { content: 2_000, embeds: 10, title: 256, description: 4_096, all: 6_000 };
const FIELD_LIMITS = { fields: 25, name: 256, value: 1_024, footer: 2_048 };

/** "Execute Webhook" and "Embed limits" of Discord's documents. */
export const discord: HttpService = {
  isAsked: ({ url }) => url.pathname.startsWith("/api/webhooks/"),
  answer: (request) => {
    const { method, url } = request;
    if (url.pathname !== DISCORD_PATH) return discord.gone();
    if (method !== "POST") return json(405, { message: "405: Method Not Allowed", code: 0 });
    const body = parsed(request.body);
    if (body === undefined) {
      return json(400, { message: "The request body is not JSON", code: 50109 });
    }
    const wrong = tooLong(body);
    if (wrong.length > 0) return invalid(wrong);
    if (lengthOf(body["content"]) === 0 && listOf(body["embeds"]).length === 0) {
      return json(400, { message: "Cannot send an empty message", code: 50006 });
    }
    return { ...taken(request), mentions: mentionsIn(body) };
  },
  throttle: (seconds) =>
    json(
      429,
      { message: "You are being rate limited.", retry_after: seconds, global: false },
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": String(seconds) },
    ),
  gone: () => json(404, { message: "Unknown Webhook", code: 10015 }),
  refuse: () => invalid(["content"]),
};

/** Without `wait`, nothing is said of what became of the message. */
const taken = ({ url }: Request): Answer =>
  url.searchParams.get("wait") === "true"
    ? json(
        200,
        { id: "1143000000000000001", type: 0, embeds: [] },
        { "x-ratelimit-remaining": "4" },
      )
    : { status: 204, body: "" };

const invalid = (fields: readonly string[]): Answer =>
  json(400, {
    message: "Invalid Form Body",
    code: 50035,
    errors: Object.fromEntries(
      fields.map((field) => [field, { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] }]),
    ),
  });

function tooLong(body: Readonly<Record<string, unknown>>): readonly string[] {
  const embeds = listOf(body["embeds"]);
  const wrong: string[] = [];
  if (lengthOf(body["content"]) > LIMITS.content) wrong.push("content");
  if (embeds.length > LIMITS.embeds) wrong.push("embeds");
  let all = 0;
  for (const embed of embeds) {
    const fields = listOf(embed["fields"]);
    const footer = lengthOf((embed["footer"] as { text?: unknown } | undefined)?.text);
    if (lengthOf(embed["title"]) > LIMITS.title) wrong.push("title");
    if (lengthOf(embed["description"]) > LIMITS.description) wrong.push("description");
    if (fields.length > FIELD_LIMITS.fields) wrong.push("fields");
    if (fields.some((field) => lengthOf(field["name"]) > FIELD_LIMITS.name)) wrong.push("name");
    if (fields.some((field) => lengthOf(field["value"]) > FIELD_LIMITS.value)) wrong.push("value");
    if (footer > FIELD_LIMITS.footer) wrong.push("footer");
    const inFields = fields.map((field) => lengthOf(field["name"]) + lengthOf(field["value"]));
    all += lengthOf(embed["title"]) + lengthOf(embed["description"]) + footer;
    all += inFields.reduce((sum, length) => sum + length, 0);
  }
  if (all > LIMITS.all) wrong.push("embeds");
  return wrong;
}

/** A webhook's text calls users by default; what is in embeds calls nobody. */
function mentionsIn(body: Readonly<Record<string, unknown>>): readonly string[] {
  const allowed = body["allowed_mentions"] as { parse?: readonly string[] } | undefined;
  const content = typeof body["content"] === "string" ? body["content"] : "";
  const called = content.match(/@everyone|@here|<@[!&]?\d+>/g) ?? [];
  return allowed?.parse?.length === 0 ? [] : called;
}
