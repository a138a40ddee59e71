import type { TickSize } from "../domain/contracts/price.ts";
import { type HeardPrice, isStale, pricesOf, type Quote } from "../domain/quote.ts";
import { toTicksIfAny } from "./price-numbers.ts";

/** A price in points; undefined where a message leaves it out, and null where it says that there is none. */
export type ToldPrice = number | null | undefined;

/** What one message says of a contract's prices. */
export interface ToldPrices {
  readonly bid?: ToldPrice;
  readonly ask?: ToldPrice;
  readonly last?: ToldPrice;
  /** Unix ms by the broker's clock. */
  readonly at?: number | undefined;
}

/**
 * The prices of one contract, after each message. Some brokers send the whole picture, and others what has
 * changed. So a price that a message leaves out stays until it is stale, and keeps its own age.
 */
export class QuoteBook {
  readonly #tickSize: TickSize;
  #bid: HeardPrice | undefined;
  #ask: HeardPrice | undefined;
  #last: HeardPrice | undefined;

  constructor(tickSize: TickSize) {
    this.#tickSize = tickSize;
  }

  take({ bid, ask, last, at }: ToldPrices, heardAt: number): Quote {
    this.#bid = this.#next(bid, this.#bid, heardAt);
    this.#ask = this.#next(ask, this.#ask, heardAt);
    this.#last = this.#next(last, this.#last, heardAt);
    const prices = pricesOf({ bid: this.#bid, ask: this.#ask, last: this.#last });
    return { ...prices, ...(at !== undefined && { toldAt: at }) };
  }

  /** A price between two ticks is none that can be told. */
  #next(price: ToldPrice, before: HeardPrice | undefined, heardAt: number): HeardPrice | undefined {
    if (price === undefined) {
      return before === undefined || isStale(before, heardAt) ? undefined : before;
    }
    const px = price === null ? undefined : toTicksIfAny(price, this.#tickSize);
    return px === undefined ? undefined : { px, heardAt };
  }
}
