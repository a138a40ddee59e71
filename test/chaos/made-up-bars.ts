import { type Bar, MAX_BARS_ASKED } from "../../src/domain/strategies/bar.ts";
import { ticks, type Ticks } from "../../src/domain/contracts/price.ts";
import type { BarsRequest } from "../../src/trading/money/ports.ts";

const MINUTE_MS = 60_000;
/** About where the S&P stands, and how far it goes from there and back. */
const MIDDLE = 28_000;
const SWING = 200;
const SWING_MS = 60 * MINUTE_MS;
const WICK = 3;

/** Finished bars of a market that never closes: each the same for whoever asks, and whenever. */
export function madeUpBars(
  { minutes, count }: Pick<BarsRequest, "minutes" | "count">,
  now: number,
): readonly Bar[] {
  const lengthMs = minutes * MINUTE_MS;
  const endsAt = Math.floor(now / lengthMs) * lengthMs;
  const told = Math.min(count, MAX_BARS_ASKED);
  return Array.from({ length: told }, (_, n) => barFrom(endsAt - (told - n) * lengthMs, lengthMs));
}

function barFrom(startsAt: number, lengthMs: number): Bar {
  const [open, close] = [priceAt(startsAt), priceAt(startsAt + lengthMs)];
  return {
    startsAt,
    open,
    high: ticks(Math.max(open, close) + WICK),
    low: ticks(Math.min(open, close) - WICK),
    close,
    volume: 100 + ((startsAt / MINUTE_MS) % 900),
  };
}

function priceAt(at: number): Ticks {
  return ticks(MIDDLE + Math.round(SWING * Math.sin((2 * Math.PI * at) / SWING_MS)));
}
