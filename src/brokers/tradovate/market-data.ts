import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Bar } from "../../domain/strategies/bar.ts";
import type { Quote } from "../../domain/quote.ts";
import type { BarsRequest, PriceSource } from "../../trading/money/ports.ts";
import { BrokerReadError, type CommandFailure } from "../../trading/ports.ts";
import { BarReader } from "../bar-reader.ts";
import { chartSource } from "./chart-source.ts";
import { Charts } from "./charts.ts";
import type { TradedContract } from "./contract-desk.ts";
import { MarketLink, type MarketLinkDeps } from "./market-link.ts";
import { MarketRefusals } from "./market-refusals.ts";
import { QuoteFeed } from "./quote-feed.ts";

export interface MarketDataDeps extends Omit<
  MarketLinkDeps,
  "url" | "onToken" | "onUp" | "onDown" | "onMarket"
> {
  /** False where the connection's settings say so. */
  readonly isWanted: boolean;
  /** Absent for a look-alike that has none. */
  readonly url: string | undefined;
  readonly now: () => number;
}

/** What looks contracts up: a session for orders, which that does not end. */
export interface ContractFinder {
  readonly find: (contract: ContractCode) => Promise<TradedContract | CommandFailure>;
}

const LOOK_EVERY_MS = 1_000;
/** A user has 50 sockets; one that nobody needs is closed, but not between two bars. */
const IDLE_FOR_MS = 2 * 60_000;

/**
 * What Tradovate tells of prices, over a link of its own that is open while somebody needs it and the
 * session for orders stands. Whatever becomes of it, orders go on.
 */
export class MarketData implements PriceSource {
  readonly #deps: MarketDataDeps;
  readonly #refusals: MarketRefusals;
  readonly #link: MarketLink | undefined;
  readonly #quotes: QuoteFeed;
  readonly #charts: Charts;
  readonly #bars: BarReader;
  #contracts: ContractFinder | undefined;
  #timer: NodeJS.Timeout | undefined;
  #neededAt = 0;

  constructor(deps: MarketDataDeps) {
    this.#deps = deps;
    const { url, isWanted, elapsed, now } = deps;
    this.#refusals = new MarketRefusals(elapsed);
    this.#link = isWanted && url !== undefined ? this.#newLink(url) : undefined;
    const link = this.#link ?? NO_LINK;
    const shared = { link, refusals: this.#refusals, now, find: this.#find };
    this.#quotes = new QuoteFeed(shared);
    this.#charts = new Charts({ link });
    this.#bars = new BarReader({ find: chartSource({ ...shared, charts: this.#charts }), now });
  }

  readonly missing = (): string | undefined => {
    const absent = this.#absent();
    if (absent !== undefined) return absent;
    return this.#link?.trouble ?? this.#refusals.words() ?? this.#quotes.trouble;
  };

  readonly watch = (contract: ContractCode, listener: (quote: Quote) => void): (() => void) => {
    const end = this.#quotes.watch(contract, listener);
    this.#look();
    return end;
  };

  readonly bars = async (request: BarsRequest): Promise<readonly Bar[]> => {
    const absent = this.#absent();
    if (absent !== undefined) throw new BrokerReadError(absent);
    this.#need();
    return await this.#bars.read(request);
  };

  /** The session for orders stands. */
  begin(contracts: ContractFinder): void {
    this.#contracts = contracts;
    if (this.#link === undefined) return;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#look();
  }

  /** The session for orders has ended. Resolves when the link is gone. */
  async end(): Promise<void> {
    this.#contracts = undefined;
    clearInterval(this.#timer);
    await this.#link?.stop();
  }

  /** What keeps all prices from being told, whatever the broker says. */
  #absent(): string | undefined {
    const { isWanted, url } = this.#deps;
    if (!isWanted) return "Market data are switched off in the settings of the connection";
    if (url === undefined) return "The settings of the look-alike name no market data (mdUrl)";
    return this.#contracts === undefined ? "The session with Tradovate is not running" : undefined;
  }

  #need(): void {
    this.#neededAt = this.#deps.elapsed();
    if (this.#contracts !== undefined) this.#link?.start();
  }

  /** Opens the link for who needs it, closes it behind them, and asks again for what was refused. */
  #look(): void {
    const link = this.#link;
    if (link === undefined || this.#contracts === undefined) return;
    if (this.#quotes.isWatched || this.#bars.isReading) this.#need();
    else if (link.isRunning && this.#deps.elapsed() - this.#neededAt > IDLE_FOR_MS) {
      void link.stop();
      return;
    }
    this.#quotes.look();
  }

  readonly #find = async (contract: ContractCode): Promise<TradedContract | CommandFailure> =>
    (await this.#contracts?.find(contract)) ?? { kind: "notSent", reason: "The session has ended" };

  #newLink(url: string): MarketLink {
    return new MarketLink({
      ...this.#deps,
      url,
      onToken: () => this.#refusals.clear(),
      onUp: () => this.#quotes.begin(),
      onDown: () => {
        this.#quotes.end();
        this.#charts.end();
      },
      onMarket: ({ about, data }) => {
        if (about === "md") this.#quotes.take(data);
        else this.#charts.take(data);
      },
    });
  }
}

/** Stands in where there are no market data. */
const NO_LINK = {
  isUp: false,
  trouble: undefined,
  untilUp: async () => false,
  request: async () => {
    throw new BrokerReadError("There are no market data");
  },
};
