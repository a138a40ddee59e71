import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { type Purpose, RateBudget } from "../../../../src/brokers/projectx/rate-budget.ts";

const LIMIT = { most: 40, withinMs: 60_000 };
let now: number;
let budget: RateBudget;

beforeEach(() => {
  now = 0;
  budget = new RateBudget(LIMIT, () => now);
});

function takeAll(purpose: Purpose): number {
  let taken = 0;
  while (budget.take(purpose) === undefined) taken += 1;
  return taken;
}

describe("the request budget", () => {
  test("what matters more has room left by what matters less", () => {
    const asked = Array.from({ length: 7 }, () => {
      now += 5_000;
      return takeAll("read");
    });
    expect(asked).toEqual([4, 4, 4, 4, 4, 0, 0]);
    const taken = (["entry", "load", "protect"] as const).map(takeAll);
    expect(taken).toEqual([10, 8, 2]);
    expect(budget.take("protect")).toMatch(/used up/);
  });

  test("a busy moment spares questions, and nothing else", () => {
    expect([takeAll("read"), budget.take("read")]).toEqual([4, expect.stringMatching(/kept/)]);
    expect(takeAll("entry")).toBe(26);
  });

  test("no span of its length sees more requests than it may", () => {
    const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 100 });
    fc.assert(
      fc.property(steps, (waits) => {
        now = 0;
        budget = new RateBudget(LIMIT, () => now);
        const at: number[] = [];
        for (const wait of waits) {
          now += wait;
          for (let n = 0; n < 9; n += 1) if (budget.take("protect") === undefined) at.push(now);
        }
        for (const start of at) {
          const within = at.filter((t) => t >= start && t < start + LIMIT.withinMs);
          expect(within.length).toBeLessThanOrEqual(LIMIT.most);
        }
      }),
    );
  });

  test("says when so many requests may be made", () => {
    expect(budget.waitMs("load", 38)).toBe(0);
    for (let n = 0; n < 20; n += 1) {
      now += 1_000;
      budget.take("protect");
    }
    expect(budget.waitMs("load", 18)).toBe(0);
    // The first was made after 1 s, and the sixth after 6 s.
    expect(budget.waitMs("load", 19)).toBe(41_000);
    expect(budget.waitMs("load", 24)).toBe(46_000);
    now += 46_000;
    expect(budget.waitMs("load", 24)).toBe(0);
    // More than there ever is waits for all that there is.
    expect(budget.waitMs("load", 1_000)).toBe(14_000);
  });

  test("a refusal holds everything back for a span, and exits try one at a time", () => {
    budget.lockOut();
    expect(budget.take("entry")).toMatch(/for 60 s more/);
    expect(budget.take("protect")).toMatch(/refused requests/);
    now += 1_500;
    expect(budget.take("protect")).toBeUndefined();
    expect(budget.take("protect")).toMatch(/refused requests/);
    expect(budget.take("entry")).toMatch(/refused requests/);
    now += 58_500;
    expect(budget.take("entry")).toBeUndefined();
  });

  test("an answer to who tried opens it for all", () => {
    budget.lockOut();
    // What was asked before the refusal says nothing of it.
    budget.answered();
    expect(budget.take("entry")).toMatch(/refused requests/);
    now += 1_500;
    budget.take("protect");
    budget.answered();
    expect(budget.take("entry")).toBeUndefined();
  });
});
