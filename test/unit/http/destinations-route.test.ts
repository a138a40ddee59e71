import { describe, expect, test } from "vitest";
import {
  CHANNEL_KINDS,
  type ChannelKind,
  type DestinationId,
} from "../../../src/domain/notify/destination.ts";
import { EVENT_TYPES } from "../../../src/domain/notify/event.ts";
import { credentialId, userId } from "../../../src/domain/ids.ts";
import { exampleEvent } from "../../../src/http/schemas/event-examples.ts";
import type { DestinationView } from "../../../src/trading/notify/destination-uses.ts";
import { admitted, NOW, openApi, startApp, validator } from "./http-kit.ts";

const ID = "ds_1" as DestinationId;
const PATH = `/v1/destinations/${ID}`;
const ZONE = "America/Chicago";

const view: DestinationView = {
  id: ID,
  userId: userId("u_1"),
  kind: "telegram",
  name: "Me",
  settings: { botToken: true },
  rules: [],
  createdAt: NOW,
  isLinked: false,
  state: { waiting: 0, undelivered: 0, failures: 0 },
};

const SETTINGS = {
  webhook: { url: "https://journal.example/events" },
  discord: { url: "https://discord.com/api/webhooks/1/x" },
  telegram: { botToken: "1:x-and_y-0123" },
  slack: { url: "https://hooks.slack.com/services/x" },
  ntfy: { server: "https://ntfy.sh", topic: "x" },
  pushover: { appToken: "x", userKey: "y" },
  email: { host: "smtp.example", port: 587, from: "a@example.com", to: "b@example.com" },
  heartbeat: { url: "https://hc-ping.com/x" },
};

describe("a new destination", () => {
  const start = () =>
    startApp({
      gateway: { createDestination: async () => ({ destination: view, secret: "whsec_x" }) },
    });

  test.each(CHANNEL_KINDS)("of the kind %s", async (kind) => {
    const app = await start();
    const body = { kind, name: "Mine", settings: SETTINGS[kind] };
    const reply = await app.post("/v1/destinations", body);
    expect([reply.status, reply.body.secret]).toEqual([201, "whsec_x"]);
    expect(app.calls[0]?.args[1]).toEqual({ ...body, rules: [] });
    expect(app.seen).toContainEqual({
      name: "changeMade",
      value: expect.objectContaining({ destinationId: ID, kind: "telegram" }) as unknown,
    });
  });

  test("with everything that can be said of it", async () => {
    const app = await start();
    const terms = {
      name: "Me",
      rules: [{ types: ["order.filled"], accounts: ["paper-1"], tell: "silent" }],
      quietHours: { from: "22:30", to: "07:00", zone: ZONE },
      summary: { at: "16:05", zone: ZONE },
    };
    const flags = { inOrder: true, answers: true };
    const body = { kind: "telegram", settings: SETTINGS.telegram, ...terms, ...flags };
    expect((await app.post("/v1/destinations", body)).status).toBe(201);
    expect(app.calls[0]?.args[1]).toEqual(body);
    const off = { ...body, inOrder: false, answers: false };
    await app.post("/v1/destinations", off);
    const { inOrder: _, answers: __, ...rest } = body;
    expect(app.calls[1]?.args[1]).toEqual(rest);
  });

  const ntfy = { kind: "ntfy", name: "Phone", settings: SETTINGS.ntfy };
  test.each([
    [{}, "kind", /is needed/],
    [{ ...ntfy, kind: "fax" }, "kind", /one of webhook, discord, telegram/],
    [{ ...ntfy, settings: { server: "https://ntfy.sh" } }, "settings.topic", /is needed/],
    [{ ...ntfy, settings: { ...SETTINGS.ntfy, x: 1 } }, "settings.x", /is not a known field/],
    [{ ...ntfy, answers: true }, "answers", /is not a known field/],
    [{ ...ntfy, rules: [{ tell: "loud" }] }, "rules.0.tell", /one of on, silent, off/],
    [{ ...ntfy, rules: [{ types: ["x"], tell: "on" }] }, "rules.0.types.0", /one of order.filled/],
    [
      { ...ntfy, quietHours: { from: "24:00", to: "7:00", zone: ZONE } },
      "quietHours.from",
      /must look like 22:30/,
    ],
    [{ ...ntfy, summary: { at: "16:05", zone: "Mars/Base" } }, "summary.zone", /IANA/],
    [{ ...ntfy, summary: { at: "16:05", zone: "+02:00" } }, "summary.zone", /IANA/],
    [{ ...ntfy, name: "a\u001b[31m" }, "name", /^must hold no characters that cannot be seen/],
    [{ ...ntfy, name: "a\u009b31m" }, "name", /^must hold no characters that cannot be seen/],
    [{ ...ntfy, name: "a\u202eb" }, "name", /^must hold no characters that cannot be seen/],
  ])("%j is refused at %s", async (body, path, message) => {
    const app = await start();
    const reply = await app.post("/v1/destinations", body);
    expect(reply.status).toBe(400);
    const found = expect.stringMatching(message) as unknown;
    expect(reply.body.error.details).toContainEqual({ path, message: found });
    expect(app.calls).toEqual([]);
  });
});

