import type { Quote } from "../../../src/brokers/paper/exchange/contract-book.ts";
import { type ContractCode, rootOfCode } from "../../../src/domain/contracts/contract.ts";
import { formatTicks, ticks } from "../../../src/domain/contracts/price.ts";
import type { Fill } from "../../../src/domain/order.ts";
import type { Contracts, Listed } from "./contracts.ts";

export interface MarketTapeDeps {
  readonly now: () => number;
  readonly contracts: Contracts;
  readonly quoteOf: (code: ContractCode) => Quote;
}

/** Prices of a day, in ticks. */
interface Day {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly last: number;
  readonly volume: number;
}

/** A contract as it stands. */
export interface Quoted {
  readonly listed: Listed;
  readonly quote: Quote;
  readonly day: Day;
  readonly at: number;
}

/** `type` of a part of the book: DomType [OFF]. */
const DOM = { bestAsk: 3, bestBid: 4 } as const;
/** Digits of a change in percent. */
const PERCENT_DIGITS = 2;

/**
 * What was traded here, contract by contract. The street's own trades are not known: where it must have
 * traded since, or first, the side of the quote stands for them.
 */
export class MarketTape {
  readonly #deps: MarketTapeDeps;
  readonly #days = new Map<ContractCode, Day>();

  constructor(deps: MarketTapeDeps) {
    this.#deps = deps;
  }

  /** Undefined for a contract that there is not. */
  byId(contractId: string): Quoted | undefined {
    const listed = this.#deps.contracts.byId(contractId);
    return listed && this.#quoted(listed);
  }

  byCode(code: ContractCode): Quoted | undefined {
    const listed = this.#deps.contracts.byCode(code);
    return listed && this.#quoted(listed);
  }

  note({ contract, lastPx, lastQty }: Fill): void {
    this.#note(contract, lastPx, lastQty);
  }

  #quoted(listed: Listed): Quoted {
    const quote = this.#deps.quoteOf(listed.code);
    const known = this.#days.get(listed.code)?.last ?? quote.bid;
    const last = Math.min(Math.max(known, quote.bid), quote.ask);
    return { listed, quote, day: this.#note(listed.code, last, 0), at: this.#deps.now() };
  }

  #note(code: ContractCode, last: number, size: number): Day {
    const before = this.#days.get(code);
    const day: Day = {
      open: before?.open ?? last,
      high: Math.max(before?.high ?? last, last),
      low: Math.min(before?.low ?? last, last),
      last,
      volume: (before?.volume ?? 0) + size,
    };
    this.#days.set(code, day);
    return day;
  }
}

/** `data` of GatewayQuote [OFF]. */
export function toQuote({ listed, quote, day, at }: Quoted): Readonly<Record<string, unknown>> {
  const price = priceIn(listed);
  const change = day.last - day.open;
  return {
    symbol: listed.entity.symbolId,
    symbolName: `/${rootOfCode(listed.code)}`,
    lastPrice: price(day.last),
    bestBid: price(quote.bid),
    bestAsk: price(quote.ask),
    change: price(change),
    changePercent: Number(((100 * change) / day.open).toFixed(PERCENT_DIGITS)),
    open: price(day.open),
    high: price(day.high),
    low: price(day.low),
    volume: day.volume,
    lastUpdated: iso(at),
    timestamp: iso(at),
  };
}

/** `data` of GatewayTrade [OFF]. */
export function toTrade({ lastPx, lastQty, side }: Fill, { listed, at }: Quoted): object {
  return {
    symbolId: listed.entity.symbolId,
    price: priceIn(listed)(lastPx),
    timestamp: iso(at),
    type: side === "BUY" ? 0 : 1,
    volume: lastQty,
  };
}

/** `data` of GatewayDepth [OFF], once for each side. */
export function toDepth({ listed, quote, at }: Quoted): readonly object[] {
  const priceOf = priceIn(listed);
  const part = (type: number, price: number, size: number) => ({
    timestamp: iso(at),
    type,
    price: priceOf(price),
    volume: size,
    currentVolume: size,
  });
  return [part(DOM.bestBid, quote.bid, quote.bidQty), part(DOM.bestAsk, quote.ask, quote.askQty)];
}

const priceIn =
  ({ tickSize }: Listed) =>
  (at: number): number =>
    Number(formatTicks(ticks(at), tickSize));

const iso = (at: number): string => new Date(at).toISOString().replace("Z", "+00:00");
