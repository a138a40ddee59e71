import type { Bar } from "../../../domain/strategies/bar.ts";
import { type Ticks, ticks } from "../../../domain/contracts/price.ts";
import type { Quote } from "../exchange/quote.ts";

export const QUOTES_PER_BAR = 4;

/**
 * The four quotes of a bar. A rising bar is taken to have gone low first, a falling one high first.
 * No quote reaches beyond the bar's range, so a limit at its very high or low is not filled by it.
 */
export function quotesOf(bar: Bar): readonly Quote[] {
  const { open, high, low, close, volume } = bar;
  const path = close >= open ? [open, low, high, close] : [open, high, low, close];
  const qty = Math.max(1, Math.floor(volume / QUOTES_PER_BAR));
  return path.map((px) => {
    const bid = bidAt(px, bar);
    return { bid, ask: ticks(bid + 1), bidQty: qty, askQty: qty };
  });
}

/** The bid that stands for a price of the bar. */
export function bidAt(px: Ticks, { high, low }: Pick<Bar, "high" | "low">): Ticks {
  return px === high && px !== low ? ticks(px - 1) : px;
}
