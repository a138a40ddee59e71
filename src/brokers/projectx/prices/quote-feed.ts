import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { Quote } from "../../../domain/quote.ts";
import type { ToldPrice, ToldPrices } from "../../quote-book.ts";
import { isLate, WatchedQuotes } from "../../watched-quotes.ts";
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

/** How it goes with the quotes of one contract. */
interface Standing {
  /** Why it is not told, in words. */
  readonly trouble: string | undefined;
  /** What was asked for in vain is not asked for again before, by the steady clock. */
  readonly notBefore: number;
  /** How often in a row it was asked for in vain. */
  readonly failures: number;
}

const WELL: Standing = { trouble: undefined, notBefore: 0, failures: 0 };

/** Each question is taken from what all reading may ask: what fails is asked for ever less often. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;
/** A contract that the broker does not know may be listed one day. */
const UNKNOWN_FOR_MS = 30 * 60_000;

/** Quotes by ProjectX's market hub. */
export class QuoteFeed {
  readonly #deps: QuoteFeedDeps;
  readonly #quotes: WatchedQuotes<KnownContract>;
  readonly #standing = new Map<ContractCode, Standing>();

  constructor(deps: QuoteFeedDeps) {
    this.#deps = deps;
    const { link, now, elapsed } = deps;
    this.#quotes = new WatchedQuotes({
      now,
      isUp: () => link.isUp,
      mayAsk: (contract, isSubscribed) =>
        isSubscribed || elapsed() >= this.#standingOf(contract).notBefore,
      find: async (contract) => await this.#find(contract),
      subscribe: async (contract, { id }) => {
        await link.call("SubscribeContractQuotes", id);
        this.#note(contract, { failures: 0, trouble: undefined });
      },
      // Where that fails it is told on, and nobody listens; the link's end ends it.
      unsubscribe: async ({ id }) => {
        await link.call("UnsubscribeContractQuotes", id).catch(() => undefined);
      },
      onFailure: (contract, error) => this.#fail(contract, error),
      onLeft: (contract) => this.#standing.delete(contract),
    });
  }

  get isWatched(): boolean {
    return this.#quotes.isWatched;
  }

  /** Why some of what is watched is not told, in words. */
  get trouble(): string | undefined {
    return [...this.#standing.values()].find(({ trouble }) => trouble !== undefined)?.trouble;
  }

  /** The fresh prices of a contract that somebody watches; undefined where there is none. */
  fresh(contract: ContractCode): Quote | undefined {
    return this.#quotes.fresh(contract);
  }

  watch(contract: ContractCode, listener: (quote: Quote) => void): () => void {
    return this.#quotes.watch(contract, listener);
  }

  /** A link is up, on which nothing is subscribed to yet. */
  begin(): void {
    // It may take what the one before did not.
    for (const [contract, { failures }] of this.#standing) {
      if (failures > 0) this.#note(contract, { notBefore: 0 });
    }
    this.#quotes.begin();
  }

  /** The link is gone: what stood is told no more. */
  end(): void {
    this.#quotes.end();
  }

  /** Asks again for what could not be had. */
  look(): void {
    this.#quotes.look();
  }

  /** What the hub tells of one contract: a quote, or a list of them, bare or wrapped as the other hub does. */
  take(contractId: unknown, payload: unknown): void {
    const contract = this.#quotes.meant(({ id }) => id === contractId);
    if (contract === undefined) return;
    for (const { data } of unwrapEvents(payload)) {
      if (isRecord(data)) this.#tell(contract, toldPrices(data));
    }
  }

  #tell(contract: ContractCode, told: ToldPrices): void {
    const { at } = told;
    if (at !== undefined && isLate(told, this.#deps.now())) {
      const when = new Date(at).toISOString();
      const trouble = `ProjectX tells ${contract} as of ${when}: its market is closed, or prices come late`;
      this.#note(contract, { trouble });
    } else if (this.#quotes.take(contract, told)) this.#note(contract, { trouble: undefined });
  }

  async #find(contract: ContractCode): Promise<KnownContract | undefined> {
    const known = await this.#deps.find(contract);
    if (known === undefined) {
      const trouble = `ProjectX knows no contract ${contract}`;
      const notBefore = this.#deps.elapsed() + UNKNOWN_FOR_MS;
      this.#note(contract, { trouble, notBefore, failures: 0 });
    }
    return known;
  }

  #fail(contract: ContractCode, error: unknown): void {
    const { failures } = this.#standingOf(contract);
    const ms = Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS);
    this.#note(contract, {
      failures: failures + 1,
      notBefore: this.#deps.elapsed() + ms,
      trouble: error instanceof Error ? error.message : String(error),
    });
  }

  #standingOf(contract: ContractCode): Standing {
    return this.#standing.get(contract) ?? WELL;
  }

  #note(contract: ContractCode, change: Partial<Standing>): void {
    this.#standing.set(contract, { ...this.#standingOf(contract), ...change });
  }
}

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
