import type { BarElement } from "../chart-bars.ts";
import type { ToldPrice, ToldPrices } from "../quote-book.ts";
import { isRecord } from "./frames.ts";
import { isId, parseInstant } from "./parse.ts";

/** One side of the book, or the last trade. Of price and size one may be missing. */
export interface TradovateEntry {
  readonly price?: number;
  readonly size?: number;
}

/** What one message says of a contract's prices. */
export interface TradovateQuote {
  readonly contractId: number;
  /** Unix ms by the broker's clock. */
  readonly at?: number;
  readonly bid?: TradovateEntry;
  readonly offer?: TradovateEntry;
  readonly trade?: TradovateEntry;
  /** Nobody bids or offers. */
  readonly isBookEmpty: boolean;
}

/** One bar of a chart. */
export type TradovateBar = BarElement;

/** A part of a chart. `id` says which one: that of its history, or that of what happens since. */
export interface ChartPacket {
  readonly id: number;
  /** Undefined where one of them cannot be read: no bar may be missing among the others. */
  readonly bars: readonly TradovateBar[] | undefined;
  /** The history has no more. */
  readonly isEnd: boolean;
}

/**
 * What a message says of each price. The documents say that an entry is absent "if no data available";
 * a side without a size, and an empty book, are gone at once.
 */
export function toldPrices({ bid, offer, trade, isBookEmpty, at }: TradovateQuote): ToldPrices {
  const side = (entry: TradovateEntry | undefined): ToldPrice => {
    if (entry?.size === 0) return null;
    return isPrice(entry) ? entry.price : isBookEmpty ? null : undefined;
  };
  const last = isPrice(trade) ? trade.price : undefined;
  return { bid: side(bid), ask: side(offer), last, at };
}

/** Prices may be zero and below, but what stands in for none is a zero without a size. */
const isPrice = (entry: TradovateEntry | undefined): entry is { price: number; size?: number } =>
  entry?.price !== undefined && (entry.price !== 0 || (entry.size ?? 0) > 0);

/** Messages of which not even the contract can be read say nothing. */
export function parseQuotes(data: unknown): readonly TradovateQuote[] {
  return listIn(data, "quotes").flatMap((quote) => {
    const { contractId, timestamp, entries } = quote;
    if (!isId(contractId) || !isRecord(entries)) return [];
    const at = typeof timestamp === "string" ? parseInstant(timestamp) : 0;
    const [bid, offer, trade] = ["Bid", "Offer", "Trade"].map((name) => parseEntry(entries[name]));
    return [
      {
        contractId,
        ...(at > 0 && { at }),
        ...(bid !== undefined && { bid }),
        ...(offer !== undefined && { offer }),
        ...(trade !== undefined && { trade }),
        isBookEmpty: isRecord(entries["EmptyBook"]),
      },
    ];
  });
}

export function parseCharts(data: unknown): readonly ChartPacket[] {
  return listIn(data, "charts").flatMap((chart) => {
    const { id, bars = [], eoh } = chart;
    if (!isId(id)) return [];
    const read = Array.isArray(bars) ? (bars as readonly unknown[]).map(parseBar) : [undefined];
    const whole = read.filter((bar) => bar !== undefined);
    return [{ id, bars: whole.length === read.length ? whole : undefined, isEnd: eoh === true }];
  });
}

function parseEntry(entry: unknown): TradovateEntry | undefined {
  if (!isRecord(entry)) return undefined;
  const { price, size } = entry;
  return { ...(isNumber(price) && { price }), ...(isNumber(size) && { size }) };
}

function parseBar(bar: unknown): TradovateBar | undefined {
  if (!isRecord(bar)) return undefined;
  const { timestamp, open, high, low, close, upVolume, downVolume } = bar;
  const at = typeof timestamp === "string" ? parseInstant(timestamp) : 0;
  if (at <= 0 || !isNumber(open) || !isNumber(high) || !isNumber(low) || !isNumber(close)) {
    return undefined;
  }
  const volume = (isNumber(upVolume) ? upVolume : 0) + (isNumber(downVolume) ? downVolume : 0);
  return { at, open, high, low, close, volume };
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

function listIn(data: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  const list = isRecord(data) ? data[name] : undefined;
  return Array.isArray(list) ? (list as readonly unknown[]).filter(isRecord) : [];
}
