// The goal: one account stays right, whatever is asked of it together: plans, brackets, reductions,
// reversals, targets, copies, timeouts, locks, while fills are reported late or taken back, commands are
// refused, answers get lost and owners die. The method: steps drawn at random on the real lane and the
// keepers around it in memory, with a clock in hand; the exchange's own record is held against the
// invariants of the account's design.
import { expect, test } from "vitest";
import { KNOWN, knownAs } from "./known.ts";
import { firstUnknown } from "./search.ts";
import { carryOut } from "./sequences.ts";

const RUNS = 60;

test("what is asked of an account together keeps its invariants", async () => {
  expect(await firstUnknown(RUNS)).toBeUndefined();
});

test.each(KNOWN.map((known) => [known.finding, known.invariant, known] as const))(
  "%s is found still: %s",
  async (_finding, _invariant, known) => {
    const broken = await carryOut(known.steps);
    expect(broken && knownAs(broken)).toBe(known);
  },
);
