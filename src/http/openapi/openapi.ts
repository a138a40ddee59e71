import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "@sinclair/typebox";
import { type ErrorCode, ERRORS } from "../../errors.ts";
import { ErrorReply, errorResponse, errorsByStatus } from "./openapi-errors.ts";
import { webhooksOf } from "./openapi-webhooks.ts";
import { headersOf, RESPONSE_HEADERS } from "./response-headers.ts";
import type { AnyRoute, ReplySpec, Route, Tag } from "../route.ts";
import { SESSION_COOKIE } from "../server/session-cookie.ts";

export interface DocumentFacts {
  readonly publicUrl: string;
  readonly version: string;
}

type Json = Readonly<Record<string, unknown>>;

/** The API description served at /api-docs: nothing in it is written twice. */
export function toOpenApi(routes: readonly AnyRoute[], facts: DocumentFacts): Json {
  const components = createComponents();
  const errorSchema = components.refer(ErrorReply);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = operation(route, components, errorSchema);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Alert gateway",
      version: facts.version,
      summary: "Turns charting alerts and API calls into futures orders",
      description: DESCRIPTION,
    },
    servers: [{ url: facts.publicUrl.replace(/\/+$/, "") }],
    tags: TAGS,
    paths,
    webhooks: webhooksOf(components.refer),
    components: {
      schemas: components.schemas(),
      headers: RESPONSE_HEADERS,
      responses: { ...components.responses(), MethodNotAllowed: methodNotAllowed(errorSchema) },
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
        bearer: { type: "http", scheme: "bearer", description: "The same key" },
        session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE },
      },
    },
  };
}

const TAGS = [
  { name: "Alerts", description: "Where charting platforms post to" },
  { name: "Orders", description: "Placing, changing, cancelling and watching orders" },
  { name: "Positions", description: "What is held, what was traded, and the way out" },
  { name: "Accounts", description: "What is connected, and whose it is" },
  { name: "Limits", description: "What an account may do at most, and the kill switch" },
  {
    name: "Guards",
    description: "What of an account must not happen, how near it is, and its lock",
  },
  {
    name: "Calendars",
    description: "Economic calendars that guards look news up in, as you have given them",
  },
  { name: "Exit plans", description: "How positions leave again, kept by name" },
  { name: "Intents", description: "What became of each call and alert" },
  { name: "Webhooks", description: "The tokens that alerts are posted with" },
  {
    name: "Copy trading",
    description: "Accounts that follow what another one does, and what became of each copy",
  },
  {
    name: "Notifications",
    description: "Where you are told what happened, and what is posted there",
  },
  { name: "People", description: "Signing in at the console, passkeys, and API keys" },
  { name: "Operations", description: "For the machine's own tools" },
] as const satisfies readonly { name: Tag; description: string }[];

const DESCRIPTION = `Every path under /v1 is answered under /api/v1 too.

Keys: send yours in X-API-Key, or as Authorization: Bearer. A key has one or more of four scopes,
which do not include each other: read (accounts, positions, orders, trades, intents, webhooks, copy
groups, limits, the health stream), trade (what places, changes and closes; lower limits, the kill
switch on), manage (what loosens a guard: higher limits, the kill switch off; and connections) and
notify (the destinations of notifications, and alarms for them). Guards are set, and accounts are
locked, with trade; what loosens them needs manage, and only a person unlocks. A person who is signed in at the
console has all, and alone may create keys; a session is proven by its cookie, to pages of the
console itself only.

Errors: every error has a code, and says in retry what to do next. never: change the request first.
safe: nothing was sent, try again. check-first: it may have happened, so look before you try again.

Limits: 120 requests in any 60 seconds for each key, unless the operator set another number (the
RateLimit headers tell); bodies of at most 64 KiB. Ways out have a reserve: once these are used up,
closing, cancelling, protecting, locking an account and switching a kill switch on are let through
120 times more.`;

