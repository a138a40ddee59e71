import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { Quote } from "../exchange/contract-book.ts";
import type { PriceFeed } from "./price-feed.ts";

export interface TimedFeedDeps {
  readonly now: () => number;
  /** How often the watched contracts are looked at. */
  readonly everyMs: number;
  /** The number of the quote that stands at an instant; it grows with time. */
  readonly numberAt: (at: number) => number;
  readonly quoteOf: (contract: ContractCode, number: number) => Quote | undefined;
  /** Whether watchers hear every quote, also those that came and went between two looks. */
  readonly isGapless?: boolean;
}

interface Standing {
  readonly number: number;
  readonly quote: Quote | undefined;
}

interface Watch {
  readonly contract: ContractCode;
  readonly listener: (quote: Quote) => void;
  number: number;
}

/** After a long sleep of the machine, a gapless feed goes on with the newest quotes. */
const MAX_CAUGHT_UP = 1_000;

/**
 * A feed whose quotes are a function of time. It keeps nothing and computes only what is asked for
 * or watched, with one timer for all, which stops with the last watch.
 */
export function createTimedFeed(deps: TimedFeedDeps): Omit<PriceFeed, "bars"> {
  const { now, everyMs, numberAt, quoteOf, isGapless = false } = deps;
  const standing = new Map<ContractCode, Standing>();
  const watches = new Set<Watch>();
  let timer: NodeJS.Timeout | undefined;

  function quoteAt(contract: ContractCode, number: number): Quote | undefined {
    const known = standing.get(contract);
    if (known?.number === number) return known.quote;
    const quote = quoteOf(contract, number);
    standing.set(contract, { number, quote });
    return quote;
  }

  function tell(watch: Watch, newest: number): void {
    const first = isGapless ? Math.max(watch.number + 1, newest - MAX_CAUGHT_UP) : newest;
    for (let number = first; number <= newest; number += 1) {
      if (number <= watch.number || !watches.has(watch)) continue;
      watch.number = number;
      const quote = quoteAt(watch.contract, number);
      if (quote !== undefined) watch.listener(quote);
    }
  }

  function look(): void {
    const newest = numberAt(now());
    for (const watch of watches) tell(watch, newest);
  }

  return {
    quote: (contract) => quoteAt(contract, numberAt(now())),
    watch(contract, listener) {
      const watch: Watch = { contract, listener, number: numberAt(now()) };
      watches.add(watch);
      timer ??= setInterval(look, everyMs).unref();
      return () => {
        watches.delete(watch);
        if (watches.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
