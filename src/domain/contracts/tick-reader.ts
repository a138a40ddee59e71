import { type EntryPrices, wrongSides } from "../bracket-sides.ts";
import {
  DECLARED_PRICES,
  needs,
  ORDER_PRICES,
  type OrderPrice,
  type OrdType,
  type PriceWord,
  waitsForTrigger,
} from "../declared/order-types.ts";
import type { Bracket, LegLevel, OrderPrices, Side, TimeInForce } from "../order.ts";
import { parseTicks, type Ticks, ticks } from "./price.ts";
import type { Product } from "./product.ts";

/** A number as its sender wrote it; turned into ticks only once the contract is known. */
export type WrittenNumber = number | string;

/** A leg as asked for: exactly one of them. `offset` is a price distance, `ticks` a count. */
export interface LegTicket {
  readonly price?: WrittenNumber;
  readonly ticks?: number;
  readonly offset?: WrittenNumber;
  /** Where the position was entered, on average: only of the stop-loss of what is open. */
  readonly atEntry?: true;
}

/** The legs as asked for. */
export interface BracketTicket {
  readonly takeProfit?: LegTicket;
  readonly stopLoss?: LegTicket;
}

/** What is wrong with a ticket: `path` is the API's name of the field. */
export interface TicketProblem {
  readonly path: string;
  readonly message: string;
}

/** What was asked for as it can be acted on, or everything that is wrong with it. */
export type Prepared<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly TicketProblem[] };

/** What a product says of its prices. */
export type PriceTerms = Pick<Product, "tickSize" | "mayBeNegative">;

/** An order's own prices as asked for, by the API's names. */
export type PriceTickets = { readonly [Name in PriceWord]?: WrittenNumber };

/** Reads written prices of one contract and collects every problem on the way. */
export class TickReader {
  readonly problems: TicketProblem[] = [];
  readonly #terms: PriceTerms;
  readonly #legPrefix: string;

  constructor(terms: PriceTerms, legPrefix = "bracket.") {
    this.#terms = terms;
    this.#legPrefix = legPrefix;
  }

  /** The prices of an order, which are those that its type needs. */
  prices(tickets: PriceTickets, ordType: OrdType, names = ORDER_PRICES): OrderPrices {
    const read = names.map((name) => {
      const { word, counts } = DECLARED_PRICES[name];
      const written = tickets[word];
      if (!this.#belongs(name, written, ordType)) return {};
      const value =
        counts === "price"
          ? this.#price(word, written)
          : this.#positive(word, this.#ticks(word, written));
      return value === undefined ? {} : { [name]: value };
    });
    return Object.assign({}, ...read) as OrderPrices;
  }

  /** Those of them that are given. */
  givenPrices(tickets: PriceTickets, ordType: OrdType): OrderPrices {
    const isGiven = (name: OrderPrice) => tickets[DECLARED_PRICES[name].word] !== undefined;
    return this.prices(tickets, ordType, ORDER_PRICES.filter(isGiven));
  }

  add(path: string, message: string): void {
    this.problems.push({ path, message });
  }

  /** A stop waits for its price: there is nothing that could be done at once. */
  checkDuration(ordType: OrdType, timeInForce: TimeInForce): void {
    const isAtOnce = timeInForce === "IOC" || timeInForce === "FOK";
    if (!isAtOnce || !waitsForTrigger(ordType)) return;
    this.add("timeInForce", `${words(timeInForce)} has no meaning on a ${words(ordType)} order`);
  }

  bracket(legs: BracketTicket | undefined): Bracket | undefined {
    if (legs === undefined) return undefined;
    const takeProfit = this.#leg("takeProfit", legs.takeProfit);
    const stopLoss = this.#leg("stopLoss", legs.stopLoss);
    if (takeProfit === undefined && stopLoss === undefined) return undefined;
    return {
      ...(takeProfit !== undefined && { takeProfit }),
      ...(stopLoss !== undefined && { stopLoss }),
    };
  }

  checkSides(side: Side, entry: EntryPrices, bracket: Bracket | undefined): void {
    if (bracket === undefined) return;
    for (const { leg, message } of wrongSides(side, entry, bracket)) {
      this.add(`${this.#legPrefix}${leg}.price`, message);
    }
  }

  #leg(name: string, leg: LegTicket | undefined): LegLevel | undefined {
    if (leg === undefined) return undefined;
    const path = `${this.#legPrefix}${name}`;
    const { price, ticks: count, offset, atEntry } = leg;
    const given = [price, count, offset, atEntry].filter((value) => value !== undefined);
    if (given.length !== 1) {
      this.add(path, "needs exactly one of price, ticks and offset");
      return undefined;
    }
    if (atEntry !== undefined) return this.#atEntry(name, path);
    if (price !== undefined) {
      const level = this.#price(`${path}.price`, price);
      return level === undefined ? undefined : { by: "price", price: level };
    }
    const distance =
      offset === undefined ? (count as Ticks) : this.#ticks(`${path}.offset`, offset);
    const positive = this.#positive(path, distance);
    return positive && { by: "distance", distance: positive };
  }

  /** A stop where the entry is would end it at once, and a target there gains nothing. */
  #atEntry(name: string, path: string): LegLevel | undefined {
    const isOfPosition = this.#legPrefix === "";
    if (name === "stopLoss" && isOfPosition) return { by: "distance", distance: ticks(0) };
    this.add(path, "can be at the entry only as the stop-loss of a position that is open");
    return undefined;
  }

  #belongs(
    name: OrderPrice,
    written: WrittenNumber | undefined,
    ordType: OrdType,
  ): written is WrittenNumber {
    const isGiven = written !== undefined;
    if (isGiven === needs(ordType, name)) return isGiven;
    const problem = isGiven ? "has no meaning on" : "is needed for";
    this.add(DECLARED_PRICES[name].word, `${problem} a ${words(ordType)} order`);
    return false;
  }

  #price(path: string, written: WrittenNumber): Ticks | undefined {
    const value = this.#ticks(path, written);
    return this.#terms.mayBeNegative === true ? value : this.#positive(path, value);
  }

  #positive(path: string, value: Ticks | undefined): Ticks | undefined {
    if (value === undefined || value > 0) return value;
    this.add(path, "must be greater than 0");
    return undefined;
  }

  #ticks(path: string, written: WrittenNumber): Ticks | undefined {
    const { tickSize } = this.#terms;
    const value = parseTicks(String(written), tickSize);
    if (value === undefined) {
      this.add(path, `${written} is not a multiple of the tick size ${tickSize}`);
    }
    return value;
  }
}

const words = (name: string): string => name.toLowerCase().replaceAll("_", "-");
