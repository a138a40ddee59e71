import assert from "node:assert/strict";
import { parseContractCode } from "../../../domain/contract.ts";
import { type Ticks, ticks } from "../../../domain/price.ts";
import type { Quote } from "../exchange/quote.ts";
import type { Bar } from "./bar-file.ts";
import type { PriceFeed } from "./price-feed.ts";
import { createTimedFeed } from "./timed-feed.ts";

export interface BarFeedDeps {
  /** The root whose contracts follow the bars; all others have no quote. */
  readonly root: string;
  readonly bars: readonly Bar[];
  /** How many times faster than life. Gaps between bars are skipped. */
  readonly speed: number;
  readonly loops: boolean;
  readonly now: () => number;
}

const QUOTES_PER_BAR = 4;
const SHORTEST_LOOK_MS = 50;

/** Replays bars from the moment it is created; at the end the last price stands, or it loops. */
export function createBarFeed({ root, bars, speed, loops, now }: BarFeedDeps): PriceFeed {
  assert(bars.length > 0, "a bar feed has bars");
  const startedAt = now();
  const quoteMs = barMs(bars) / QUOTES_PER_BAR / speed;
  const last = bars.length * QUOTES_PER_BAR - 1;
  return createTimedFeed({
    now,
    everyMs: Math.max(SHORTEST_LOOK_MS, Math.min(quoteMs, 1_000)),
    isGapless: true,
    numberAt(at) {
      const number = Math.floor((at - startedAt) / quoteMs);
      return loops ? number : Math.min(number, last);
    },
    quoteOf(contract, number) {
      if (parseContractCode(contract)?.root !== root) return undefined;
      const bar = bars[Math.floor(number / QUOTES_PER_BAR) % bars.length];
      return bar && quotesOf(bar)[number % QUOTES_PER_BAR];
    },
  });
}

/**
 * The four quotes of a bar. A rising bar is taken to have gone low first, a falling one high first.
 * No quote reaches beyond the bar's range, so a limit at its very high or low is not filled by it.
 */
export function quotesOf({ open, high, low, close, volume }: Bar): readonly Quote[] {
  const path = close >= open ? [open, low, high, close] : [open, high, low, close];
  const qty = Math.max(1, Math.floor(volume / QUOTES_PER_BAR));
  return path.map((px) => quoteAround(px, { high, low, qty }));
}

function quoteAround(
  px: Ticks,
  { high, low, qty }: { high: Ticks; low: Ticks; qty: number },
): Quote {
  const bid = px === high && px !== low ? px - 1 : px;
  return { bid: ticks(bid), ask: ticks(bid + 1), bidQty: qty, askQty: qty };
}

/** The length of a bar is the shortest step between two; a lone bar is a minute long. */
function barMs(bars: readonly Bar[]): number {
  let shortest = Infinity;
  for (let index = 1; index < bars.length; index += 1) {
    const [before, bar] = [bars[index - 1], bars[index]];
    if (before && bar) shortest = Math.min(shortest, bar.startsAt - before.startsAt);
  }
  return Number.isFinite(shortest) ? shortest : 60_000;
}
