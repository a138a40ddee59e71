import type { ContractCode } from "../../../domain/contracts/contract.ts";
import { type Quote, isStale } from "../../../domain/quote.ts";
import { QuoteBook, type ToldPrice, type ToldPrices } from "../../quote-book.ts";
import type { KnownContract } from "../contract-desk.ts";
import type { MarketLink } from "./market-link.ts";
import { isRecord, parseInstant, unwrapEvents } from "../parse.ts";

export interface QuoteFeedDeps {
  readonly link: Pick<MarketLink, "isUp" | "call">;
  /** Undefined where the broker knows no such contract. Throws `BrokerReadError`. */
  readonly find: (contract: ContractCode) => Promise<KnownContract | undefined>;
  readonly now: () => number;
  /** A clock in ms that is never set. */
  readonly elapsed: () => number;
}

type Listener = (quote: Quote) => void;

/** One contract that somebody watches, or has watched until now. */
interface Watched {
  readonly contract: ContractCode;
  readonly listeners: Set<Listener>;
  known: KnownContract | undefined;
  book: QuoteBook | undefined;
  quote: Quote | undefined;
  /** By the link that is up now. */
  isSubscribed: boolean;
  isBusy: boolean;
  /** Why it is not told, in words. */
  trouble: string | undefined;
  /** What was asked for in vain is not asked for again before, by the steady clock. */
  notBefore: number;
  /** How often in a row it was asked for in vain. */
  failures: number;
}

/** So far behind is nobody's clock: such a price is one of another time. */
const LATE_MS = 5 * 60_000;
/** Each question is taken from what all reading may ask: what fails is asked for ever less often. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;
/** A contract that the broker does not know may be listed one day. */
const UNKNOWN_FOR_MS = 30 * 60_000;

/** Quotes of contracts for as long as somebody watches them: one subscription each, on any link. */
export class QuoteFeed {
  readonly #deps: QuoteFeedDeps;
  readonly #watched = new Map<ContractCode, Watched>();
  /** Which link it is that is up. */
  #links = 0;

  constructor(deps: QuoteFeedDeps) {
    this.#deps = deps;
  }

  get isWatched(): boolean {
    return [...this.#watched.values()].some(isWanted);
  }

  /** Why some of what is watched is not told, in words. */
  get trouble(): string | undefined {
    return [...this.#watched.values()].find(({ trouble }) => trouble !== undefined)?.trouble;
  }

  /** What stands of a contract that somebody watches; undefined where it is old, or none is told. */
  standing(contract: ContractCode): Quote | undefined {
    const quote = this.#watched.get(contract)?.quote;
    return quote === undefined || isStale(quote, this.#deps.now()) ? undefined : quote;
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
    this.end();
    // It may take what the one before did not.
    for (const watched of this.#watched.values()) if (watched.failures > 0) watched.notBefore = 0;
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

  /** What the hub tells of one contract: a quote, or a list of them, bare or wrapped as the other hub does. */
  take(contractId: unknown, payload: unknown): void {
    const watched = [...this.#watched.values()].find(({ known }) => known?.id === contractId);
    if (watched === undefined) return;
    for (const { data } of unwrapEvents(payload)) {
      if (isRecord(data)) this.#tell(watched, toldPrices(data));
    }
  }

  #tell(watched: Watched, told: ToldPrices): void {
    const now = this.#deps.now();
    const { at = now } = told;
    if (now - at > LATE_MS) {
      const when = new Date(at).toISOString();
      watched.trouble = `ProjectX tells ${watched.contract} as of ${when}: its market is closed, or prices come late`;
      return;
    }
    const quote = watched.book?.take(told, now);
    if (quote === undefined || !watched.isSubscribed) return;
    watched.trouble = undefined;
    watched.quote = quote;
    for (const listener of watched.listeners) listener(quote);
  }

  /** Subscribes or unsubscribes, until the broker tells what is watched and nothing else. */
  async #settle(watched: Watched): Promise<void> {
    if (watched.isBusy) return;
    watched.isBusy = true;
    const { link, elapsed } = this.#deps;
    try {
      while (link.isUp && isWanted(watched) !== watched.isSubscribed) {
        if (watched.isSubscribed) await this.#unsubscribe(watched);
        else if (elapsed() < watched.notBefore) break;
        else await this.#subscribe(watched);
      }
    } catch (error) {
      // It is tried again at a later look; nothing else waits for it.
      const ms = Math.min(FIRST_RETRY_MS * 2 ** watched.failures, LONGEST_RETRY_MS);
      watched.failures += 1;
      watched.notBefore = elapsed() + ms;
      watched.trouble = error instanceof Error ? error.message : String(error);
    } finally {
      watched.isBusy = false;
    }
    if (isWanted(watched) || watched.isSubscribed) return;
    if (this.#watched.get(watched.contract) === watched) this.#watched.delete(watched.contract);
  }

  async #subscribe(watched: Watched): Promise<void> {
    const { link, find, elapsed } = this.#deps;
    const known = await find(watched.contract);
    if (known === undefined) {
      watched.trouble = `ProjectX knows no contract ${watched.contract}`;
      watched.notBefore = elapsed() + UNKNOWN_FOR_MS;
      watched.failures = 0;
      return;
    }
    const links = this.#links;
    watched.known = known;
    watched.book = new QuoteBook(known.tickSize);
    // The first message may come before the answer.
    watched.isSubscribed = true;
    try {
      await link.call("SubscribeContractQuotes", known.id);
      watched.failures = 0;
      watched.trouble = undefined;
    } catch (error) {
      if (links === this.#links) Object.assign(watched, NOT_TOLD);
      throw error;
    }
  }

  async #unsubscribe(watched: Watched): Promise<void> {
    const { known } = watched;
    Object.assign(watched, NOT_TOLD);
    // Where that fails it is told on, and nobody listens; the link's end ends it.
    if (known !== undefined) {
      await this.#deps.link.call("UnsubscribeContractQuotes", known.id).catch(() => undefined);
    }
  }
}

const NOT_TOLD = { isSubscribed: false, quote: undefined } as const;

const newWatched = (contract: ContractCode): Watched => ({
  contract,
  listeners: new Set(),
  known: undefined,
  book: undefined,
  quote: undefined,
  isSubscribed: false,
  isBusy: false,
  trouble: undefined,
  notBefore: 0,
  failures: 0,
});

const isWanted = ({ listeners }: Watched): boolean => listeners.size > 0;

/** Whether a quote names everything or only what has changed, is told in two ways. */
function toldPrices(fields: Readonly<Record<string, unknown>>): ToldPrices {
  const price = (name: string): ToldPrice => {
    const value = fields[name];
    // No price is told as 0 where there is none.
    if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
    return value === 0 ? null : value;
  };
  const stamp = fields["timestamp"];
  const at = typeof stamp === "string" ? parseInstant(stamp) : 0;
  return {
    bid: price("bestBid"),
    ask: price("bestAsk"),
    last: price("lastPrice"),
    ...(at > 0 && { at }),
  };
}
