import { type Bar, MAX_BARS_ASKED } from "../domain/strategies/bar.ts";
import type { TickSize } from "../domain/contracts/price.ts";
import { toTicks } from "./price-numbers.ts";

/** One bar as a broker tells it, by the instant at which it begins (Unix ms); prices in points. */
export interface BarElement {
  readonly at: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** What a chart is asked for, so that bars can be made of it. */
export interface ChartShape {
  /** Of one element. */
  readonly minutes: number;
  readonly elements: number;
}

const MINUTE_MS = 60_000;
/** Trading begins on half hours: no element of such a length lies in two of ours, however it is counted. */
const LONGEST_ELEMENT = 30;
/** The broker keeps minutes for two weeks only. */
const MOST_ELEMENTS = 5_000;
/** Our clock and the broker's are not one. */
const CLOCKS_APART_MS = 10_000;

/** Longer bars are made of shorter ones: the broker may count hours from when trading begins. */
export function chartShape(minutes: number, count: number): ChartShape {
  const element = greatestCommonDivisor(minutes, LONGEST_ELEMENT);
  // One is open, and the oldest may be cut off.
  const wanted = (Math.min(count, MAX_BARS_ASKED) + 2) * (minutes / element);
  return { minutes: element, elements: Math.min(wanted, MOST_ELEMENTS) };
}

/**
 * Finished bars of whole multiples of their length, oldest first, made of the elements of a chart in
 * whatever order they came. Undefined where an element begins in times to come: then it is named by
 * its end, or a clock is wrong, and nobody can say which stretch of time it is about.
 */
export function toBars(
  elements: readonly BarElement[],
  asked: {
    readonly minutes: number;
    readonly shape: ChartShape;
    readonly tickSize: TickSize;
    readonly now: number;
  },
): readonly Bar[] | undefined {
  const { minutes, shape, tickSize, now } = asked;
  const lengthMs = minutes * MINUTE_MS;
  const sorted = [...byBeginning(elements).values()].sort((a, b) => a.at - b.at);
  const [oldest, newest] = [sorted[0], sorted.at(-1)];
  if (oldest === undefined || newest === undefined) return [];
  if (newest.at > now + CLOCKS_APART_MS) return undefined;
  const bars = new Map<number, Bar>();
  for (const element of sorted) {
    const startsAt = Math.floor(element.at / lengthMs) * lengthMs;
    const before = bars.get(startsAt);
    const bar = toBar(element, startsAt, tickSize);
    bars.set(startsAt, before === undefined ? bar : joined(before, bar));
  }
  // Of what began before the oldest element, a part is missing.
  const isCut = shape.minutes !== minutes && oldest.at % lengthMs !== 0;
  return [...bars.values()].slice(isCut ? 1 : 0).filter((bar) => bar.startsAt + lengthMs <= now);
}

/** What comes again is newer. */
const byBeginning = (elements: readonly BarElement[]): ReadonlyMap<number, BarElement> =>
  new Map(elements.map((element) => [element.at, element]));

function toBar(element: BarElement, startsAt: number, size: TickSize): Bar {
  const { open, high, low, close, volume } = element;
  return {
    startsAt,
    open: toTicks(open, size),
    high: toTicks(high, size),
    low: toTicks(low, size),
    close: toTicks(close, size),
    volume: Math.round(volume),
  };
}

const joined = (first: Bar, next: Bar): Bar => ({
  startsAt: first.startsAt,
  open: first.open,
  high: Math.max(first.high, next.high) as Bar["high"],
  low: Math.min(first.low, next.low) as Bar["low"],
  close: next.close,
  volume: first.volume + next.volume,
});

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
