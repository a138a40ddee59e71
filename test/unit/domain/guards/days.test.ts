// What is carried from one look to the next: over days, doubt, gaps and payments.
import { describe, expect, test } from "vitest";
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
  NOON,
  settingsOf,
  stored,
  thursday,
  WEEK_END,
} from "./kit.ts";

const broker = (change: object) => ({ broker: { at: NOON, ...change } });

describe("from day to day", () => {
  test.each([
    [499, 501, "warn"],
    [500, 500, "ok"],
  ])("a share is compared unrounded: %s and %s", (one, two, level) => {
    const settings = settingsOf([
      { id: "best", mode: "on", lock: "soft", kind: "consistency", percent: 50 },
    ]);
    const before = look(settings, factsOf(closedToday(one)));
    const days = [net("2026-06-10", one), net("2026-06-11", two)];
    const after = look(settings, thursday({ days }), stored(before));
    expect(first(after)).toMatchObject({ level, figure: 50 });
  });

  test("what was won before a consistency rule was set is none of its", () => {
    const before = look(settingsOf([]), factsOf(closedToday(900)));
    const settings = settingsOf([
      { id: "best", mode: "on", lock: "soft", kind: "consistency", percent: 50 },
    ]);
    const days = [net("2026-06-10", 900), net("2026-06-11", 100)];
    const after = look(settings, thursday({ days }), stored(before));
    expect(first(after)).toMatchObject({ figure: 100 });
  });

  test("days that ended while nobody looked are applied in order", () => {
    const settings = settingsOf([drawdown()]);
    const before = look(settings, factsOf(), beganWith(50_000));
    const days = [net("2026-06-10", 1000), net("2026-06-11", 1500), net("2026-06-12", -2000)];
    const after = look(settings, monday({ days }), stored(before));
    expect(after.state.balance).toBe(50_500);
    expect(first(after)).toMatchObject({ figure: 50_500, limit: 50_500, room: 0, level: "breach" });
  });

  test("after a day that cannot be counted a drawdown waits for what the account is worth", () => {
    const settings = settingsOf([drawdown()]);
    const before = look(settings, factsOf(), beganWith(50_000));
    const uncounted = { why: "No rate to EUR is known" };
    const days = [{ ...net("2026-06-10", 100), uncounted }, net("2026-06-11", 0)];
    const after = look(settings, thursday({ days }), stored(before));
    expect([first(after)?.level, after.state.balance]).toEqual(["unknown", undefined]);
    const told = { at: NOON + 86_400_000, worth: minor(49_000), open: minor(0) };
    const seen = look(settings, thursday({ days, broker: told }), stored(after));
    expect(first(seen)).toMatchObject({ level: "ok", figure: 49_000, limit: 48_000 });
    expect(seen.state.balance).toBe(49_000);
  });

  test("a day that ends in doubt is applied when the doubt is over", () => {
    const settings = settingsOf([drawdown()]);
    const before = look(settings, factsOf(closedToday(1000)), beganWith(50_000));
    const days = [net("2026-06-10", 1000)];
    const doubted = look(settings, thursday({ days, doubt: "not read yet" }), stored(before));
    expect(first(doubted)?.level).toBe("unknown");
    const after = look(settings, thursday({ days }), stored(doubted));
    expect(first(after)).toMatchObject({ figure: 51_000, limit: 49_000 });
    expect(after.judged.isNewDay).toBe(true);
  });

  test("a clock that goes back over the day's end counts no day twice", () => {
    const settings = settingsOf([drawdown()]);
    const known = { days: [net("2026-06-10", -500)] };
    const before = look(settings, factsOf(known), beganWith(50_000));
    const next = look(settings, thursday({ ...known, now: DAY_END }), stored(before));
    const back = look(settings, factsOf({ ...known, now: DAY_END - 1 }), stored(next));
    expect(first(back)).toMatchObject({ level: "unknown", reason: expect.stringMatching(/clock/) });
    const again = look(settings, thursday({ ...known, now: DAY_END }), stored(back));
    expect(first(again)).toMatchObject({ figure: 49_500 });
  });

  test("a balance is not worked out from an old price", () => {
    const facts = factsOf({
      ...holding(-300, NOON - 60_000),
      broker: { at: NOON, worth: minor(49_000) },
    });
    expect(look(settingsOf([drawdown()]), facts).state.balance).toBeUndefined();
  });

  test("missing history makes the balance unknown, until the broker tells it", () => {
    const settings = settingsOf([drawdown()]);
    const before = look(settings, factsOf(), beganWith(50_000));
    const gap = look(settings, monday({ daysSince: "2026-06-12" }), stored(before));
    expect(first(gap)?.level).toBe("unknown");
    const told = monday({ daysSince: "2026-06-12" });
    const after = look(
      settings,
      { ...told, broker: { at: told.now, worth: minor(49_000) } },
      stored(gap),
    );
    expect(first(after)).toMatchObject({ figure: 49_000, limit: 48_000 });
  });

  test("what is paid in raises no floor, what is paid out is missing", () => {
    const settings = settingsOf([drawdown({ trails: "live" })]);
    const began = beganWith(50_000);
    const paidIn = look(settings, factsOf(broker({ worth: minor(60_000) })), began);
    expect(first(paidIn)).toMatchObject({ figure: 50_000, limit: 48_000 });
    const paidOut = look(settings, factsOf(broker({ worth: minor(49_000) })), stored(paidIn));
    expect(first(paidOut)).toMatchObject({ figure: 49_000, limit: 48_000, source: "broker" });
  });

  test("a live ladder goes by the worse word", () => {
    const ladder = {
      start: minor(50_000),
      counts: "live",
      steps: [{ above: minor(100), max: lots(9000) }],
    } as const;
    const settings = settingsOf([lotsRule({ ladder })]);
    const facts = factsOf({ ...closedToday(101), ...broker({ worth: minor(50_100) }) });
    expect(first(look(settings, facts, beganWith(50_000)))).toMatchObject({ limit: 5000 });
    const alone = look(settings, factsOf(closedToday(101)), beganWith(50_000));
    expect(first(alone)).toMatchObject({ limit: 9000 });
  });

  test("a week's lock lasts until its week ends", () => {
    const settings = settingsOf([loss({ period: "week" })]);
    const breached = look(settings, factsOf(closedToday(-1000)));
    expect(breached.lock).toMatchObject({ until: WEEK_END });
  });
});
