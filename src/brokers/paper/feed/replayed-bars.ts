import type { Bar } from "../../../domain/strategies/bar.ts";
import { type Ticks, ticks } from "../../../domain/contracts/price.ts";
import type { BarSpan } from "./finished-bars.ts";
import type { Quote } from "../exchange/contract-book.ts";

export interface ReplayedBarsDeps {
  /** Those of the file, which begin anew after the last one. */
  readonly bars: readonly Bar[];
  /** The number of the quote that stands at an instant; below 0 before the first one. */
  readonly numberAt: (at: number) => number;
}

/**
 * Bars by the clock, of the quotes that a replayed file has shown in them and of the one that stood
 * when they began. However many those are, a bar costs a few steps.
 */
export function createReplayedBars({
  bars,
  numberAt,
}: ReplayedBarsDeps): ({ startsAt, endsAt }: BarSpan) => Bar {
  const quotes = bars.length * QUOTES_PER_BAR;
  const volumes = runningSums(bars.map(({ volume }) => volume));
  const highest = createRangePick(
    bars.map((bar) => bidAt(bar.high, bar)),
    Math.max,
  );
  const lowest = createRangePick(
    bars.map((bar) => bidAt(bar.low, bar)),
    Math.min,
  );

  const fileBarOf = (number: number) => bars[Math.floor(number / QUOTES_PER_BAR) % bars.length];

  function bidOf(number: number): Ticks {
    const bar = fileBarOf(number);
    return (bar && quotesOf(bar)[number % QUOTES_PER_BAR]?.bid) ?? ticks(0);
  }

  /** What was traded until the quote of this number was over, in whole contracts. */
  function tradedUntil(number: number): number {
    const shown = number + 1;
    const rounds = Math.floor(shown / quotes) * (volumes[bars.length] ?? 0);
    const wholeBars = volumes[Math.floor((shown % quotes) / QUOTES_PER_BAR)] ?? 0;
    const part = (shown % QUOTES_PER_BAR) / QUOTES_PER_BAR;
    return Math.floor(rounds + wholeBars + part * (fileBarOf(shown)?.volume ?? 0));
  }

  /** The extreme bids of the file from one quote until another. */
  function bidsWithin(from: number, until: number): readonly number[] {
    const wholeFrom = Math.ceil(from / QUOTES_PER_BAR);
    const wholeUntil = Math.max(wholeFrom, Math.floor(until / QUOTES_PER_BAR));
    const found = [highest(wholeFrom, wholeUntil), lowest(wholeFrom, wholeUntil)];
    const bids = found.filter((bid) => bid !== undefined);
    for (let n = from; n < Math.min(until, wholeFrom * QUOTES_PER_BAR); n += 1) bids.push(bidOf(n));
    for (let n = wholeUntil * QUOTES_PER_BAR; n < until; n += 1) bids.push(bidOf(n));
    return bids;
  }

  function bidsOf(first: number, last: number): readonly number[] {
    const count = last - first + 1;
    if (count >= quotes) return bidsWithin(0, quotes);
    const from = first % quotes;
    const until = from + count;
    if (until <= quotes) return bidsWithin(from, until);
    return [...bidsWithin(from, quotes), ...bidsWithin(0, until - quotes)];
  }

  return ({ startsAt, endsAt }) => {
    const before = Math.max(-1, numberAt(startsAt - 1));
    const standing = numberAt(startsAt);
    const last = numberAt(endsAt - 1);
    const bids = bidsOf(Math.min(standing, before + 1), last);
    return {
      startsAt,
      open: bidOf(standing),
      high: ticks(Math.max(...bids)),
      low: ticks(Math.min(...bids)),
      close: bidOf(last),
      volume: tradedUntil(last) - tradedUntil(before),
    };
  };
}

/** The sums of the first 0, 1, 2 and so on of the numbers. */
function runningSums(numbers: readonly number[]): Float64Array {
  const sums = new Float64Array(numbers.length + 1);
  for (const [index, number] of numbers.entries()) sums[index + 1] = (sums[index] ?? 0) + number;
  return sums;
}

/**
 * Answers what `pick` (the smaller or the larger of two) leaves of the values from one index until
 * another, in steps that grow with the logarithm of their number only. It keeps 16 bytes a value.
 */
export function createRangePick(
  values: readonly number[],
  pick: (one: number, other: number) => number,
): (from: number, until: number) => number | undefined {
  // A tree in an array: the values are its second half, and each node's children are 2n and 2n+1.
  const size = values.length;
  const tree = new Float64Array(2 * size);
  tree.set(values, size);
  for (let node = size - 1; node > 0; node -= 1) {
    tree[node] = pick(tree[2 * node] ?? NaN, tree[2 * node + 1] ?? NaN);
  }
  return (from, until) => {
    let picked: number | undefined;
    const take = (node: number) => {
      const value = tree[node] ?? NaN;
      picked = picked === undefined ? value : pick(picked, value);
    };
    let [left, right] = [from + size, until + size];
    while (left < right) {
      if (left % 2 === 1) take(left++);
      if (right % 2 === 1) take(--right);
      left = Math.floor(left / 2);
      right = Math.floor(right / 2);
    }
    return picked;
  };
}

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
