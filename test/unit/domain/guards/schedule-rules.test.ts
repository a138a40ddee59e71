import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import {
  calendarStateOf,
  type EconomicCalendar,
} from "../../../../src/domain/guards/economic-calendar.ts";
import {
  missedFlat,
  nextRestriction,
  restrictionAt,
} from "../../../../src/domain/guards/restrictions.ts";
import {
  type FlatBeforeCloseRule,
  type FlatByRule,
  type NewsRule,
  type ScheduleRule,
  WITHOUT_END,
} from "../../../../src/domain/guards/schedule-rule.ts";
import { scheduleDeps } from "../../../support/schedule-deps.ts";

const code = (text: string) => text as ContractCode;
const ES = code("ESZ2026");
const at = (text: string) => Date.parse(text);
const deps = scheduleDeps();

/** "positions until 2026-11-25T23:00:00.000Z", or "free". */
function held(rule: ScheduleRule, contract: ContractCode, instant: string, known = deps): string {
  const found = restrictionAt(rule, contract, at(instant), known);
  if (found === undefined) return "free";
  const until = found.until === WITHOUT_END ? "ever" : new Date(found.until).toISOString();
  return `${found.forbids} until ${until.replace(/:00(\.000)?Z$/, "Z")}`;
}

const topstep: FlatByRule = {
  kind: "flatBy",
  zone: "America/Chicago",
  time: "15:10",
  entriesOffMinutes: 5,
  flattenSeconds: 120,
};

