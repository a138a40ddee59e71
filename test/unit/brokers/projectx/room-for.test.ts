import { expect, test } from "vitest";
import { RateBudget } from "../../../../src/brokers/projectx/rate-budget.ts";

test("more requests than a span ever allows have no room", () => {
  const budget = new RateBudget({ most: 20, withinMs: 60_000 } as never, () => 0);
  expect([budget.hasRoomFor(20), budget.hasRoomFor(21), budget.hasRoomFor(100)]).toEqual([
    true,
    false,
    false,
  ]);
});
