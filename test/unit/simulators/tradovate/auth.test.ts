import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
});
afterEach(() => client.close());

const MINUTE_MS = 60_000;
const CREDENTIALS = { name: "joe", password: "secret" };
const logInBody = (extra: object = {}) => ({ ...CREDENTIALS, cid: "8", sec: "s", ...extra });

describe("a login", () => {
  test("is answered with both tokens, and good for ninety minutes", async () => {
    const answer = await client.logIn();
    expect(answer).toMatchObject({ userStatus: "Active", name: "joe", hasLive: true });
    expect(answer["mdAccessToken"]).toEqual(expect.any(String));
    const life = Date.parse(String(answer["expirationTime"])) - Date.now();
    expect(Math.round(life / MINUTE_MS)).toBe(90);
  });

  test("with a wrong password is a 200 with words", async () => {
    await client.logIn();
    const { status, text } = await client.request(
      "POST",
      "auth/accesstokenrequest",
      logInBody({ password: "wrong" }),
      "",
    );
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ errorText: expect.stringContaining("Incorrect username") });
  });

  test("of a stranger fails where only registered users are let in", async () => {
    await client.control({ knob: "takesAnyone", isOn: false });
    expect(await client.logIn()).toHaveProperty("errorText");
    await client.control({ knob: "user", name: "joe", password: "secret", accounts: 3 });
    await client.logIn();
    expect(await client.list("account")).toHaveLength(3);
  });

  test("is told what the broker was told to say", async () => {
    await client.control({ knob: "set", user: "joe", loginError: "Account is locked" });
    expect(await client.logIn()).toEqual({ errorText: "Account is locked" });
  });

  test.each([[{}], [{ name: "joe" }], [{ ...CREDENTIALS, name: "x".repeat(65) }]])(
    "without its fields is malformed: %j",
    async (body) => {
      const answer = await client.request("POST", "auth/accesstokenrequest", body, "");
      expect(answer.status).toBe(400);
    },
  );
});

describe("a token", () => {
  test("expires, and says so", async () => {
    await client.logIn();
    await client.control({ knob: "advance", ms: 90 * MINUTE_MS });
    const answer = await client.request("GET", "account/list");
    expect(answer).toEqual({ status: 401, text: "Expired Access Token" });
    expect((await client.request("GET", "auth/renewaccesstoken")).status).toBe(401);
  });

  test.each(["GET", "POST"])("is renewed by %s, in the same session", async (method) => {
    await client.logIn();
    await client.logIn();
    await client.control({ knob: "advance", ms: 75 * MINUTE_MS });
    const { status, text } = await client.request(
      method,
      "auth/renewaccesstoken",
      method === "POST" ? {} : undefined,
    );
    expect(status).toBe(200);
    client.token = (JSON.parse(text) as { accessToken: string }).accessToken;
    await client.control({ knob: "advance", ms: 30 * MINUTE_MS });
    expect((await client.request("GET", "account/list")).status).toBe(200);
  });

  test("that nobody gave out is denied", async () => {
    for (const token of ["", "x"]) {
      const answer = await client.request("GET", "account/list", undefined, token);
      expect(answer).toEqual({ status: 401, text: "Access is denied" });
    }
  });

  test("of another environment is forbidden", async () => {
    await client.logIn();
    await client.control({ knob: "set", wrongEnvironment: true });
    expect((await client.request("GET", "account/list")).status).toBe(403);
  });

  test("for market data is as good as the other, unless that is turned off", async () => {
    await client.logIn();
    const ask = () => client.request("GET", "account/list", undefined, client.mdToken);
    expect((await ask()).status).toBe(200);
    await client.control({ knob: "set", takesMdToken: false });
    expect((await ask()).status).toBe(401);
  });

  test("tells who has it", async () => {
    await client.logIn();
    expect(await client.get("auth/me")).toMatchObject({ userId: client.userId, fullName: "joe" });
  });
});

describe("the third session", () => {
  test.each([408, 502, 401] as const)("ends the oldest, whose calls answer %d", async (status) => {
    await client.control({ knob: "set", killedSessionStatus: status });
    await client.logIn();
    const [oldest, socket] = [client.token, await client.sync()];
    await client.logIn();
    const second = client.token;
    await client.logIn();
    expect((await client.request("GET", "account/list", undefined, oldest)).status).toBe(status);
    for (const token of [second, client.token]) {
      expect((await client.request("GET", "account/list", undefined, token)).status).toBe(200);
    }
    await socket.waitForClose();
    expect(socket.messages.at(-1)).toMatchObject({
      e: "shutdown",
      d: { reasonCode: "ConnectionQuotaReached" },
    });
  });

  test("may leave the oldest one's socket up and silent", async () => {
    await client.control({ knob: "set", killedSockets: "silent" });
    await client.logIn();
    const socket = await client.sync();
    const frames = socket.frames.length;
    await client.logIn();
    await client.logIn();
    await client.place();
    expect(socket.frames.length).toBe(frames);
    expect(socket.isClosed).toBe(false);
  });

  test("is let in beside the others where more are allowed", async () => {
    await client.control({ knob: "set", sessionLimit: 3 });
    await client.logIn();
    const oldest = client.token;
    await client.logIn();
    await client.logIn();
    expect((await client.request("GET", "account/list", undefined, oldest)).status).toBe(200);
  });
});

