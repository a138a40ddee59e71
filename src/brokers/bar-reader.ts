import { setTimeout as sleep } from "node:timers/promises";
import type { ContractCode } from "../domain/contracts/contract.ts";
import type { TickSize } from "../domain/contracts/price.ts";
import { type Bar, MAX_BARS_ASKED } from "../domain/strategies/bar.ts";
import type { BarsRequest } from "../trading/money/ports.ts";
import { BrokerReadError } from "../trading/ports.ts";
import { type BarElement, type ChartShape, chartShape, toBars } from "./chart-bars.ts";

/** Where the bars of one contract are asked for. */
export interface BarSource {
  readonly tickSize: TickSize;
  /** Throws `BrokerReadError`. */
  readonly ask: (shape: ChartShape) => Promise<readonly BarElement[]>;
}

export interface BarReaderDeps {
  /**
   * Undefined where the broker knows no such contract. Throws `BrokerReadError` where nothing can be
   * asked now.
   */
  readonly find: (contract: ContractCode) => Promise<BarSource | undefined>;
  readonly now: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Bars of one contract and length, as they were read last. */
interface Series {
  readonly bars: readonly Bar[];
  readonly readAt: number;
  /** How many were asked for. */
  readonly count: number;
}

interface Reading {
  readonly count: number;
  readonly begunAt: number;
  readonly done: Promise<readonly Bar[]>;
}

/** So many charts at a time; more than wait for their turn are refused. */
const AT_ONCE = 4;
const MOST_WAITING = 100;
const MOST_SERIES = 100;
/** The bar that has just ended may come late; where nothing was traded it never comes. */
const NEWEST_AGAIN_MS = 2_000;
/** Our clock may be ahead: for so long a bar that has just ended may still grow. */
const GROWS_FOR_MS = 1_000;

/**
 * Reads bars from charts. Strategies ask for the same ones at the same time, once a bar has ended: each
 * is asked of the broker once, and what is there serves until the next one ends.
 */
export class BarReader {
  readonly #deps: BarReaderDeps;
  readonly #series = new Map<string, Series>();
  readonly #reading = new Map<string, Reading>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(deps: BarReaderDeps) {
    this.#deps = deps;
  }

  /** Whether somebody waits for bars. */
  get isReading(): boolean {
    return this.#reading.size > 0;
  }

  /** Throws `BrokerReadError`. */
  async read({ contract, minutes, count: asked }: BarsRequest): Promise<readonly Bar[]> {
    const count = Math.min(asked, MAX_BARS_ASKED);
    if (count <= 0) return [];
    const name = `${contract}/${minutes}`;
    const known = this.#series.get(name);
    if (known !== undefined && known.count >= count && this.#isFresh(known, minutes)) {
      return known.bars.slice(-count);
    }
    const under = this.#reading.get(name);
    if (under !== undefined && under.count >= count && this.#isOfNow(under.begunAt, minutes)) {
      return (await under.done).slice(-count);
    }
    // Whoever asked for more before will do so again.
    const most = Math.max(count, known?.count ?? 0);
    const begunAt = this.#deps.now();
    const done = this.#readNow({ contract, minutes, count: most }, name);
    this.#reading.set(name, { count: most, begunAt, done });
    try {
      return (await done).slice(-count);
    } finally {
      if (this.#reading.get(name)?.done === done) this.#reading.delete(name);
    }
  }

  /** No bar has ended since then. */
  #isOfNow(at: number, minutes: number): boolean {
    const lengthMs = minutes * 60_000;
    const now = this.#deps.now();
    return at <= now && Math.floor(at / lengthMs) === Math.floor(now / lengthMs);
  }

  #isFresh({ bars, readAt }: Series, minutes: number): boolean {
    const lengthMs = minutes * 60_000;
    const now = this.#deps.now();
    const endedAt = Math.floor(now / lengthMs) * lengthMs;
    if (!this.#isOfNow(readAt, minutes)) return false;
    const newest = bars.at(-1);
    const hasNewest = newest !== undefined && newest.startsAt + lengthMs === endedAt;
    // Read when it could have been there, it is none: nothing was traded.
    return hasNewest || readAt - endedAt >= NEWEST_AGAIN_MS || now - readAt < NEWEST_AGAIN_MS;
  }

  async #readNow(request: BarsRequest, name: string): Promise<readonly Bar[]> {
    await this.#turn();
    try {
      const { bars, readAt } = await this.#readChart(request);
      this.#keep(name, { bars, readAt, count: request.count });
      return bars;
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #readChart({ contract, minutes, count }: BarsRequest): Promise<Omit<Series, "count">> {
    const { find, now } = this.#deps;
    const source = await find(contract);
    // Of a contract that the broker does not know there are none.
    if (source === undefined) return { bars: [], readAt: now() };
    const shape = chartShape(minutes, count);
    const { elements, readAt } = await this.#ask(source, shape);
    const bars = toBars(elements, { minutes, shape, tickSize: source.tickSize, now: readAt });
    if (bars !== undefined) return { bars: bars.slice(-count), readAt };
    throw new BrokerReadError("The broker sent bars of a time to come: the clocks do not agree");
  }

  /** The chart, once nothing of it that has ended still grows. What ended after it was asked for may. */
  async #ask(
    { ask }: BarSource,
    shape: ChartShape,
  ): Promise<{ readonly elements: readonly BarElement[]; readonly readAt: number }> {
    const { now, wait = sleep } = this.#deps;
    const askOnce = async () => {
      const readAt = now();
      return { elements: await ask(shape), readAt };
    };
    const first = await askOnce();
    const endsAt = Math.max(0, ...first.elements.map(({ at }) => at)) + shape.minutes * 60_000;
    const growsForMs = endsAt + GROWS_FOR_MS - first.readAt;
    if (endsAt > first.readAt || growsForMs <= 0) return first;
    await wait(growsForMs);
    return await askOnce();
  }

  async #turn(): Promise<void> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MOST_WAITING) {
        throw new BrokerReadError("Too many bars are asked for at once");
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
  }

  #keep(name: string, series: Series): void {
    this.#series.delete(name);
    this.#series.set(name, series);
    for (const oldest of this.#series.keys()) {
      if (this.#series.size <= MOST_SERIES) break;
      this.#series.delete(oldest);
    }
  }
}
