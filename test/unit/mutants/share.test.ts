import { expect, test } from "vitest";
import { interval } from "../../mutants/share.ts";

/** Wilson's interval as published tables have it, rounded to three places. */
test.each([
  [8, 10, 0.49, 0.943],
  [0, 10, 0, 0.278],
  [10, 10, 0.722, 1],
  [150, 200, 0.686, 0.805],
])("%i of %i", (hits, of, from, to) => {
  const [low, high] = interval(hits, of);
  expect(low).toBeCloseTo(from, 3);
  expect(high).toBeCloseTo(to, 3);
});
