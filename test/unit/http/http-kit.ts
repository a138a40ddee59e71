import assert from "node:assert/strict";
import { connect } from "node:net";
import { once } from "node:events";
import { contracts as products } from "../../../config/contracts.ts";
import { guardPresets } from "../../../config/guard-presets.ts";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { afterEach, expect } from "vitest";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import {
  accountId,
  connectionId,
  credentialId,
  intentId,
  orderId,
  userId,
} from "../../../src/domain/ids.ts";
import type { Intent, IntentRecord, IntentState, Outcome } from "../../../src/domain/intent.ts";
import { createHttpApp, createRoutes, type HttpAppDeps } from "../../../src/http/http-app.ts";
import { toOpenApi } from "../../../src/http/openapi/openapi.ts";
import type { Gateway } from "../../../src/trading/gateway.ts";
import {
  type ApiKey,
  type Scope,
  SCOPES,
  type Webhook,
} from "../../../src/domain/people/credential.ts";
import type { Session } from "../../../src/domain/people/session.ts";
import type { StaticFiles } from "../../../src/http/server/static-files.ts";
import type { Admission } from "../../../src/trading/people/admissions.ts";
import type { People } from "../../../src/trading/people/people.ts";

/** Starts the real app on a free port with scripted use cases, and checks every answer. */

export const NOW = Date.UTC(2026, 8, 21, 14, 30);
export const ACCOUNT = accountId("paper-1");
export const ES = "ESZ2026" as ContractCode;
export const QUOTA = { limit: 120, windowSeconds: 60, remaining: 119, resetSeconds: 60 };

export const apiKey = (scopes: readonly Scope[] = SCOPES): ApiKey => ({
  id: credentialId("key_1"),
  userId: userId("u_1"),
  name: "test",
  scopes,
  createdAt: NOW,
});

export const webhook: Webhook = {
  id: credentialId("wh_1"),
  userId: userId("u_1"),
  accountId: ACCOUNT,
  name: "Alerts",
  paused: false,
  options: {},
  createdAt: NOW,
};

export const account = {
  accountId: ACCOUNT,
  name: "Practice",
  connectionId: connectionId("paper"),
  broker: "paper",
  environment: "demo",
  currency: "USD",
  active: true,
  connectionStatus: "CONNECTED",
} as const;

export const filled = {
  kind: "done",
  result: {
    kind: "PLACE",
    contract: ES,
    order: {
      orderId: orderId("4000001"),
      ordStatus: "FILLED",
      cumQty: 1,
      avgPx: { numerator: 20_001, denominator: 1 },
    },
  },
} as const satisfies Outcome;

export const flattened = {
  kind: "done",
  result: {
    kind: "FLATTEN",
    closed: [{ contract: ES, netQty: -2, orderId: orderId("4000009") }],
    canceledOrderIds: [orderId("4000002")],
    remaining: [],
    remainingOrderIds: [],
    problems: [],
  },
} as const satisfies Outcome;

export const placeIntent = {
  kind: "PLACE",
  order: { contract: ES, side: "BUY", orderQty: 1, ordType: "MARKET", timeInForce: "DAY" },
} as const satisfies Intent;
export const flattenIntent: Intent = { kind: "FLATTEN", cancelResting: true };

export function record(outcome: Outcome, intent: Intent = placeIntent) {
  return {
    intentId: intentId("01J8ZK3V7M"),
    accountId: ACCOUNT,
    userId: userId("u_1"),
    source: { kind: "api" },
    requestId: "first-request",
    intent,
    state: outcome.kind.toUpperCase() as IntentState,
    clOrdIds: [],
    acceptedAt: NOW,
    entryExpiresAt: NOW + 30_000,
    exitExpiresAt: NOW + 600_000,
    sentAt: NOW + 5,
    settledAt: NOW + 50,
    outcome,
  } satisfies IntentRecord;
}

export const settled = (outcome: Outcome, intent?: Intent, replayed = false) => ({
  record: record(outcome, intent),
  replayed,
});

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests reach into bodies freely
  readonly body: any;
}

export interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

interface Script {
  readonly patience?: NonNullable<HttpAppDeps["patience"]>;
  readonly streams?: NonNullable<HttpAppDeps["streams"]>;
  readonly gateway?: Partial<Gateway>;
  readonly people?: Partial<People>;
  /** What every use case does that is not scripted. */
  readonly otherwise?: () => Promise<never>;
  readonly publicUrl?: string;
  readonly console?: StaticFiles;
  readonly runbook?: StaticFiles;
  readonly admitSession?: (secret: string) => Promise<Admission<Session>>;
  readonly admitKey?: (secret: string) => Promise<Admission<ApiKey>>;
  readonly admitWebhook?: (secret: string) => Promise<Admission<Webhook>>;
  readonly readiness?: HttpAppDeps["readiness"];
  readonly metrics?: HttpAppDeps["metrics"];
}

