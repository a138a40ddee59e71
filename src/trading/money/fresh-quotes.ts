import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Side } from "../../domain/order.ts";
import { freshQuote, priceFor, type Quote } from "../../domain/quote.ts";
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

/**
 * The fresh prices of a contract, asked for where the one for an order on that side is not known; undefined
 * where none comes in time. Without a side any price will do.
 */
export type FreshQuote = (
  account: AccountId,
  contract: ContractCode,
  side: Side | undefined,
) => Promise<Quote | undefined>;

/** An entry waits no longer for a price. */
const TOLD_WITHIN_MS = 800;
const MOST_KEPT = 1_000;

/**
 * The prices that may decide something: each of them is fresh by itself. A contract that is neither held
 * nor worked is not watched: its prices are asked for once, and hold until they are stale.
 */
export class FreshQuotes {
  readonly #deps: FreshQuotesDeps;
  readonly #asked = new Map<string, Quote>();

  constructor(deps: FreshQuotesDeps) {
    this.#deps = deps;
  }

  /** As far as they are known without asking. */
  readonly known = (account: AccountId, contract: ContractCode): Quote | undefined => {
    const { watched, now } = this.#deps;
    const at = now();
    return (
      freshQuote(watched(account, contract), at) ??
      freshQuote(this.#asked.get(`${account} ${contract}`), at)
    );
  };

  /** Resolves once the price for an order on that side is known, or after a while without it. */
  async ask(account: AccountId, contract: ContractCode, side: Side | undefined): Promise<void> {
    const prices = this.#deps.pricesOf(account);
    if (prices === undefined) return;
    let stop: () => void = () => undefined;
    await this.#deps.waitFor(TOLD_WITHIN_MS, (wake) => {
      stop = prices.watch(contract, (quote) => {
        if (this.#asked.size >= MOST_KEPT) this.#asked.clear();
        this.#asked.set(`${account} ${contract}`, quote);
        // The first one may be old, or lack the side: another one may follow.
        if (isPriced(freshQuote(quote, this.#deps.now()), side)) wake();
      });
    });
    stop();
  }

  readonly fresh: FreshQuote = async (account, contract, side) => {
    if (!isPriced(this.known(account, contract), side)) await this.ask(account, contract, side);
    return this.known(account, contract);
  };
}

const isPriced = (quote: Quote | undefined, side: Side | undefined): boolean =>
  quote !== undefined && priceFor(quote, side) !== undefined;