describe("the device", () => {
  test.each([
    ["demo", "live", 200],
    ["live", "live", 401],
    ["demo", "always", 401],
    ["live", "never", 200],
  ] as const)(
    "is asked for on %s, where it is wanted %s: %d",
    async (environment, when, status) => {
      await client.control({ knob: "set", environment, deviceIdForOrders: when });
      await client.logIn("joe", { deviceId: undefined });
      const answer = await client.request("POST", "order/placeorder", client.order());
      expect(answer.status).toBe(status);
    },
  );
});

describe("the time penalty", () => {
  const ticketFault = (captcha: boolean) =>
    client.control({
      knob: "fault",
      endpoint: "auth/accesstokenrequest",
      fault: { kind: "ticket", seconds: 15, captcha },
    });

  test("is over when the ticket comes back after its time", async () => {
    await ticketFault(false);
    const penalty = await client.logIn();
    expect(penalty).toMatchObject({ "p-time": 15, "p-captcha": false });
    await client.control({ knob: "advance", ms: 15_000 });
    const answer = await client.logIn("joe", { "p-ticket": penalty["p-ticket"] });
    expect(answer).toHaveProperty("accessToken");
  });

  test("begins anew when the ticket comes too soon", async () => {
    await ticketFault(false);
    const penalty = await client.logIn();
    const again = await client.logIn("joe", { "p-ticket": penalty["p-ticket"] });
    expect(again).toHaveProperty("p-ticket");
    expect(again["p-ticket"]).not.toBe(penalty["p-ticket"]);
  });

  test("with a captcha is beyond a program", async () => {
    await ticketFault(true);
    const penalty = await client.logIn();
    await client.control({ knob: "advance", ms: 60_000 });
    const again = await client.logIn("joe", { "p-ticket": penalty["p-ticket"] });
    expect(again).toMatchObject({ "p-captcha": true });
  });

  test("of an order means that it was not placed, and the ticket places it once", async () => {
    await client.logIn();
    await client.control({ knob: "fault", fault: { kind: "ticket", seconds: 1 } });
    const penalty = await client.place();
    expect(await client.list("order")).toEqual([]);
    await client.control({ knob: "advance", ms: 1_000 });
    await client.place({ "p-ticket": penalty["p-ticket"] });
    expect(await client.list("order")).toHaveLength(1);
  });
});

describe("the limits", () => {
  const ask = async () => (await client.request("GET", "account/list")).status;

  test("warn, then lock out for an hour that each request begins anew", async () => {
    await client.control({ knob: "set", userLimit: { perMinute: 3 }, tokenLifeMs: 1e9 });
    await client.logIn();
    const statuses = [await ask(), await ask(), await ask(), await ask(), await ask()];
    expect(statuses).toEqual([200, 200, 423, 429, 429]);
    await client.control({ knob: "advance", ms: 59 * MINUTE_MS });
    expect(await ask()).toBe(429);
    await client.control({ knob: "advance", ms: 59 * MINUTE_MS });
    expect(await ask()).toBe(429);
    await client.control({ knob: "advance", ms: 61 * MINUTE_MS });
    expect(await ask()).toBe(200);
  });

  test("may lock out without a warning, and the answer has no body", async () => {
    await client.logIn();
    await client.control({
      knob: "set",
      warnsBeforeLockout: false,
      endpointLimits: { "order/list": { perHour: 1 } },
    });
    expect((await client.request("GET", "order/list")).status).toBe(200);
    expect(await client.request("GET", "order/list")).toEqual({ status: 429, text: "" });
    expect(await ask()).toBe(200);
  });

  test("over the socket are answers without a body", async () => {
    await client.logIn();
    const socket = await client.sync();
    await client.control({ knob: "lockOut", user: "joe", ms: MINUTE_MS });
    expect(await socket.ask("account/list")).toEqual({ s: 429, i: expect.any(Number) });
  });

  test("of logins count the failed ones only", async () => {
    await client.control({ knob: "set", sessionLimit: 20 });
    for (let n = 0; n < 8; n += 1) expect(await client.logIn()).toHaveProperty("accessToken");
    const fail = async () =>
      (await client.request("POST", "auth/accesstokenrequest", logInBody({ password: "x" }), ""))
        .status;
    const statuses: number[] = [];
    for (let n = 0; n < 7; n += 1) statuses.push(await fail());
    expect(statuses).toEqual([200, 200, 200, 200, 200, 423, 429]);
  });

  test("may want a pause between two requests", async () => {
    await client.logIn();
    await client.control({ knob: "set", endpointLimits: { "order/list": { gapMs: 60_000 } } });
    expect((await client.request("GET", "order/list")).status).toBe(200);
    await client.control({ knob: "advance", ms: 60_000 });
    expect((await client.request("GET", "order/list")).status).toBe(200);
    await client.control({ knob: "advance", ms: 1_000 });
    expect((await client.request("GET", "order/list")).status).toBe(423);
  });
});
