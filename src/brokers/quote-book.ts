import type { Ticks, TickSize } from "../domain/contracts/price.ts";
import { type Quote, QUOTE_STALE_AFTER_MS } from "../domain/quote.ts";
import { toTicksIfAny } from "./price-numbers.ts";

interface Told {
  readonly price: Ticks;
  /** Unix ms, ours. */
  readonly heardAt: number;
}

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
 * What one contract trades at, after each message. Whether a message is the whole picture, or what has
 * changed, is told in two ways: so a price that it leaves out stands for as long as a quote does that
 * nobody repeats, and no longer.
 */
export class QuoteBook {
  readonly #tickSize: TickSize;
  #bid: Told | undefined;
  #ask: Told | undefined;
  #last: Told | undefined;

  constructor(tickSize: TickSize) {
    this.#tickSize = tickSize;
  }

  take({ bid, ask, last, at }: ToldPrices, heardAt: number): Quote {
    this.#bid = this.#next(bid, this.#bid, heardAt);
    this.#ask = this.#next(ask, this.#ask, heardAt);
    this.#last = this.#next(last, this.#last, heardAt);
    const all = [this.#bid, this.#ask, this.#last].flatMap((told) => told ?? []);
    return {
      ...(this.#bid !== undefined && { bid: this.#bid.price }),
      ...(this.#ask !== undefined && { ask: this.#ask.price }),
      ...(this.#last !== undefined && { last: this.#last.price }),
      ...(at !== undefined && { toldAt: at }),
      // None of them is newer for what was told of another one.
      heardAt: Math.min(heardAt, ...all.map((told) => told.heardAt)),
    };
  }

  /** A price between two ticks is none that can be told. */
  #next(price: ToldPrice, before: Told | undefined, heardAt: number): Told | undefined {
    if (price === undefined) return standing(before, heardAt);
    const onTick = price === null ? undefined : toTicksIfAny(price, this.#tickSize);
    return onTick === undefined ? undefined : { price: onTick, heardAt };
  }
}

const standing = (told: Told | undefined, now: number): Told | undefined =>
  told !== undefined && now - told.heardAt <= QUOTE_STALE_AFTER_MS ? told : undefined;
