import assert from "node:assert/strict";
import type { Bar } from "../../../domain/strategies/bar.ts";
import { type ContractCode, parseContractCode } from "../../../domain/contracts/contract.ts";
import { createReplayedBars, QUOTES_PER_BAR, quotesOf } from "./replayed-bars.ts";
import { createFinishedBars } from "./finished-bars.ts";
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

const SHORTEST_LOOK_MS = 50;

/** Replays bars from the moment it is created; at the end the last price stands, or it loops. */
export function createBarFeed({ root, bars, speed, loops, now }: BarFeedDeps): PriceFeed {
  assert(bars.length > 0, "a bar feed has bars");
  const startedAt = now();
  const quoteMs = shortestStepMs(bars) / QUOTES_PER_BAR / speed;
  const last = bars.length * QUOTES_PER_BAR - 1;
  const isReplayed = (contract: ContractCode) => parseContractCode(contract)?.root === root;

  function numberAt(at: number): number {
    const number = Math.floor((at - startedAt) / quoteMs);
    return loops ? number : Math.min(number, last);
  }

  // Made now, not when bars are first asked for: of a long file it takes a third of a second.
  const replayed = createReplayedBars({ bars, numberAt });
  const finished = createFinishedBars((_, span) => replayed(span), startedAt);

  return {
    ...createTimedFeed({
      now,
      everyMs: Math.max(SHORTEST_LOOK_MS, Math.min(quoteMs, 1_000)),
      isGapless: true,
      numberAt,
      quoteOf(contract, number) {
        if (!isReplayed(contract)) return undefined;
        const bar = bars[Math.floor(number / QUOTES_PER_BAR) % bars.length];
        return bar && quotesOf(bar)[number % QUOTES_PER_BAR];
      },
    }),
    bars: (contract, wanted) => (isReplayed(contract) ? finished(contract, wanted) : []),
  };
}

/** The length of a bar is the shortest step between two; a lone bar is a minute long. */
function shortestStepMs(bars: readonly Bar[]): number {
  let shortest = Infinity;
  for (let index = 1; index < bars.length; index += 1) {
    const [before, bar] = [bars[index - 1], bars[index]];
    if (before && bar) shortest = Math.min(shortest, bar.startsAt - before.startsAt);
  }
  return Number.isFinite(shortest) ? shortest : 60_000;
}