describe("flat by a time", () => {
  test.each([
    // A Wednesday in winter.
    ["ESZ2026", "2026-12-09T21:04:59.999Z", "free"],
    ["ESZ2026", "2026-12-09T21:05:00Z", "entries until 2026-12-09T23:00Z"],
    ["ESZ2026", "2026-12-09T21:07:59.999Z", "entries until 2026-12-09T23:00Z"],
    ["ESZ2026", "2026-12-09T21:08:00Z", "positions until 2026-12-09T23:00Z"],
    ["ESZ2026", "2026-12-09T22:59:59.999Z", "positions until 2026-12-09T23:00Z"],
    ["ESZ2026", "2026-12-09T23:00:00Z", "free"],
    // From Friday until Sunday evening.
    ["ESZ2026", "2026-12-12T12:00:00Z", "positions until 2026-12-13T23:00Z"],
    // The market's close is earlier: on a holiday, and for products with shorter hours.
    ["ESZ2026", "2026-11-26T17:54:59Z", "free"],
    ["ESZ2026", "2026-11-26T17:55:00Z", "entries until 2026-11-26T23:00Z"],
    ["ESZ2026", "2026-11-26T17:58:00Z", "positions until 2026-11-26T23:00Z"],
    ["ESZ2026", "2026-11-26T23:00:00Z", "free"],
    ["ZCZ2026", "2026-12-09T19:17:59Z", "entries until 2026-12-10T01:00Z"],
    ["ZCZ2026", "2026-12-09T19:18:00Z", "positions until 2026-12-10T01:00Z"],
    ["FDAXZ2026", "2026-12-09T20:58:00Z", "positions until 2026-12-10T00:10Z"],
    // Vector 12: the United States are on summer time, Europe is not. 15:10 in Chicago is 21:10 in Berlin.
    ["FDAXM2027", "2027-03-16T20:07:59Z", "entries until 2027-03-17T00:10Z"],
    ["FDAXM2027", "2027-03-16T20:08:00Z", "positions until 2027-03-17T00:10Z"],
    ["FDAXM2027", "2027-03-30T20:07:59Z", "positions until 2027-03-30T23:10Z"],
  ])("%s at %s: %s", (contract, instant, expected) => {
    expect(held(topstep, code(contract), instant)).toBe(expected);
  });

  test.each<[string, Partial<FlatByRule>, string, string, string]>([
    ["on named days", { days: ["fri"] }, "ESZ2026", "2026-12-09T21:08:00Z", "free"],
    [
      "on named days",
      { days: ["wed"] },
      "ESZ2026",
      "2026-12-09T21:08:00Z",
      "positions until 2026-12-09T23:00Z",
    ],
    ["of named roots", { roots: ["ES"] }, "MESZ2026", "2026-12-09T21:08:00Z", "free"],
    [
      "of named roots",
      { roots: ["ES", "MES"] },
      "MESZ2026",
      "2026-12-09T21:08:00Z",
      "positions until 2026-12-09T23:00Z",
    ],
    [
      "of named roots",
      { roots: ["ES"] },
      "#12345",
      "2026-12-09T21:08:00Z",
      "positions until 2026-12-09T23:00Z",
    ],
    [
      "of named roots",
      { roots: ["ES"] },
      "#ESZ6",
      "2026-12-09T21:08:00Z",
      "positions until 2026-12-09T23:00Z",
    ],
    [
      "until a time",
      { resumes: "15:30" },
      "ESZ2026",
      "2026-12-09T21:08:00Z",
      "positions until 2026-12-09T21:30Z",
    ],
    [
      "until a time",
      { resumes: "08:00" },
      "ESZ2026",
      "2026-12-09T23:08:00Z",
      "positions until 2026-12-10T14:00Z",
    ],
    [
      "until a time",
      { resumes: "16:30" },
      "ESZ2026",
      "2026-12-09T21:08:00Z",
      "positions until 2026-12-09T23:00Z",
    ],
    // Where trading begins at that very time, the position was closed with the session before.
    [
      "at an opening",
      { time: "17:00" },
      "ESZ2026",
      "2026-12-09T21:58:00Z",
      "positions until 2026-12-09T23:00Z",
    ],
    ["at an opening", { time: "17:00" }, "ESZ2026", "2026-12-09T23:00:00Z", "free"],
    [
      "in a pause",
      { time: "08:00" },
      "ZCH2027",
      "2026-12-09T13:43:00Z",
      "positions until 2026-12-10T01:00Z",
    ],
    [
      "right after a close",
      { time: "16:01" },
      "ESZ2026",
      "2026-12-09T21:58:00Z",
      "positions until 2026-12-09T23:00Z",
    ],
    // Entries end no later than positions.
    ["without a lead", { entriesOffMinutes: 0 }, "ESZ2026", "2026-12-09T21:07:59Z", "free"],
  ])("%s: %j, %s at %s: %s", (_what, change, contract, instant, expected) => {
    expect(held({ ...topstep, ...change }, code(contract), instant)).toBe(expected);
  });

  test("falls on its first valid instant where clocks change", () => {
    const night = {
      ...topstep,
      zone: "America/New_York",
      time: "02:30",
      flattenSeconds: 0,
      entriesOffMinutes: 0,
    };
    const begins = (from: string) =>
      nextRestriction(night, code("BTCH2027"), at(from), deps)?.since;
    // The 14th of March 2027 and the 7th of November are Sundays, on which nothing trades: Friday's close counts.
    expect(begins("2027-03-10T08:00:00Z")).toBe(at("2027-03-11T07:30:00Z"));
    expect(begins("2027-03-15T05:00:00Z")).toBe(at("2027-03-15T06:30:00Z"));
  });

  test("says its figures", () => {
    const reason = (instant: string) => restrictionAt(topstep, ES, at(instant), deps)?.reason;
    expect(reason("2026-12-09T21:05:00Z")).toBe(
      "flat by 15:10 (America/Chicago): entries end 5 min before",
    );
    expect(reason("2026-11-26T17:58:00Z")).toBe(
      "flat by 15:10 (America/Chicago), and trading ends 2026-11-26 12:00 before it: positions are closed 2 min before",
    );
  });
});

const beforeClose: FlatBeforeCloseRule = {
  kind: "flatBeforeClose",
  before: "day",
  seconds: 60,
  entriesOffMinutes: 10,
};

