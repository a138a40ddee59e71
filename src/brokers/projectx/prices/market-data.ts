import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { Ticks } from "../../../domain/contracts/price.ts";
import { type Quote, referencePrice } from "../../../domain/quote.ts";
import type { Bar } from "../../../domain/strategies/bar.ts";
import type { BarsRequest, PriceSource } from "../../../trading/money/ports.ts";
import { BrokerReadError } from "../../../trading/ports.ts";
import { BarReader } from "../../bar-reader.ts";
import type { BarElement } from "../../chart-bars.ts";
import { toTicks } from "../../price-numbers.ts";
import { BarHistory } from "./bar-history.ts";
import type { KnownContract } from "../contract-desk.ts";
import { MarketLink, type MarketLinkDeps } from "./market-link.ts";
import { QuoteFeed } from "./quote-feed.ts";
import type { Requests } from "../requests.ts";

export interface MarketDataDeps extends Omit<MarketLinkDeps, "onQuote" | "onUp" | "onDown"> {
  /** False where the connection's settings say so. */
  readonly isWanted: boolean;
  readonly now: () => number;
  /** The broker's own time: bars are asked for by that. */
  readonly brokerNow: () => number;
}

/** What of a session for orders prices need; nothing of it ends that. */
export interface MarketSession {
  readonly requests: Pick<Requests, "readBars">;
  /** Undefined where the broker knows no such contract. Throws `BrokerReadError`. */
  readonly find: (contract: ContractCode) => Promise<KnownContract | undefined>;
}

const LOOK_EVERY_MS = 1_000;
/** A link that nobody needs is closed, but not between two positions. */
const IDLE_FOR_MS = 2 * 60_000;
const NOT_RUNNING = "The session with ProjectX is not running";
/** Where nothing was traded for so long, the last price says nothing of where an order fills. */
const LAST_WITHIN_MS = 5 * 60_000;

/**
 * What ProjectX tells of prices: quotes over a link of their own that is open while somebody watches and
 * the session for orders stands, and bars by requests that count for themselves. Whatever becomes of
 * either, orders go on.
 */
export class MarketData implements PriceSource {
  readonly #deps: MarketDataDeps;
  readonly #link: MarketLink;
  readonly #quotes: QuoteFeed;
  readonly #bars: BarReader;
  #session: MarketSession | undefined;
  #history: BarHistory | undefined;
  #timer: NodeJS.Timeout | undefined;
  #neededAt = 0;

  constructor(deps: MarketDataDeps) {
    this.#deps = deps;
    const { now, elapsed } = deps;
    this.#link = new MarketLink({
      ...deps,
      onQuote: (id, payload) => this.#quotes.take(id, payload),
      onUp: () => this.#quotes.begin(),
      onDown: () => this.#quotes.end(),
    });
    const find = async (code: ContractCode) => await this.#find(code);
    this.#quotes = new QuoteFeed({ link: this.#link, find, now, elapsed });
    this.#bars = new BarReader({ find: async (code) => await this.#source(code), now });
  }

  readonly missing = (): string | undefined =>
    this.#absent() ?? this.#link.trouble ?? this.#quotes.trouble;

  readonly watch = (contract: ContractCode, listener: (quote: Quote) => void): (() => void) => {
    const end = this.#quotes.watch(contract, listener);
    this.#look();
    return end;
  };

  readonly bars = async (request: BarsRequest): Promise<readonly Bar[]> => {
    const absent = this.#absent();
    if (absent !== undefined) throw new BrokerReadError(absent);
    return await this.#bars.read(request);
  };

  /** The session for orders stands. */
  begin(session: MarketSession): void {
    const { isWanted, brokerNow } = this.#deps;
    this.#session = session;
    this.#history = new BarHistory({ requests: session.requests, now: brokerNow });
    if (!isWanted) return;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#look();
  }

  /** The session for orders has ended. Resolves when the link is gone. */
  async end(): Promise<void> {
    this.#session = undefined;
    this.#history = undefined;
    clearInterval(this.#timer);
    await this.#link.stop();
  }

  /**
   * Where the market is, in ticks, whether or not prices are wanted: by the quote where somebody watches
   * it, else by the bar that is open or the last one. Undefined where nothing has traded lately. Throws
   * `BrokerReadError`.
   */
  async reference({ code, id, tickSize }: KnownContract): Promise<Ticks | undefined> {
    const quote = this.#quotes.fresh(code);
    const known = quote && referencePrice(quote);
    if (known !== undefined) return known.px;
    const history = this.#history;
    if (history === undefined) throw new BrokerReadError(NOT_RUNNING);
    const elements = await history.ask(id, { minutes: 1, elements: 5 }, "entry");
    const since = this.#deps.brokerNow() - LAST_WITHIN_MS;
    const newest = elements.reduce<BarElement | undefined>(
      (one, other) => (one !== undefined && one.at >= other.at ? one : other),
      undefined,
    );
    return newest === undefined || newest.at < since ? undefined : toTicks(newest.close, tickSize);
  }

  /** What keeps all prices from being told, whatever the broker says. */
  #absent(): string | undefined {
    if (!this.#deps.isWanted) {
      return "Market data are switched off in the settings of the connection";
    }
    return this.#session === undefined ? NOT_RUNNING : undefined;
  }

  /** Opens the link for who needs it, closes it behind them, and asks again for what could not be had. */
  #look(): void {
    const { isWanted, elapsed } = this.#deps;
    if (!isWanted || this.#session === undefined) return;
    if (this.#quotes.isWatched) {
      this.#neededAt = elapsed();
      this.#link.start();
    } else if (this.#link.isRunning && elapsed() - this.#neededAt > IDLE_FOR_MS) {
      void this.#link.stop();
      return;
    }
    this.#quotes.look();
  }

  async #find(contract: ContractCode): Promise<KnownContract | undefined> {
    const session = this.#session;
    if (session === undefined) throw new BrokerReadError(NOT_RUNNING);
    return await session.find(contract);
  }

  async #source(contract: ContractCode) {
    const history = this.#history;
    const known = await this.#find(contract);
    if (known === undefined) return undefined;
    if (history === undefined) throw new BrokerReadError(NOT_RUNNING);
    const { id, tickSize } = known;
    return { tickSize, ask: (shape: Parameters<BarHistory["ask"]>[1]) => history.ask(id, shape) };
  }
}
