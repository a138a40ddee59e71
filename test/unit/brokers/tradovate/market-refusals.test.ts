import { expect, test } from "vitest";
import { MarketRefusals } from "../../../../src/brokers/tradovate/market-refusals.ts";
import { MarketDataRefusedError } from "../../../../src/brokers/tradovate/market-requests.ts";

const MINUTE_MS = 60_000;

test("what is refused is named until it may be asked for again, and what failed is not", () => {
  let now = 0;
  const refusals = new MarketRefusals(() => now);
  expect(refusals.words()).toBeUndefined();
  refusals.note("bars of NQZ2026", new Error("No answer in time"));
  expect(refusals.standing("bars of NQZ2026")).toBe("No answer in time");
  expect(refusals.words()).toBeUndefined();
  for (const root of ["ES", "GC", "CL", "SI"]) {
    refusals.note(`quotes of ${root}Z2026`, new MarketDataRefusedError("Not subscribed to"));
  }
  refusals.forget("quotes of CLZ2026");
  refusals.note("bars of FDAX", new MarketDataRefusedError("Unknown"));
  expect(refusals.words()).toBe(
    "No quotes of ESZ2026, quotes of GCZ2026, quotes of SIZ2026 and 1 more: Not subscribed to",
  );
  now = 5_000;
  expect(refusals.standing("bars of NQZ2026")).toBeUndefined();
  now = 30 * MINUTE_MS;
  expect(refusals.standing("quotes of ESZ2026")).toBeUndefined();
  expect(refusals.words()).toBeUndefined();
});
