import { expect, test } from "vitest";
import type { PlanEnd } from "./planning.ts";
import { judgePlans } from "./plans.ts";

const EMPTY = { heldQty: 0, stopQty: 0, targetQty: 0, stops: 0 };
const SPLIT = { heldQty: 3, stopQty: 3, targetQty: 3, stops: 3 };
const END: PlanEnd = {
  account: "sim-1-1",
  left: EMPTY,
  split: SPLIT,
  splitMs: 900,
  closed: EMPTY,
  kept: 0,
};

const found = (change: Partial<PlanEnd>) =>
  judgePlans([{ ...END, ...change }]).flatMap(({ name, violations }) =>
    violations.map(({ what }) => `${name}: ${what}`),
  );

test.each<[string, Partial<PlanEnd>]>([
  ["flat", {}],
  ["held with as many stops", { left: { ...SPLIT, stops: 1 } }],
  ["short, which no plan is for", { left: { ...EMPTY, heldQty: -2 } }],
])("nothing is wrong with an account that is %s", (_, change) => {
  expect(found(change)).toEqual([]);
});

test.each<[string, Partial<PlanEnd>, RegExp]>([
  ["naked", { left: { ...SPLIT, stopQty: 2 } }, /just what is held: 3 held, 3 stops for 2/],
  ["doubled", { left: { ...SPLIT, stopQty: 6, stops: 6 } }, /just what is held/],
  ["left over", { left: { ...EMPTY, stopQty: 1, stops: 1 } }, /just what is held/],
  ["never split", { split: { ...SPLIT, stops: 1 } }, /one pair a target: 3 held, 1 stops/],
  ["not closed", { closed: { ...EMPTY, stopQty: 1 } }, /nothing is left/],
  ["not forgotten", { kept: 1 }, /nothing is left .*1 plans are kept/],
])("what is %s is found", (_, change, what) => {
  expect(found(change)).toEqual([expect.stringMatching(what)]);
});
