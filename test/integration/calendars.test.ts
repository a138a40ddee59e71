// The goal: a user's economic calendars are kept whole, told to every process, and nobody else's.
// The method: drive the real script on a real Redis as two processes, and the routes on the whole gateway.
import type { Redis } from "ioredis";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EconomicCalendar } from "../../src/domain/guards/economic-calendar.ts";
import { userId } from "../../src/domain/ids.ts";
import { calendarScripts, createRedisCalendars } from "../../src/store/guards/redis-calendars.ts";
import type { CalendarStore } from "../../src/trading/guards/calendar-ports.ts";
import { createCalendarMemory } from "../../src/trading/guards/calendar-memory.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { RULES } from "../support/guarded-account.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const USER = userId("u_1");
const OTHER = userId("u_2");

const calendarOf = (name: string, title = "CPI"): EconomicCalendar => ({
  name,
  savedAt: 1_700_000_000_000,
  events: [
    { startsAt: 1_700_000_100_000, title, impact: "high", products: ["CL"], currency: "USD" },
  ],
});

describe("the store of calendars", () => {
  let corner: RedisCorner;
  let redis: Redis;
  let calendars: CalendarStore;
  let elsewhere: CalendarStore;

  beforeEach(async () => {
    corner = await openCorner();
    const { keys } = corner;
    redis = await corner.open("request", calendarScripts);
    calendars = createRedisCalendars({ redis, keys });
    elsewhere = createRedisCalendars({ redis: await corner.open("request"), keys });
  });
  afterEach(() => corner.close());

  test("gives back what was saved, and only to its user", async () => {
    expect(await calendars.read(USER)).toEqual([]);
    expect(await calendars.save(USER, calendarOf("us"), 20)).toBe(true);
    expect(await elsewhere.read(USER)).toEqual([calendarOf("us")]);
    expect(await elsewhere.find(USER, "us")).toEqual(calendarOf("us"));
    expect([await elsewhere.read(OTHER), await elsewhere.find(OTHER, "us")]).toEqual([
      [],
      undefined,
    ]);
  });

  test("raises its version with each change, and tells every process", async () => {
    const heard: string[] = [];
    const listener = await corner.open("worker");
    listener.on("message", (_, name: string) => heard.push(name));
    await listener.subscribe(corner.keys.calendarChanges);
    await calendars.save(USER, calendarOf("us"), 20);
    await calendars.save(USER, calendarOf("us", "PPI"), 20);
    expect(await elsewhere.version(USER)).toBe(2);
    expect(await calendars.remove(USER, "us")).toBe(true);
    expect([await calendars.remove(USER, "us"), await calendars.read(USER)]).toEqual([false, []]);
    expect([await elsewhere.version(USER), await elsewhere.version(OTHER)]).toEqual([3, 0]);
    await waitUntil("three changes are heard of", () => heard.length === 3);
    expect(heard).toEqual(["us", "us", "us"]);
  });

  test("takes no more than it may hold, however many come at once, and still replaces one", async () => {
    const saved = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const store = n % 2 === 0 ? calendars : elsewhere;
        return await store.save(USER, calendarOf(`c${n}`), 4);
      }),
    );
    expect(saved.filter(Boolean)).toHaveLength(4);
    const kept = await calendars.read(USER);
    expect(kept).toHaveLength(4);
    const name = kept[0]?.name ?? "";
    expect(await calendars.save(USER, calendarOf(name, "PPI"), 4)).toBe(true);
    expect((await calendars.find(USER, name))?.events[0]?.title).toBe("PPI");
  });

  test("is followed by another process that remembers", async () => {
    let now = 0;
    const memory = createCalendarMemory({ store: elsewhere, elapsed: () => now });
    expect([...(await memory.of(USER)).keys()]).toEqual([]);
    await calendars.save(USER, calendarOf("us"), 20);
    now += 2_000;
    expect((await memory.of(USER)).get("us")).toEqual(calendarOf("us"));
  });
});

describe("over HTTP", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
    return gateway.stop;
  });

  const FILE = "start,title,impact\n2036-12-10 08:30,CPI,high\n2036-12-11 08:30,PPI,medium";
  const put = async (name: string, body: string) =>
    await gateway.api.put(`/v1/calendars/${name}`, body);

  test("a calendar is saved, read, replaced and deleted", async () => {
    const saved = await put("us", FILE);
    expect([saved.status, saved.body.format, saved.body.eventCount]).toEqual([200, "csv", 2]);
    const read = await gateway.api.get("/v1/calendars/us");
    expect(read.body).toMatchObject({
      isExpired: false,
      lastEventAt: "2036-12-11T13:30:00.000Z",
      events: [
        { start: "2036-12-10T13:30:00.000Z", title: "CPI", impact: "high" },
        { title: "PPI" },
      ],
    });
    const broken = await put("us", `${FILE}\nsoon,GDP,low`);
    expect([broken.status, broken.body.error.details[0].path]).toEqual([400, "body, line 4"]);
    const [listed] = (await gateway.api.get("/v1/calendars")).body.calendars;
    expect(listed.eventCount).toBe(2);
    expect((await gateway.api.delete("/v1/calendars/us")).status).toBe(204);
    expect((await gateway.api.get("/v1/calendars/us")).status).toBe(404);
  });

  test("an event that a hard guard waits for now is not taken away", async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const far = "2036-12-10T13:30:00Z,PPI";
    const events = (...lines: readonly string[]) => ["start,title", ...lines].join("\n");
    expect((await put("held", events(`${soon},CPI`, far))).status).toBe(200);
    const guards = { rules: [RULES.news({ lock: "hard", calendar: "held" })] };
    expect((await gateway.api.put("/v1/accounts/paper-1/guards", guards)).status).toBe(200);
    const refused = await put("held", events(far));
    expect([refused.status, refused.body.error.code]).toEqual([409, "CALENDAR_HELD"]);
    expect((await gateway.api.delete("/v1/calendars/held")).status).toBe(409);
    expect((await put("held", events(`${soon},CPI`, far, far))).status).toBe(200);
  });
});
