import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { PlanTarget } from "../../../../src/domain/exits/exit-plan.ts";
import { shareOut } from "../../../../src/domain/exits/share-out.ts";
import { tooFewFor } from "../../../../src/domain/exits/too-few.ts";

const partsOf = (targets: readonly PlanTarget[], qty: number) => {
  const parts = targets.map(() => 0);
  for (const slot of shareOut(targets, qty)) parts[slot.target] = slot.qty;
  return parts;
};

describe("sharing out", () => {
  test.each([
    ["equal parts", [{}, {}, {}], 3, [1, 1, 1]],
    ["equal parts, the first ones larger", [{}, {}, {}], 5, [2, 2, 1]],
    ["fewer than targets", [{}, {}, {}], 2, [1, 1, 0]],
    ["fewer than targets, whatever they ask for", [{ share: 80 }, { qty: 4 }], 1, [1, 0]],
    ["the largest remainder", [{ share: 50 }, { share: 25 }, { share: 25 }], 3, [1, 1, 1]],
    ["half and the rest", [{ share: 50 }, {}], 5, [3, 2]],
    ["fixed first", [{ share: 50 }, { qty: 3 }, {}], 6, [3, 3, 0]],
    ["what nothing is asked for", [{ qty: 1 }, { qty: 1 }], 5, [4, 1]],
    ["more than there are", [{ qty: 9 }, { qty: 9 }], 5, [5, 0]],
    ["thirds that are written out", [{ share: 100 / 3 }, { share: 200 / 3 }], 3, [1, 2]],
  ] as const)("%s", (_name, targets, qty, parts) => {
    expect(partsOf(targets, qty)).toEqual(parts);
  });

  test("is always all of it, in whole contracts", () => {
    const target = fc.oneof(
      fc.constant({}),
      fc.record({ qty: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ share: fc.double({ min: 0.5, max: 100, noNaN: true }) }),
    );
    fc.assert(
      fc.property(
        fc.array(target, { maxLength: 8 }),
        fc.integer({ min: 1, max: 60 }),
        (targets, qty) => {
          const slots = shareOut(targets, qty);
          expect(slots.reduce((sum, slot) => sum + slot.qty, 0)).toBe(qty);
          expect(slots.every((slot) => Number.isInteger(slot.qty) && slot.qty > 0)).toBe(true);
          expect(new Set(slots.map((slot) => slot.target)).size).toBe(slots.length);
        },
      ),
    );
  });
});

describe("too few contracts", () => {
  const targets = [{}, {}, {}];

  test("name the targets that get none", () => {
    expect(tooFewFor({ targets }, 3)).toBeUndefined();
    expect(tooFewFor({ targets }, 2)).toBe("Of 2 contracts target 3 gets none");
    expect(tooFewFor({ targets }, 1)).toBe("Of 1 contracts targets 2, 3 get none");
  });

  test("name a breakeven that cannot come", () => {
    const breakeven = { after: { by: "target", target: 2 }, plus: ticks(0) } as const;
    expect(tooFewFor({ targets, breakeven }, 1)).toContain(
      "does not go to the entry after target 2",
    );
  });
});
