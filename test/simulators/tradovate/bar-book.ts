import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { type Bar, grouped, MINUTE_MS } from "../bars/bars.ts";
import type { BrokerClock } from "./broker-clock.ts";
import type { Elements, Range } from "./chart-request.ts";
import { ContractBars, type Span, type Tick } from "../bars/contract-bars.ts";
import { obtain } from "../obtain.ts";
import type { Settings } from "./settings.ts";
import { tradeDayAt } from "../bars/trade-days.ts";

/** A bar as it is set by hand, in ticks. A volume alone is half up and half down. */
export interface BarByHand {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume?: number;
  readonly upVolume?: number;
  readonly downVolume?: number;
}

/** Bars that follow each other; null is where nothing traded. */
export interface BarsByHand {
  readonly minutes: number;
  readonly bars: readonly (BarByHand | null)[];
  /** Unix ms at which the last one ended; the start of the one that is open now when absent. */
  readonly endsAt?: number;
  /** Whether the last one is the one that is open. */
  readonly lastIsOpen?: boolean;
}

const DAY_MINUTES = 1_440;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
const KEPT_DAYS = 365;
const USUAL_VOLUME = 100;

/** The bars of all contracts. */
export class BarBook {
  readonly #clock: BrokerClock;
  readonly #settings: () => Settings;
  readonly #byCode = new Map<ContractCode, ContractBars>();

  constructor(clock: BrokerClock, settings: () => Settings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  of(code: ContractCode): ContractBars {
    return obtain(this.#byCode, code, () => new ContractBars(code));
  }

  /** What trades by itself, since somebody has looked at it. */
  moving(): readonly ContractCode[] {
    return [...this.#byCode].filter(([, bars]) => bars.isMoving).map(([code]) => code);
  }

  /** Makes sure that there is a past. */
  look(code: ContractCode, price: number): void {
    const { chartSeed: seed, chartHours: hours } = this.#settings();
    this.of(code).look(price, this.#clock.now(), { seed, hours });
  }

  note(code: ContractCode, price: number, qty: number): Tick {
    return this.of(code).note(price, qty, this.#clock.now());
  }

  setByHand(code: ContractCode, { minutes, bars, endsAt, lastIsOpen = false }: BarsByHand): void {
    const elements: Elements =
      minutes === DAY_MINUTES ? { kind: "days" } : { kind: "minutes", minutes };
    const open = this.startOf(elements, endsAt ?? this.#clock.now());
    let startsAt = lastIsOpen ? open : this.startOf(elements, open - 1);
    const placed: Bar[] = [];
    for (const bar of [...bars].reverse()) {
      if (bar !== null) placed.push(toBar(bar, startsAt));
      startsAt = this.startOf(elements, startsAt - 1);
    }
    this.of(code).setByHand(minutes, placed.reverse());
  }

  /** The bars that a range asks for, in order. */
  history(
    code: ContractCode,
    elements: Exclude<Elements, { kind: "ticks" }>,
    range: Range,
  ): readonly Bar[] {
    const open = this.startOf(elements, this.#clock.now());
    const hasOpenBar = this.#settings().chartHistoryHasOpenBar;
    return this.#bars(code, elements, this.#span(elements, range))
      .filter(({ startsAt }) => startsAt >= range.from && (hasOpenBar || startsAt !== open))
      .slice(range.count === 0 ? Infinity : -range.count);
  }

  /** The trades that a range asks for, in order. */
  ticks(code: ContractCode, range: Range): readonly Tick[] {
    const ticks = this.of(code).ticks(this.#span({ kind: "ticks" }, range));
    return ticks.slice(range.count === 0 ? Infinity : -range.count);
  }

  /** The bar that grows, if anything has traded in it. */
  openBar(code: ContractCode, elements: Exclude<Elements, { kind: "ticks" }>): Bar | undefined {
    const now = this.#clock.now();
    return this.#bars(code, elements, { from: this.startOf(elements, now), to: now + 1 }).at(-1);
  }

  /** When the element began that this instant is in. */
  startOf(elements: Elements, at: number): number {
    if (elements.kind === "ticks") return at;
    if (elements.kind === "days") return tradeDayAt(at).startsAt;
    const size = elements.minutes * MINUTE_MS;
    const from = this.#settings().chartAlign === "session" ? tradeDayAt(at).startsAt : 0;
    return at - ((at - from) % size);
  }

  #bars(code: ContractCode, elements: Exclude<Elements, { kind: "ticks" }>, span: Span): Bar[] {
    const minutes = elements.kind === "days" ? DAY_MINUTES : elements.minutes;
    const bars = this.of(code).bars(minutes, span, this.#minutesFrom());
    return grouped(bars, (at) => this.startOf(elements, at));
  }

  /** Whole elements only: those of minutes go back by few days, those of days by a year. */
  #span(elements: Elements, { from, until }: Range): Span {
    const kept =
      elements.kind === "days" ? this.#clock.now() - KEPT_DAYS * DAY_MS : this.#minutesFrom();
    const oldest = this.startOf(elements, Math.max(from, kept));
    // A bar that has begun by then is had whole.
    const to = elements.kind === "ticks" ? until + 1 : this.#endOf(elements, until);
    return { from: oldest, to };
  }

  #endOf(elements: Exclude<Elements, { kind: "ticks" }>, at: number): number {
    if (elements.kind === "days") return tradeDayAt(at).endsAt;
    return this.startOf(elements, at) + elements.minutes * MINUTE_MS;
  }

  #minutesFrom(): number {
    return this.#clock.now() - this.#settings().chartMinuteDays * DAY_MS;
  }
}

function toBar({ open, high, low, close, ...volumes }: BarByHand, startsAt: number): Bar {
  const { volume = USUAL_VOLUME } = volumes;
  const { upVolume = Math.ceil(volume / 2), downVolume = volume - upVolume } = volumes;
  const ticks = { upTicks: Math.ceil(upVolume / 3), downTicks: Math.ceil(downVolume / 3) };
  return { startsAt, open, high, low, close, upVolume, downVolume, ...ticks };
}
