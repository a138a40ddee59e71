import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Quote } from "../../domain/quote.ts";
import { BrokerReadError, type CommandFailure } from "../../trading/ports.ts";
import { isLate, WatchedQuotes } from "../watched-quotes.ts";
import type { TradedContract } from "./contract-desk.ts";
import type { MarketLink } from "./market-link.ts";
import { parseQuotes, toldPrices, type TradovateQuote } from "./market-messages.ts";
import type { MarketRefusals } from "./market-refusals.ts";
import { MarketDataRefusedError } from "./market-requests.ts";

export interface QuoteFeedDeps {
  readonly link: Pick<MarketLink, "isUp" | "request">;
  readonly refusals: MarketRefusals;
  readonly find: (contract: ContractCode) => Promise<TradedContract | CommandFailure>;
  readonly now: () => number;
}

/** Quotes by Tradovate's link for market data. */
export class QuoteFeed {
  readonly #now: () => number;
  readonly #quotes: WatchedQuotes<TradedContract>;
  readonly #late = new Map<ContractCode, number>();

  constructor({ link, refusals, find, now }: QuoteFeedDeps) {
    this.#now = now;
    this.#quotes = new WatchedQuotes({
      now,
      isUp: () => link.isUp,
      mayAsk: (contract) => refusals.standing(nameOf(contract)) === undefined,
      find: async (contract) => foundOf(await find(contract)),
      subscribe: async (contract, { symbol }) => {
        await link.request("md/subscribeQuote", { symbol });
        refusals.forget(nameOf(contract));
      },
      unsubscribe: async ({ symbol }) => {
        try {
          await link.request("md/unsubscribeQuote", { symbol });
        } catch (error) {
          // It is told on, and nobody listens; the link's end ends it.
          if (!(error instanceof BrokerReadError)) throw error;
        }
      },
      onFailure: (contract, error) => refusals.note(nameOf(contract), error),
      onLeft: (contract) => this.#late.delete(contract),
    });
  }

  get isWatched(): boolean {
    return this.#quotes.isWatched;
  }

  /** Why some of what is watched is not told, in words. */
  get trouble(): string | undefined {
    const [late] = this.#late;
    if (late === undefined) return undefined;
    const [contract, at] = late;
    const told = new Date(at).toISOString();
    return `Tradovate tells ${contract} as of ${told}: its market is closed, or the subscription is one to late prices`;
  }

  watch(contract: ContractCode, listener: (quote: Quote) => void): () => void {
    return this.#quotes.watch(contract, listener);
  }

  /** A link is up, on which nothing is subscribed to yet. */
  begin(): void {
    this.#quotes.begin();
  }

  /** The link is gone: what stood is told no more. */
  end(): void {
    this.#quotes.end();
    this.#late.clear();
  }

  /** Asks again for what could not be had. */
  look(): void {
    this.#quotes.look();
  }

  take(data: unknown): void {
    for (const message of parseQuotes(data)) {
      const contract = this.#quotes.meant(({ id }) => id === message.contractId);
      if (contract !== undefined) this.#tell(contract, message);
    }
  }

  #tell(contract: ContractCode, message: TradovateQuote): void {
    const { at } = message;
    // Prices of another time would pass for those of now.
    if (at !== undefined && isLate({ at }, this.#now())) {
      this.#late.set(contract, at);
      return;
    }
    this.#late.delete(contract);
    this.#quotes.take(contract, toldPrices(message));
  }
}

function foundOf(found: TradedContract | CommandFailure): TradedContract {
  if (!("kind" in found)) return found;
  if (found.kind === "rejected") throw new MarketDataRefusedError(found.reason);
  throw new BrokerReadError(found.reason);
}

const nameOf = (contract: ContractCode): string => `quotes of ${contract}`;
