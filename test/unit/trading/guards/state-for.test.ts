import { expect, test } from "vitest";
import type { GuardRule } from "../../../../src/domain/guards/rule.ts";
import { minor } from "../../../../src/domain/money.ts";
import { stateFor } from "../../../../src/trading/guards/state-for.ts";
import { drawdown, loss, settingsOf } from "../../domain/guards/kit.ts";

const AT = { at: 5, tradingDay: "2026-06-10", balance: undefined };
const state = {
  tradingDay: "2026-06-10",
  balance: minor(50_000),
  rules: { rule: { peak: minor(51_500), told: "warn" as const, waivedUntil: 9 } },
  judgedAt: 1,
};
const storedOf = (...rules: readonly GuardRule[]) => ({
  version: "v1",
  settings: settingsOf(rules),
  state,
});

test.each([
  ["as it was", drawdown(), true],
  ["smaller", drawdown({ size: minor(1_000) }), true],
  ["from a higher start", drawdown({ start: minor(50_100) }), true],
  ["from a lower start: another account", drawdown({ start: minor(25_000) }), false],
  ["from a lower peak than was said before", drawdown({ peak: minor(49_000) }), false],
  ["of another kind", loss(), false],
  ["of another name", drawdown({ id: "other" } as never), false],
])("what is remembered of a drawdown that is %s", (_, rule, isKept) => {
  const next = stateFor(settingsOf([rule]), storedOf(drawdown()), AT);
  expect(next?.rules).toEqual(isKept ? state.rules : {});
  expect([next?.balance, next?.judgedAt]).toEqual([state.balance, 1]);
});

test("a balance that is given replaces the known one, on the present day", () => {
  const given = { ...AT, balance: minor(40_000), tradingDay: "2026-06-11" };
  const next = stateFor(settingsOf([drawdown()]), storedOf(drawdown()), given);
  expect(next).toEqual({ ...state, balance: 40_000, tradingDay: "2026-06-11" });
});

test("of an account that nobody has judged there is a state only with a balance", () => {
  const none = { version: "", settings: settingsOf([]) };
  expect(stateFor(settingsOf([drawdown()]), none, AT)).toBeUndefined();
  const given = stateFor(settingsOf([drawdown()]), none, { ...AT, balance: minor(7) });
  expect(given).toEqual({ tradingDay: "2026-06-10", balance: 7, rules: {}, judgedAt: 5 });
});
