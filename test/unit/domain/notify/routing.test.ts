// The goal: who wants to sleep sleeps, and nobody sleeps through what puts money at risk. The method:
// rules by table, and quiet hours over both changes to and from daylight saving time.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountId, userId } from "../../../../src/domain/ids.ts";
import type { Destination, Rule } from "../../../../src/domain/notify/destination.ts";
import { EVENT_TYPES, type GatewayEvent } from "../../../../src/domain/notify/event.ts";
import { endOfQuiet, lastDue, routeOf } from "../../../../src/domain/notify/routing.ts";
import { SEVERITIES } from "../../../../src/domain/severity.ts";

const ONE = accountId("paper-1");
const OTHER = accountId("paper-2");
const NOW = Date.parse("2026-07-01T12:00:00Z");

const event = (change: Partial<GatewayEvent>): GatewayEvent =>
  ({
    id: "ev_1",
    type: "order.rejected",
    userId: userId("user_1"),
    at: NOW,
    severity: "warning",
    accountId: ONE,
    environment: "demo",
    message: "",
    facts: {},
    ...change,
  }) as GatewayEvent;

type Routed = Pick<Destination, "kind" | "rules" | "quietHours">;

const to = (rules: readonly Rule[], change: Partial<Routed> = {}): Routed => ({
  kind: "discord",
  rules,
  ...change,
});

describe("rules", () => {
  const rejected = event({});
  const unknown = event({ type: "order.outcome_unknown", severity: "critical" });
  const canceled = event({ type: "order.canceled", severity: "info" });
  const filled = event({ type: "order.filled", severity: "info" });

  test.each<[what: string, Rule[], GatewayEvent, "on" | "silent" | "off"]>([
    ["without any, warnings are told", [], rejected, "on"],
    ["without any, fills are told", [], filled, "on"],
    ["without any, other information is not", [], canceled, "off"],
    ["the first that fits counts", [{ tell: "silent" }, { tell: "off" }], rejected, "silent"],
    [
      "one of another type does not fit",
      [{ types: ["order.filled"], tell: "off" }],
      rejected,
      "on",
    ],
    ["one of a higher severity does not", [{ severity: "critical", tell: "off" }], rejected, "on"],
    ["one of a lower severity does", [{ severity: "info", tell: "off" }], rejected, "off"],
    ["one of another account does not", [{ accounts: [OTHER], tell: "off" }], rejected, "on"],
    ["one of its account does", [{ accounts: [ONE], tell: "silent" }], rejected, "silent"],
    ["one of live accounts does not", [{ environment: "live", tell: "off" }], rejected, "on"],
    ["what is critical is not switched off by severity", [{ tell: "off" }], unknown, "on"],
    [
      "nor made silent by its type",
      [{ types: ["order.outcome_unknown"], tell: "silent" }],
      unknown,
      "on",
    ],
    ["but left out with its account", [{ accounts: [ONE], tell: "off" }], unknown, "off"],
    ["or with all that is demo", [{ environment: "demo", tell: "off" }], unknown, "off"],
    [
      "an event of no account is in no rule of accounts",
      [{ accounts: [ONE], tell: "off" }],
      { ...rejected, accountId: undefined } as unknown as GatewayEvent,
      "on",
    ],
  ])("%s", (_, rules, of, tell) => {
    const route = routeOf(to(rules), of, NOW);
    expect(route === undefined ? "off" : route.isSilent ? "silent" : "on").toBe(tell);
  });

  test("no rule without accounts or environment keeps back what is critical", () => {
    const rule = fc.record(
      {
        types: fc.array(fc.constantFrom(...EVENT_TYPES)),
        severity: fc.constantFrom(...SEVERITIES),
        tell: fc.constantFrom("on", "silent", "off"),
      },
      { requiredKeys: ["tell"] },
    );
    fc.assert(
      fc.property(fc.array(rule), (rules) => {
        const route = routeOf(to(rules as Rule[]), unknown, NOW);
        expect(route).toMatchObject({ dueAt: NOW, isSilent: false });
      }),
    );
  });

  test("a heartbeat is told that the gateway lives, and nothing else", () => {
    const alive = event({ type: "gateway.alive", severity: "info" });
    const heartbeat = to([], { kind: "heartbeat" });
    expect(routeOf(heartbeat, alive, NOW)).toMatchObject({ dueAt: NOW });
    expect(routeOf(heartbeat, unknown, NOW)).toBeUndefined();
    expect(routeOf(to([{ tell: "on" }]), alive, NOW)).toBeUndefined();
  });

  test("what a guard would have done folds by its rule, whatever its figures", () => {
    const act = (ruleId: string, would: "lock" | "refuse", reason: string): GatewayEvent => ({
      ...filled,
      type: "guard.would_act",
      severity: "info",
      facts: { ruleId, would, reason },
    });
    const foldOf = (of: GatewayEvent) => routeOf(to([], { kind: "discord" }), of, NOW)?.foldKey;
    const one = foldOf(act("a", "refuse", "900 of 1000"));
    expect(one).toBeDefined();
    expect(foldOf(act("a", "refuse", "901 of 1000"))).toBe(one);
    expect(foldOf(act("a", "lock", "900 of 1000"))).not.toBe(one);
    expect(foldOf(act("b", "refuse", "900 of 1000"))).not.toBe(one);
  });

  test("equal events fold for people, by account and code, and never for programs", () => {
    const refused = (account: string, code: string) =>
      event({ type: "order.refused", accountId: accountId(account), facts: { code } });
    const foldOf = (of: GatewayEvent, kind: Routed["kind"] = "discord") =>
      routeOf(to([], { kind }), of, NOW)?.foldKey;
    const [one, other] = [refused("a", "LIMIT_EXCEEDED"), refused("a", "KILL_SWITCH_ON")];
    expect(foldOf(one)).toBe(foldOf({ ...one, id: "ev_2" }));
    const sold = event({
      type: "order.refused",
      accountId: accountId("a"),
      facts: { action: "sell" },
    });
    expect(foldOf(one)).not.toBe(foldOf(sold));
    expect(foldOf(one)).not.toBe(foldOf(other));
    expect(foldOf(one)).not.toBe(foldOf(refused("b", "LIMIT_EXCEEDED")));
    expect(foldOf(one, "webhook")).toBeUndefined();
    expect(foldOf(filled)).toBeUndefined();
  });
});

