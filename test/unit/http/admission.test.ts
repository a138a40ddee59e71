import { describe, expect, test } from "vitest";
import { account, admitted, apiKey, NOW, QUOTA, routes, startApp } from "./http-kit.ts";

const ORDERS = "/v1/accounts/paper-1/orders";

describe("API keys", () => {
  test.each([{}, { "x-api-key": "" }, { "x-api-key": "wrong" }, { "x-api-key": "a b" }])(
    "%j is a 401",
    async (headers) => {
      const app = await startApp();
      const reply = await app.request("POST", ORDERS, { headers, body: "not even JSON" });
      expect([reply.status, reply.body.error.code]).toEqual([401, "UNAUTHORIZED"]);
      expect(reply.headers.get("www-authenticate")).toContain("X-API-Key");
      expect(app.calls).toEqual([]);
    },
  );

  test("a use case is told who asks, when, and in which request", async () => {
    const app = await startApp({ gateway: { listAccounts: async () => ({ items: [account] }) } });
    const { headers } = await app.get("/v1/accounts", { "x-request-id": "mine-1" });
    expect(headers.get("x-request-id")).toBe("mine-1");
    expect(app.calls[0]?.args[0]).toEqual({
      userId: "u_1",
      credentialId: "key_1",
      scopes: ["read", "trade", "manage", "notify"],
      receivedAt: NOW,
      requestId: "mine-1",
    });
  });

  test.each(["a b", "<script>", "x".repeat(65), ""])("X-Request-Id %j is replaced", async (id) => {
    const app = await startApp();
    const { headers } = await app.get("/healthz", { "x-request-id": id });
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("every route asks for its scope, before it looks at anything else", async () => {
    const app = await startApp({
      admitKey: async (secret) => admitted(apiKey(secret === "read" ? ["read"] : ["trade"])),
    });
    for (const route of routes) {
      if (route.kind !== "api") continue;
      const other = route.scope === "read" ? "trade" : "read";
      const path = route.path.replaceAll(/\{\w+\}/g, "paper-1");
      const { status, body } = await app.request(route.method, path, {
        headers: { "x-api-key": other },
      });
      expect([route.id, status, body.error.code]).toEqual([route.id, 403, "INSUFFICIENT_SCOPE"]);
    }
    expect(app.calls).toEqual([]);
  });

  test("only reads need the read scope alone", () => {
    const reads = routes.filter((route) => route.kind === "api" && route.scope === "read");
    expect(reads.every(({ method }) => method === "GET")).toBe(true);
    const trades = routes.filter((route) => route.kind === "api" && route.scope === "trade");
    expect(trades.some(({ method }) => method === "GET")).toBe(false);
  });

  test("a request too many is a 429 that says when to come back", async () => {
    const app = await startApp({
      admitKey: async () => ({
        kind: "limited",
        now: NOW,
        credential: apiKey(),
        quota: { ...QUOTA, remaining: 0, resetSeconds: 11.5 },
      }),
    });
    const { status, body, headers } = await app.post(ORDERS, "not even JSON");
    expect([status, body.error.code, body.error.retry]).toEqual([429, "RATE_LIMITED", "safe"]);
    expect(headers.get("retry-after")).toBe("12");
    expect(headers.get("ratelimit")).toBe('"default";r=0;t=12');
    expect(headers.get("x-ratelimit-reset")).toBe("12");
    expect(app.seen).toContainEqual({ name: "rateLimited", value: "key" });
  });
});

describe("paths and methods", () => {
  test.each(["/", "/v1", "/v1/nope", "/v2/accounts", "/api/hooks/token", "/V1/accounts", "//"])(
    "%s is a 404",
    async (path) => {
      const app = await startApp();
      const { status, body } = await app.get(path);
      expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    },
  );

  test.each(["/v1/accounts/paper-1/orders", "/api/v1/accounts/paper-1/orders"])(
    "%s has two methods and says so",
    async (path) => {
      const app = await startApp();
      const wrong = await app.send("PUT", path, {});
      expect([wrong.status, wrong.body.error.code]).toEqual([405, "METHOD_NOT_ALLOWED"]);
      expect(wrong.headers.get("allow")).toBe("POST, HEAD, GET, OPTIONS");
      const options = await app.send("OPTIONS", path);
      expect([options.status, options.text]).toEqual([204, ""]);
      expect(options.headers.get("allow")).toBe("POST, HEAD, GET, OPTIONS");
    },
  );

  test("OPTIONS of an unknown path is a 404", async () => {
    const app = await startApp();
    expect((await app.send("OPTIONS", "/nope")).status).toBe(404);
  });

  test("HEAD answers as GET does, without the body", async () => {
    const app = await startApp({ gateway: { listAccounts: async () => ({ items: [] }) } });
    const get = await app.get("/v1/accounts");
    const head = await app.send("HEAD", "/v1/accounts");
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
  });

  test("both prefixes are one route to the observer", async () => {
    const app = await startApp({ gateway: { listAccounts: async () => ({ items: [] }) } });
    await app.get("/v1/accounts");
    await app.get("/api/v1/accounts");
    const told = app.seen.map(({ value }) => (value as { route: string }).route);
    expect(told).toEqual(["/v1/accounts", "/v1/accounts"]);
  });
});

describe("operations", () => {
  test("liveness asks nobody", async () => {
    const { status, body } = await (await startApp()).request("GET", "/healthz");
    expect([status, body]).toEqual([200, { status: "ok" }]);
  });

  test.each([
    [true, 200],
    [false, 503],
  ])("ready %j is a %i", async (ready, status) => {
    const app = await startApp({ readiness: async () => ({ ready, checks: { store: ready } }) });
    const reply = await app.request("GET", "/readyz");
    expect([reply.status, reply.body]).toEqual([status, { ready, checks: { store: ready } }]);
  });

  test("metrics are text", async () => {
    const { text, headers } = await (await startApp()).request("GET", "/metrics");
    expect(text).toBe("gateway_up 1\n");
    expect(headers.get("content-type")).toContain("version=0.0.4");
  });

  test.each(["/api-docs", "/api-docs/openapi.json"])("%s serves the document", async (path) => {
    const { body } = await (await startApp()).request("GET", path);
    expect(body.openapi).toBe("3.1.0");
    expect(body.info.version).toBe("1.2.3");
  });
});
