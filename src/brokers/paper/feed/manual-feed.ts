import type { Bar } from "../../../domain/strategies/bar.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { Quote } from "../exchange/contract-book.ts";
import { barMs } from "./finished-bars.ts";
import type { PriceFeed } from "./price-feed.ts";

/** A feed in somebody's hand: a test's, or an operator's. */
export interface ManualFeed extends PriceFeed {
  /** Sets the quote, and has been heard by all who watch when it returns. */
  set(contract: ContractCode, quote: Quote): void;
  /** Nobody quotes the contract any more; who watches hears nothing. */
  unset(contract: ContractCode): void;
  /** Sets all bars of one length, oldest first; which of them are finished is seen when asked. */
  setBars(contract: ContractCode, minutes: number, bars: readonly Bar[]): void;
}

export function createManualFeed(): ManualFeed {
  const quotes = new Map<ContractCode, Quote>();
  const barsSet = new Map<string, readonly Bar[]>();
  const watches = new Map<ContractCode, Set<(quote: Quote) => void>>();
  return {
    quote: (contract) => quotes.get(contract),
    watch(contract, listener) {
      const listeners = watches.get(contract) ?? new Set();
      watches.set(contract, listeners.add(listener));
      return () => listeners.delete(listener);
    },
    bars(contract, { minutes, count, now }) {
      const bars = barsSet.get(`${contract}/${minutes}`) ?? [];
      const finished = bars.filter(({ startsAt }) => startsAt + barMs(minutes) <= now);
      return finished.slice(Math.max(0, finished.length - count));
    },
    set(contract, quote) {
      const own = { ...quote };
      quotes.set(contract, own);
      for (const listener of watches.get(contract) ?? []) listener(own);
    },
    unset: (contract) => void quotes.delete(contract),
    setBars(contract, minutes, bars) {
      barsSet.set(`${contract}/${minutes}`, [...bars]);
    },
  };
}