function operation(route: AnyRoute, components: Components, errorSchema: Json): Json {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: describe(route),
    security: securityOf(route),
    ...parameters(route, components),
    ...("body" in route && requestBody(route, components)),
    responses: {
      ...replies(route, components.refer),
      ...refusals(route, components.share, errorSchema),
    },
  };
}

/** Routes are refused in the same ways: each way is said once, under its status and codes. */
function refusals(route: AnyRoute, share: Components["share"], schema: Json): Json {
  const entries = [...errorsByStatus(refusedAs(route))].map(([status, codes]) => {
    const response = withHeaders(route, status, errorResponse(codes, schema));
    // Where nobody is counted there are fewer headers, and few such routes.
    if (route.kind === "open") return [status, response] as const;
    return [status, share([status, ...codes].join("."), response)] as const;
  });
  return Object.fromEntries(entries);
}

/** What the layers around every route add to its answers. */
function withHeaders({ kind }: AnyRoute, status: number, { headers = {}, ...rest }: Json): Json {
  const common = referHeaders(headersOf(status, { hasQuota: kind !== "open" }));
  return { ...rest, headers: { ...common, ...(headers as Json) } };
}

function referHeaders(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Each of these proves who asks. */
function securityOf(route: AnyRoute): readonly Json[] {
  if (route.kind === "person") return [{ session: [] }];
  return "scope" in route ? [{ apiKey: [] }, { bearer: [] }, { session: [] }] : [];
}

/** Before its first item a stream is refused as any other route of the API. */
function refusedAs(route: AnyRoute): Route {
  return route.kind === "stream" ? { ...route, kind: "api", handle: nothing } : route;
}

const nothing = async () => ({ status: 204 });

const RESERVED = "A way out of risk is let through when the other requests are used up.";

function describe(route: AnyRoute): string {
  const scope = "scope" in route ? [`Needs the scope ${route.scope}.`] : [];
  const exits = "reserve" in route ? [RESERVED] : [];
  const person = route.kind === "person" ? ["Only for a person who is signed in."] : [];
  return [route.description ?? `${route.summary}.`, ...scope, ...exits, ...person].join("\n\n");
}

function parameters(route: AnyRoute, { refer }: Components): Json {
  const list: Json[] = [];
  const add = (place: string, name: string, required: boolean, schema: TSchema): void => {
    const { description } = schema;
    list.push({
      name,
      in: place,
      required,
      ...(description !== undefined && { description }),
      schema: refer(schema),
    });
  };
  for (const [name, schema] of Object.entries(route.params ?? {})) add("path", name, true, schema);
  if (route.kind === "api") {
    for (const [name, schema] of Object.entries(route.query?.properties ?? {})) {
      add("query", name, false, schema);
    }
    for (const [name, schema] of Object.entries(route.headers ?? {})) {
      add("header", name, false, schema);
    }
  }
  return list.length === 0 ? {} : { parameters: list };
}

function requestBody(
  route: Extract<Route, { readonly body?: TSchema }>,
  { refer }: Components,
): Json {
  if (route.body === undefined) return {};
  const examples = mapValues(route.bodyExamples ?? {}, (value) => ({ value }));
  const { bodyType = "application/json" } = "bodyType" in route ? route : {};
  const content = { [bodyType]: { schema: refer(route.body), examples } };
  return { requestBody: { required: route.bodyMayBeAbsent !== true, content } };
}

function replies(route: AnyRoute, refer: Components["refer"]): Json {
  const entries = route.replies.map((spec) => [
    spec.status,
    withHeaders(route, spec.status, reply(spec, refer)),
  ]);
  return Object.fromEntries(entries) as Json;
}

function reply(spec: ReplySpec, refer: Components["refer"]): Json {
  const { description, schema, example, contentType = "application/json" } = spec;
  const headers = mapValues(spec.headers ?? {}, (text) => ({
    description: text,
    schema: { type: "string" },
  }));
  const media = schema && { schema: refer(schema), ...(example !== undefined && { example }) };
  return {
    description,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(media && { content: { [contentType]: media } }),
  };
}

function methodNotAllowed(schema: Json): Json {
  const code: ErrorCode = "METHOD_NOT_ALLOWED";
  return {
    description: `${code}: ${ERRORS[code].meaning}. Any path can answer it; Allow lists the methods`,
    headers: {
      ...referHeaders(headersOf(405, { hasQuota: false })),
      Allow: { schema: { type: "string" } },
    },
    content: { "application/json": { schema } },
  };
}

function mapValues<In, Out>(object: Readonly<Record<string, In>>, to: (value: In) => Out) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, to(value)]));
}