describe("flat before the close", () => {
  test.each<[FlatBeforeCloseRule["before"], string, string, string]>([
    ["day", "ESZ2026", "2026-12-09T21:49:59Z", "free"],
    ["day", "ESZ2026", "2026-12-09T21:50:00Z", "entries until 2026-12-09T23:00Z"],
    ["day", "ESZ2026", "2026-12-09T21:59:00Z", "positions until 2026-12-09T23:00Z"],
    ["day", "ESZ2026", "2026-11-27T18:14:00Z", "positions until 2026-11-29T23:00Z"],
    // A pause is no close.
    ["day", "ZCH2027", "2026-12-09T13:50:00Z", "free"],
    ["day", "ZCH2027", "2026-12-09T19:19:00Z", "positions until 2026-12-10T01:00Z"],
    ["week", "ESZ2026", "2026-12-09T21:59:00Z", "free"],
    ["week", "ESZ2026", "2026-12-11T21:59:00Z", "positions until 2026-12-13T23:00Z"],
    // Good Friday: the week ends on Thursday.
    ["week", "ESM2027", "2027-03-25T20:59:00Z", "positions until 2027-03-28T22:00Z"],
    ["holiday", "ESZ2026", "2026-12-09T21:59:00Z", "free"],
    ["holiday", "ESZ2026", "2026-11-25T21:59:00Z", "positions until 2026-11-25T23:00Z"],
    // Thanksgiving, before a Friday that closes early; that Friday comes before a full Monday.
    ["holiday", "ESZ2026", "2026-11-26T17:59:00Z", "positions until 2026-11-26T23:00Z"],
    ["holiday", "ESZ2026", "2026-11-27T18:14:00Z", "free"],
    ["holiday", "FDAXZ2026", "2026-12-23T20:59:00Z", "positions until 2026-12-28T00:10Z"],
    // New Year's Day is a Friday; the holiday on Monday the 18th comes after a weekend.
    ["holiday", "ESH2027", "2026-12-31T21:59:00Z", "positions until 2027-01-03T23:00Z"],
    ["holiday", "ESH2027", "2027-01-15T21:59:00Z", "positions until 2027-01-17T23:00Z"],
  ])("of the %s, %s at %s: %s", (before, contract, instant, expected) => {
    expect(held({ ...beforeClose, before }, code(contract), instant)).toBe(expected);
  });

  test("goes by the hours of CME Globex where those of the product are not known, and says so", () => {
    const found = restrictionAt(beforeClose, code("XXZ2026"), at("2026-12-09T21:59:00Z"), deps);
    expect(found?.forbids).toBe("positions");
    expect(found?.reason).toContain("by the hours of CME Globex");
  });
});

describe("flat before a roll", () => {
  // ESZ2026 rolls on Monday 14 December and last trades on Friday the 18th.
  test.each([
    ["roll", 0, "ESZ2026", "2026-12-11T22:59:59Z", "free"],
    ["roll", 0, "ESZ2026", "2026-12-11T23:00:00Z", "positions until ever"],
    ["roll", 2, "ESZ2026", "2026-12-09T22:59:59Z", "free"],
    ["roll", 2, "ESZ2026", "2026-12-09T23:00:00Z", "positions until ever"],
    ["roll", 2, "ESH2027", "2026-12-16T12:00:00Z", "free"],
    ["lastTrade", 1, "ESZ2026", "2026-12-16T22:59:59Z", "free"],
    ["lastTrade", 1, "ESZ2026", "2026-12-16T23:00:00Z", "positions until ever"],
    ["lastTrade", 1, "ESZ2026", "2027-12-16T23:00:00Z", "positions until ever"],
    // Nothing is closed on a guess.
    ["roll", 2, "#12345", "2026-12-01T12:00:00Z", "entries until ever"],
    ["roll", 2, "XXZ2026", "2026-12-01T12:00:00Z", "entries until ever"],
  ] as const)(
    "by its %s day and %i days, %s at %s: %s",
    (of, businessDays, contract, instant, expected) => {
      expect(held({ kind: "flatBeforeRoll", of, businessDays }, code(contract), instant)).toBe(
        expected,
      );
    },
  );

  test("counts over Thanksgiving, which has no day of its own", () => {
    const rule = { kind: "flatBeforeRoll", of: "lastTrade", businessDays: 1 } as const;
    const long = { ...rule, businessDays: 16 };
    // Sixteen days before Friday 18 December are 25 November: one day less would be the Friday after.
    expect(held(long, ES, "2026-11-24T22:59:59Z")).toBe("free");
    expect(held(long, ES, "2026-11-24T23:00:00Z")).toBe("positions until ever");
  });
});

