import { describe, expect, test } from "vitest";
import { entriesRefused } from "../../../../src/domain/guards/decide.ts";
import type { GuardRule } from "../../../../src/domain/guards/rule.ts";
import { minor } from "../../../../src/domain/money.ts";
import {
  beganWith,
  closedToday,
  count,
  DAY_END,
  drawdown,
  factsOf,
  holding,
  look,
  type Look,
  loss,
  monday,
  net,
  settingsOf,
  stored,
  thursday,
  WEEK_END,
} from "./kit.ts";

const soft = loss({ id: "day", limit: minor(1000), then: "exitsOnly" });
const hardWeek = loss({
  id: "week",
  period: "week",
  limit: minor(500),
  lock: "hard",
  then: "exitsOnly",
});
const flattening = loss({ id: "flat", limit: minor(1500) });

const told = ({ decisions }: Look) => decisions.map(({ what, ruleId }) => [what, ruleId]);
const shown = ({ lock }: Look) => lock?.ruleId;
const lost = (amount: number) => factsOf(closedToday(-amount));

describe("what is told", () => {
  test("each level once a day, and none that was passed already", () => {
    const settings = settingsOf([soft]);
    const days = [0, 700, 600, 750, 900, 500, 950, 700, 1000, 100, 1000];
    let held: Look | undefined;
    const heard = days.map((amount) => {
      held = look(settings, lost(amount), held === undefined ? {} : stored(held));
      return told(held);
    });
    const words = heard.flat().map(([what]) => what);
    expect(words).toEqual(["warned", "entriesOff", "locked"]);
    expect(heard[1]).toEqual([["warned", "day"]]);
    expect(heard[4]).toEqual([["entriesOff", "day"]]);
    expect(heard[8]).toEqual([["locked", "day"]]);
  });

  test("what goes straight to a breach is told as that alone", () => {
    expect(told(look(settingsOf([soft]), lost(5000)))).toEqual([["locked", "day"]]);
  });

  test("each day anew", () => {
    const settings = settingsOf([soft]);
    const before = look(settings, lost(700));
    const next = thursday({ days: [net("2026-06-10", -700), net("2026-06-11", -700)] });
    expect(told(look(settings, next, stored(before)))).toEqual([
      ["dayBegan", undefined],
      ["warned", "day"],
    ]);
  });

  test("a figure that is unknown in between is no news", () => {
    const settings = settingsOf([soft]);
    const warned = look(settings, lost(700));
    const blind = look(settings, factsOf(holding(undefined)), stored(warned));
    expect(told(blind)).toEqual([]);
    expect(told(look(settings, lost(700), stored(blind)))).toEqual([]);
  });

  test("of a rule that only tells, what it would have done; it locks and refuses nothing", () => {
    const settings = settingsOf([{ ...soft, mode: "shadow" }]);
    const off = look(settings, lost(900));
    expect(told(off)).toEqual([["wouldRefuse", "day"]]);
    const breached = look(settings, lost(1000), stored(off));
    expect(told(breached)).toEqual([["wouldLock", "day"]]);
    expect(breached.lock).toBeUndefined();
    expect(entriesRefused(breached.lock, breached.judged.verdicts)).toBeUndefined();
    expect(told(look(settings, lost(1100), stored(breached)))).toEqual([]);
  });
});

describe("an account that cannot be judged", () => {
  const blind = factsOf(holding(undefined));
  const settings = (then: "alarm" | "flattenUnprotected" | "flatten") =>
    settingsOf([soft], { whenBlind: { then, afterSeconds: 60 } });

  test("for as long as its user allows is locked for the day, closed, and told once", () => {
    expect(look(settings("flatten"), blind, {}, 59_999).lock).toBeUndefined();
    const locked = look(settings("flatten"), blind, {}, 60_000);
    expect(locked.lock).toMatchObject({ then: "flatten", lock: "soft", until: DAY_END });
    expect(locked.lock?.reason).toContain("For 60 s it could not be judged");
    expect(told(locked)).toEqual([["locked", undefined]]);
    const again = look(settings("flatten"), blind, stored(locked), 61_000);
    expect([again.lock?.id, told(again)]).toEqual([locked.lock?.id, []]);
    const seen = look(settings("flatten"), factsOf(), stored(again));
    expect(seen.lock?.id).toBe(locked.lock?.id);
    expect(look(settings("flatten"), thursday(), stored(seen)).lock).toBeUndefined();
  });

  test.each(["alarm", "flattenUnprotected"] as const)("is not locked by %s", (then) => {
    expect(look(settings(then), blind, {}, 600_000).lock).toBeUndefined();
  });

  test("is closed beside a lock that only keeps entries out", () => {
    const before = look(settings("flatten"), lost(1000));
    const after = look(settings("flatten"), blind, stored(before), 60_000);
    expect(after.lock).toMatchObject({ then: "flatten" });
    expect(after.state.beneath).toMatchObject([{ ruleId: "day" }]);
  });
});

