// The check vectors that the rules of guards were agreed by, by their numbers.
import { describe, expect, test } from "vitest";
import { isoDate } from "../../../../src/domain/calendar/civil-day.ts";
import { accountDayAt, STANDARD_CLOCKS } from "../../../../src/domain/calendar/account-day.ts";
import { entriesRefused } from "../../../../src/domain/guards/decide.ts";
import { heldLots, lotsOf } from "../../../../src/domain/guards/lots.ts";
import { lots } from "../../../../src/domain/guards/rule.ts";
import { minor } from "../../../../src/domain/money.ts";
import {
  beganWith,
  closedToday,
  DAY_END,
  drawdown,
  factsOf,
  first,
  holding,
  look,
  loss,
  lotsRule,
  monday,
  net,
  settingsOf,
  stored,
  thursday,
} from "./kit.ts";

const DLL = settingsOf([loss()]);
const refused = (seen: ReturnType<typeof look>) =>
  entriesRefused(seen.lock, seen.judged.verdicts)?.code;

describe("of the check vectors", () => {
  test.each<[string, number, number, object]>([
    [
      "1: −605 closed with fees, open −395",
      -605,
      -395,
      { level: "breach", figure: -1000, room: 0 },
    ],
    ["3: −1,200 closed, open +300", -1200, 300, { level: "entriesOff", figure: -900, room: 100 }],
    ["4: breach, then +200", -800, 0, { level: "warn", figure: -800, room: 200 }],
  ])("%s", (_, closed, open, wanted) => {
    expect(first(look(DLL, factsOf({ ...closedToday(closed), ...holding(open) })))).toMatchObject(
      wanted,
    );
  });

  test("2: −990 and flat leaves a room of 10, and no entry passes", () => {
    const seen = look(DLL, factsOf(closedToday(-990)));
    expect(first(seen)).toMatchObject({ level: "entriesOff", room: 10, usedPercent: 99 });
    expect(refused(seen)).toBe("GUARD_REFUSED");
    expect(seen.lock).toBeUndefined();
  });

  test("4: a breach stays locked when a correction brings +200", () => {
    const breached = look(DLL, factsOf(closedToday(-1000)));
    const later = look(DLL, factsOf(closedToday(-800)), stored(breached));
    expect(later.lock).toEqual(breached.lock);
    expect(refused(later)).toBe("LOCKED");
  });

  test("9: after a crash at −800 it still is −800", () => {
    const before = look(DLL, factsOf(closedToday(-800)));
    const after = look(DLL, factsOf(closedToday(-800)), stored(before));
    expect(first(after)).toMatchObject({ figure: -800, level: "warn" });
    expect(after.decisions).toEqual([]);
  });

  test("10: −999 at 16:59:59 is 0 at 17:00:00", () => {
    const known = { days: [net("2026-06-10", -999)] };
    const before = look(DLL, factsOf({ ...known, now: DAY_END - 1000 }));
    expect(first(before)).toMatchObject({ level: "entriesOff", figure: -999 });
    const after = look(DLL, thursday({ ...known, now: DAY_END }), stored(before));
    expect(first(after)).toMatchObject({ level: "ok", figure: 0, room: 1000 });
    expect(after.decisions.map(({ what }) => what)).toEqual(["dayBegan"]);
    expect(refused(after)).toBeUndefined();
  });

  test("10: a lock of the day ends at 17:00:00, not a moment before", () => {
    const known = { days: [net("2026-06-10", -1000)] };
    const breached = look(DLL, factsOf(known));
    expect(breached.lock).toMatchObject({ until: DAY_END });
    const last = look(DLL, factsOf({ ...known, now: DAY_END - 1 }), stored(breached));
    expect(last.lock).toEqual(breached.lock);
    const next = look(DLL, thursday({ ...known, now: DAY_END }), stored(last));
    expect(next.lock).toBeUndefined();
    expect(next.decisions.map(({ what }) => what)).toEqual(["dayBegan", "unlocked"]);
  });

  test("11: a loss on Sunday at 17:30 is Monday's", () => {
    const sunday = Date.parse("2026-06-14T22:30:00Z");
    const { day, endsAt } = accountDayAt(STANDARD_CLOCKS, sunday);
    const tradingDay = isoDate(day);
    expect(tradingDay).toBe("2026-06-15");
    const days = [net("2026-06-12", -700), net(tradingDay, -400)];
    const facts = monday({ now: sunday, tradingDay, dayEndsAt: endsAt, days });
    expect(first(look(DLL, facts))).toMatchObject({ figure: -400, level: "ok" });
  });

  test("13: by end of day 50,000 − 2,000 holds all day, and 50,500 − 2,000 the next", () => {
    const settings = settingsOf([drawdown()]);
    const peaked = look(settings, factsOf(holding(1500)), beganWith(50_000));
    expect(first(peaked)).toMatchObject({ figure: 51_500, limit: 48_000 });
    const closed = look(settings, factsOf(closedToday(500)), stored(peaked));
    expect(first(closed)).toMatchObject({ figure: 50_500, limit: 48_000 });
    const next = look(settings, thursday(closedToday(500)), stored(closed));
    expect(first(next)).toMatchObject({ figure: 50_500, limit: 48_500 });
  });

  test("14: live 50,875 − 2,500 holds at once, and is breached at 48,375", () => {
    const settings = settingsOf([drawdown({ trails: "live", size: minor(2500) })]);
    const peaked = look(settings, factsOf(holding(875)), beganWith(50_000));
    expect(first(peaked)).toMatchObject({ limit: 48_375, room: 2500, level: "ok" });
    const above = look(settings, factsOf(holding(-1624)), stored(peaked));
    expect(first(above)).toMatchObject({ figure: 48_376, room: 1, level: "entriesOff" });
    const at = look(settings, factsOf(holding(-1625)), stored(above));
    expect(first(at)).toMatchObject({ figure: 48_375, room: 0, level: "breach" });
    expect(at.lock).toMatchObject({ then: "flatten", until: DAY_END });
  });

  test.each([
    [50_000, 50_000],
    [50_100, 50_100],
    [undefined, 50_500],
  ])("15: a day that ended with 52,500, locked at %s: floor %s", (locksAt, floor) => {
    const rule = drawdown(locksAt === undefined ? {} : { locksAt: minor(locksAt) });
    const ended = look(settingsOf([rule]), factsOf(closedToday(2500)), beganWith(50_000));
    const next = look(settingsOf([rule]), thursday(closedToday(2500)), stored(ended));
    expect(first(next)).toMatchObject({ limit: floor });
  });

  test("16: 4 ES and 10 MES are five lots, of which one MES is a tenth", () => {
    const held = new Map([
      ["ES", 4],
      ["MES", -10],
    ]);
    expect(heldLots(lotsRule(), held)).toBe(5000);
    expect(lotsOf(lotsRule(), "MES", 1)).toBe(100);
    const seen = look(settingsOf([lotsRule()]), factsOf({ held }));
    expect(first(seen)).toMatchObject({ level: "warn", figure: 5000, limit: 5000, room: 0 });
    expect(first(seen)?.reason).toBe("5 lots are held of 5");
  });

  test("17: what is won at noon raises a ladder of the next day only then", () => {
    const ladder = {
      start: minor(50_000),
      counts: "nextDay",
      steps: [{ above: minor(1500), max: lots(3000) }],
    } as const;
    const settings = settingsOf([lotsRule({ max: lots(2000), ladder })]);
    const won = closedToday(1600);
    const today = look(settings, factsOf(won), beganWith(50_000));
    expect(first(today)).toMatchObject({ limit: 2000 });
    expect(first(look(settings, thursday(won), stored(today)))).toMatchObject({ limit: 3000 });
  });

  test("21: a price that is missing refuses entries, is said to be blind, and closes nothing", () => {
    const seen = look(DLL, factsOf(holding(undefined)));
    expect(seen.judged.blind).toMatch(/older than 10 s/);
    expect(refused(seen)).toBe("GUARD_REFUSED");
    expect(seen.lock).toBeUndefined();
  });

  test("a rule that only tells makes nobody blind", () => {
    const seen = look(settingsOf([loss({ mode: "shadow" })]), factsOf(holding(undefined)));
    expect(first(seen)?.level).toBe("unknown");
    expect(seen.judged.blind).toBeUndefined();
    expect(refused(seen)).toBeUndefined();
  });
});
