import { describe, expect, test } from "vitest";
import { lockedBy } from "../../../../src/domain/guards/decide.ts";
import { addLock, endLock, type Held, standingLocks } from "../../../../src/domain/guards/locks.ts";
import type { GuardLock } from "../../../../src/domain/guards/verdict.ts";
import { minor } from "../../../../src/domain/money.ts";
import {
  closedToday,
  DAY_END,
  factsOf,
  look,
  loss,
  NOON,
  settingsOf,
  stored,
  thursday,
  WEEK_END,
} from "./kit.ts";

const nothing: Held = {
  state: { tradingDay: "2026-06-10", rules: {}, judgedAt: NOON },
  lock: undefined,
};

const byHand = (id: string, change: Partial<GuardLock> = {}): GuardLock => ({
  id,
  at: NOON,
  lock: "soft",
  then: "exitsOnly",
  reason: "asked",
  ...change,
});

const ids = (held: Held) => standingLocks(held).map(({ id }) => id);

test.each([
  [{ until: DAY_END }, "until 2026-06-10T22:00:00.000Z: asked"],
  [{}, "until a person ends it: asked"],
])("a lock with %j names its end", (change, words) => {
  expect(lockedBy(byHand("mine", change)).reason).toContain(words);
});

describe("a lock that somebody asked for", () => {
  test("until a person ends it, outlives a graver one that a rule set", () => {
    const settings = settingsOf([loss()]);
    const asked = addLock(nothing, byHand("mine"));
    const breached = look(settings, factsOf(closedToday(-1000)), asked);
    expect(breached.lock).toMatchObject({ ruleId: "rule", then: "flatten" });
    const next = look(settings, thursday(), stored(breached));
    expect(next.lock).toEqual(byHand("mine"));
    expect(endLock(next).lock).toBeUndefined();
  });

  test("ends by its time", () => {
    const asked = addLock(nothing, byHand("mine", { until: NOON + 1, lock: "hard" }));
    expect(look(settingsOf([]), factsOf(), asked).lock?.id).toBe("mine");
    expect(look(settingsOf([]), factsOf({ now: NOON + 1 }), asked).lock).toBeUndefined();
  });

  test.each<[string, Partial<GuardLock>, Partial<GuardLock>, readonly string[]]>([
    ["the same again", {}, {}, ["one"]],
    ["less long", {}, { until: DAY_END }, ["one"]],
    ["longer", { until: DAY_END }, { until: WEEK_END }, ["two"]],
    ["harder, less long", {}, { until: DAY_END, lock: "hard" }, ["one", "two"]],
    ["flattening, less long", {}, { until: DAY_END, then: "flatten" }, ["two", "one"]],
    ["harder, as long", { until: DAY_END }, { until: DAY_END, lock: "hard" }, ["two"]],
  ])("%s", (_, one, two, stand) => {
    const held = addLock(addLock(nothing, byHand("one", one)), byHand("two", two));
    expect(ids(held)).toEqual(stand);
  });

  test("is none that a rule's lock makes needless: that one may be ended", () => {
    const breached = look(settingsOf([loss()]), factsOf(closedToday(-1000)));
    expect(ids(addLock(breached, byHand("mine", { until: NOON + 1 })))).toHaveLength(2);
  });
});

describe("a soft lock that a person ends", () => {
  const settings = settingsOf([loss()]);
  const breached = look(settings, factsOf(closedToday(-1000)));
  const ended = endLock(breached);

  test("leaves its rule off until it would have ended, over a crash", () => {
    expect(ended.lock).toBeUndefined();
    const after = look(settings, factsOf(closedToday(-5000)), stored(ended));
    expect(after.lock).toBeUndefined();
    expect(after.judged.verdicts[0]).toMatchObject({
      level: "warn",
      reason: expect.stringMatching(/a person has ended its lock early$/) as string,
    });
  });

  test("and not longer", () => {
    const days = [{ day: "2026-06-11", net: minor(-1000) }];
    expect(look(settings, thursday({ days, now: DAY_END }), stored(ended)).lock).toMatchObject({
      ruleId: "rule",
      until: thursday().dayEndsAt,
    });
  });

  test("leaves what another rule has locked, at once", () => {
    const two = settingsOf([
      loss({ id: "hard", lock: "hard", then: "exitsOnly" }),
      loss({ id: "soft", then: "flatten" }),
    ]);
    const both = look(two, factsOf(closedToday(-1000)));
    expect(both.lock?.ruleId).toBe("soft");
    const after = endLock(both);
    expect(after.lock).toMatchObject({ ruleId: "hard", lock: "hard" });
    const recovered = look(two, factsOf(), stored(after));
    expect(recovered.lock).toMatchObject({ ruleId: "hard" });
    expect(recovered.decisions).toEqual([]);
  });

  test("is shown below a hard one that is as grave", () => {
    const two = settingsOf([loss({ id: "soft" }), loss({ id: "hard", lock: "hard" })]);
    expect(look(two, factsOf(closedToday(-1000))).lock?.ruleId).toBe("hard");
  });

  test("where none stands nothing happens", () => {
    expect(endLock(nothing)).toEqual(nothing);
  });
});