describe("several breaches", () => {
  test("two at once: the one that flattens is shown, and both are told", () => {
    const seen = look(settingsOf([hardWeek, flattening]), lost(1500));
    expect(seen.lock).toMatchObject({ ruleId: "flat", then: "flatten", until: DAY_END });
    expect(told(seen)).toEqual([
      ["locked", "week"],
      ["locked", "flat"],
    ]);
  });

  test("of two that only keep entries out the one that lasts longer is shown", () => {
    expect(shown(look(settingsOf([soft, hardWeek]), lost(1000)))).toBe("week");
  });

  test("a lock that keeps entries out gives way to one that flattens, with an id of its own", () => {
    const settings = settingsOf([soft, flattening]);
    const before = look(settings, lost(1000));
    const after = look(settings, lost(1500), stored(before));
    expect(after.lock).toMatchObject({ ruleId: "flat", then: "flatten" });
    expect(after.lock?.id).not.toBe(before.lock?.id);
    expect(told(after)).toEqual([["locked", "flat"]]);
  });

  test("a milder breach leaves the lock as it stands, and is told", () => {
    const settings = settingsOf([count({ id: "trades" }), flattening]);
    const before = look(settings, lost(1500));
    const after = look(settings, { ...lost(1500), trades: 3 }, stored(before));
    expect(after.lock).toEqual(before.lock);
    expect(told(after)).toEqual([["locked", "trades"]]);
  });

  test("the week's lock goes on when that of the day ends, also if its rule holds again", () => {
    const settings = settingsOf([hardWeek, flattening]);
    const both = look(settings, lost(1500));
    const days = [net("2026-06-10", -1500), net("2026-06-11", 1400)];
    const next = look(settings, thursday({ days }), stored(both));
    expect(next.lock).toMatchObject({ ruleId: "week", until: WEEK_END, lock: "hard" });
    expect(told(next)).toEqual([["dayBegan", undefined]]);
    const after = look(settings, monday({ days }), stored(next));
    expect(after.lock).toBeUndefined();
    expect(told(after)).toEqual([
      ["dayBegan", undefined],
      ["unlocked", "week"],
    ]);
  });

  test("a breach that was hidden by a graver one outlives its recovery on the same day", () => {
    const settings = settingsOf([hardWeek, flattening]);
    const both = look(settings, lost(1500));
    const recovered = look(settings, lost(0), stored(both));
    const next = look(settings, thursday(), stored(recovered));
    expect(shown(next)).toBe("week");
  });
});

