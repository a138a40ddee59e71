import { beforeEach, describe, expect, test } from "vitest";
import { BrokerClock } from "../../../../src/brokers/projectx/broker-clock.ts";

const NOON = Date.UTC(2026, 0, 5, 12);
const HOUR_MS = 60 * 60 * 1_000;

let ours: number;
let clock: BrokerClock;

beforeEach(() => {
  ours = NOON;
  clock = new BrokerClock(() => ours);
});

/** A request that takes 200 ms, by a broker whose clock is so far ahead. */
function ask(aheadMs: number): void {
  const hear = clock.asked();
  ours += 100;
  const date = new Date(ours + aheadMs).toUTCString();
  ours += 100;
  hear(date);
}

describe("the broker's time", () => {
  test("is ours until it is told, and where both may be the same", () => {
    expect(clock.now()).toBe(NOON);
    clock.asked()(undefined);
    clock.asked()("today");
    for (let n = 0; n < 20; n += 1) {
      ours += 77;
      ask(0);
    }
    expect(clock.now()).toBe(ours);
  });

  test.each([-HOUR_MS, -5_000, 3_000, HOUR_MS])("is told by its answers: %i ms ahead", (ahead) => {
    for (let n = 0; n < 5; n += 1) {
      ours += 277;
      ask(ahead);
      const off = clock.now() - (ours + ahead);
      expect(off).toBeGreaterThanOrEqual(-200);
      expect(off).toBeLessThanOrEqual(1_000);
    }
  });

  test("is followed when a clock is set", () => {
    ask(HOUR_MS);
    ours += HOUR_MS;
    ask(0);
    expect(clock.now()).toBe(ours);
  });
});
