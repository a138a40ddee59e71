import type { ContractCode } from "../../../domain/contract.ts";
import type { Quote } from "../exchange/quote.ts";
import type { PriceFeed } from "./price-feed.ts";

/** A feed in somebody's hand: a test's, or an operator's. */
export interface ManualFeed extends PriceFeed {
  /** Sets the quote, and has been heard by all who watch when it returns. */
  set(contract: ContractCode, quote: Quote): void;
}

export function createManualFeed(): ManualFeed {
  const quotes = new Map<ContractCode, Quote>();
  const watches = new Map<ContractCode, Set<(quote: Quote) => void>>();
  return {
    quote: (contract) => quotes.get(contract),
    watch(contract, listener) {
      const listeners = watches.get(contract) ?? new Set();
      watches.set(contract, listeners.add(listener));
      return () => listeners.delete(listener);
    },
    set(contract, quote) {
      const own = { ...quote };
      quotes.set(contract, own);
      for (const listener of watches.get(contract) ?? []) listener(own);
    },
  };
}
