import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import { isStale, type Quote } from "../../domain/quote.ts";
import type { WaitFor } from "../ports.ts";
import type { PriceSource } from "./ports.ts";

export interface FreshQuotesDeps {
  /** What the contract trades at, where its prices are watched; however old. */
  readonly watched: (account: AccountId, contract: ContractCode) => Quote | undefined;
  readonly pricesOf: (account: AccountId) => PriceSource | undefined;
  readonly waitFor: WaitFor;
  /** Unix ms. */
  readonly now: () => number;
}

/** What a contract trades at now, asked for where nobody watches it; undefined where none is told in time. */
export type FreshQuote = (account: AccountId, contract: ContractCode) => Promise<Quote | undefined>;

/** An entry waits no longer for a price. */
const TOLD_WITHIN_MS = 800;
const MOST_KEPT = 1_000;

/**
 * Prices that an order is judged or sized by. Those of what is neither held nor worked are watched by
 * nobody: each is asked for once, and holds until it is stale.
 */
export class FreshQuotes {
  readonly #deps: FreshQuotesDeps;
  readonly #asked = new Map<string, Quote>();

  constructor(deps: FreshQuotesDeps) {
    this.#deps = deps;
  }

  /** As far as it is known without asking; a stale one is none. */
  known(account: AccountId, contract: ContractCode): Quote | undefined {
    const { watched, now } = this.#deps;
    const told = [watched(account, contract), this.#asked.get(`${account} ${contract}`)];
    return told.find((quote) => quote !== undefined && !isStale(quote, now()));
  }

  /** Resolves once the price is told, or after a while without one. */
  async ask(account: AccountId, contract: ContractCode): Promise<void> {
    const prices = this.#deps.pricesOf(account);
    if (prices === undefined) return;
    let stop: () => void = () => undefined;
    await this.#deps.waitFor(TOLD_WITHIN_MS, (wake) => {
      stop = prices.watch(contract, (quote) => {
        if (this.#asked.size >= MOST_KEPT) this.#asked.clear();
        this.#asked.set(`${account} ${contract}`, quote);
        // What stands may be old: a new one may follow.
        if (!isStale(quote, this.#deps.now())) wake();
      });
    });
    stop();
  }

  readonly fresh: FreshQuote = async (account, contract) => {
    if (this.known(account, contract) === undefined) await this.ask(account, contract);
    return this.known(account, contract);
  };
}
