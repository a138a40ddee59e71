import { describe, expect, test } from "vitest";
import { createReadCalendar } from "../../../../src/calendars/read-calendar.ts";
import { STANDARD_CLOCKS } from "../../../../src/domain/calendar/account-day.ts";
import type { EconomicCalendar } from "../../../../src/domain/guards/economic-calendar.ts";
import { GUARD_DEFAULTS, type GuardRule } from "../../../../src/domain/guards/rule.ts";
import type { NewsRule } from "../../../../src/domain/guards/schedule-rule.ts";
import { accountId, credentialId, type UserId, userId } from "../../../../src/domain/ids.ts";
import { GatewayError } from "../../../../src/errors.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";
import { createCalendarMemory } from "../../../../src/trading/guards/calendar-memory.ts";
import type { CalendarStore } from "../../../../src/trading/guards/calendar-ports.ts";
import {
  createCalendarUses,
  MOST_CALENDARS,
} from "../../../../src/trading/guards/calendar-uses.ts";

const NOW = Date.parse("2026-12-01T12:00:00Z");
const zone = "America/New_York";
const FILE = "start,title\n2026-12-10 08:30,CPI\n2026-12-11 08:30,PPI";

const callerOf = (user: string) => ({
  userId: userId(user),
  credentialId: credentialId("key_1"),
  scopes: [],
  receivedAt: NOW,
  requestId: "r_1",
});
const caller = callerOf("u_1");

/** A store of calendars in memory, and how often it was asked. */
function memoryStore() {
  const all = new Map<UserId, Map<string, EconomicCalendar>>();
  const versions = new Map<UserId, number>();
  const asked = { read: 0, version: 0 };
  const of = (user: UserId) => {
    const found = all.get(user) ?? new Map<string, EconomicCalendar>();
    all.set(user, found);
    return found;
  };
  const changed = (user: UserId) => versions.set(user, (versions.get(user) ?? 0) + 1);
  const store: CalendarStore = {
    read: async (user) => {
      asked.read += 1;
      return [...of(user).values()];
    },
    find: async (user, name) => of(user).get(name),
    version: async (user) => {
      asked.version += 1;
      return versions.get(user) ?? 0;
    },
    save: async (user, calendar, most) => {
      if (!of(user).has(calendar.name) && of(user).size >= most) return false;
      of(user).set(calendar.name, calendar);
      changed(user);
      return true;
    },
    remove: async (user, name) => {
      changed(user);
      return of(user).delete(name);
    },
  };
  return { store, asked };
}

/** One account of the first user, with these guards. */
function start(...rules: readonly GuardRule[]) {
  const { store, asked } = memoryStore();
  const settings = { ...GUARD_DEFAULTS, rules };
  let elapsed = 0;
  const memory = createCalendarMemory({ store, elapsed: () => elapsed });
  const pass = (ms: number) => void (elapsed += ms);
  const account = { accountId: accountId("one") } as StoredAccount;
  const uses = createCalendarUses({
    calendars: store,
    readCalendar: createReadCalendar(),
    accounts: {
      of: (user) => (user === caller.userId ? [account] : []),
      clocksOf: () => STANDARD_CLOCKS,
    },
    guardStore: { load: async () => ({ version: "1", settings }) },
  });
  return { ...uses, memory, asked, pass };
}

const codeOf = async (asked: Promise<unknown>) =>
  await asked.then(
    () => "done",
    (error: unknown) => (error instanceof GatewayError ? error.spec.code : String(error)),
  );

describe("a calendar", () => {
  test("is saved with how it stands, and read again", async () => {
    const uses = start();
    const saved = await uses.saveCalendar(caller, "us", { text: FILE, zone });
    expect(saved).toMatchObject({
      format: "csv",
      leftOut: [],
      calendar: { name: "us", savedAt: NOW, events: [{ title: "CPI" }, { title: "PPI" }] },
      state: {
        ageMs: 0,
        isExpired: false,
        next: { title: "CPI" },
        lastAt: Date.parse("2026-12-11T13:30:00Z"),
      },
    });
    expect((await uses.findCalendar(caller, "us")).calendar).toEqual(saved.calendar);
    expect((await uses.listCalendars(caller)).map(({ calendar }) => calendar.name)).toEqual(["us"]);
  });

  test("is the user's own", async () => {
    const uses = start();
    await uses.saveCalendar(caller, "us", { text: FILE, zone });
    const other = callerOf("u_2");
    expect(await uses.listCalendars(other)).toEqual([]);
    expect(await codeOf(uses.findCalendar(other, "us"))).toBe("NOT_FOUND");
    expect(await codeOf(uses.removeCalendar(other, "us"))).toBe("NOT_FOUND");
  });

  test("stays as it is where a line of the new file cannot be read", async () => {
    const uses = start();
    await uses.saveCalendar(caller, "us", { text: FILE, zone });
    const broken = uses.saveCalendar(caller, "us", { text: `${FILE}\nsoon,GDP`, zone });
    await expect(broken).rejects.toMatchObject({
      spec: { code: "VALIDATION_FAILED" },
      details: [{ path: "body, line 4" }],
    });
    expect((await uses.findCalendar(caller, "us")).calendar.events).toHaveLength(2);
  });

  test("with very many wrong lines names fifty of them and says that it stopped", async () => {
    const text = ["start,title", ...Array.from({ length: 60 }, (_, n) => `x,${n}`)].join("\n");
    const error = await start()
      .saveCalendar(caller, "us", { text, zone })
      .catch((thrown: unknown) => thrown);
    const { details } = error as GatewayError;
    expect(details).toHaveLength(51);
    expect(details.at(-1)?.message).toMatch(/further lines, which were not read/);
  });

  test("of a user is one of twenty at most, and may be replaced", async () => {
    const uses = start();
    const save = async (name: string) =>
      await codeOf(uses.saveCalendar(caller, name, { text: FILE, zone }));
    for (let n = 0; n < MOST_CALENDARS; n += 1) expect(await save(`c${n}`)).toBe("done");
    expect(await save("one-more")).toBe("TOO_MANY_CALENDARS");
    expect(await save("c3")).toBe("done");
  });

  test("is gone when it is removed", async () => {
    const uses = start();
    await uses.saveCalendar(caller, "us", { text: FILE, zone });
    await uses.removeCalendar(caller, "us");
    expect(await codeOf(uses.findCalendar(caller, "us"))).toBe("NOT_FOUND");
  });
});

