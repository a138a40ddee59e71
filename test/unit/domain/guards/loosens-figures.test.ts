// What may be changed by anybody who trades, and what only by a person.
import { describe, expect, test } from "vitest";
import { loosenedByBalance, loosens } from "../../../../src/domain/guards/loosens.ts";
import type { GuardRule } from "../../../../src/domain/guards/rule.ts";
import { lots } from "../../../../src/domain/guards/rule.ts";
import { minor } from "../../../../src/domain/money.ts";
import { drawdown, loss, lotsRule, OF_RULE, settingsOf } from "./kit.ts";

const flatBy = (change: object): GuardRule => ({
  ...OF_RULE,
  kind: "flatBy",
  zone: "America/Chicago",
  time: "15:10",
  entriesOffMinutes: 5,
  flattenSeconds: 120,
  ...change,
});
const beforeClose = (change: object): GuardRule => ({
  ...OF_RULE,
  kind: "flatBeforeClose",
  before: "day",
  entriesOffMinutes: 5,
  seconds: 120,
  ...change,
});
const isLoosened = (was: GuardRule, is: GuardRule): boolean =>
  loosens(settingsOf([was]), settingsOf([is])).rules.length > 0;

describe("being flat sooner", () => {
  test.each([
    [flatBy, "flattenSeconds", 21_600],
    [flatBy, "entriesOffMinutes", 360],
    [beforeClose, "seconds", 21_600],
    [beforeClose, "entriesOffMinutes", 360],
  ] as const)("is tighter up to six hours before (%o, %s)", (rule, name, most) => {
    expect(isLoosened(rule({}), rule({ [name]: most }))).toBe(false);
    expect(isLoosened(rule({}), rule({ [name]: most + 1 }))).toBe(true);
    expect(isLoosened(rule({}), rule({ [name]: 1 }))).toBe(true);
    expect(isLoosened(rule({ [name]: most + 9 }), rule({ [name]: most + 9 }))).toBe(false);
  });
});

describe("another word of what the account was worth", () => {
  const ladder = { start: minor(0), counts: "nextDay", steps: [{ above: minor(1), max: lots(9) }] };
  const steps = lotsRule({ id: "steps", ladder: ladder as never });
  const shadow = drawdown({ id: "shadow", mode: "shadow" });
  const settings = settingsOf([loss(), drawdown({ id: "drawdown" }), steps, lotsRule(), shadow]);
  const loosened = (known: number | undefined, given: number | undefined) =>
    loosenedByBalance(
      settings,
      known === undefined ? undefined : minor(known),
      given === undefined ? undefined : minor(given),
    ).map(({ id }) => id);

  test("loosens what counts from it, where it is the first one or a higher one", () => {
    const both = ["drawdown", "steps"];
    expect([loosened(undefined, 5), loosened(5, 6)]).toEqual([both, both]);
    expect([loosened(5, 5), loosened(5, 4), loosened(5, undefined)]).toEqual([[], [], []]);
  });
});
