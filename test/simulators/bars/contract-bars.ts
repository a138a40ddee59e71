import { type Bar, joined, MINUTE_MS, traded } from "./bars.ts";
import { SeededPrices } from "./seeded-prices.ts";
import { isGlobexOpen } from "./trade-days.ts";

/** One trade of a tick chart, its price in ticks. */
export interface Tick {
  readonly id: number;
  readonly at: number;
  readonly price: number;
  readonly size: number;
}

/** A part of time, the end left out. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What nobody set is made so. */
export interface Making {
  readonly seed: number;
  readonly hours: "always" | "globex";
}

const HOUR = 60;
const KEPT_TICKS = 10_000;
/** Which number of a minute is drawn. */
const DRAW = { above: 1, below: 2, volume: 3, share: 4 } as const;

/**
 * The bars of one contract: of what traded here, before that those set by hand, and where there are
 * none of these, bars made of a seed that end at the price of the first look.
 */
export class ContractBars {
  readonly #name: string;
  readonly #byHand = new Map<number, readonly Bar[]>();
  readonly #live = new Map<number, Bar>();
  readonly #ticks: Tick[] = [];
  readonly #gaps: Span[] = [];
  #prices: { readonly of: SeededPrices; readonly until: number } | undefined;
  #hours: Making["hours"] = "always";
  #last = 0;
  #lastTick = 0;
  #isByHand = false;

  constructor(name: string) {
    this.#name = name;
  }

  /** Whether it trades by itself, at the price that stands. */
  get isMoving(): boolean {
    return this.#prices !== undefined && !this.#isByHand;
  }

  /** Makes the past around the price, once; later looks find the same. */
  look(price: number, at: number, { seed, hours }: Making): void {
    if (this.#prices !== undefined || this.#isByHand) return;
    const until = Math.floor(at / MINUTE_MS);
    const of = new SeededPrices(seed, this.#name, { minute: until, price });
    this.#prices = { of, until };
    this.#hours = hours;
    this.note(price, 1, at);
  }

  /** These bars, and what trades from now on, are all there is. */
  setByHand(minutes: number, bars: readonly Bar[]): void {
    if (!this.#isByHand) this.#live.clear();
    this.#isByHand = true;
    this.#byHand.set(minutes, bars);
    this.#ticks.length = 0;
  }

  /** Back to what the seed makes. */
  clearHand(): void {
    this.#isByHand = false;
    this.#byHand.clear();
    this.#live.clear();
    this.#prices = undefined;
  }

  addGap(gap: Span): void {
    this.#gaps.push(gap);
  }

  note(price: number, qty: number, at: number): Tick {
    const startsAt = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    const bar = traded(startsAt, price, qty, price >= this.#last);
    const known = this.#live.get(startsAt);
    this.#live.set(startsAt, known === undefined ? bar : joined(known, bar));
    this.#last = price;
    this.#lastTick = Math.max(this.#lastTick + 1, at);
    const tick = { id: this.#lastTick, at, price, size: qty };
    this.#ticks.push(tick);
    if (this.#ticks.length > KEPT_TICKS) this.#ticks.shift();
    return tick;
  }

  /**
   * Bars that can be put together to ones of so many minutes, in order. Before `minutesFrom` those
   * that the seed makes are of hours.
   */
  bars(minutes: number, { from, to }: Span, minutesFrom = from): readonly Bar[] {
    const past = this.#isByHand ? this.#handFor(minutes) : this.#made({ from, to }, minutesFrom);
    const all = [...past, ...this.#live.values()];
    return all
      .filter(({ startsAt }) => startsAt >= from && startsAt < to && !this.#isGap(startsAt))
      .sort((a, b) => a.startsAt - b.startsAt);
  }

  /** Four of each minute's bar, and then those that were made here. */
  ticks(span: Span): readonly Tick[] {
    const seen = new Set(this.#ticks.map(({ at }) => Math.floor(at / MINUTE_MS) * MINUTE_MS));
    const past = this.bars(1, span).filter(({ startsAt }) => !seen.has(startsAt));
    const made = past.flatMap((bar) => ticksOf(bar));
    const { from, to } = span;
    const live = this.#ticks.filter(({ at }) => at >= from && at < to && !this.#isGap(at));
    return [...made, ...live];
  }

  #isGap(at: number): boolean {
    return this.#gaps.some(({ from, to }) => at >= from && at < to);
  }

  /** Those of the largest size that makes up the one that is wanted. */
  #handFor(minutes: number): readonly Bar[] {
    const sizes = [...this.#byHand.keys()].filter((size) => minutes % size === 0);
    return this.#byHand.get(Math.max(...sizes)) ?? [];
  }

  #made({ from, to }: Span, minutesFrom: number): readonly Bar[] {
    if (this.#prices === undefined) return [];
    const { of, until } = this.#prices;
    const end = Math.min(until, Math.ceil(to / MINUTE_MS));
    const fine = Math.ceil(minutesFrom / MINUTE_MS);
    const bars: Bar[] = [];
    let minute = Math.ceil(from / MINUTE_MS);
    while (minute < end) {
      const length = minute + HOUR <= fine ? HOUR : 1;
      const startsAt = minute * MINUTE_MS;
      const isTraded = this.#hours === "always" || isGlobexOpen(startsAt);
      if (isTraded && !this.#live.has(startsAt)) bars.push(madeBar(of, minute, length));
      minute += length;
    }
    return bars;
  }
}

function madeBar(prices: SeededPrices, minute: number, length: number): Bar {
  const [open, close] = [prices.priceAt(minute), prices.priceAt(minute + length)];
  const volume = (20 + prices.draw(minute, DRAW.volume, 480)) * length;
  const upVolume = Math.floor((volume * prices.draw(minute, DRAW.share, 101)) / 100);
  return {
    startsAt: minute * MINUTE_MS,
    open,
    high: Math.max(open, close) + prices.draw(minute, DRAW.above, 4),
    low: Math.min(open, close) - prices.draw(minute, DRAW.below, 4),
    close,
    upVolume,
    downVolume: volume - upVolume,
    upTicks: Math.ceil(upVolume / 3),
    downTicks: Math.ceil((volume - upVolume) / 3),
  };
}

function ticksOf({ startsAt, open, high, low, close, upVolume, downVolume }: Bar): Tick[] {
  const prices = close >= open ? [open, low, high, close] : [open, high, low, close];
  const size = Math.max(1, Math.floor((upVolume + downVolume) / prices.length));
  return prices.map((price, n) => {
    const at = startsAt + n * (MINUTE_MS / prices.length);
    return { id: at, at, price, size };
  });
}
