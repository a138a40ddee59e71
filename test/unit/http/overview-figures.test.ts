import fc from "fast-check";
import { expect, test } from "vitest";
import { presentLatency } from "../../../src/http/present/overview.ts";

test.each([
  [[], null],
  [[7], { p50: 7, p99: 7, count: 1 }],
  [[30, 10, 20], { p50: 20, p99: 30, count: 3 }],
  [Array.from({ length: 200 }, (_, n) => 200 - n), { p50: 100, p99: 198, count: 200 }],
])("the latency of %j", (measured, told) => {
  expect(presentLatency(measured)).toEqual(told);
});

test("each figure was measured, half are not above p50 and one in a hundred at most is above p99", () => {
  const times = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(times, (measured) => {
      const told = presentLatency(measured);
      if (told === null) throw new Error("There was something to tell");
      const above = (limit: number) => measured.filter((ms) => ms > limit).length;
      expect(measured).toContain(told.p50);
      expect(measured).toContain(told.p99);
      expect(above(told.p50)).toBeLessThanOrEqual(measured.length / 2);
      expect(above(told.p99)).toBeLessThanOrEqual(measured.length / 100);
    }),
  );
});
