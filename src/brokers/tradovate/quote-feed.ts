import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Quote } from "../../domain/quote.ts";
import { BrokerReadError, type CommandFailure } from "../../trading/ports.ts";
import type { TradedContract } from "./contract-desk.ts";
import type { MarketLink } from "./market-link.ts";
import { parseQuotes, toldPrices, type TradovateQuote } from "./market-messages.ts";
import type { MarketRefusals } from "./market-refusals.ts";
import { MarketDataRefusedError } from "./market-requests.ts";
import { QuoteBook } from "../quote-book.ts";

export interface QuoteFeedDeps {
  readonly link: Pick<MarketLink, "isUp" | "request">;
  readonly refusals: MarketRefusals;
  readonly find: (contract: ContractCode) => Promise<TradedContract | CommandFailure>;
  readonly now: () => number;
}

type Listener = (quote: Quote) => void;

/** One contract that somebody watches, or has watched until now. */
interface Watched {
  readonly contract: ContractCode;
  readonly listeners: Set<Listener>;
  traded: TradedContract | undefined;
  book: QuoteBook | undefined;
  quote: Quote | undefined;
  /** By the link that is up now. */
  isSubscribed: boolean;
  isBusy: boolean;
}

/** So far behind is nobody's clock: such a price is told late, as to who pays for late ones only. */
const LATE_MS = 5 * 60_000;

/** Quotes of contracts for as long as somebody watches them: one subscription each, on any link. */
export class QuoteFeed {
  readonly #deps: QuoteFeedDeps;
  readonly #watched = new Map<ContractCode, Watched>();
  readonly #late = new Map<ContractCode, number>();
  /** Which link it is that is up. */
  #links = 0;

  constructor(deps: QuoteFeedDeps) {
    this.#deps = deps;
  }

  get isWatched(): boolean {
    return [...this.#watched.values()].some(({ listeners }) => listeners.size > 0);
  }

  /** Why some of what is watched is not told, in words. */
  get trouble(): string | undefined {
    const [late] = this.#late;
    if (late === undefined) return undefined;
    const [contract, at] = late;
    const told = new Date(at).toISOString();
    return `Tradovate tells ${contract} as of ${told}: its market is closed, or the subscription is one to late prices`;
  }

  watch(contract: ContractCode, listener: Listener): () => void {
    const watched = this.#watched.get(contract) ?? newWatched(contract);
    this.#watched.set(contract, watched);
    // Wrapped, so that a listener added twice is called twice and removed once.
    const own: Listener = (quote) => listener(quote);
    watched.listeners.add(own);
    const { quote } = watched;
    const first = quote && setImmediate(() => own(quote));
    setImmediate(() => void this.#settle(watched));
    return () => {
      clearImmediate(first);
      watched.listeners.delete(own);
      void this.#settle(watched);
    };
  }

  /** A link is up, on which nothing is subscribed to yet. */
  begin(): void {
    this.#links += 1;
    for (const watched of this.#watched.values()) {
      Object.assign(watched, NOT_TOLD);
      void this.#settle(watched);
    }
  }

  /** The link is gone: what stood is told no more. */
  end(): void {
    for (const watched of this.#watched.values()) Object.assign(watched, NOT_TOLD);
    this.#late.clear();
  }

  /** Asks again for what could not be had. */
  look(): void {
    for (const watched of this.#watched.values()) void this.#settle(watched);
  }

  take(data: unknown): void {
    for (const message of parseQuotes(data)) {
      for (const watched of this.#watched.values()) {
        if (watched.traded?.id === message.contractId) this.#tell(watched, message);
      }
    }
  }

  #tell(watched: Watched, message: TradovateQuote): void {
    const { contract, book, listeners } = watched;
    const now = this.#deps.now();
    const { at = now } = message;
    // Prices of another time would pass for those of now.
    if (now - at > LATE_MS) {
      this.#late.set(contract, at);
      return;
    }
    this.#late.delete(contract);
    const quote = book?.take(toldPrices(message), now);
    if (quote === undefined || !watched.isSubscribed) return;
    watched.quote = quote;
    for (const listener of listeners) listener(quote);
  }

  /** Subscribes or unsubscribes, until the broker tells what is watched and nothing else. */
  async #settle(watched: Watched): Promise<void> {
    if (watched.isBusy) return;
    watched.isBusy = true;
    const { contract } = watched;
    const { link, refusals } = this.#deps;
    try {
      while (link.isUp && isWanted(watched) !== watched.isSubscribed) {
        if (refusals.standing(nameOf(contract)) !== undefined) break;
        await (watched.isSubscribed ? this.#unsubscribe(watched) : this.#subscribe(watched));
      }
    } catch (error) {
      // What nobody knows how to take keeps nothing else from being told.
      refusals.note(nameOf(contract), error);
    } finally {
      watched.isBusy = false;
    }
    if (isWanted(watched) || watched.isSubscribed) return;
    this.#late.delete(contract);
    if (this.#watched.get(contract) === watched) this.#watched.delete(contract);
  }

  async #subscribe(watched: Watched): Promise<void> {
    const { link, refusals, find } = this.#deps;
    const traded = foundOf(await find(watched.contract));
    const links = this.#links;
    watched.traded = traded;
    watched.book = new QuoteBook(traded.tickSize);
    // The first message may come in the same frame as the answer, and before it is looked at.
    watched.isSubscribed = true;
    try {
      await link.request("md/subscribeQuote", { symbol: traded.symbol });
      refusals.forget(nameOf(watched.contract));
    } catch (error) {
      if (links === this.#links) Object.assign(watched, NOT_TOLD);
      throw error;
    }
  }

  async #unsubscribe(watched: Watched): Promise<void> {
    Object.assign(watched, NOT_TOLD);
    const { traded } = watched;
    if (traded === undefined) return;
    try {
      await this.#deps.link.request("md/unsubscribeQuote", { symbol: traded.symbol });
    } catch (error) {
      // It is told on, and nobody listens; the link's end ends it.
      if (!(error instanceof BrokerReadError)) throw error;
    }
  }
}

const NOT_TOLD = { isSubscribed: false, quote: undefined } as const;

const newWatched = (contract: ContractCode): Watched => ({
  contract,
  listeners: new Set(),
  traded: undefined,
  book: undefined,
  quote: undefined,
  isSubscribed: false,
  isBusy: false,
});

function foundOf(found: TradedContract | CommandFailure): TradedContract {
  if (!("kind" in found)) return found;
  if (found.kind === "rejected") throw new MarketDataRefusedError(found.reason);
  throw new BrokerReadError(found.reason);
}

const isWanted = ({ listeners }: Watched): boolean => listeners.size > 0;

const nameOf = (contract: ContractCode): string => `quotes of ${contract}`;
