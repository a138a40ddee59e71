// What holds for the rest of a day on which a hard rule is loosened: no less than before, and all that was tightened.
import { describe, expect, test } from "vitest";
import { loosens } from "../../../../src/domain/guards/loosens.ts";
import type { GuardRule, GuardSettings } from "../../../../src/domain/guards/rule.ts";
import { untilTomorrow } from "../../../../src/domain/guards/until-tomorrow.ts";
import { minor } from "../../../../src/domain/money.ts";
import { count, drawdown, loss, lotsRule, settingsOf } from "./kit.ts";

const HARD = { lock: "hard" } as const;
const hardLoss = loss(HARD);

function held(former: GuardSettings, next: GuardSettings): GuardSettings {
  const result = untilTomorrow(former, next, loosens(former, next));
  const freed = loosens(former, result).rules.filter(({ lock }) => lock === "hard");
  expect(freed).toEqual([]);
  return result;
}

describe("terms that are loosened", () => {
  const former = settingsOf([hardLoss], { bufferPercent: 5, entriesOffPercent: 90 });

  test("stay, and a limit that is tightened with them holds at once", () => {
    const tighter = loss({ ...HARD, limit: minor(500) });
    const added = count({ id: "added" });
    const next = settingsOf([tighter, added], { bufferPercent: 0, entriesOffPercent: 99 });
    expect(held(former, next)).toEqual({ ...former, rules: [tighter, added] });
  });

  test("stay beside terms that are tightened", () => {
    const next = settingsOf([hardLoss], {
      bufferPercent: 20,
      entriesOffPercent: 99,
      warnPercent: 95,
      whenBlind: { then: "flatten", afterSeconds: 30 },
    });
    expect(held(former, next)).toMatchObject({
      bufferPercent: 20,
      entriesOffPercent: 90,
      warnPercent: 89,
      whenBlind: { then: "flatten", afterSeconds: 30 },
    });
  });

  const flatten = { then: "flatten", afterSeconds: 60 } as const;
  test.each([
    [{ then: "flatten", afterSeconds: 90 } as const, flatten],
    [{ then: "alarm", afterSeconds: 1 } as const, flatten],
    [{ then: "flattenUnprotected", afterSeconds: 1 } as const, flatten],
  ])("what is done when blind, from %j", (whenBlind, then) => {
    const was = settingsOf([hardLoss], { whenBlind: flatten });
    expect(held(was, settingsOf([hardLoss], { whenBlind })).whenBlind).toEqual(then);
  });

  test("free soft rules no less than before", () => {
    const soft = count({ id: "soft" });
    const next = settingsOf([hardLoss], { bufferPercent: 0 });
    expect(held(settingsOf([hardLoss, soft], { bufferPercent: 5 }), next).rules).toEqual([
      hardLoss,
    ]);
  });
});

describe("one hard rule that is tightened and loosened at once", () => {
  const cases: readonly (readonly [GuardRule, GuardRule, object])[] = [
    [
      hardLoss,
      loss({ ...HARD, limit: minor(500), then: "exitsOnly" }),
      { limit: 500, then: "flatten" },
    ],
    [
      loss({ ...HARD, then: "exitsOnly" }),
      loss({ ...HARD, limit: minor(2000) }),
      { limit: 1000, then: "flatten" },
    ],
    [hardLoss, loss({ limit: minor(500) }), { limit: 500, lock: "hard" }],
    [hardLoss, loss({ ...HARD, limit: minor(500), counts: "closed" }), hardLoss],
    [hardLoss, loss({ ...HARD, limit: minor(500), mode: "shadow" }), hardLoss],
    [
      drawdown(HARD),
      drawdown({ ...HARD, size: minor(900), then: "exitsOnly" }),
      { size: 900, then: "flatten" },
    ],
    [lotsRule(HARD), lotsRule({ max: lotsRule().max }), { lock: "hard" }],
    [count(HARD), count({ max: 1 }), { max: 1, lock: "hard" }],
    [count(HARD), count({ max: 1, of: "executions" }), count(HARD)],
  ];
  test.each(cases)("%j to %j", (was, is, expected) => {
    expect(held(settingsOf([was]), settingsOf([is])).rules).toMatchObject([expected]);
  });
});

test("amounts of another currency are not taken for these", () => {
  const former = settingsOf([hardLoss]);
  const next = settingsOf([hardLoss, loss({ id: "new" })], { currency: "JPY" });
  expect(held(former, next)).toBe(former);
});