const us: EconomicCalendar = {
  name: "us",
  savedAt: at("2026-11-01T00:00:00Z"),
  events: [
    {
      startsAt: at("2026-12-09T15:30:00Z"),
      title: "EIA Crude Oil Stocks",
      products: ["CL"],
      impact: "medium",
    },
    {
      startsAt: at("2026-12-10T13:30:00Z"),
      title: "Consumer Price Index",
      impact: "high",
      currency: "USD",
    },
    {
      startsAt: at("2026-12-10T13:32:00Z"),
      title: "Real Earnings",
      impact: "low",
      currency: "USD",
    },
    {
      startsAt: at("2026-12-11T05:00:00Z"),
      endsAt: at("2026-12-12T05:00:00Z"),
      title: "Bank Holiday",
    },
  ],
};
const cpi: NewsRule = {
  kind: "news",
  calendar: "us",
  titles: ["consumer price"],
  beforeSeconds: 120,
  afterSeconds: 120,
  forbids: "positions",
  whenExpired: "tell",
};
const { titles: _titles, ...anyNews } = cpi;
const withNews = scheduleDeps(us);

describe("news", () => {
  test.each<[string, NewsRule, string, string, string]>([
    // Vector 19.
    ["CPI", cpi, "ESZ2026", "2026-12-10T13:27:59Z", "free"],
    ["CPI", cpi, "ESZ2026", "2026-12-10T13:27:59.999Z", "free"],
    ["CPI", cpi, "ESZ2026", "2026-12-10T13:28:00Z", "positions until 2026-12-10T13:32Z"],
    ["CPI", cpi, "ESZ2026", "2026-12-10T13:31:59.999Z", "positions until 2026-12-10T13:32Z"],
    ["CPI", cpi, "ESZ2026", "2026-12-10T13:32:00Z", "free"],
    // Vector 20.
    ["EIA", anyNews, "ESZ2026", "2026-12-09T15:30:00Z", "free"],
    ["EIA", anyNews, "CLF2027", "2026-12-09T15:30:00Z", "positions until 2026-12-09T15:32Z"],
    ["EIA", anyNews, "MCLF2027", "2026-12-09T15:30:00Z", "free"],
    ["EIA", anyNews, "#77", "2026-12-09T15:30:00Z", "positions until 2026-12-09T15:32Z"],
    ["in a row", anyNews, "ESZ2026", "2026-12-10T13:29:00Z", "positions until 2026-12-10T13:34Z"],
    [
      "touching",
      { ...anyNews, beforeSeconds: 60, afterSeconds: 60 },
      "ESZ2026",
      "2026-12-10T13:30:00Z",
      "positions until 2026-12-10T13:33Z",
    ],
    ["a day", anyNews, "ESZ2026", "2026-12-11T04:58:00Z", "positions until 2026-12-12T05:02Z"],
    ["impacts", { ...anyNews, impacts: ["high"] }, "ESZ2026", "2026-12-10T13:33:00Z", "free"],
    [
      "impacts",
      { ...anyNews, impacts: ["low"] },
      "ESZ2026",
      "2026-12-10T13:33:00Z",
      "positions until 2026-12-10T13:34Z",
    ],
    // What an event does not say counts as fitting.
    [
      "impacts",
      { ...anyNews, impacts: ["low"] },
      "ESZ2026",
      "2026-12-11T12:00:00Z",
      "positions until 2026-12-12T05:02Z",
    ],
    ["currencies", { ...anyNews, currencies: ["EUR"] }, "ESZ2026", "2026-12-10T13:30:00Z", "free"],
    [
      "currencies",
      { ...anyNews, currencies: ["EUR", "USD"] },
      "ESZ2026",
      "2026-12-10T13:30:00Z",
      "positions until 2026-12-10T13:34Z",
    ],
    ["roots", { ...cpi, roots: ["NQ"] }, "ESZ2026", "2026-12-10T13:30:00Z", "free"],
    [
      "entries",
      { ...cpi, forbids: "entries" },
      "ESZ2026",
      "2026-12-10T13:30:00Z",
      "entries until 2026-12-10T13:32Z",
    ],
    // It ended a day after its last event.
    ["ended", { ...cpi, whenExpired: "refuse" }, "ESZ2026", "2026-12-12T04:59:59Z", "free"],
    [
      "ended",
      { ...cpi, whenExpired: "refuse" },
      "ESZ2026",
      "2026-12-12T05:00:00Z",
      "entries until ever",
    ],
    ["ended", cpi, "ESZ2026", "2026-12-12T05:00:00Z", "free"],
    [
      "missing",
      { ...cpi, calendar: "no", whenExpired: "refuse" },
      "ESZ2026",
      "2026-12-10T13:30:00Z",
      "entries until ever",
    ],
    ["missing", { ...cpi, calendar: "no" }, "ESZ2026", "2026-12-10T13:30:00Z", "free"],
  ])("%s: %j, %s at %s: %s", (_what, rule, contract, instant, expected) => {
    expect(held(rule, code(contract), instant, withNews)).toBe(expected);
  });

  test("of an event that lasts for days count until its end, and so does its calendar", () => {
    const [startsAt, endsAt] = [at("2026-12-20T00:00:00Z"), at("2026-12-24T00:00:00Z")];
    const short = { startsAt: startsAt + 60_000, title: "Speech" };
    const long = { name: "us", savedAt: 0, events: [{ startsAt, endsAt, title: "Summit" }, short] };
    const deps = scheduleDeps(long);
    const rule = { ...anyNews, whenExpired: "tell" } as const;
    expect(held(rule, ES, "2026-12-23T12:00:00Z", deps)).toBe("positions until 2026-12-24T00:02Z");
    expect(held(rule, ES, "2026-12-24T00:02:00Z", deps)).toBe("free");
    const alone = { ...long, events: long.events.slice(0, 1) };
    expect(calendarStateOf(alone, endsAt - 1).isExpired).toBe(false);
    expect(calendarStateOf(alone, endsAt).isExpired).toBe(true);
  });

  test("by part of the title take only their own", () => {
    expect(held({ ...anyNews, titles: ["EARNINGS"] }, ES, "2026-12-10T13:29:59Z", withNews)).toBe(
      "free",
    );
  });

  test("say which event, when and how long", () => {
    expect(restrictionAt(cpi, ES, at("2026-12-10T13:30:00Z"), withNews)?.reason).toBe(
      "news: Consumer Price Index at 2026-12-10 13:30 UTC, 2 min before to 2 min after",
    );
  });

  test("of a calendar are up to date until a day after its last event", () => {
    const state = calendarStateOf(us, at("2026-12-10T13:30:00Z"));
    expect(state).toMatchObject({
      lastAt: at("2026-12-11T05:00:00Z"),
      next: { title: "Consumer Price Index" },
      expiresAt: at("2026-12-12T05:00:00Z"),
      isExpired: false,
    });
    expect(calendarStateOf(us, at("2026-12-12T05:00:00Z")).isExpired).toBe(true);
    expect(calendarStateOf({ ...us, events: [] }, 1).isExpired).toBe(true);
  });
});

