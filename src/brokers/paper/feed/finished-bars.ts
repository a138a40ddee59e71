import assert from "node:assert/strict";
import { type Bar, MAX_BARS_ASKED } from "../../../domain/strategies/bar.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { BarsWanted } from "./price-feed.ts";

/** A stretch of time: from its beginning, and until what is no more part of it, both Unix ms. */
export interface BarSpan {
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Of so many contracts and lengths the newest bars are kept: 50,000 bars, about 5 MB. */
const MAX_SERIES = 100;

export const barMs = (minutes: number): number => minutes * 60_000;

/**
 * Bars of prices that a feed can compute: each is computed once, when it has ended. What was asked
 * for longest ago is forgotten first. None begins before `sinceAt`.
 */
export function createFinishedBars(
  barOf: (contract: ContractCode, span: BarSpan) => Bar,
  sinceAt = 0,
) {
  const series = new Map<string, ReadonlyMap<number, Bar>>();

  return (contract: ContractCode, { minutes, count, now }: BarsWanted): readonly Bar[] => {
    assert(Number.isSafeInteger(minutes) && minutes > 0, "a bar is some whole minutes long");
    assert(count <= MAX_BARS_ASKED, "no more bars are asked for than are told");
    const name = `${contract}/${minutes}`;
    const lengthMs = barMs(minutes);
    const known = series.get(name);
    const endsAt = Math.floor(now / lengthMs) * lengthMs;
    const kept = new Map<number, Bar>();
    const asked: Bar[] = [];
    for (let back = MAX_BARS_ASKED; back > 0; back -= 1) {
      const startsAt = endsAt - back * lengthMs;
      if (startsAt < sinceAt) continue;
      const span = { startsAt, endsAt: startsAt + lengthMs };
      const bar = known?.get(startsAt) ?? (back <= count ? barOf(contract, span) : undefined);
      if (bar === undefined) continue;
      kept.set(startsAt, bar);
      if (back <= count) asked.push(bar);
    }
    series.delete(name);
    series.set(name, kept);
    for (const oldest of series.keys()) {
      if (series.size <= MAX_SERIES) break;
      series.delete(oldest);
    }
    return asked;
  };
}
