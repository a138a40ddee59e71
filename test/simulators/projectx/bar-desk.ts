import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { formatTicks, type Ticks } from "../../../src/domain/contracts/price.ts";
import { type Bar, grouped, MINUTE_MS, traded } from "../bars/bars.ts";
import { ContractBars } from "../bars/contract-bars.ts";
import type { Clock } from "./clock.ts";
import type { Contracts } from "./contracts.ts";
import { type Envelope, ok, refused } from "./entities.ts";
import type { Body } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { Trading } from "./trading.ts";

/** A bar as it is set by hand, in ticks. */
export interface BarByHand {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume?: number;
}

/** Bars that follow each other, the newest last. */
export interface BarsByHand {
  readonly minutes: number;
  readonly bars: readonly BarByHand[];
  /** Whether the last one is the one that is open. */
  readonly lastIsOpen?: boolean;
}

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** By the numbers of the documents: seconds, minutes, hours, days, weeks, months [OFF]. */
const UNITS_MS: Readonly<Record<number, number>> = {
  1: SECOND_MS,
  2: MINUTE_MS,
  3: 60 * MINUTE_MS,
  4: DAY_MS,
  5: 7 * DAY_MS,
  6: 30 * DAY_MS,
};
const MOST_BARS = 20_000;
const KEPT_MS = 60 * DAY_MS;
const USUAL_VOLUME = 100;

/** Answers `History/retrieveBars`: what was set by hand, or a past that is made up and stays. */
export class BarDesk {
  readonly #clock: Clock;
  readonly #contracts: Contracts;
  readonly #trading: Trading;
  readonly #bars = new Map<ContractCode, ContractBars>();

  constructor(clock: Clock, contracts: Contracts, trading: Trading) {
    this.#clock = clock;
    this.#contracts = contracts;
    this.#trading = trading;
  }

  /** A price that was set, or traded at. */
  note(code: ContractCode, price: number, qty = 1): void {
    this.#bars.get(code)?.note(price, qty, this.#clock.now());
  }

  setByHand(code: ContractCode, { minutes, bars, lastIsOpen = false }: BarsByHand): void {
    const lengthMs = minutes * MINUTE_MS;
    const open = Math.floor(this.#clock.now() / lengthMs) * lengthMs;
    const last = lastIsOpen ? open : open - lengthMs;
    const placed = bars.map(({ volume = USUAL_VOLUME, ...prices }, n): Bar => {
      const startsAt = last - (bars.length - 1 - n) * lengthMs;
      return {
        startsAt,
        ...prices,
        upVolume: Math.ceil(volume / 2),
        downVolume: Math.floor(volume / 2),
        upTicks: 1,
        downTicks: 1,
      };
    });
    this.#of(code).setByHand(minutes, placed);
  }

  answer(body: Body, settings: Settings): Envelope {
    const none = { bars: null };
    const listed = this.#contracts.byId(body.text("contractId"));
    const lengthOfUnit = UNITS_MS[body.integer("unit")];
    const unitNumber = body.integer("unitNumber");
    const limit = body.integer("limit");
    const [from, to] = [body.instant("startTime"), body.instant("endTime")];
    const isUnpaid = body.flag("live") && settings.liveBars === "empty";
    if (listed === undefined) return refused(1, "Contract not found", none);
    if (lengthOfUnit === undefined) return refused(2, "Invalid unit", none);
    if (unitNumber < 1) return refused(3, "Invalid unit number", none);
    if (limit < 1 || limit > MOST_BARS) return refused(4, "Invalid limit", none);
    if (isUnpaid) return ok({ bars: [] });
    const lengthMs = lengthOfUnit * unitNumber;
    const now = this.#clock.now();
    const isWhole = ({ startsAt }: Bar) =>
      body.flag("includePartialBar") || startsAt + lengthMs <= now;
    const bars = this.#history(listed.code, lengthMs, { from, to }, settings.barSeed)
      .filter(isWhole)
      .slice(-limit)
      .map((bar) => {
        const price = (at: number) => Number(formatTicks(at as Ticks, listed.tickSize));
        return {
          t: `${new Date(bar.startsAt).toISOString().slice(0, 19)}+00:00`,
          o: price(bar.open),
          h: price(bar.high),
          l: price(bar.low),
          c: price(bar.close),
          v: bar.upVolume + bar.downVolume,
        };
      });
    return ok({ bars: settings.barsNewestFirst ? bars.reverse() : bars });
  }

  #history(
    code: ContractCode,
    lengthMs: number,
    asked: { from: number; to: number },
    seed: number,
  ): Bar[] {
    const now = this.#clock.now();
    const book = this.#of(code);
    book.look(this.#trading.quoteOf(code).bid, now, { seed, hours: "always" });
    const startOf = (at: number) => Math.floor(at / lengthMs) * lengthMs;
    const from = Math.max(startOf(asked.from), startOf(now - KEPT_MS));
    const span = { from, to: Math.min(startOf(asked.to) + lengthMs, now + 1) };
    if (lengthMs % MINUTE_MS !== 0) {
      const trades = book.ticks(span).map(({ at, price, size }) => traded(at, price, size, true));
      return grouped(trades, startOf).filter(({ startsAt }) => startsAt >= asked.from);
    }
    const bars = book.bars(lengthMs / MINUTE_MS, span);
    return grouped(bars, startOf).filter(({ startsAt }) => startsAt >= asked.from);
  }

  #of(code: ContractCode): ContractBars {
    const known = this.#bars.get(code);
    if (known !== undefined) return known;
    const made = new ContractBars(code);
    this.#bars.set(code, made);
    return made;
  }
}
