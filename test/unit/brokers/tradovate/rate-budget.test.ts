import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { RateBudget, type RequestPurpose } from "../../../../src/brokers/tradovate/rate-budget.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LIMITS = { perHour: 900, perMinute: 90 };

let now: number;
let budget: RateBudget;

beforeEach(() => {
  now = 0;
  budget = new RateBudget(LIMITS, () => now);
});

function takeAll(purpose: RequestPurpose): number {
  let taken = 0;
  while (budget.take(purpose) === undefined) taken += 1;
  return taken;
}

describe("the request budget", () => {
  test("entries leave room for exits, and questions leave room for entries", () => {
    const [asked, entered, protective] = [takeAll("read"), takeAll("entry"), takeAll("protect")];
    expect([asked, entered, protective].every((count) => count > 0)).toBe(true);
    expect(asked + entered + protective).toBe(LIMITS.perMinute / 3);
    expect(budget.take("entry")).toMatch(/kept for exits/);
  });

  test("no rolling minute or hour sees more requests than it may", () => {
    const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 400 });
    fc.assert(
      fc.property(steps, (waits) => {
        now = 0;
        budget = new RateBudget(LIMITS, () => now);
        const at: number[] = [];
        for (const wait of waits) {
          now += wait;
          for (let n = 0; n < 40; n += 1) if (budget.take("protect") === undefined) at.push(now);
        }
        for (const start of at) {
          const within = (ms: number) => at.filter((t) => t >= start && t < start + ms).length;
          expect(within(MINUTE_MS)).toBeLessThanOrEqual(LIMITS.perMinute);
          expect(within(HOUR_MS)).toBeLessThanOrEqual(LIMITS.perHour);
        }
      }),
      { numRuns: 20 },
    );
  });

  test("a lockout holds back everything for an hour, because requests make it longer", () => {
    budget.lockOut();
    now += HOUR_MS - 1;
    expect(budget.take("protect")).toMatch(/locked/);
    now += 1;
    expect(budget.take("protect")).toBeUndefined();
  });

  test("after a warning only exits go on", () => {
    budget.warn();
    expect(budget.take("entry")).toMatch(/warned/);
    expect(budget.take("read")).toMatch(/warned/);
    expect(budget.take("protect")).toBeUndefined();
    now += 5 * MINUTE_MS;
    expect(budget.take("entry")).toBeUndefined();
  });
});
