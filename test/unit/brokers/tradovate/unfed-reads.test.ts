import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS, RateBudget } from "../../../../src/brokers/tradovate/rate-budget.ts";
import { UnfedReads } from "../../../../src/brokers/tradovate/unfed-reads.ts";

const HOUR_MS = 3_600_000;
const LISTS = 8;

let now: number;
let asked: string[];
let answer: () => Promise<void>;
let budget: RateBudget;
let reads: UnfedReads;

beforeEach(() => {
  [now, asked, answer] = [0, [], async () => undefined];
  budget = new RateBudget(DEFAULT_LIMITS, () => now);
  reads = new UnfedReads({
    read: async (type) => {
      const refusal = budget.take("protect", `${type}/list`);
      if (refusal !== undefined) throw new Error(refusal);
      asked.push(type);
      await answer();
    },
    onRead: async () => undefined,
    onTrouble: () => undefined,
    budget,
    elapsed: () => now,
  });
});

/** As much of the hour's budget as other reads may. */
function useUp(): void {
  for (; budget.isAmple; now += 100) budget.take("read", "account/list");
}

/** How often everything was asked for. */
const pulls = () => asked.filter((type) => type === "account").length;

describe("reads of a session that is told nothing", () => {
  test("ask anew each, as long as exits have no need of what is left", async () => {
    for (let n = 0; n < 3; n += 1) await reads.pull();
    expect(asked).toHaveLength(3 * LISTS);
  });

  test("that come without end leave exits what is kept for them", async () => {
    for (; now < HOUR_MS; now += 500) await reads.pull();
    expect(budget.take("entry", "order/placeorder")).toBeUndefined();
    expect(pulls()).toBeGreaterThan(HOUR_MS / 10_000);
    expect(asked.length).toBeLessThan(DEFAULT_LIMITS.perHour);
  });

  test("ask anew after a command, and for who closes, whatever is left", async () => {
    useUp();
    await reads.pull();
    await reads.pull();
    expect(pulls()).toBe(1);
    reads.noteCommand();
    await reads.pull();
    expect(pulls()).toBe(2);
    now += 1_000;
    await reads.pull();
    expect(pulls()).toBe(3);
    now += 5_000;
    await reads.pull();
    expect(pulls()).toBe(3);
    await reads.pullAnew();
    expect(pulls()).toBe(4);
  });

  test("are not answered by what was asked before a command", async () => {
    let release = () => undefined as void;
    answer = () => new Promise((resolve) => (release = resolve));
    const before = reads.pull();
    const together = reads.pull();
    await setImmediate();
    reads.noteCommand();
    const after = [reads.pull(), reads.pull()];
    answer = async () => undefined;
    release();
    await Promise.all([before, together, ...after]);
    expect(pulls()).toBe(2);
  });

  test("are asked again where the last ones failed", async () => {
    useUp();
    answer = () => Promise.reject(new Error("no answer"));
    await expect(reads.pull()).rejects.toThrow(/no answer/);
    answer = async () => undefined;
    await reads.pull();
    expect(pulls()).toBe(2);
  });

  test("end the session for another try, unless exits need what that would ask for", () => {
    now = 60_000;
    expect(reads.sweep(false)).toBe(true);
    useUp();
    expect(reads.sweep(false)).toBe(false);
  });
});
