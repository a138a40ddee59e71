import { describe, expect, test } from "vitest";
import {
  type EconomicCalendar,
  calendarStateOf,
} from "../../../src/domain/guards/economic-calendar.ts";
import { admitted, apiKey, NOW, startApp } from "./http-kit.ts";

const calendar: EconomicCalendar = {
  name: "us",
  savedAt: NOW - 90_500,
  events: [
    { startsAt: NOW + 1_000, title: "CPI", impact: "high", currency: "USD" },
    { startsAt: NOW + 2_000, endsAt: NOW + 3_000, title: "EIA", products: ["CL"] },
  ],
};
const view = { calendar, state: calendarStateOf(calendar, NOW) };
const CPI = {
  start: new Date(NOW + 1_000).toISOString(),
  end: null,
  title: "CPI",
  impact: "high",
  products: null,
  currency: "USD",
};
const standing = {
  name: "us",
  savedAt: new Date(NOW - 90_500).toISOString(),
  ageSeconds: 90,
  eventCount: 2,
  lastEventAt: new Date(NOW + 2_000).toISOString(),
  nextEvent: CPI,
  expiresAt: new Date(NOW + 86_402_000).toISOString(),
  isExpired: false,
};

const start = (scopes?: Parameters<typeof apiKey>[0]) =>
  startApp({
    admitKey: async () => admitted(apiKey(scopes)),
    gateway: {
      listCalendars: async () => [view],
      findCalendar: async () => view,
      saveCalendar: async () => ({
        ...view,
        format: "csv",
        leftOut: [{ where: "line 3", title: "x", reason: "is cancelled" }],
      }),
      removeCalendar: async () => undefined,
    },
  });

const put = (text: string) => ({
  body: text,
  headers: { "x-api-key": "good", "content-type": "text/calendar" },
});

describe("calendars", () => {
  test("are listed with how they stand", async () => {
    const reply = await (await start(["read"])).get("/v1/calendars");
    expect([reply.status, reply.body]).toEqual([200, { calendars: [standing] }]);
  });

  test("are read with their events", async () => {
    const reply = await (await start(["read"])).get("/v1/calendars/us");
    const eia = {
      ...CPI,
      start: standing.lastEventAt,
      end: new Date(NOW + 3_000).toISOString(),
      title: "EIA",
      impact: null,
      products: ["CL"],
      currency: null,
    };
    expect([reply.status, reply.body]).toEqual([200, { ...standing, events: [CPI, eia] }]);
  });

  test("are saved from a file of any type, in a zone", async () => {
    const app = await start(["manage"]);
    const reply = await app.request(
      "PUT",
      "/v1/calendars/us?zone=Europe/Berlin",
      put("start,title"),
    );
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        ...standing,
        format: "csv",
        leftOut: [{ where: "line 3", title: "x", reason: "is cancelled" }],
      },
    ]);
    expect(app.calls[0]?.args.slice(1)).toEqual([
      "us",
      { text: "start,title", zone: "Europe/Berlin" },
    ]);
    await app.request("PUT", "/v1/calendars/us", put("x"));
    expect(app.calls[1]?.args[2]).toEqual({ text: "x", zone: "America/New_York" });
  });

  test("may be as large as 512 KiB, and no larger", async () => {
    const app = await start(["manage"]);
    const most = "x".repeat(512 * 1024);
    expect((await app.request("PUT", "/v1/calendars/us", put(most))).status).toBe(200);
    const reply = await app.request("PUT", "/v1/calendars/us", put(`${most}x`));
    expect([reply.status, reply.body.error.details[0].message]).toEqual([
      400,
      "must not be larger than 512 KiB (524288 bytes)",
    ]);
  });

  test.each([
    ["/v1/calendars/us?zone=Mars", "zone"],
    ["/v1/calendars/us?zone=%2B02:00", "zone"],
    ["/v1/calendars/-us", "name"],
    [`/v1/calendars/${"x".repeat(41)}`, "name"],
    ["/v1/calendars/us?tz=UTC", "tz"],
  ])("of %s are refused", async (path, field) => {
    const reply = await (await start(["manage"])).request("PUT", path, put("x"));
    expect([reply.status, reply.body.error.details[0].path]).toEqual([400, field]);
  });

  test("are deleted", async () => {
    const app = await start(["manage"]);
    expect((await app.request("DELETE", "/v1/calendars/us", put(""))).status).toBe(204);
    expect(app.calls[0]?.args[1]).toBe("us");
  });

  test.each([
    ["PUT", ["read", "trade"]],
    ["DELETE", ["read", "trade"]],
    ["GET", ["trade", "manage"]],
  ] as const)("%s needs more than %j", async (method, scopes) => {
    const app = await start(scopes);
    const init = method === "PUT" ? put("x") : { headers: { "x-api-key": "good" } };
    const reply = await app.request(method, "/v1/calendars/us", init);
    expect([reply.status, app.calls]).toEqual([403, []]);
  });
});
