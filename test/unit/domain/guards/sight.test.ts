import fc from "fast-check";
import { expect, test } from "vitest";
import { levelOf } from "../../../../src/domain/guards/sight.ts";

/** Minor units. */
const LARGEST_LIMIT = 1e12;
const LARGEST_LOSS = 9e13;

test("no amount is rounded: levels are those of exact fractions, and products are safe integers", () => {
  const percent = fc.integer({ min: 0, max: 100 });
  const grades = fc.record({
    bufferPercent: fc.integer({ min: 0, max: 50 }),
    warnPercent: percent,
    entriesOffPercent: percent,
  });
  const near = fc
    .tuple(fc.integer({ min: 1, max: LARGEST_LIMIT }), percent, fc.integer({ min: -1, max: 1 }))
    .map(([limit, part, off]) => [limit, Math.floor((limit / 100) * part) + off] as const);
  const any = fc.tuple(
    fc.integer({ min: 1, max: LARGEST_LIMIT }),
    fc.integer({ min: -LARGEST_LOSS, max: LARGEST_LOSS }),
  );
  fc.assert(
    fc.property(fc.oneof(near, any), grades, ([limit, used], by) => {
      const is = (part: number) => BigInt(used) * 100n >= BigInt(limit) * BigInt(part);
      const exact = is(100 - by.bufferPercent)
        ? "breach"
        : is(by.entriesOffPercent)
          ? "entriesOff"
          : is(by.warnPercent)
            ? "warn"
            : "ok";
      expect(levelOf(used, limit, by)).toBe(exact);
      expect(Number.isSafeInteger(used * 100) && Number.isSafeInteger(limit * 100)).toBe(true);
    }),
    { numRuns: 2000, seed: 1 },
  );
});