describe("what was missed", () => {
  const missed = (rule: ScheduleRule, contract: string, after: string, until: string) => {
    const found = missedFlat(rule, code(contract), { after: at(after), at: at(until) }, withNews);
    return found === undefined ? undefined : new Date(found).toISOString();
  };

  test.each<[ScheduleRule, string, string, string, string | undefined]>([
    [topstep, "ESZ2026", "2026-12-09T12:00:00Z", "2026-12-09T21:07:59Z", undefined],
    [
      topstep,
      "ESZ2026",
      "2026-12-09T12:00:00Z",
      "2026-12-09T21:08:00Z",
      "2026-12-09T21:08:00.000Z",
    ],
    [topstep, "ESZ2026", "2026-12-09T21:08:00Z", "2026-12-10T12:00:00Z", undefined],
    [
      topstep,
      "ESZ2026",
      "2026-12-07T12:00:00Z",
      "2026-12-10T12:00:00Z",
      "2026-12-09T21:08:00.000Z",
    ],
    [
      { ...beforeClose, before: "holiday" },
      "ESH2027",
      "2026-01-01T00:00:00Z",
      "2026-08-20T00:00:00Z",
      "2026-07-02T20:59:00.000Z",
    ],
    [
      { kind: "flatBeforeRoll", of: "roll", businessDays: 0 },
      "ESZ2026",
      "2026-12-01T00:00:00Z",
      "2026-12-20T00:00:00Z",
      "2026-12-11T23:00:00.000Z",
    ],
    [cpi, "ESZ2026", "2026-12-10T00:00:00Z", "2026-12-11T00:00:00Z", undefined],
  ])("%j of %s in (%s, %s]: %s", (rule, contract, after, until, expected) => {
    expect(missed(rule, contract, after, until)).toBe(expected);
  });
});

