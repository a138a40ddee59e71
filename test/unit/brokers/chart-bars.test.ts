import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chartShape, toBars } from "../../../src/brokers/chart-bars.ts";
import type { TradovateBar } from "../../../src/brokers/tradovate/market-messages.ts";
import { tickSize } from "../../../src/domain/contracts/price.ts";
import { BAR_MINUTES } from "../../../src/domain/strategies/strategy.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const MIDNIGHT = Date.UTC(2026, 10, 26);
const SIZE = tickSize("0.25");

const element = (minute: number, price: number, volume = 1): TradovateBar => ({
  at: MIDNIGHT + minute * MINUTE_MS,
  open: price,
  high: price + 1,
  low: price - 1,
  close: price + 0.5,
  volume,
});

const bars = (elements: readonly TradovateBar[], minutes: number, untilMinute: number) =>
  toBars(elements, {
    minutes,
    shape: chartShape(minutes, 10),
    tickSize: SIZE,
    now: MIDNIGHT + untilMinute * MINUTE_MS,
  });

describe("what a chart is asked for", () => {
  test.each(BAR_MINUTES)("makes whole bars of %d minutes", (minutes) => {
    const { minutes: each, elements } = chartShape(minutes, 100);
    expect(minutes % each).toBe(0);
    expect(30 % each).toBe(0);
    expect(elements).toBeLessThanOrEqual(5_000);
    expect(elements).toBeGreaterThan(Math.min(100 * (minutes / each), 4_999));
  });
});

describe("bars", () => {
  test("are those that have ended, oldest first, each once and in its last form", () => {
    const told = [element(10, 12), element(5, 11), element(0, 10), element(5, 11.25)];
    expect(bars(told, 5, 14)).toEqual([
      expect.objectContaining({ startsAt: MIDNIGHT, open: 40, high: 44, low: 36, close: 42 }),
      expect.objectContaining({ startsAt: MIDNIGHT + 5 * MINUTE_MS, open: 45 }),
    ]);
    expect(bars(told, 5, 15)).toHaveLength(3);
    expect(bars([], 5, 15)).toEqual([]);
  });

  test("of hours are made of what is shorter, and one that is cut off is left out", () => {
    const told = [element(30, 10, 1), element(60, 12, 2.4), element(90, 11, 3.2), element(120, 9)];
    expect(bars(told, 60, 130)).toEqual([
      {
        startsAt: MIDNIGHT + 60 * MINUTE_MS,
        open: 48,
        high: 52,
        low: 40,
        close: 46,
        volume: 5,
      },
    ]);
  });

  test("of a time to come are not understood", () => {
    expect(bars([element(0, 10), element(20, 10)], 5, 19)).toBeUndefined();
  });

  test("keep the highest, the lowest, the ends and the sum of what they are made of", () => {
    const minutes = fc.constantFrom(...BAR_MINUTES);
    const rows = fc.array(fc.nat(200), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(minutes, rows, (length, prices) => {
        const { minutes: each } = chartShape(length, 500);
        const told = prices.map((price, n) => element(n * each, price * 0.25, price));
        const made = toBars([...told].reverse(), {
          minutes: length,
          shape: chartShape(length, 500),
          tickSize: SIZE,
          now: MIDNIGHT + 100 * DAY_MS,
        });
        expect(made?.map(({ startsAt }) => startsAt % (length * MINUTE_MS))).toEqual(
          made?.map(() => 0),
        );
        expect(made?.[0]?.open).toBe(prices[0]);
        expect(made?.at(-1)?.close).toBe((prices.at(-1) ?? 0) + 2);
        const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
        expect(sum(made?.map(({ volume }) => volume) ?? [])).toBe(sum(prices));
        expect(Math.max(...(made?.map(({ high }) => high) ?? []))).toBe(Math.max(...prices) + 4);
      }),
    );
  });
});
