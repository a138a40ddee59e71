import type { ContractCode } from "../../../domain/contract.ts";
import type { Quote } from "../exchange/quote.ts";

/** Where prices come from. */
export interface PriceFeed {
  /** The quote that stands now: the same object until it changes; undefined when there is none. */
  quote(contract: ContractCode): Quote | undefined;
  /** Calls back on each new quote, never before it returns. The result ends the watch. */
  watch(contract: ContractCode, listener: (quote: Quote) => void): () => void;
}