export interface Components {
  /** The schema as the document shows it: a reference when it has a title, else written out. */
  readonly refer: (schema: TSchema) => Json;
  readonly schemas: () => Readonly<Record<string, Json>>;
  /** A reference to a response that is said once, under this name. */
  readonly share: (name: string, response: Json) => Json;
  readonly responses: () => Readonly<Record<string, Json>>;
}

/** Collects every schema that has a title under `components/schemas`, and what responses are shared. */
export function createComponents(): Components {
  const found = new Map<string, { text: string; json: Json }>();
  const shared = new Map<string, Json>();

  function refer(schema: TSchema): Json {
    const { title } = schema;
    if (title === undefined) return toJson(schema);
    // TypeBox copies what it marks as optional, so sameness is a matter of content.
    const text = JSON.stringify(schema);
    const known = found.get(title);
    if (known !== undefined && known.text !== text) {
      throw new Error(`two schemas are called ${title}`);
    }
    if (known === undefined) found.set(title, { text, json: toJson(schema) });
    return { $ref: `#/components/schemas/${title}` };
  }

  function toJson(schema: TSchema): Json {
    const entries = Object.entries(schema)
      // The values of a discriminator would be taken for the names of components.
      .filter(([keyword]) => keyword !== "title" && keyword !== "discriminator")
      .map(([keyword, value]) => [keyword, convert(keyword, value)]);
    return withoutDefaulted(Object.fromEntries(entries) as Json, schema);
  }

  function convert(keyword: string, value: unknown): unknown {
    if (keyword === "properties" || keyword === "patternProperties") {
      const properties = Object.entries(value as Record<string, TSchema>);
      return Object.fromEntries(
        properties.map(([name, schema]) => [name, refer(defaultInWords(schema))]),
      );
    }
    if (keyword === "items") return refer(value as TSchema);
    if (keyword === "anyOf" || keyword === "oneOf") return (value as TSchema[]).map(refer);
    return value;
  }

  function share(name: string, response: Json): Json {
    const known = shared.get(name) ?? response;
    if (!isDeepStrictEqual(known, response)) throw new Error(`two responses are called ${name}`);
    shared.set(name, known);
    return { $ref: `#/components/responses/${name}` };
  }

  return {
    refer,
    schemas: () => Object.fromEntries([...found].map(([name, { json }]) => [name, json])),
    share,
    responses: () => Object.fromEntries(shared),
  };
}

/**
 * Generators of clients take a field that has a default for one that is always there, in requests
 * too. So the document says in words what is taken where it is left out.
 */
function defaultInWords(schema: TSchema): TSchema {
  if (schema.default === undefined) return schema;
  const { default: value, ...rest } = schema;
  const words = `Left out, it is ${JSON.stringify(value)}`;
  const { description } = rest;
  return { ...rest, description: description === undefined ? words : `${description}. ${words}` };
}

/** A field with a default is required of the handler's input, not of the caller. */
function withoutDefaulted({ required, ...json }: Json, { properties }: TSchema): Json {
  if (!Array.isArray(required)) return json;
  const needed = (required as string[]).filter(
    (name) => (properties as Record<string, TSchema> | undefined)?.[name]?.default === undefined,
  );
  return needed.length === 0 ? json : { ...json, required: needed };
}
