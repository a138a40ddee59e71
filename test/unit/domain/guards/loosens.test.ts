import { describe, expect, test } from "vitest";
import { loosenedByBalance, loosens } from "../../../../src/domain/guards/loosens.ts";
import { type GuardRule, lots } from "../../../../src/domain/guards/rule.ts";
import { minor } from "../../../../src/domain/money.ts";
import { count, drawdown, loss, lotsRule, OF_RULE, settingsOf } from "./kit.ts";

const flatBy = (change: object = {}): GuardRule => ({
  ...OF_RULE,
  kind: "flatBy",
  zone: "America/Chicago",
  time: "15:10",
  entriesOffMinutes: 5,
  flattenSeconds: 120,
  ...change,
});
const opposite = (...groups: string[][]): GuardRule => ({ ...OF_RULE, kind: "opposite", groups });
const hard = <Rule extends GuardRule>(rule: Rule): Rule => ({ ...rule, lock: "hard" });

describe("a rule in place of another", () => {
  test.each<[string, GuardRule, GuardRule, boolean]>([
    ["the same", loss(), loss(), false],
    ["a smaller limit", loss(), loss({ limit: minor(900) }), false],
    ["a larger limit", loss(), loss({ limit: minor(1_001) }), true],
    ["only what is closed", loss(), loss({ counts: "closed" }), true],
    ["a week for a day", loss(), loss({ period: "week" }), true],
    ["only exits for a flatten", loss(), loss({ then: "exitsOnly" }), true],
    ["a flatten for only exits", loss({ then: "exitsOnly" }), loss(), false],
    ["shadow", loss(), { ...loss(), mode: "shadow" }, true],
    ["soft for hard", hard(loss()), loss(), true],
    ["hard for soft", loss(), hard(loss()), false],
    ["another kind", loss(), drawdown(), true],
    ["live for the end of the day", drawdown(), drawdown({ trails: "live" }), false],
    ["the end of the day for live", drawdown({ trails: "live" }), drawdown(), true],
    ["a floor that stops", drawdown(), drawdown({ locksAt: minor(50_000) }), true],
    ["a peak that is forgotten", drawdown({ peak: minor(51_000) }), drawdown(), true],
    ["a lighter micro", lotsRule(), lotsRule({ weights: { MES: lots(50) } }), true],
    ["a micro that counts whole", lotsRule(), lotsRule({ weights: {} }), false],
    ["one more trade", count(), count({ max: 4 }), true],
    ["a larger group", opposite(["ES", "MES"]), opposite(["ES", "MES", "NQ"]), false],
    ["a smaller group", opposite(["ES", "MES"]), opposite(["ES"]), true],
    ["flat earlier before its time", flatBy(), flatBy({ flattenSeconds: 180 }), false],
    ["flat later before its time", flatBy(), flatBy({ flattenSeconds: 60 }), true],
    ["another time", flatBy(), flatBy({ time: "15:00" }), true],
    ["one product only", flatBy(), flatBy({ roots: ["ES"] }), true],
  ])("%s", (_, former, next, isLooser) => {
    const { rules } = loosens(settingsOf([former]), settingsOf([next]));
    expect(rules).toEqual(isLooser ? [former] : []);
  });

  test("what only told loosens nothing as it goes", () => {
    const shadow = settingsOf([{ ...loss(), mode: "shadow" }]);
    expect(loosens(shadow, settingsOf([])).rules).toEqual([]);
  });

  test.each([
    [{ entriesOffPercent: 95 }, true],
    [{ bufferPercent: 5 }, false],
    [{ currency: "EUR" }, true],
    [{ whenBlind: { then: "flatten", afterSeconds: 600 } } as const, false],
    [{ warnPercent: 90 }, false],
  ])("terms %j concern each rule", (change, isLooser) => {
    const { rules } = loosens(settingsOf([loss()]), settingsOf([loss()], change));
    expect(rules.length).toBe(isLooser ? 1 : 0);
  });
});

test("a higher balance loosens what counts from it, and so does the first word", () => {
  const rules = settingsOf([drawdown(), loss(), lotsRule()]);
  const by = (known: number | undefined, given: number | undefined) =>
    loosenedByBalance(
      rules,
      known === undefined ? undefined : minor(known),
      given === undefined ? undefined : minor(given),
    ).map(({ kind }) => kind);
  expect(by(50_000, 50_001)).toEqual(["drawdown"]);
  expect([by(50_000, 50_000), by(50_000, undefined)]).toEqual([[], []]);
  expect(by(undefined, 50_000)).toEqual(["drawdown"]);
});
