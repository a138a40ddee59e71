import type { ContractCode } from "../domain/contracts/contract.ts";
import type { TickSize } from "../domain/contracts/price.ts";
import { freshQuote, type Quote } from "../domain/quote.ts";
import { QuoteBook, type ToldPrices } from "./quote-book.ts";

type Listener = (quote: Quote) => void;

/** How a broker is asked for the quotes of a contract, as it calls that. */
export interface QuoteWire<Known> {
  readonly isUp: () => boolean;
  /** Whether it may be asked for a contract now, or to tell it no more. */
  readonly mayAsk: (contract: ContractCode, isSubscribed: boolean) => boolean;
  /** Undefined where there is nothing to subscribe to; throws where that is not known. */
  readonly find: (contract: ContractCode) => Promise<Known | undefined>;
  /** Throws where the broker does not do so. */
  readonly subscribe: (contract: ContractCode, known: Known) => Promise<void>;
  readonly unsubscribe: (known: Known) => Promise<void>;
  /** One of these has thrown: it is tried again at a later look, and keeps nothing else from being told. */
  readonly onFailure: (contract: ContractCode, error: unknown) => void;
  /** Nobody watches the contract any more. */
  readonly onLeft: (contract: ContractCode) => void;
  readonly now: () => number;
}

/** One contract that somebody watches, or has watched until now. */
interface Watched<Known> {
  readonly contract: ContractCode;
  readonly listeners: Set<Listener>;
  known: Known | undefined;
  book: QuoteBook | undefined;
  quote: Quote | undefined;
  /** By the link that is up now. */
  isSubscribed: boolean;
  isBusy: boolean;
}

/** So far behind is nobody's clock: such a price is one of another time, or told late to who pays for that. */
const LATE_MS = 5 * 60_000;

export const isLate = ({ at }: Pick<ToldPrices, "at">, now: number): boolean =>
  at !== undefined && now - at > LATE_MS;

/** Quotes of contracts for as long as somebody watches them: one subscription each, on any link. */
export class WatchedQuotes<Known extends { readonly tickSize: TickSize }> {
  readonly #wire: QuoteWire<Known>;
  readonly #watched = new Map<ContractCode, Watched<Known>>();
  /** Which link it is that is up. */
  #links = 0;

  constructor(wire: QuoteWire<Known>) {
    this.#wire = wire;
  }

  get isWatched(): boolean {
    return [...this.#watched.values()].some(isWanted);
  }

  /** The fresh prices of a contract that somebody watches; undefined where there is none. */
  fresh(contract: ContractCode): Quote | undefined {
    return freshQuote(this.#watched.get(contract)?.quote, this.#wire.now());
  }

  watch(contract: ContractCode, listener: Listener): () => void {
    const watched = this.#watched.get(contract) ?? newWatched<Known>(contract);
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
    this.end();
    this.look();
  }

  /** The link is gone: what stood is told no more. */
  end(): void {
    for (const watched of this.#watched.values()) Object.assign(watched, NOT_TOLD);
  }

  /** Asks again for what could not be had. */
  look(): void {
    for (const watched of this.#watched.values()) void this.#settle(watched);
  }

  /** The watched contract that the broker means. */
  meant(isMeant: (known: Known) => boolean): ContractCode | undefined {
    const all = [...this.#watched.values()];
    return all.find(({ known }) => known !== undefined && isMeant(known))?.contract;
  }

  /** Takes what a message says of a contract. Answers whether it was told on. */
  take(contract: ContractCode, told: ToldPrices): boolean {
    const watched = this.#watched.get(contract);
    const quote = watched?.book?.take(told, this.#wire.now());
    if (watched === undefined || quote === undefined || !watched.isSubscribed) return false;
    watched.quote = quote;
    for (const listener of watched.listeners) listener(quote);
    return true;
  }

  /** Subscribes or unsubscribes, until the broker tells what is watched and nothing else. */
  async #settle(watched: Watched<Known>): Promise<void> {
    if (watched.isBusy) return;
    watched.isBusy = true;
    const { contract } = watched;
    const { isUp, mayAsk, onFailure, onLeft } = this.#wire;
    try {
      while (isUp() && isWanted(watched) !== watched.isSubscribed) {
        if (!mayAsk(contract, watched.isSubscribed)) break;
        await (watched.isSubscribed ? this.#unsubscribe(watched) : this.#subscribe(watched));
      }
    } catch (error) {
      onFailure(contract, error);
    } finally {
      watched.isBusy = false;
    }
    if (isWanted(watched) || watched.isSubscribed) return;
    onLeft(contract);
    if (this.#watched.get(contract) === watched) this.#watched.delete(contract);
  }

  async #subscribe(watched: Watched<Known>): Promise<void> {
    const { contract } = watched;
    const known = await this.#wire.find(contract);
    if (known === undefined) return;
    const links = this.#links;
    watched.known = known;
    watched.book = new QuoteBook(known.tickSize);
    // The first message may come before the answer, or in one frame with it.
    watched.isSubscribed = true;
    try {
      await this.#wire.subscribe(contract, known);
    } catch (error) {
      if (links === this.#links) Object.assign(watched, NOT_TOLD);
      throw error;
    }
  }

  async #unsubscribe(watched: Watched<Known>): Promise<void> {
    Object.assign(watched, NOT_TOLD);
    if (watched.known !== undefined) await this.#wire.unsubscribe(watched.known);
  }
}

const NOT_TOLD = { isSubscribed: false, quote: undefined } as const;

const newWatched = <Known>(contract: ContractCode): Watched<Known> => ({
  contract,
  listeners: new Set(),
  known: undefined,
  book: undefined,
  quote: undefined,
  isSubscribed: false,
  isBusy: false,
});

const isWanted = ({ listeners }: Pick<Watched<unknown>, "listeners">): boolean =>
  listeners.size > 0;
