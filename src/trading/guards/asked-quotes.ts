import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import { isStale, type Quote } from "../../domain/quote.ts";
import type { PriceSource } from "../money/ports.ts";
import type { WaitFor } from "../ports.ts";

export interface AskedQuotesDeps {
  readonly pricesOf: (account: AccountId) => PriceSource | undefined;
  readonly waitFor: WaitFor;
  /** Unix ms. */
  readonly now: () => number;
}

/** An entry waits no longer for a price. */
const TOLD_WITHIN_MS = 800;
const MOST_KEPT = 1_000;

/**
 * Prices that an entry has to be judged by and nobody watches: of what is neither held nor worked. Each
 * is asked for once, and holds until it is stale.
 */
export class AskedQuotes {
  readonly #deps: AskedQuotesDeps;
  readonly #quotes = new Map<string, Quote>();

  constructor(deps: AskedQuotesDeps) {
    this.#deps = deps;
  }

  of(account: AccountId, contract: ContractCode): Quote | undefined {
    const quote = this.#quotes.get(`${account} ${contract}`);
    return quote === undefined || isStale(quote, this.#deps.now()) ? undefined : quote;
  }

  /** Resolves once the price is told, or after a while without one. */
  async ask(account: AccountId, contract: ContractCode): Promise<void> {
    const prices = this.#deps.pricesOf(account);
    if (prices === undefined) return;
    let stop: () => void = () => undefined;
    await this.#deps.waitFor(TOLD_WITHIN_MS, (wake) => {
      stop = prices.watch(contract, (quote) => {
        if (this.#quotes.size >= MOST_KEPT) this.#quotes.clear();
        this.#quotes.set(`${account} ${contract}`, quote);
        wake();
      });
    });
    stop();
  }
}
