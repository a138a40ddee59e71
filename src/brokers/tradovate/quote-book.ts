import type { Ticks, TickSize } from "../../domain/contracts/price.ts";
import { type Quote, QUOTE_STALE_AFTER_MS } from "../../domain/quote.ts";
import type { TradovateEntry, TradovateQuote } from "./market-messages.ts";
import { toTicksIfAny } from "../price-numbers.ts";

interface Told {
  readonly price: Ticks;
  /** Unix ms, ours. */
  readonly heardAt: number;
}

/**
 * What one contract trades at, after each message. The documents say that an entry is absent "if no
 * data available", which makes a message the whole picture; programs that trade there take it for
 * what has changed. So a price that a message leaves out stands for as long as a quote does that
 * nobody repeats, and no longer; a side without a size, and an empty book, are gone at once.
 */
export class QuoteBook {
  readonly #tickSize: TickSize;
  #bid: Told | undefined;
  #ask: Told | undefined;
  #last: Told | undefined;

  constructor(tickSize: TickSize) {
    this.#tickSize = tickSize;
  }

  take({ bid, offer, trade, isBookEmpty, at }: TradovateQuote, heardAt: number): Quote {
    this.#bid = this.#side(bid, isBookEmpty ? undefined : this.#bid, heardAt);
    this.#ask = this.#side(offer, isBookEmpty ? undefined : this.#ask, heardAt);
    if (isPrice(trade)) this.#last = this.#told(trade.price, heardAt);
    else this.#last = standing(this.#last, heardAt);
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

  #side(entry: TradovateEntry | undefined, before: Told | undefined, now: number) {
    if (entry?.size === 0) return undefined;
    return isPrice(entry) ? this.#told(entry.price, now) : standing(before, now);
  }

  /** A price between two ticks is none that can be told. */
  #told(price: number, heardAt: number): Told | undefined {
    const onTick = toTicksIfAny(price, this.#tickSize);
    return onTick === undefined ? undefined : { price: onTick, heardAt };
  }
}

/** Prices may be zero and below, but what stands in for none is a zero without a size. */
const isPrice = (entry: TradovateEntry | undefined): entry is { price: number; size?: number } =>
  entry?.price !== undefined && (entry.price !== 0 || (entry.size ?? 0) > 0);

const standing = (told: Told | undefined, now: number): Told | undefined =>
  told !== undefined && now - told.heardAt <= QUOTE_STALE_AFTER_MS ? told : undefined;
