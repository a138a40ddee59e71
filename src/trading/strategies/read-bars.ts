import type { Bar } from "../../domain/strategies/bar.ts";
import type { Product } from "../../domain/contracts/product.ts";
import type { BarMinutes } from "../../domain/strategies/strategy.ts";
import {
  parseTicks,
  type Ticks,
  ticksToNumber,
  type TickSize,
} from "../../domain/contracts/price.ts";
import { errors, type Problem } from "../../errors.ts";
import type { PriceBar } from "./ports.ts";
import type { BarTicket } from "./strategy-requests.ts";

const MINUTE_MS = 60_000;

/** When a bar ends, Unix ms. */
export const barEnd = (startsAt: number, minutes: BarMinutes): number =>
  startsAt + minutes * MINUTE_MS;

/** Bars that a caller gave. Throws VALIDATION_FAILED that names all that is wrong with them. */
export function readBars(
  tickets: readonly BarTicket[],
  { tickSize }: Pick<Product, "tickSize">,
  minutes: BarMinutes,
): readonly Bar[] {
  const problems: Problem[] = [];
  const bars = tickets.map((ticket, n) => readBar(ticket, `bars.${n}.`, tickSize, problems));
  for (const [n, { startsAt }] of tickets.entries()) {
    const before = tickets[n - 1];
    if (before !== undefined && startsAt < barEnd(before.startsAt, minutes)) {
      const message = `must be ${minutes} minutes or more after the bar before it: oldest first`;
      problems.push({ path: `bars.${n}.time`, message });
    }
  }
  if (problems.length > 0) throw errors.validationFailed(problems.slice(0, MOST_PROBLEMS));
  return bars;
}

/** Whoever sends 500 bars of another contract needs no 2,000 lines. */
const MOST_PROBLEMS = 20;

function readBar(ticket: BarTicket, at: string, size: TickSize, problems: Problem[]): Bar {
  const price = (name: "open" | "high" | "low" | "close"): Ticks => {
    const value = parseTicks(String(ticket[name]), size);
    if (value !== undefined) return value;
    problems.push({
      path: `${at}${name}`,
      message: `${ticket[name]} is not a multiple of the tick size ${size}`,
    });
    return 0 as Ticks;
  };
  const before = problems.length;
  const { startsAt, volume } = ticket;
  const bar = { startsAt, volume, open: price("open"), high: price("high"), low: price("low") };
  const whole = { ...bar, close: price("close") };
  if (problems.length > before) return whole;
  if (whole.high < Math.max(whole.open, whole.low, whole.close)) {
    problems.push({ path: `${at}high`, message: "is not the highest price of the bar" });
  }
  if (whole.low > Math.min(whole.open, whole.close)) {
    problems.push({ path: `${at}low`, message: "is not the lowest price of the bar" });
  }
  return whole;
}

/** For computing and for showing: nothing is ordered by these numbers. */
export function toPriceBar(bar: Bar, size: TickSize): PriceBar {
  const price = (ticks: Ticks) => ticksToNumber(ticks, size);
  return {
    startsAt: bar.startsAt,
    open: price(bar.open),
    high: price(bar.high),
    low: price(bar.low),
    close: price(bar.close),
    volume: bar.volume,
  };
}
