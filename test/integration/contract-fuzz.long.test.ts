// The goal: whatever is sent, each answer is one that the API document tells of.
// The method: values made from the document's own schemas, right and a little wrong, sent to the
// whole gateway on paper; the answers are held against the schemas of their status.
import fc, { type Arbitrary } from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRedisPeople } from "../../src/store/people/redis-people.ts";
import { ConsoleClient } from "../support/console-client.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { ALLOW_RECEIVER } from "../support/receiver.ts";
import { type JsonSchema, SchemaArbitrary } from "../support/schema-arbitrary.ts";
import { openApi, validator } from "../unit/http/http-kit.ts";

const RUNS = 25;
const PASSWORD = "correct horse battery";

/** These would have the gateway log in at a real broker, or post to somebody. */
const REACH_OUT = new Set([
  "addConnection",
  "changeConnection",
  "testConnection",
  "createDestination",
  "changeDestination",
  "testDestination",
]);
/** An answer that never ends has tests of its own. */
const NEVER_ENDS = new Set(["streamConnectionHealth", "streamChanges"]);

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: JsonSchema;
}

interface Media {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: { readonly "application/json": Media } };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, object>> }>
  >;
}

const values = new SchemaArbitrary(openApi.components.schemas);

const operations = Object.entries(openApi.paths)
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method,
      operation: operation as unknown as Operation,
    })),
  )
  .filter(({ operation: { operationId: id } }) => !REACH_OUT.has(id) && !NEVER_ENDS.has(id))
  .map((one) => ({ ...one, name: `${one.method.toUpperCase()} ${one.path}` }));

let gateway: TestGateway;
/** What is there, so that not every path ends at nothing: by the path up to the name, and the name. */
let known: Readonly<Record<string, string>>;

beforeAll(async () => {
  gateway = await startGateway({ settings: ALLOW_RECEIVER });
  const { api, webhook } = gateway;
  const order = { symbol: "ES1!", action: "buy", qty: 1, type: "limit", limitPrice: 100 };
  const placed = await api.post("/v1/accounts/paper-1/orders", order);
  await gateway.alert({ symbol: "ES1!", action: "buy", qty: 1 });
  const { body: alerts } = await api.get("/v1/alerts");
  const { body: webhooks } = await api.get("/v1/webhooks");
  const { body: connections } = await api.get("/v1/connections");
  const followers = [{ accountId: "paper-2" }];
  const led = { leaderAccountId: "paper-1", followers, paused: true };
  const { body: group } = await api.post("/v1/copy-groups", led);
  const settings = { url: "http://127.0.0.1:1/" };
  const told = { kind: "webhook", name: "Nowhere", settings };
  const { body: destination } = await api.post("/v1/destinations", told);
  known = {
    "/v1/destinations/{id}": destination.id as string,
    "/v1/accounts/{id}": "paper-1",
    "/v1/accounts/{id}/orders/{orderId}": placed.body.orderId as string,
    "/v1/accounts/{id}/intents/{intentId}": placed.body.intentId as string,
    "/v1/alerts/{alertId}": alerts.alerts[0].alertId as string,
    "/v1/webhooks/{id}": webhooks.webhooks[0].id as string,
    "/v1/copy-groups/{groupId}": group.id as string,
    "/v1/copy-groups/{groupId}/followers/{accountId}": "paper-2",
    "/v1/connections/{id}": connections.connections[0].connectionId as string,
    "/hooks/{token}": webhook.split("/").at(-1) ?? "",
  };
  const missing = Object.entries(known).filter(([, id]) => !id);
  if (missing.length > 0) throw new Error(`Nothing is there for ${missing.join()}`);
});
afterAll(() => gateway.stop());