test("a weekend asks for nothing that its Friday has not asked for", () => {
  const saturday = { after: at("2026-12-11T21:08:00Z"), at: at("2026-12-13T22:59:59Z") };
  expect(missedFlat(topstep, ES, saturday, deps)).toBeUndefined();
  const next = nextRestriction(topstep, ES, at("2026-12-11T21:08:00Z"), deps);
  expect(next?.since).toBe(at("2026-12-14T21:05:00Z"));
});

describe("the trading day of a loss", () => {
  test.each([
    // Vector 10: in Chicago, at 16:59:59 and 17:00:00. Vector 11: on Sunday at 17:30.
    ["2026-12-09T22:59:59Z", "2026-12-09"],
    ["2026-12-09T23:00:00Z", "2026-12-10"],
    ["2026-12-13T23:30:00Z", "2026-12-14"],
  ])("at %s is %s", (instant, day) => {
    const found = deps.tradingDayAt(at(instant), "CME");
    expect(new Date(found.day * 86_400_000).toISOString().slice(0, 10)).toBe(day);
  });
});

describe("what comes next", () => {
  test.each<[ScheduleRule, string, string | undefined]>([
    [topstep, "2026-12-09T12:00:00Z", "entries 2026-12-09T21:05:00.000Z"],
    [topstep, "2026-12-09T21:05:00Z", "positions 2026-12-09T21:08:00.000Z"],
    [cpi, "2026-12-09T12:00:00Z", "positions 2026-12-10T13:28:00.000Z"],
    [cpi, "2026-12-10T13:28:00Z", undefined],
    [{ ...beforeClose, before: "holiday" }, "2026-12-01T00:00:00Z", undefined],
    [
      { kind: "flatBeforeRoll", of: "roll", businessDays: 0 },
      "2026-12-09T12:00:00Z",
      "positions 2026-12-11T23:00:00.000Z",
    ],
    [{ kind: "flatBeforeRoll", of: "roll", businessDays: 0 }, "2026-11-09T12:00:00Z", undefined],
  ])("after %j at %s: %s", (rule, instant, expected) => {
    const next = nextRestriction(rule, ES, at(instant), withNews);
    const text =
      next === undefined ? undefined : `${next.forbids} ${new Date(next.since).toISOString()}`;
    expect(text).toBe(expected);
  });
});
