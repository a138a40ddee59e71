import type { Bar } from "../../../domain/strategies/bar.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { Quote } from "../exchange/contract-book.ts";

/** Which bars a feed is asked for. */
export interface BarsWanted {
  readonly minutes: number;
  /** At most 500 (`MAX_BARS_ASKED`). */
  readonly count: number;
  /** Unix ms; a bar that ends later is not finished. */
  readonly now: number;
}

/** Where prices come from. */
export interface PriceFeed {
  /** The quote that stands now: the same object until it changes; undefined when there is none. */
  quote(contract: ContractCode): Quote | undefined;
  /** Calls back on each new quote, never before it returns. The result ends the watch. */
  watch(contract: ContractCode, listener: (quote: Quote) => void): () => void;
  /**
   * Finished bars of the bid, oldest first, as far back as the feed knows. A bar begins at a whole
   * multiple of its length since the Unix epoch.
   */
  bars(contract: ContractCode, wanted: BarsWanted): readonly Bar[];
}
