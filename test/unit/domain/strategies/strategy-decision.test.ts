import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConditionName, CONDITIONS } from "../../../../src/domain/strategies/strategy.ts";
import {
  type Decision,
  DECISIONS,
  decide,
  targetOf,
} from "../../../../src/domain/strategies/strategy-decision.ts";

type Truths = Readonly<Record<ConditionName, boolean>>;

/** In the order enterLong, exitLong, enterShort, exitShort, `1` where it is true. */
const ALL = Array.from({ length: 16 }, (_, number) => number.toString(2).padStart(4, "0"));

const truthsOf = (digits: string): Truths => ({
  enterLong: digits[0] === "1",
  exitLong: digits[1] === "1",
  enterShort: digits[2] === "1",
  exitShort: digits[3] === "1",
});

describe("the decision table", () => {
  const table: Readonly<
    Record<string, readonly [short: Decision, flat: Decision, long: Decision]>
  > = {
    "0000": ["hold", "hold", "hold"],
    "0001": ["exit", "hold", "hold"],
    "0010": ["hold", "enterShort", "enterShort"],
    "0011": ["exit", "enterShort", "enterShort"],
    "0100": ["hold", "hold", "exit"],
    "0101": ["exit", "hold", "exit"],
    "0110": ["hold", "enterShort", "enterShort"],
    "0111": ["exit", "enterShort", "enterShort"],
    "1000": ["enterLong", "enterLong", "hold"],
    "1001": ["enterLong", "enterLong", "hold"],
    "1010": ["enterLong", "hold", "enterShort"],
    "1011": ["enterLong", "hold", "enterShort"],
    "1100": ["enterLong", "enterLong", "exit"],
    "1101": ["enterLong", "enterLong", "exit"],
    "1110": ["enterLong", "hold", "enterShort"],
    "1111": ["enterLong", "hold", "enterShort"],
  };

  test("has every case", () => expect(Object.keys(table).toSorted()).toEqual(ALL));

  const cases = ALL.flatMap((digits) =>
    [-1, 0, 1].map((side) => [digits, side, table[digits]?.[side + 1]] as const),
  );
  test.each(cases)("%s, held %i: %s", (digits, side, expected) => {
    for (const contracts of [1, 2, 500]) {
      expect(decide(truthsOf(digits), side * contracts).decision).toBe(expected);
    }
  });
});

describe("whatever is true and held", () => {
  const held = fc.integer({ min: -1_000, max: 1_000 });
  const truths = fc.constantFrom(...ALL).map(truthsOf);
  const qty = fc.integer({ min: 1, max: 1_000 });
  const check = (holds: (isTrue: Truths, netQty: number, contracts: number) => void) =>
    fc.assert(fc.property(truths, held, qty, holds), { numRuns: 500 });

  test("it never adds to the side that is held", () =>
    check((isTrue, netQty, contracts) => {
      const target = targetOf(decide(isTrue, netQty).decision, contracts);
      const adds = netQty !== 0 && Math.sign(target ?? 0) === Math.sign(netQty);
      expect(adds).toBe(false);
    }));

  test("it takes no side without that side's entry, and leaves none without a reason to", () =>
    check((isTrue, netQty) => {
      const { decision } = decide(isTrue, netQty);
      const leaves = netQty > 0 ? isTrue.exitLong : netQty < 0 && isTrue.exitShort;
      const reasons = { ...isTrue, exit: leaves, hold: true };
      expect(reasons[decision]).toBe(true);
    }));

  test("it changes nothing when nothing is true", () =>
    check((_, netQty) => {
      expect(decide({}, netQty).decision).toBe("hold");
    }));

  test("only the sign of what is held counts", () =>
    check((isTrue, netQty) => {
      expect(decide(isTrue, netQty)).toEqual(decide(isTrue, Math.sign(netQty)));
    }));

  test("long and short are treated alike", () => {
    const swapped: Readonly<Record<Decision, Decision>> = {
      enterLong: "enterShort",
      enterShort: "enterLong",
      exit: "exit",
      hold: "hold",
    };
    check(({ enterLong, exitLong, enterShort, exitShort }, netQty, contracts) => {
      const { decision } = decide({ enterLong, exitLong, enterShort, exitShort }, netQty);
      const mirrored = decide(
        { enterLong: enterShort, exitLong: exitShort, enterShort: enterLong, exitShort: exitLong },
        -netQty,
      );
      expect(mirrored.decision).toBe(swapped[decision]);
      expect(
        (targetOf(mirrored.decision, contracts) ?? 0) + (targetOf(decision, contracts) ?? 0),
      ).toBe(0);
    });
  });

  test("once it is carried out, the same conditions never go on in the same direction", () =>
    check((isTrue, netQty, contracts) => {
      const first = decide(isTrue, netQty).decision;
      const target = targetOf(first, contracts);
      if (target === undefined || first === "exit") return;
      expect(decide(isTrue, target).decision).not.toBe(first);
    }));

  test("the reason names the condition that is followed", () =>
    check((isTrue, netQty) => {
      const { decision, reason } = decide(isTrue, netQty);
      const leaves = netQty > 0 ? "exitLong" : "exitShort";
      const followed = decision === "exit" ? leaves : decision;
      expect(reason).toContain(decision === "hold" ? " " : `${followed} is true`);
    }));

  test("a condition that is left out is not true", () =>
    check((isTrue, netQty) => {
      const written = Object.fromEntries(
        CONDITIONS.filter((name) => isTrue[name]).map((name) => [name, true]),
      );
      expect(decide(written, netQty)).toEqual(decide(isTrue, netQty));
    }));
});

test.each<[Decision, number | undefined]>([
  ["enterLong", 3],
  ["enterShort", -3],
  ["exit", 0],
  ["hold", undefined],
])("%s of 3 contracts is to hold %s", (decision, target) => {
  expect(DECISIONS).toContain(decision);
  expect(targetOf(decision, 3)).toBe(target);
});
