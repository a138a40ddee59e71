import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import type { EconomicEvent } from "../../../../src/domain/guards/economic-calendar.ts";
import { restrictionAt, restrictionUntil } from "../../../../src/domain/guards/restrictions.ts";
import {
  type FlatBeforeCloseRule,
  type FlatByRule,
  type NewsRule,
  type ScheduleRule,
  WEEKDAYS,
  type WindowRule,
} from "../../../../src/domain/guards/schedule-rule.ts";
import { scheduleDeps } from "../../../support/schedule-deps.ts";

const BEGINS = Date.parse("2026-10-20T00:00:00Z");
const DAY = 86_400_000;
const SECOND = 1_000;
const HOLDS_MS = DAY / 4;

const zone = fc.constantFrom("America/New_York", "America/Chicago", "Europe/Berlin", "Asia/Tokyo");
const two = (value: number) => String(value).padStart(2, "0");
const time = fc
  .tuple(fc.nat(23), fc.constantFrom(0, 10, 30, 59), fc.constantFrom(0, 30))
  .map(([hour, minute, second]) => `${two(hour)}:${two(minute)}:${two(second)}`);
const days = fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 });
/** Up to a day, so that restrictions of neighbouring days overlap. */
const flattenSeconds = fc.constantFrom(0, 60, 7_200, 86_400);
const entriesOffMinutes = fc.constantFrom(0, 5, 300, 1_440);

const window: fc.Arbitrary<WindowRule> = fc.record({
  kind: fc.constant("window"),
  zone,
  windows: fc.array(fc.record({ days, from: time, to: time }), { maxLength: 5 }),
});
const flatBy: fc.Arbitrary<FlatByRule> = fc.record(
  {
    kind: fc.constant("flatBy"),
    zone,
    time,
    days,
    entriesOffMinutes,
    flattenSeconds,
    resumes: time,
  },
  { requiredKeys: ["kind", "zone", "time", "entriesOffMinutes", "flattenSeconds"] },
);
const beforeClose: fc.Arbitrary<FlatBeforeCloseRule> = fc.record({
  kind: fc.constant("flatBeforeClose"),
  before: fc.constantFrom("day", "week", "holiday"),
  seconds: flattenSeconds,
  entriesOffMinutes,
});
const beforeRoll = fc.record({
  kind: fc.constant("flatBeforeRoll" as const),
  businessDays: fc.nat(9),
  of: fc.constantFrom("roll", "lastTrade"),
});
const news: fc.Arbitrary<NewsRule> = fc.record({
  kind: fc.constant("news"),
  calendar: fc.constantFrom("us", "none"),
  beforeSeconds: fc.constantFrom(0, 60, 3_600),
  afterSeconds: fc.constantFrom(0, 60, 3_600),
  forbids: fc.constantFrom("entries", "orders", "positions"),
  whenExpired: fc.constantFrom("tell", "refuse"),
});

const contract = fc.constantFrom(
  "ESZ2026",
  "ZCZ2026",
  "CLZ2026",
  "FDAXZ2026",
  "ESH2027",
  "XXZ2026",
);
const event = fc
  .integer({ min: 0, max: 40 * 24 * 12 })
  .map((step): EconomicEvent => ({ title: `event ${step}`, startsAt: BEGINS + step * 300_000 }));
const calendarOf = (events: readonly EconomicEvent[]) => ({
  name: "us",
  savedAt: BEGINS,
  events: events.toSorted((one, other) => one.startsAt - other.startsAt),
});

/** Clocks change in both zones, and Thanksgiving is among them. */
const instant = fc.integer({ min: 0, max: 45 * 24 * 3_600 }).map((s) => BEGINS + s * SECOND);
const within = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 6 });

describe("what is said of an instant holds until the time that is said with it", () => {
  test.each<[string, fc.Arbitrary<ScheduleRule>]>([
    ["window", window],
    ["flatBy", flatBy],
    ["flatBeforeClose", beforeClose],
    ["flatBeforeRoll", beforeRoll as fc.Arbitrary<ScheduleRule>],
    ["news", news],
  ])("of any %s", (_, rules) => {
    fc.assert(
      fc.property(
        rules,
        contract,
        instant,
        within,
        fc.array(event, { maxLength: 20 }),
        (rule, code, at, parts, events) => {
          const deps = scheduleDeps(calendarOf(events));
          const said = (when: number) => restrictionAt(rule, code as ContractCode, when, deps);
          const held = restrictionUntil(rule, code as ContractCode, at, deps);
          const { holdsUntil } = held;
          expect(holdsUntil).toBeGreaterThan(at);
          const times = [at, at + SECOND, holdsUntil - SECOND, holdsUntil - 1].concat(
            parts.map((part) => at + Math.floor(part * (holdsUntil - 1 - at))),
          );
          for (const when of times.filter((one) => one >= at && one < holdsUntil)) {
            expect(said(when)).toEqual(held.restriction);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("of a roll, which comes once", () => {
    const rule = { kind: "flatBeforeRoll", businessDays: 2, of: "lastTrade" } as const;
    const code = "CLZ2026" as ContractCode;
    const deps = scheduleDeps();
    const since = restrictionAt(rule, code, BEGINS + 60 * DAY, deps)?.since ?? Number.NaN;
    expect([
      restrictionUntil(rule, code, since - 1, deps),
      restrictionUntil(rule, code, since - HOLDS_MS / 2, deps),
    ]).toEqual(Array.from({ length: 2 }, () => ({ restriction: undefined, holdsUntil: since })));
    expect(restrictionUntil(rule, code, since, deps)).toMatchObject({
      restriction: { forbids: "positions", since },
      holdsUntil: since + HOLDS_MS,
    });
  });

  test("the answer that follows is the one of its own instant, for weeks", () => {
    const rule: FlatByRule = {
      kind: "flatBy",
      zone: "America/Chicago",
      time: "15:10",
      entriesOffMinutes: 5,
      flattenSeconds: 120,
    };
    const deps = scheduleDeps();
    const ES = "ESZ2026" as ContractCode;
    const changes: string[] = [];
    let at = Date.parse("2026-12-09T00:00:00Z");
    while (at < Date.parse("2026-12-10T00:00:00Z")) {
      const { restriction, holdsUntil } = restrictionUntil(rule, ES, at, deps);
      const last = new Date(holdsUntil).toISOString().slice(11, 19);
      changes.push(`${restriction?.forbids ?? "free"} until ${last}`);
      expect(holdsUntil - at).toBeLessThanOrEqual(HOLDS_MS);
      at = holdsUntil;
    }
    expect(changes).toEqual([
      "free until 06:00:00",
      "free until 12:00:00",
      "free until 18:00:00",
      "free until 21:05:00",
      "entries until 21:08:00",
      "positions until 23:00:00",
      "free until 05:00:00",
    ]);
  });
});
