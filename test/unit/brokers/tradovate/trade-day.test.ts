import { expect, test } from "vitest";
import { tradeDayAt } from "../../../../src/brokers/tradovate/trade-day.ts";

test.each([
  ["2026-11-26T22:59:59Z", "2026-11-26"],
  ["2026-11-26T23:00:00Z", "2026-11-27"],
  ["2026-07-01T21:59:59Z", "2026-07-01"],
  ["2026-07-01T22:00:00Z", "2026-07-02"],
  ["2026-11-29T23:00:00Z", "2026-11-30"],
])("%s is of the trading day %s", (at, day) => {
  expect(tradeDayAt(Date.parse(at))).toBe(day);
});
