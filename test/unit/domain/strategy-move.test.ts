import { describe, expect, test } from "vitest";
import type { AdjustIntent } from "../../../src/domain/adjust.ts";
import { planAdjust } from "../../../src/domain/adjust.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import {
  hasReplacedLater,
  isBeyond,
  isLate,
  onlyTookOut,
  type StrategyMove,
} from "../../../src/domain/strategy-move.ts";

const DEC = "ESZ2026" as ContractCode;

const target = (netQty: number, strategy: StrategyMove): AdjustIntent => ({
  kind: "ADJUST",
  contract: DEC,
  isFrontMonth: true,
  aim: { to: "position", netQty, strategy },
  terms: { ordType: "MARKET", timeInForce: "DAY" },
});

/** The effect of a strategy's message in an account that holds so many, in few words. */
function does(held: number, netQty: number, strategy: StrategyMove): string {
  const positions = held === 0 ? [] : [{ contract: DEC, netQty: held }];
  const made = planAdjust(target(netQty, strategy), { positions, working: [] }, String);
  if (made.kind === "refuse") return made.code;
  if (made.kind === "nothing") return "nothing";
  const words = made.contradicts === true ? ["told:"] : [];
  if (made.closes.length > 0) words.push("close");
  for (const order of [made.reduce, made.entry]) {
    if (order !== undefined) words.push(`${order.side.toLowerCase()} ${order.orderQty}`);
  }
  return words.join(" ");
}

const SOLD = { side: "SELL" } as const;
const BOUGHT = { side: "BUY" } as const;

describe("a message of a strategy", () => {
  test.each([
    ["that fits is carried out", 0, 1, BOUGHT, "buy 1"],
    ["that fits goes through zero", 1, -1, SOLD, "close sell 1"],
    ["makes up for a lost one of the same way", 5, 1, SOLD, "sell 4"],
    ["that sold never buys back", 0, 1, SOLD, "POSITION_MISMATCH"],
    ["that sold never adds", 1, 2, SOLD, "POSITION_MISMATCH"],
    ["that bought never goes short", 0, -1, BOUGHT, "POSITION_MISMATCH"],
    ["that bought takes out what is too much, with an alarm", 5, 1, BOUGHT, "told: sell 4"],
    ["that bought closes the wrong side, with an alarm", 1, -1, BOUGHT, "told: close"],
    ["that is flat is an exit, whatever led there", -1, 0, SOLD, "told: close"],
    ["that is flat already is done", 0, 0, SOLD, "nothing"],
    ["that led where the account is is done", 1, 1, BOUGHT, "nothing"],
  ] as const)("%s", (_, held, netQty, strategy, expected) => {
    expect(does(held, netQty, strategy)).toBe(expected);
  });
});

describe("a message that came late", () => {
  const carried = { netQty: 0, move: { side: "SELL", from: 1 }, found: 0 } as const;
  const entry = { netQty: 1, strategy: { side: "BUY", from: 0 } } as const;

  test("is one between what was found and what the carried one began with", () => {
    expect(isLate(entry, [carried])).toBe(true);
    expect(isLate(entry, [])).toBe(false);
    expect(isLate(entry, [{ ...carried, found: 1 }])).toBe(false);
    expect(isLate({ ...entry, netQty: 2 }, [carried])).toBe(false);
    expect(isLate({ netQty: 1 }, [carried])).toBe(false);
    // In an account of a group that always holds as many, a larger position of the strategy is the same.
    const grown = { netQty: 3, strategy: { side: "BUY", from: 3 } } as const;
    expect(isLate(grown, [{ netQty: 0, move: { side: "SELL", from: 3 }, found: 3 }])).toBe(false);
  });

  test("did not fill after the one that was carried out", () => {
    const filled = (at: number, carriedAt: number) =>
      isLate({ ...entry, strategy: { ...entry.strategy, filledAt: at } }, [
        { ...carried, move: { ...carried.move, filledAt: carriedAt } },
      ]);
    expect([filled(1_000, 1_000), filled(1_000, 2_000), filled(3_000, 2_000)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test.each([
    [{ netQty: 1, from: 2 }, true, [3, 2]],
    [{ netQty: -1, from: -3 }, true, [-2]],
    [{ netQty: 0, from: 1 }, true, [3, 2, 1, -2]],
    [{ netQty: 1, from: 0 }, false, [3, 2]],
    [{ netQty: 1, from: -2 }, false, [3, 2]],
  ])("of %j: only took out is %s, and takes out of %j", (target, tookOut, held) => {
    const { netQty, from } = target;
    expect(onlyTookOut({ netQty, strategy: { side: "BUY", from } })).toBe(tookOut);
    expect([3, 2, 1, 0, -2].filter((qty) => isBeyond(target, qty))).toEqual(held);
  });
});

describe("a message that replaced another one, before that was sent", () => {
  const entry = { netQty: 2, strategy: { side: "BUY", from: 0 } } as const;
  const exit = { side: "SELL", from: 2 } as const;

  test.each<readonly [string, StrategyMove, number, boolean]>([
    ["that follows it in the strategy came before it", exit, 0, true],
    ["that begins elsewhere is an earlier one", { ...exit, from: 1 }, 0, false],
    ["is as it is to be where the account stands elsewhere", exit, 2, false],
  ])("%s", (_, replaced, held, expected) => {
    expect(hasReplacedLater(entry, [replaced], held)).toBe(expected);
  });

  test("that filled before it is an earlier one", () => {
    const filled = { ...entry, strategy: { ...entry.strategy, filledAt: 2_000 } };
    expect(hasReplacedLater(filled, [{ ...exit, filledAt: 1_000 }], 0)).toBe(false);
    expect(hasReplacedLater(filled, [{ ...exit, filledAt: 2_000 }], 0)).toBe(true);
  });
});
