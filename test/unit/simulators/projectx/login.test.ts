import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestClient } from "./test-client.ts";

const DAY_MS = 24 * 3_600_000;

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
});
afterEach(() => client.close());

const statusOf = async (path: string, body: object = {}): Promise<number> =>
  (await client.request(path, body)).status;

const search = () => statusOf("Account/search", { onlyActiveAccounts: true });

function claimsOf(token: string): { readonly iat: number; readonly exp: number } {
  const [, claims = ""] = token.split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as never;
}

describe("a login", () => {
  test("answers a JWT that says when it ends", async () => {
    const askedAt = Date.now();
    const answer = await client.post("Auth/loginKey", { userName: "joe", apiKey: "key" });
    expect(answer).toMatchObject({ success: true, errorCode: 0, errorMessage: null });
    const { iat, exp } = claimsOf(String(answer["token"]));
    expect(exp - iat).toBe(DAY_MS / 1_000);
    expect(iat).toBeGreaterThanOrEqual(Math.floor(askedAt / 1_000));
    expect(iat).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000));
  });

  test("is refused by its own codes", async () => {
    await client.control({ knob: "user", name: "jane", apiKey: "right" });
    await client.control({ knob: "takesAnyone", isOn: false });
    const wrongKey = await client.post("Auth/loginKey", { userName: "jane", apiKey: "wrong" });
    expect(wrongKey).toMatchObject({ success: false, errorCode: 3, token: null });
    const nobody = await client.post("Auth/loginKey", { userName: "nobody", apiKey: "x" });
    expect(nobody).toMatchObject({ success: false, errorCode: 1 });
    expect(await statusOf("Auth/loginKey", { userName: "jane" })).toBe(400);
  });

  test("may be that of an application, with a password", async () => {
    const app = { userName: "joe", password: "x", deviceId: "d", appId: "a", verifyKey: "v" };
    expect(await client.post("Auth/loginApp", app)).toMatchObject({ success: true });
    expect(await client.post("Auth/loginApp", { ...app, password: "y" })).toMatchObject({
      errorCode: 3,
    });
  });
});

describe("a token", () => {
  beforeEach(() => client.logIn());

  test("is wanted for everything but a login and a ping", async () => {
    const ping = await fetch(`${client.url}/api/Status/ping`);
    expect([ping.status, await ping.text()]).toEqual([200, "pong"]);
    client.token = "x";
    expect(await search()).toBe(401);
    expect(await statusOf("Auth/validate")).toBe(401);
    expect(await statusOf("Order/placeAnything")).toBe(404);
  });

  test("ends after a day of the broker's time", async () => {
    await client.control({ knob: "advance", ms: DAY_MS - 60_000 });
    expect(await search()).toBe(200);
    await client.control({ knob: "advance", ms: 60_000 });
    expect(await search()).toBe(401);
  });

  test("is renewed by another one, and lives on to its end", async () => {
    await client.control({ knob: "advance", ms: 1_000 });
    const old = client.token;
    const { newToken } = await client.post("Auth/validate", {});
    expect(claimsOf(String(newToken)).exp).toBeGreaterThan(claimsOf(old).exp);
    expect(await search()).toBe(200);
    client.token = String(newToken);
    expect(await search()).toBe(200);
  });

  test("is over after a logout, or once a test says so", async () => {
    await client.post("Auth/logout", {});
    expect(await search()).toBe(401);
    await client.logIn();
    await client.control({ knob: "expireTokens", user: "joe" });
    expect(await search()).toBe(401);
  });

  test("may be refused by the codes of validation", async () => {
    await client.control({ knob: "set", validateRefuses: "code" });
    await client.control({ knob: "expireTokens" });
    const over = await client.post("Auth/validate", {});
    expect(over).toMatchObject({ success: false, errorCode: 3, newToken: null });
    client.token = "x";
    expect(await client.post("Auth/validate", {})).toMatchObject({ errorCode: 1 });
    expect(await search()).toBe(401);
  });
});

describe("accounts", () => {
  test("are the user's own, with what they may do", async () => {
    await client.control({ knob: "user", name: "jane", apiKey: "key", accounts: 3 });
    await client.logIn("jane");
    const list = async (onlyActiveAccounts: boolean) =>
      (await client.post("Account/search", { onlyActiveAccounts }))["accounts"] as object[];
    expect((await list(true))[0]).toEqual({
      id: expect.any(Number) as number,
      name: "jane-1",
      balance: 50_000,
      canTrade: true,
      isVisible: true,
      simulated: true,
    });
    await client.control({ knob: "account", account: "jane-2", canTrade: false });
    await client.control({ knob: "account", account: "jane-3", isVisible: false });
    expect(await list(true)).toHaveLength(1);
    expect(await list(false)).toHaveLength(3);
    await client.control({ knob: "account", account: "jane-1", isListed: false });
    expect(await list(false)).toHaveLength(2);
    await client.control({ knob: "account", account: "jane-1", isListed: true });
    expect(await list(false)).toHaveLength(3);
    const others = { accountId: 1 };
    expect(await client.post("Position/searchOpen", others)).toMatchObject({ errorCode: 1 });
    expect(await client.post("Order/place", { ...others })).toMatchObject({ errorCode: 1 });
  });
});

describe("too many requests", () => {
  beforeEach(() => client.logIn());

  test("are refused until some of them are a minute old", async () => {
    // The client has logged in, and asked for its accounts.
    for (let n = 2; n < 200; n += 1) expect(await search()).toBe(200);
    expect(await search()).toBe(429);
    expect(await statusOf("Order/place")).toBe(429);
    expect(await statusOf("Auth/loginKey", { userName: "joe", apiKey: "key" })).toBe(429);
    await client.control({ knob: "advance", ms: 60_000 });
    expect(await search()).toBe(200);
  });

  test("are counted apart for bars", async () => {
    const bars = {
      contractId: "CON.F.US.EP.Z26",
      live: false,
      startTime: "2026-11-01T00:00:00Z",
      endTime: "2026-11-01T01:00:00Z",
      unit: 2,
      unitNumber: 1,
      limit: 1,
      includePartialBar: false,
    };
    for (let n = 0; n < 50; n += 1) expect(await statusOf("History/retrieveBars", bars)).toBe(200);
    expect(await statusOf("History/retrieveBars", bars)).toBe(429);
    expect(await search()).toBe(200);
    await client.control({ knob: "advance", ms: 30_000 });
    expect(await statusOf("History/retrieveBars", bars)).toBe(200);
  });

  test("are those of the user's other programs too, and limits can be set", async () => {
    await client.control({ knob: "useQuota", user: "joe", requests: 199 });
    expect(await search()).toBe(429);
    await client.control({ knob: "set", user: "joe", requestsPerMinute: 300 });
    expect(await search()).toBe(200);
  });
});

test("a browser may ask from any page", async () => {
  const headers = {
    origin: "http://localhost:3000",
    "access-control-request-headers": "authorization",
  };
  const asked = await fetch(`${client.url}/api/Account/search`, { method: "OPTIONS", headers });
  expect(asked.status).toBe(204);
  expect(asked.headers.get("access-control-allow-origin")).toBe("http://localhost:3000");
  expect(asked.headers.get("access-control-allow-headers")).toBe("authorization");
  expect((await fetch(`${client.url}/api/Account/search`)).status).toBe(405);
});