export const admitted = <Credential>(credential: Credential): Admission<Credential> => ({
  kind: "admitted",
  credential,
  now: NOW,
  quota: QUOTA,
});

const ROOTS: ReadonlySet<string> = new Set(products.map(({ root }) => root));

const running: { stop: (options: { deadlineMs: number }) => Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.stop({ deadlineMs: 0 })));
});

export async function startApp(script: Script = {}) {
  const calls: Call[] = [];
  const seen: { name: string; value: unknown }[] = [];
  const tell = (name: string) => (value: unknown) => void seen.push({ name, value });
  const deps: HttpAppDeps = {
    gateway: scripted(script.gateway ?? {}, calls, script.otherwise),
    people: scripted(
      { findEndedSessions: async () => [], ...script.people },
      calls,
      script.otherwise,
    ),
    admissions: {
      admitKey:
        script.admitKey ??
        (async (secret) => (secret === "good" ? admitted(apiKey()) : { kind: "unknown" })),
      admitWebhook:
        script.admitWebhook ??
        (async (secret) => (secret === "token" ? admitted(webhook) : { kind: "unknown" })),
      admitSession: script.admitSession ?? (async () => ({ kind: "unknown" })),
    },
    describeContract: () => ({
      symbol: "ESZ6",
      tickSize: "0.25",
      tickValue: "12.50",
      currency: "USD",
    }),
    isRoot: (text) => ROOTS.has(text),
    products,
    guardPresets,
    observer: {
      requestFinished: tell("requestFinished"),
      requestFailed: tell("requestFailed"),
      changeMade: (audit, who, changed) => tell("changeMade")({ ...audit, ...who, ...changed }),
      authFailed: tell("authFailed"),
      rateLimited: tell("rateLimited"),
      streamsOpen: tell("streamsOpen"),
      streamDropped: tell("streamDropped"),
    },
    publishChange: tell("tellChange"),
    readiness: script.readiness ?? (async () => ({ ready: true, checks: { store: true } })),
    metrics: script.metrics ?? (async () => "gateway_up 1\n"),
    publicUrl: () => script.publicUrl ?? "https://gateway.example/",
    ...(script.console !== undefined && { console: script.console }),
    ...(script.runbook !== undefined && { runbook: script.runbook }),
    version: "1.2.3",
    ...(script.patience !== undefined && { patience: script.patience }),
    ...(script.streams !== undefined && { streams: script.streams }),
  };
  const app = createHttpApp(deps);
  running.push(app);
  const { port } = await app.start({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${port}`;
  return { app, port, url, calls, seen, deps, ...client(url) };
}

/** Use cases that are not scripted count their call and fail. */
function scripted<Uses extends Gateway | People>(
  script: Partial<Uses>,
  calls: Call[],
  otherwise?: () => Promise<never>,
): Uses {
  return new Proxy({} as Uses, {
    get:
      (_, name: keyof Uses & string) =>
      (...args: unknown[]) => {
        // What the streams' own timer asks is nobody's call.
        if (name !== "findEndedSessions") calls.push({ name, args });
        const use = (script[name] ?? otherwise) as
          | ((...args: unknown[]) => Promise<unknown>)
          | undefined;
        if (use === undefined) throw new Error(`secret detail: ${name} has no script`);
        return use(...args);
      },
  });
}

function client(url: string) {
  async function request(method: string, path: string, init: RequestInit = {}): Promise<Reply> {
    const response = await fetch(`${url}${path}`, { ...init, method });
    const text = await response.text();
    const type = response.headers.get("content-type") ?? "";
    const isJson = type.startsWith("application/json") && text !== "";
    const reply = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? (JSON.parse(text) as unknown) : undefined,
    };
    checkReply(method, path, reply);
    return reply;
  }
  const key = { "x-api-key": "good" };
  const json = { ...key, "content-type": "application/json" };
  return {
    request,
    get: (path: string, headers: Record<string, string> = {}) =>
      request("GET", path, { headers: { ...key, ...headers } }),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      request("POST", path, { headers: { ...json, ...headers }, body: asText(body) }),
    send: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      request(method, path, {
        headers: { ...(body === undefined ? key : json), ...headers },
        ...(body !== undefined && { body: asText(body) }),
      }),
    alert: (body: unknown, headers: Record<string, string> = {}) =>
      request("POST", "/hooks/token", { headers, body: asText(body) }),
  };
}

const asText = (body: unknown) =>
  typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body);

/** Sends exactly these bytes and answers with everything that came back until the end. */
export async function rawExchange(port: number, chunks: readonly string[], pauseMs = 0) {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += String(chunk)));
  socket.on("error", () => undefined);
  const closed = once(socket, "close");
  for (const chunk of chunks) {
    socket.write(chunk);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await closed;
  const [head = "", body = ""] = received.split("\r\n\r\n");
  return { received, status: Number(head.split(" ")[1]), head, body };
}

// The document that every reply of every test is held against.

export const routes = createRoutes({ publicUrl: () => "https://gateway.example" } as HttpAppDeps);
export const openApi = withResponses(
  toOpenApi(routes, {
    publicUrl: "https://gateway.example",
    version: "1.2.3",
  }) as unknown as ApiDocument,
);

interface ApiDocument {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, unknown>;
    readonly responses: Record<string, Response>;
  };
}

interface Response {
  readonly $ref?: string;
  readonly headers?: Record<string, object>;
  readonly content?: Record<string, Media>;
}

export interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly responses: Record<string, Response>;
  readonly requestBody?: { content: Record<string, Media> };
}

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Record<string, { value: unknown }>;
}

/** What several operations answer is said once, and stands at each of them here. */
function withResponses(document: ApiDocument): ApiDocument {
  const { responses } = document.components;
  const paths = structuredClone(document.paths);
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const [status, { $ref }] of Object.entries(operation.responses)) {
      if ($ref === undefined) continue;
      const response = responses[$ref.replace("#/components/responses/", "")];
      assert(response !== undefined, `the document has ${$ref}`);
      operation.responses[status] = response;
    }
  }
  return { ...document, paths };
}

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { "date-time": /^\d{4}-.*Z$/, date: /^\d{4}-\d{2}-\d{2}$/ },
});
ajv.addSchema(closed({ ...openApi, $id: "api" }) as object);

/** A reply may say nothing that the document does not: every object is closed for the tests. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([k, v]) => [k, closed(v)]));
  const isSchema = copy["type"] === "object" && copy["properties"] !== undefined;
  return isSchema ? { additionalProperties: false, ...copy } : copy;
}

function checkReply(method: string, path: string, { status, headers, text, body }: Reply): void {
  expect(headers.get("x-request-id")).toMatch(/^[A-Za-z0-9_.:-]{1,64}$/);
  expect(text).not.toMatch(/<html|\n {4}at |secret detail|node_modules/i);
  if (status >= 400 && !path.startsWith("/readyz")) {
    expect([text, validator("#/components/schemas/Error")(body)]).toEqual([text, true]);
  }
  if (method === "HEAD" || method === "OPTIONS" || status === 405) return;
  const [template, operation] = operationAt(method, path);
  if (operation === undefined) {
    expect(body.error.code).toBe("NOT_FOUND");
    return;
  }
  const response = operation.responses[status];
  const name = `${method} ${template} ${status}`;
  expect([name, response !== undefined]).toEqual([name, true]);
  const told = [...headers.keys()].filter((header) => COMMON_HEADER.test(header));
  const declared = Object.keys(response?.headers ?? {}).map((header) => header.toLowerCase());
  expect({ name, declared }).toEqual({ name, declared: expect.arrayContaining(told) as unknown });
  if (status >= 400 && body.error !== undefined) {
    const examples = response?.content?.["application/json"]?.examples ?? {};
    expect({ name, codes: Object.keys(examples) }).toEqual({
      name,
      codes: expect.arrayContaining([body.error.code]) as unknown,
    });
  }
  if (response?.content?.["application/json"] === undefined) return;
  const escaped = template.replaceAll("~", "~0").replaceAll("/", "~1");
  const pointer = `#/paths/${escaped}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
  const validate = validator(pointer);
  validate(body);
  expect({ name, errors: validate.errors }).toEqual({ name, errors: null });
}

/** What the layers around the routes add for callers; the other headers are the browser's. */
const COMMON_HEADER = /^(ratelimit|x-ratelimit|x-request-id|retry-after)/;

const TEMPLATES = Object.keys(openApi.paths).map(
  (path) => [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`)] as const,
);

function operationAt(method: string, path: string): [string, Operation | undefined] {
  const plain = (path.split("?")[0] ?? "").replace(/^\/api\/v1/, "/v1");
  const template = TEMPLATES.find(([, pattern]) => pattern.test(plain))?.[0];
  return [template ?? "", openApi.paths[template ?? ""]?.[method.toLowerCase()]];
}

const validators = new Map<string, ValidateFunction>();

export function validator(pointer: string): ValidateFunction {
  const known = validators.get(pointer) ?? ajv.compile({ $ref: `api${encodeURI(pointer)}` });
  validators.set(pointer, known);
  return known;
}