describe("a lock whose time is over", () => {
  const live = settingsOf([drawdown({ trails: "live" })]);
  const breached = look(live, lost(2000), beganWith(50_000));
  const known = { days: [net("2026-06-10", -2000)] };

  test("goes on while its rule is breached, as the same one and untold", () => {
    const next = look(live, thursday(known), stored(breached));
    expect(next.lock).toMatchObject({
      id: breached.lock?.id,
      at: breached.lock?.at,
      until: thursday().dayEndsAt,
    });
    expect(told(next)).toEqual([["dayBegan", undefined]]);
    const later = look(live, monday(known), stored(next));
    expect(later.lock).toMatchObject({ id: breached.lock?.id, until: monday().dayEndsAt });
  });

  test("stays while its figure is unknown, and ends when that is known to hold", () => {
    const unknown = thursday({ ...known, ...holding(undefined) });
    const waiting = look(live, unknown, stored(breached));
    expect(waiting.lock).toEqual(breached.lock);
    const days = [...known.days, net("2026-06-11", 900)];
    const after = look(live, thursday({ days }), stored(waiting));
    expect(after.lock).toBeUndefined();
    expect(told(after)).toEqual([["unlocked", "rule"]]);
  });

  test("does not hide, while its figure is unknown, that another rule is to flatten", () => {
    const settings = settingsOf([soft, loss({ id: "closed", counts: "closed" })]);
    const before = look(settings, lost(1000), {});
    const milder = settingsOf([soft]);
    const onlySoft = look(milder, lost(1000));
    const facts = thursday({ days: [net("2026-06-11", -1000)], ...holding(undefined) });
    const after = look(settings, facts, stored(onlySoft));
    expect(before.lock?.then).toBe("flatten");
    expect(after.lock).toMatchObject({ ruleId: "closed", then: "flatten" });
  });

  test.each<[string, readonly GuardRule[]]>([
    ["is no more set", []],
    ["only tells by now", [drawdown({ trails: "live", mode: "shadow" })]],
  ])("ends where its rule %s", (_, rules) => {
    const standing = look(settingsOf(rules), lost(2000), stored(breached));
    expect(standing.lock).toEqual(breached.lock);
    const unknown = thursday({ ...known, ...holding(undefined) });
    const next = look(settingsOf(rules), unknown, stored(standing));
    expect(next.lock).toBeUndefined();
  });
});

describe("a rule that is changed while its lock stands", () => {
  const before = look(settingsOf([soft]), lost(1000));

  test("is loosened: the lock stays", () => {
    const loosened = settingsOf([loss({ id: "day", limit: minor(9000), then: "exitsOnly" })]);
    expect(look(loosened, lost(1000), stored(before)).lock).toEqual(before.lock);
  });

  test("is to flatten from now on: that is a lock of its own", () => {
    const tightened = settingsOf([loss({ id: "day", then: "flatten", lock: "hard" })]);
    const after = look(tightened, lost(1000), stored(before));
    expect(after.lock).toMatchObject({ then: "flatten", lock: "hard" });
    expect(after.lock?.id).not.toBe(before.lock?.id);
    expect(told(after)).toEqual([["locked", "day"]]);
  });

  test("is to flatten, but soft and for a day: what stands of the hard week stays", () => {
    const hard = look(settingsOf([hardWeek]), lost(1000));
    const changed = settingsOf([loss({ id: "week" })]);
    expect(look(changed, lost(1000), stored(hard)).lock).toMatchObject({
      then: "flatten",
      lock: "hard",
      until: WEEK_END,
    });
  });

  test("counts for the week from now on: so does its lock", () => {
    const longer = settingsOf([loss({ id: "day", period: "week", then: "exitsOnly" })]);
    expect(look(longer, lost(1000), stored(before)).lock).toEqual({
      ...before.lock,
      until: WEEK_END,
    });
  });

  test("is made soft: a hard lock stays hard", () => {
    const hard = look(settingsOf([hardWeek]), lost(1000));
    const softened = settingsOf([{ ...hardWeek, lock: "soft" }]);
    expect(look(softened, lost(1000), stored(hard)).lock).toEqual(hard.lock);
  });
});

describe("why entries are refused", () => {
  test("by the lock first, with when it is over", () => {
    const { lock, judged } = look(settingsOf([soft]), lost(1000));
    expect(entriesRefused(lock, judged.verdicts)).toEqual({
      code: "LOCKED",
      ruleId: "day",
      reason: expect.stringMatching(
        /^The account is locked until 2026-06-10T22:00:00.000Z: .*-10\.00 USD.*\. Only exits are sent$/,
      ) as string,
    });
  });

  test("else by what is gravest: a limit that is near before a figure that is unknown", () => {
    const settings = settingsOf([loss({ id: "open" }), loss({ id: "closed", counts: "closed" })]);
    const { lock, judged } = look(
      settings,
      factsOf({ ...closedToday(-900), ...holding(undefined) }),
    );
    expect(entriesRefused(lock, judged.verdicts)).toMatchObject({
      code: "GUARD_REFUSED",
      ruleId: "closed",
    });
  });
});