/** Each can never work. */
const IMPOSSIBLE: readonly (readonly [ChannelKind, string, string, RegExp])[] = [
  ["ntfy", "topic", "a/b", /^must look like a-long-name-nobody-guesses$/],
  ["ntfy", "topic", "alerts\n", /^must look like/],
  ["ntfy", "token", "tk a", /^must be letters, digits and signs of ASCII, without spaces$/],
  ["ntfy", "token", "tk\r\nx-evil: 1", /without spaces$/],
  ["ntfy", "token", "t\u00f6ken", /without spaces$/],
  ["pushover", "appToken", "a b", /without spaces$/],
  ["pushover", "userKey", "\u0000", /without spaces$/],
  ["telegram", "botToken", "../getMe", /^must look like 123456:as-BotFather-gave-it$/],
  ["telegram", "botToken", "123456", /^must look like/],
  ["telegram", "botToken", "123456:not/for/anyone", /^must look like/],
  ["telegram", "chatId", "me", /^must look like -1001234567890$/],
  ["telegram", "chatId", "1 2", /^must look like/],
  ["email", "from", "a", /^must be one mail address such as you@example.com$/],
  ["email", "from", "A <a@example.com>", /^must be one mail address/],
  ["email", "to", "a@example.com,b@example.com", /^must be one mail address/],
  ["email", "to", "a@example.com\r\nBcc: b@example.com", /^must be one mail address/],
  ["email", "user", "a\u0000b", /^must not hold control characters$/],
  ["email", "password", "a\nb", /^must not hold control characters$/],
  ["email", "host", "https://smtp.example", /^must look like smtp.example.com$/],
  ["email", "host", "smtp.example\r\nQUIT", /^must look like smtp.example.com$/],
  ["email", "host", "smtp.example:25", /^must be a host's name/],
  ["email", "host", "a..b", /^must be a host's name/],
  ["email", "host", "-a.example", /^must be a host's name/],
  ["email", "host", "1.2.3", /^must be a host's name/],
  ["email", "host", "::1::", /^must be a host's name/],
];

describe("settings that can never work", () => {
  test.each(IMPOSSIBLE)("of %s, %s %j", async (kind, name, value, message) => {
    const app = await startApp({ gateway: { findDestination: async () => ({ ...view, kind }) } });
    const body = { kind, name: "Mine", settings: { ...SETTINGS[kind], [name]: value } };
    const replies = [
      await app.post("/v1/destinations", body),
      await app.send("PATCH", PATH, { settings: { [name]: value } }),
    ];
    for (const { status, body: answer } of replies) {
      expect([status, answer.error.details]).toEqual([
        400,
        [{ path: `settings.${name}`, message: expect.stringMatching(message) as unknown }],
      ]);
    }
    expect(app.calls.map((call) => call.name)).toEqual(["findDestination"]);
  });

  test.each([
    ["ntfy", { topic: "A_b-9", token: "tk_~!" }],
    ["telegram", { botToken: "123456789:AAH-x_0123456789", chatId: "@my_channel" }],
    ["telegram", { chatId: "-1001234567890" }],
    ["email", { host: "192.0.2.1", user: "m\u00fcller", password: "app word with spaces" }],
    ["email", { host: "2001:db8::1", from: "m\u00fcller+x@b\u00fccher.example" }],
    ["email", { host: "mail_relay" }],
  ] as const)("%s %j is none", async (kind, settings) => {
    const app = await startApp({
      gateway: { createDestination: async () => ({ destination: view }) },
    });
    const body = {
      kind,
      name: "M\u00fc \ud83d\udcc8",
      settings: { ...SETTINGS[kind], ...settings },
    };
    expect((await app.post("/v1/destinations", body)).status).toBe(201);
  });
});

describe("a change", () => {
  const change = async (body: object, kind: ChannelKind = "telegram") => {
    const app = await startApp({
      gateway: {
        findDestination: async () => ({ ...view, kind }),
        changeDestination: async () => view,
      },
    });
    const { status, body: answer } = await app.send("PATCH", PATH, body);
    const asked = app.calls.find(({ name }) => name === "changeDestination");
    return { status, args: asked?.args.slice(1), details: answer.error?.details as unknown };
  };

  test.each([
    [{ enabled: true }, { enabled: true }],
    [
      { quietHours: null, summary: null },
      { quietHours: null, summary: null },
    ],
    [
      { inOrder: false, answers: true },
      { inOrder: null, answers: true },
    ],
    [{ settings: { chatId: null } }, { settings: { chatId: null } }],
    [{ rules: [] }, { rules: [] }],
  ])("%j is %j to the use case", async (body, asked) => {
    expect(await change(body)).toMatchObject({ status: 200, args: [ID, asked] });
  });

  test.each([
    ["telegram", "botToken", null, "must be text"],
    ["telegram", "url", "https://a.example", "is not a known field"],
    ["email", "port", "587", "must be a whole number, not text"],
    ["email", "password", 7, "must be text or null"],
  ] as const)("of the settings of %s, %s cannot be %j", async (kind, name, value, message) => {
    const { args, details } = await change({ settings: { [name]: value } }, kind);
    expect(details).toEqual([{ path: `settings.${name}`, message }]);
    expect(args).toBeUndefined();
  });

  test("without a setting says so", async () => {
    const { details } = await change({ settings: {} });
    expect(details).toEqual([{ path: "settings", message: "must not be empty" }]);
  });

  test.each([{}, { kind: "ntfy" }, { quietHours: { from: "1:00" } }, { enabled: false }])(
    "%j is refused",
    async (body) => expect((await change(body)).status).toBe(400),
  );
});

describe("what is shown", () => {
  test("of a destination: how it stands, and of its secrets that they are set", async () => {
    const off = {
      ...view,
      disabled: { reason: "It answered 410", at: NOW },
      state: {
        waiting: 2,
        undelivered: 1,
        failures: 3,
        deliveredAt: NOW,
        failure: { at: NOW, reason: "It answered 410", status: 410 },
        pausedUntil: NOW,
      },
    };
    const app = await startApp({
      gateway: { listDestinations: async () => [view, off], findDestination: async () => off },
    });
    const time = new Date(NOW).toISOString();
    const [first, second] = (await app.get("/v1/destinations")).body.destinations;
    expect(first).toMatchObject({
      settings: { botToken: true },
      linked: false,
      disabled: null,
      state: { deliveredAt: null, failure: null, pausedUntil: null },
    });
    expect(second).toMatchObject({
      disabled: { reason: "It answered 410", at: time },
      state: { waiting: 2, failure: { at: time, status: 410 }, pausedUntil: time },
    });
    expect((await app.get(PATH)).body).toEqual(second);
  });

  test("of what was not taken: each type of event as a signed webhook has it", async () => {
    const items = EVENT_TYPES.map((type) => ({
      event: exampleEvent(type),
      attempts: 10,
      reason: "It did not answer",
      givenUpAt: NOW,
    }));
    const app = await startApp({
      gateway: { listUndelivered: async () => ({ items, nextCursor: "ev_9" }) },
    });
    const { body } = await app.get(`${PATH}/undelivered?limit=200&cursor=ev_0`);
    expect(app.calls[0]?.args.slice(1)).toEqual([ID, { limit: 200, cursor: "ev_0" }]);
    expect(body.undelivered).toHaveLength(EVENT_TYPES.length);
    expect([body.nextCursor, body.undelivered[0].status]).toEqual(["ev_9", null]);
  });
});

describe("actions", () => {
  test("a test says what came back", async () => {
    const result = { isDelivered: false, status: 404, reason: "It is gone", ms: 12 };
    const app = await startApp({ gateway: { testDestination: async () => result } });
    const reply = await app.send("POST", `${PATH}/test`);
    expect(reply.body).toEqual({ delivered: false, status: 404, reason: "It is gone", ms: 12 });
  });

  test("a rotated secret and a link are shown", async () => {
    const app = await startApp({
      gateway: {
        rotateSecret: async () => ({ secret: "whsec_y", formerUntil: NOW }),
        linkDestination: async () => ({ code: "4F7Q2K", until: NOW }),
        deleteDestination: async () => undefined,
      },
    });
    const time = new Date(NOW).toISOString();
    const rotated = await app.send("POST", `${PATH}/rotate-secret`);
    expect(rotated.body).toEqual({ secret: "whsec_y", formerUntil: time });
    const linked = await app.send("POST", `${PATH}/link`);
    expect(linked.body).toEqual({ code: "4F7Q2K", send: "/start 4F7Q2K", until: time });
    expect((await app.send("DELETE", PATH)).status).toBe(204);
  });

  test.each([
    ["POST", "/replay", { all: true }, undefined],
    ["POST", "/replay", { events: ["ev_1"] }, ["ev_1"]],
    ["DELETE", "?all=true", undefined, undefined],
    ["DELETE", "?events=ev_1,ev_2", undefined, ["ev_1", "ev_2"]],
  ])("%s …/undelivered%s %j", async (method, rest, body, events) => {
    const app = await startApp({
      gateway: { replayUndelivered: async () => 2, discardUndelivered: async () => 2 },
    });
    const reply = await app.send(method, `${PATH}/undelivered${rest}`, body);
    expect([reply.status, reply.body]).toEqual([200, { count: 2 }]);
    expect(app.calls[0]?.args.slice(1)).toEqual([ID, events]);
  });

  test.each([
    ["POST", "/replay", {}],
    ["POST", "/replay", { all: false }],
    ["POST", "/replay", { all: true, events: ["ev_1"] }],
    ["POST", "/replay", { events: [] }],
    ["DELETE", "", undefined],
    ["DELETE", "?all=false", undefined],
    ["DELETE", "?events=ev_1,,ev_2", undefined],
    ["DELETE", "?all=true&events=ev_1", undefined],
  ])("%s …/undelivered%s %j is refused", async (method, rest, body) => {
    const app = await startApp();
    expect((await app.send(method, `${PATH}/undelivered${rest}`, body)).status).toBe(400);
    expect(app.calls).toEqual([]);
  });

  test("an id that can be none of ours is a 404", async () => {
    const app = await startApp();
    expect((await app.get("/v1/destinations/a%20b")).status).toBe(404);
    expect(app.calls).toEqual([]);
  });
});

describe("a person without a new proof", () => {
  const LONG_AGO = NOW - 3_600_000;
  const session = {
    id: credentialId("sess_1"),
    userId: userId("u_1"),
    signedInAt: LONG_AGO,
    confirmedAt: LONG_AGO,
    lastUsedAt: NOW,
    endsAt: NOW + 43_200_000,
  };
  const headers = {
    cookie: `__Host-session=gws_${"a".repeat(43)}`,
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
  };

  test.each([
    ["POST", "/v1/destinations", 403],
    ["PATCH", PATH, 403],
    ["POST", `${PATH}/rotate-secret`, 403],
    ["POST", `${PATH}/link`, 403],
    ["DELETE", PATH, 403],
    ["POST", `${PATH}/test`, 200],
  ])("%s %s is %i", async (method, path, status) => {
    const app = await startApp({
      admitSession: async () => admitted(session),
      gateway: { testDestination: async () => ({ isDelivered: true, ms: 1 }) },
    });
    const init = method === "DELETE" ? { headers } : { headers, body: "{}" };
    expect((await app.request(method, path, init)).status).toBe(status);
  });
});

describe("the webhooks of the API document", () => {
  const { webhooks } = openApi as unknown as {
    readonly webhooks: Record<string, { post: { requestBody: { content: object } } }>;
  };

  test("are one for each type of event", () => {
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPES);
  });

  test.each(EVENT_TYPES)("the example of %s keeps its schema", (type) => {
    const validate = validator(
      `#/webhooks/${type}/post/requestBody/content/application~1json/schema`,
    );
    const media = Object.values(webhooks[type]?.post.requestBody.content ?? {}) as {
      example: unknown;
    }[];
    validate(media[0]?.example);
    expect(validate.errors).toBeNull();
    expect(media[0]?.example).toMatchObject({ type, apiVersion: "1" });
  });
});
