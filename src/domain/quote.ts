import type { Ticks } from "./contracts/price.ts";
import type { Side } from "./order.ts";

/** One price of a contract. */
export interface HeardPrice {
  readonly px: Ticks;
  /** Unix ms by our clock: when it was heard, also where it was the same again. */
  readonly heardAt: number;
}

/** The prices of a quote, each with an age of its own: a broker may name only what has changed. */
interface QuotePrices<Price> {
  readonly bid?: Price;
  readonly ask?: Price;
  /** Of the last trade. */
  readonly last?: Price;
}

/** The prices that market data name of a contract. A price that was not heard is absent. */
export interface Quote extends QuotePrices<HeardPrice> {
  /** Unix ms by the clock of the sender of the last message; absent where that is not said. */
  readonly toldAt?: number;
}

/**
 * A price is stale after so long without a word about it, ms: the market may be anywhere. One that is
 * sent only when it changes is stale in a quiet market too, which is the safe side.
 */
export const QUOTE_STALE_AFTER_MS = 10_000;

export const isStale = ({ heardAt }: Pick<HeardPrice, "heardAt">, now: number): boolean =>
  now - heardAt > QUOTE_STALE_AFTER_MS;

/** The price at which an order fills at the market; the last trade where its side of the book is not known. */
export const marketPrice = ({ bid, ask, last }: Quote, side: Side): HeardPrice | undefined =>
  (side === "BUY" ? ask : bid) ?? last;

/** The price at which a position closes: a long one at the bid, a short one at the ask. */
export const closingPrice = (quote: Quote, netQty: number): HeardPrice | undefined =>
  marketPrice(quote, netQty > 0 ? "SELL" : "BUY");

/** Roughly where the market is, for what has no side. */
export const referencePrice = ({ bid, ask, last }: Quote): HeardPrice | undefined =>
  last ?? bid ?? ask;

/** The price for an order on a side; without a side any price will do. */
export const priceFor = (quote: Quote, side: Side | undefined): HeardPrice | undefined =>
  side === undefined ? referencePrice(quote) : marketPrice(quote, side);

/** Only the prices that a decision may use; undefined where all are stale. */
export function freshQuote(quote: Quote | undefined, now: number): Quote | undefined {
  if (quote === undefined) return undefined;
  const { bid, ask, last, ...said } = quote;
  const fresh = pricesOf({ bid, ask, last }, (price) => !isStale(price, now));
  return referencePrice(fresh) === undefined ? undefined : { ...fresh, ...said };
}

/** The same prices without the ones that are absent, or refused. */
export function pricesOf<Price>(
  { bid, ask, last }: { readonly [Name in keyof QuotePrices<Price>]?: Price | undefined },
  isTaken: (price: Price) => boolean = () => true,
): QuotePrices<Price> {
  const has = (price: Price | undefined): price is Price => price !== undefined && isTaken(price);
  return {
    ...(has(bid) && { bid }),
    ...(has(ask) && { ask }),
    ...(has(last) && { last }),
  };
}

/** A quote of prices that were all heard at one time. */
export function quoteHeardAt(
  heardAt: number,
  { bid, ask, last }: QuotePrices<Ticks>,
  toldAt?: number,
): Quote {
  const heard = (px: Ticks | undefined) => (px === undefined ? undefined : { px, heardAt });
  return {
    ...pricesOf({ bid: heard(bid), ask: heard(ask), last: heard(last) }),
    ...(toldAt !== undefined && { toldAt }),
  };
}

/** When the oldest price of a quote was heard, Unix ms; 0 where it has none. */
export function oldestHeardAt({ bid, ask, last }: Quote): number {
  const all = [bid, ask, last].flatMap((price) => price?.heardAt ?? []);
  return all.length === 0 ? 0 : Math.min(...all);
}