interface Asked {
  readonly path: Readonly<Record<string, unknown>>;
  /** Whether the path leads to something that is there. */
  readonly isKnown: boolean;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

function askedOf(operation: Operation): Arbitrary<Asked> {
  const { parameters = [], requestBody } = operation;
  const ofPlace = (place: string, requiredKeys: string[]) => {
    const own = parameters.filter((one) => one.in === place);
    const entries = own.map(({ name, schema }) => [name, values.of(schema)] as const);
    return fc.record(Object.fromEntries(entries), { requiredKeys });
  };
  const names = parameters.filter((one) => one.in === "path").map(({ name }) => name);
  const media = requestBody?.content["application/json"];
  const none: Arbitrary<Readonly<Record<string, unknown>>> = fc.constant({});
  return fc.record({
    path: ofPlace("path", names),
    isKnown: fc.nat(9).map((dice) => dice > 0),
    query: fc.oneof(none, ofPlace("query", [])),
    header: fc.oneof(none, ofPlace("header", [])),
    body: media === undefined ? fc.constant(undefined) : bodyOf(media),
  });
}

/** Half of them are the document's own examples, most of those with one field that is another. */
function bodyOf({ schema, examples = {} }: Media): Arbitrary<unknown> {
  const made = values.of(schema);
  const shown = Object.values(examples).map(({ value }) => value);
  if (shown.length === 0) return made;
  const changed = fc
    .tuple(fc.constantFrom(...shown), made, fc.nat(50))
    .map(([example, other, place]) => changeOne(example, other, place));
  return fc.oneof(made, changed, fc.constantFrom(...shown));
}

/** Takes one field of the other, or leaves one of its own out. */
function changeOne(example: unknown, other: unknown, place: number): unknown {
  if (!isRecord(example)) return example;
  const fields = Object.keys(example);
  const donated = isRecord(other) ? Object.keys(other) : [];
  const choices = [...fields, ...donated];
  const field = choices[place % choices.length] ?? "";
  const { [field]: _, ...rest } = example;
  return isRecord(other) && field in other ? { ...rest, [field]: other[field] } : rest;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function pathOf(template: string, { path, isKnown }: Asked): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string, at: number) => {
    const there = known[template.slice(0, at + whole.length)];
    return isKnown && there !== undefined ? there : segmentOf(asText(path[name]));
  });
}

/** Nothing, "." and ".." are no segments: every client makes another path of them. */
const segmentOf = (text: string): string =>
  ["", ".", ".."].includes(text) ? "x" : encodeURIComponent(text);

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function requestOf(template: string, method: string, asked: Asked): Sent {
  const texts = (values: Readonly<Record<string, unknown>>) =>
    Object.entries(values).map(([name, value]): [string, string] => [name, asText(value)]);
  // What no client could send is none of the gateway's.
  const headers = texts(asked.header).filter(([, value]) => /^[\x21-\x7e]{1,64}$/.test(value));
  return {
    method: method.toUpperCase(),
    path: `${pathOf(template, asked)}?${new URLSearchParams(texts(asked.query)).toString()}`,
    headers: { ...Object.fromEntries(headers), "sec-fetch-site": "same-origin" },
    ...(asked.body !== undefined && { body: JSON.stringify(asked.body) }),
  };
}

/** Asks with a key, or as a new person where a key is not enough. */
async function openSender({ operationId, security }: Operation) {
  const isPersons = security.length > 0 && security.every((proof) => "session" in proof);
  const client = new ConsoleClient(gateway.url);
  if (isPersons) {
    const people = createRedisPeople({ redis: gateway.redis, keys: gateway.keys });
    const { userId } = await people.addUser(operationId);
    const { status } = await client.setUp(await people.createLink(userId), operationId, PASSWORD);
    if (status !== 200) throw new Error(`Not signed in: ${status}`);
  }
  const key = isPersons ? {} : { "x-api-key": gateway.key };
  return async ({ method, path, headers, body }: Sent) =>
    await client.ask(method, path, body, { ...key, ...headers });
}

test.each(operations)("$name", async ({ path, method, operation }) => {
  const base = `#/paths/${path.replaceAll("/", "~1")}/${method}/responses`;
  const send = await openSender(operation);
  await fc.assert(
    fc.asyncProperty(askedOf(operation), async (asked) => {
      const { status, text } = await send(requestOf(path, method, asked));
      const documented = operation.responses[status];
      expect([status, text, documented !== undefined]).toEqual([status, text, true]);
      if (documented?.content?.["application/json"] === undefined) return;
      const validate = validator(`${base}/${status}/content/application~1json/schema`);
      validate(JSON.parse(text));
      expect([text, validate.errors]).toEqual([text, null]);
    }),
    { numRuns: RUNS },
  );
});
