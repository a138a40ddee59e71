import type { ContractCode } from "../../domain/contracts/contract.ts";
import { type Quote, quoteHeardAt } from "../../domain/quote.ts";
import { type Bar, MAX_BARS_ASKED } from "../../domain/strategies/bar.ts";
import type { BarsRequest, PriceSource } from "../../trading/money/ports.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import type { Quote as StreetQuote } from "./exchange/contract-book.ts";
import type { PaperProduct } from "./exchange/product.ts";
import type { PriceFeed } from "./feed/price-feed.ts";

export interface PaperPricesDeps {
  readonly feed: PriceFeed;
  readonly product: (contract: ContractCode) => PaperProduct | undefined;
  readonly now: () => number;
  /** Why there are none while no session runs. */
  readonly notRunning: string;
}

interface Watch {
  readonly contract: ContractCode;
  readonly listener: (quote: Quote) => void;
  end: () => void;
}

const untold = (): void => undefined;

/**
 * The street's prices, told while a session runs: a watch begins anew with each, so nothing runs
 * without one. There is no last trade: nobody trades on that street but the accounts, each with it alone
 * and at its bid or ask.
 */
export class PaperPrices implements PriceSource {
  readonly #deps: PaperPricesDeps;
  readonly #watches = new Set<Watch>();
  #isRunning = false;

  constructor(deps: PaperPricesDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#isRunning = true;
    for (const watch of this.#watches) this.#begin(watch);
  }

  stop(): void {
    this.#isRunning = false;
    for (const watch of this.#watches) watch.end();
  }

  readonly missing = (): string | undefined =>
    this.#isRunning ? undefined : this.#deps.notRunning;

  readonly watch = (contract: ContractCode, listener: (quote: Quote) => void): (() => void) => {
    if (this.#deps.product(contract) === undefined) return untold;
    const watch: Watch = { contract, listener, end: untold };
    this.#watches.add(watch);
    if (this.#isRunning) this.#begin(watch);
    return () => {
      this.#watches.delete(watch);
      watch.end();
    };
  };

  /** Of a contract that the paper broker does not know there are none. */
  readonly bars = async ({ contract, minutes, count }: BarsRequest): Promise<readonly Bar[]> => {
    const { feed, product, now, notRunning } = this.#deps;
    if (!this.#isRunning) throw new BrokerReadError(notRunning);
    if (product(contract) === undefined) return [];
    return feed.bars(contract, { minutes, count: Math.min(count, MAX_BARS_ASKED), now: now() });
  };

  /** What stands is told in a moment, or right before the quote that comes sooner than that. */
  #begin(watch: Watch): void {
    const { feed } = this.#deps;
    let standing = feed.quote(watch.contract);
    const tellStanding = () => {
      const first = standing;
      standing = undefined;
      if (first !== undefined) this.#tell(watch, first);
    };
    const soon = setImmediate(tellStanding);
    const unwatch = feed.watch(watch.contract, (quote) => {
      tellStanding();
      // The listener may have ended it meanwhile.
      if (watch.end === end) this.#tell(watch, quote);
    });
    const end = () => {
      watch.end = untold;
      clearImmediate(soon);
      standing = undefined;
      unwatch();
    };
    watch.end = end;
  }

  #tell({ listener }: Watch, { bid, ask }: StreetQuote): void {
    const at = this.#deps.now();
    listener(quoteHeardAt(at, { bid, ask }, at));
  }
}