describe("an event of today that a hard rule waits for", () => {
  const news = (change: Partial<NewsRule> & Partial<GuardRule> = {}) =>
    ({
      id: "news",
      mode: "on",
      lock: "hard",
      kind: "news",
      calendar: "us",
      titles: ["cpi"],
      beforeSeconds: 600,
      afterSeconds: 600,
      forbids: "positions",
      whenExpired: "tell",
      ...change,
    }) as GuardRule;
  const file = (...lines: readonly string[]) => ({
    text: ["start,title,products", ...lines].join("\n"),
    zone: "UTC",
  });
  const CPI = "2026-12-01 13:30,CPI,ES NQ";
  const FAR = "2027-01-05 13:30,CPI,";

  async function change(rule: GuardRule, was: readonly string[], is?: readonly string[]) {
    const uses = start(rule);
    await uses.saveCalendar(caller, "us", file(...was));
    return await codeOf(
      is === undefined
        ? uses.removeCalendar(caller, "us")
        : uses.saveCalendar(caller, "us", file(...is)),
    );
  }

  test.each<[string, readonly string[] | undefined]>([
    ["goes", [FAR]],
    ["is put off", ["2026-12-01 13:31,CPI,ES NQ"]],
    ["is called something else", ["2026-12-01 13:30,Prices,ES NQ"]],
    ["concerns less", ["2026-12-01 13:30,CPI,ES"]],
    ["goes with its calendar", undefined],
  ])("stays: it %s", async (_, is) => {
    expect(await change(news(), [CPI], is)).toBe("CALENDAR_HELD");
  });

  test.each<[string, readonly string[]]>([
    ["others are added", [CPI, "2026-12-01 15:00,CPI,ES", FAR]],
    ["it concerns more", ["2026-12-01 13:30,US CPI,"]],
  ])("stands still where %s", async (_, is) => {
    expect(await change(news(), [CPI], is)).toBe("done");
  });

  test.each<[string, GuardRule, string]>([
    ["another calendar", news({ calendar: "eu" }), CPI],
    ["soft", news({ lock: "soft" }), CPI],
    ["in shadow", news({ mode: "shadow" }), CPI],
    ["about others", news({ titles: ["fomc"] }), CPI],
    ["over", news(), "2026-12-01 11:49,CPI,"],
    ["of the next trading day", news(), "2026-12-01 23:11,CPI,"],
  ])("is none where it is %s", async (_, rule, event) => {
    expect(await change(rule, [event], [FAR])).toBe("done");
    expect(await change(rule, [event])).toBe("done");
  });

  test("is named, and what is left is whole", async () => {
    const uses = start(news());
    await uses.saveCalendar(caller, "us", file(CPI, FAR));
    await expect(uses.saveCalendar(caller, "us", file(FAR))).rejects.toMatchObject({
      details: [{ message: 'must have "CPI" at 2026-12-01T13:30:00.000Z' }],
    });
    expect((await uses.findCalendar(caller, "us")).calendar.events).toHaveLength(2);
  });
});

describe("what is remembered of calendars", () => {
  const names = async ({ memory }: ReturnType<typeof start>) => [
    ...(await memory.of(caller.userId)).keys(),
  ];

  test("is asked anew after two seconds, and read anew only where it has changed", async () => {
    const uses = start();
    expect(await names(uses)).toEqual([]);
    await uses.saveCalendar(caller, "us", { text: FILE, zone });
    expect(await names(uses)).toEqual([]);
    uses.pass(2_000);
    expect(await names(uses)).toEqual(["us"]);
    uses.pass(2_000);
    expect(await names(uses)).toEqual(["us"]);
    expect(uses.asked).toEqual({ read: 2, version: 3 });
  });

  test("is asked anew at once where a change was heard of", async () => {
    const uses = start();
    await names(uses);
    await uses.saveCalendar(caller, "us", { text: FILE, zone });
    uses.memory.doubt();
    expect(await names(uses)).toEqual(["us"]);
  });

  test("is no answer where the store gives none", async () => {
    const fails = async () => await Promise.reject(new Error("away"));
    const memory = createCalendarMemory({
      store: { read: fails, version: fails },
      elapsed: () => 0,
    });
    await expect(memory.of(caller.userId)).rejects.toThrow("away");
  });
});