describe("quiet hours", () => {
  const night = { from: "22:00", to: "07:00", zone: "America/Chicago" };

  test.each<[what: string, now: string, until: string]>([
    ["by day they are over", "2026-07-01T17:00:00Z", "2026-07-01T17:00:00Z"],
    ["before midnight", "2026-07-02T04:00:00Z", "2026-07-02T12:00:00Z"],
    ["after midnight", "2026-07-02T09:00:00Z", "2026-07-02T12:00:00Z"],
    ["the minute they begin", "2026-07-02T03:00:00Z", "2026-07-02T12:00:00Z"],
    ["the minute they end", "2026-07-02T12:00:00Z", "2026-07-02T12:00:00Z"],
    ["the night that is an hour shorter", "2026-03-08T05:00:00Z", "2026-03-08T12:00:00Z"],
    ["the night that is an hour longer", "2026-11-01T04:00:00Z", "2026-11-01T13:00:00Z"],
  ])("%s", (_, now, until) => {
    expect(new Date(endOfQuiet(night, Date.parse(now))).toISOString()).toBe(
      new Date(until).toISOString(),
    );
  });

  test("end at the second half past one of a night on which that comes twice", () => {
    const early = { from: "22:00", to: "01:30", zone: "America/New_York" };
    const now = Date.parse("2026-11-01T06:10:00Z");
    expect(endOfQuiet(early, now)).toBe(Date.parse("2026-11-01T06:30:00Z"));
  });

  test("end as clocks are put forward over their end, and begin so too", () => {
    const early = { from: "22:00", to: "02:30", zone: "America/New_York" };
    const jump = Date.parse("2026-03-08T07:00:00Z");
    expect(endOfQuiet(early, jump - 3_600_000)).toBe(jump);
    expect(endOfQuiet(early, jump)).toBe(jump);
    const late = { ...early, from: "02:30", to: "07:00" };
    expect(endOfQuiet(late, jump)).toBe(Date.parse("2026-03-08T11:00:00Z"));
    expect(endOfQuiet(late, jump - 60_000)).toBe(jump - 60_000);
  });

  test("hold everything but what is critical", () => {
    const at = Date.parse("2026-07-02T04:00:00Z");
    const quiet = to([], { quietHours: night });
    expect(routeOf(quiet, event({}), at)?.dueAt).toBe(Date.parse("2026-07-02T12:00:00Z"));
    const critical = event({ type: "exit.failed", severity: "critical" });
    expect(routeOf(quiet, critical, at)?.dueAt).toBe(at);
  });

  test("always end within a day, outside of themselves, and never in the past", () => {
    const time = fc
      .integer({ min: 0, max: 24 * 60 - 1 })
      .map(
        (m) => `${String(Math.floor(m / 60)).padStart(2, "0")}:${String(m % 60).padStart(2, "0")}`,
      );
    const zone = fc.constantFrom("America/Chicago", "Europe/Berlin", "Asia/Kolkata", "UTC");
    const instant = fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2027-01-01") });
    fc.assert(
      fc.property(time, time, zone, instant, (from, until, of, now) => {
        const hours = { from, to: until, zone: of };
        const end = endOfQuiet(hours, now);
        expect(end).toBeGreaterThanOrEqual(now);
        // The longer day of the year has 25 hours.
        expect(end - now).toBeLessThanOrEqual(26 * 3_600_000);
        expect(from === until || end === now || end > now).toBe(true);
      }),
    );
  });
});

describe("the time of a summary", () => {
  test.each<[what: string, now: string, date: string, dueAt: string]>([
    ["that clocks leave out", "2026-03-08T07:10:00Z", "2026-03-08", "2026-03-08T07:00:00Z"],
    ["that comes twice, in between", "2026-11-01T06:10:00Z", "2026-11-01", "2026-11-01T05:30:00Z"],
    ["that comes twice, after both", "2026-11-01T06:40:00Z", "2026-11-01", "2026-11-01T05:30:00Z"],
  ])("%s", (_, now, date, dueAt) => {
    const at = date.endsWith("03-08") ? "02:30" : "01:30";
    const due = lastDue({ at, zone: "America/New_York" }, Date.parse(now));
    expect([due.date, new Date(due.dueAt).toISOString()]).toEqual([
      date,
      new Date(dueAt).toISOString(),
    ]);
  });
});
