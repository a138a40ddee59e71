import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { describe, expect, test } from "vitest";
import { ERRORS } from "../../../../src/errors.ts";
import { openApi, type Operation, routes, validator } from "../http-kit.ts";

interface BodySchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
}

const operations: [string, Operation][] = Object.entries(openApi.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): [string, Operation] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

/** The specification's endpoints of this room, by number. */
const SPECIFIED = [
  "GET /v1/accounts",
  "GET /v1/accounts/{id}/positions",
  "GET /v1/accounts/{id}/orders",
  "GET /v1/accounts/{id}/working-orders",
  "POST /v1/accounts/{id}/orders",
  "DELETE /v1/accounts/{id}/orders/{orderId}",
  "POST /v1/accounts/{id}/protect",
  "DELETE /v1/accounts/{id}/positions",
  "POST /v1/webhooks",
  "GET /v1/user",
];

/** One schema, and those that it refers to. */
function withItsParts(name: string, found: Record<string, unknown> = {}): Record<string, unknown> {
  found[name] = openApi.components.schemas[name];
  const parts = JSON.stringify(found[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  for (const [, part = ""] of parts) if (!(part in found)) withItsParts(part, found);
  return found;
}

describe("the API document", () => {
  test("describes every route once", () => {
    const documented = operations.map(([name]) => name);
    expect(documented).toEqual(expect.arrayContaining(SPECIFIED));
    expect(new Set(documented)).toEqual(new Set(routes.map((r) => `${r.method} ${r.path}`)));
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(routes.length);
  });

  test("names the scope that each route needs", () => {
    const unnamed = routes.filter((route) => {
      const operation = openApi.paths[route.path]?.[route.method.toLowerCase()];
      return route.kind === "api" && !operation?.description.includes(`scope ${route.scope}`);
    });
    expect(unnamed).toEqual([]);
  });

  test("knows every error code of the registry, at its status, and no other", () => {
    // Every path may answer the first one; the second is how a copy ends, and no answer.
    const documented = new Set<string>(["METHOD_NOT_ALLOWED", "EXITS_ONLY"]);
    for (const [name, { responses }] of operations) {
      for (const [status, response] of Object.entries(responses)) {
        const media = response.content?.["application/json"];
        if (Number(status) < 400 || media?.examples === undefined) continue;
        for (const code of Object.keys(media.examples)) {
          documented.add(code);
          const spec = ERRORS[code as keyof typeof ERRORS];
          const isDeviation = name.startsWith("POST /hooks") && spec.status === 502;
          const expected = isDeviation ? 422 : spec.status;
          expect([name, code, Number(status)]).toEqual([name, code, expected]);
        }
      }
    }
    expect([...documented].sort()).toEqual(Object.keys(ERRORS).sort());
  });

  test("declares once the headers that every answer has, and refers to them", () => {
    const place = openApi.paths["/v1/accounts/{id}/orders"]?.["post"]?.responses ?? {};
    const named = (status: number) => Object.keys(place[status]?.headers ?? {});
    const quota = ["RateLimit-Policy", "RateLimit"].concat(
      ["Limit", "Remaining", "Reset"].map((name) => `X-RateLimit-${name}`),
    );
    expect(named(201)).toEqual(expect.arrayContaining(["X-Request-Id", ...quota]));
    for (const status of [429, 503]) {
      expect(named(status)).toEqual(["X-Request-Id", ...quota, "Retry-After"]);
    }
    const without = operations.filter(([, { responses }]) =>
      Object.values(responses).some(({ headers }) => headers?.["X-Request-Id"] === undefined),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  test("says a body's defaults in words: generated clients need not give such a field", async () => {
    const { PlaceOrder } = openApi.components.schemas as Record<string, BodySchema>;
    expect(PlaceOrder?.required).toEqual(["symbol", "action"]);
    expect(PlaceOrder?.properties["type"]?.description).toBe('Left out, it is "market"');
    const schemas = withItsParts("PlaceOrder");
    const bodies = { ...openApi, paths: {}, webhooks: {}, components: { schemas } };
    const types = astToString(await openapiTS(structuredClone(bodies) as unknown as OpenAPI3));
    const body = /^ {8}PlaceOrder: \{.*?^ {8}\};/msu.exec(types)?.[0];
    expect(body).toMatch(/^ {12}type\?: "market"/m);
    expect(body).toMatch(/^ {12}timeInForce\?: "day"/m);
    expect(body).toMatch(/^ {12}symbol: /m);
  });

  test("a webhook never answers with a 5xx that would be sent again, but 503", () => {
    const hook = openApi.paths["/hooks/{token}"]?.["post"];
    const failures = Object.keys(hook?.responses ?? {}).filter((status) => status >= "500");
    expect(failures).toEqual(["503", "504"]);
  });

  test.each(operations)("the examples of %s are valid", (name, operation) => {
    const [method = "", path = ""] = name.split(" ");
    const base = `#/paths/${path.replaceAll("/", "~1")}/${method.toLowerCase()}`;
    const check = (pointer: string, value: unknown) => {
      const validate = validator(`${pointer}/content/application~1json/schema`);
      validate(value);
      expect(validate.errors).toBeNull();
    };
    const bodies = operation.requestBody?.content["application/json"]?.examples ?? {};
    for (const { value } of Object.values(bodies)) check(`${base}/requestBody`, value);
    for (const [status, response] of Object.entries(operation.responses)) {
      const media = response.content?.["application/json"];
      if (media?.example !== undefined) check(`${base}/responses/${status}`, media.example);
      for (const { value } of Object.values(media?.examples ?? {})) {
        check(`${base}/responses/${status}`, value);
      }
    }
  });
});
