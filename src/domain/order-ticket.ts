import type { ContractCode } from "./contract.ts";
import type { Bracket, LegLevel, NewOrderSingle, OrdType, Side, TimeInForce } from "./order.ts";
import { parseTicks, type TickSize, type Ticks } from "./price.ts";
import type { Product } from "./product.ts";

/** A number as its sender wrote it; turned into ticks only once the contract is known. */
export type WrittenNumber = number | string;

/** A leg as asked for: exactly one of the three. `offset` is a price distance, `ticks` a count. */
export interface LegTicket {
  readonly price?: WrittenNumber;
  readonly ticks?: number;
  readonly offset?: WrittenNumber;
}

/** An order as asked for, in the words of the API: the symbol and the prices are still text. */
export interface OrderTicket {
  readonly symbol: string;
  readonly side: Side;
  readonly ordType: OrdType;
  readonly orderQty: number;
  readonly limitPrice?: WrittenNumber;
  readonly stopPrice?: WrittenNumber;
  readonly trailOffset?: WrittenNumber;
  readonly timeInForce?: TimeInForce;
  readonly bracket?: { readonly takeProfit?: LegTicket; readonly stopLoss?: LegTicket };
}

/** An order that lacks only its identifier. */
export type PreparedOrder = Omit<NewOrderSingle, "clOrdId">;

/** What is wrong with a ticket: `path` is the API's name of the field. */
export interface TicketProblem {
  readonly path: string;
  readonly message: string;
}

export type Prepared<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly TicketProblem[] };

/** What a product says of its prices. */
type PriceTerms = Pick<Product, "tickSize" | "mayBeNegative">;

const NEEDS_LIMIT: ReadonlySet<OrdType> = new Set(["LIMIT", "STOP_LIMIT"]);
const NEEDS_STOP: ReadonlySet<OrdType> = new Set(["STOP", "STOP_LIMIT"]);

/** Turns a ticket into an order on its resolved contract, or names everything that is wrong. */
export function prepareOrder(
  ticket: OrderTicket,
  contract: ContractCode,
  terms: PriceTerms,
): Prepared<PreparedOrder> {
  const reader = new TickReader(terms);
  const { ordType, side, timeInForce = "DAY" } = ticket;

  const price = reader.price("limitPrice", ticket.limitPrice, NEEDS_LIMIT.has(ordType), ordType);
  const stopPx = reader.price("stopPrice", ticket.stopPrice, NEEDS_STOP.has(ordType), ordType);
  const trails = ordType === "TRAILING_STOP";
  const trailOffset = reader.distance("trailOffset", ticket.trailOffset, trails, ordType);
  const bracket = reader.bracket(ticket.bracket);
  reader.checkSides(side, price ?? stopPx, bracket);
  reader.checkDuration(ordType, timeInForce);

  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return {
    ok: true,
    value: {
      contract,
      side,
      orderQty: ticket.orderQty,
      ordType,
      timeInForce,
      ...(price !== undefined && { price }),
      ...(stopPx !== undefined && { stopPx }),
      ...(trailOffset !== undefined && { trailOffset }),
      ...(bracket !== undefined && { bracket }),
    },
  };
}

/** Turns the legs of a protection into levels, or names everything that is wrong. */
export function prepareLegs(
  legs: { readonly takeProfit?: LegTicket; readonly stopLoss?: LegTicket },
  size: TickSize,
  /** Of the position: BUY when it is long. */
  side: Side,
): Prepared<Bracket> {
  // Where a position stands already, its broker is the judge of what price is sensible.
  const reader = new TickReader({ tickSize: size, mayBeNegative: true }, "");
  const bracket = reader.bracket(legs);
  reader.checkSides(side, undefined, bracket);
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  if (bracket !== undefined) return { ok: true, value: bracket };
  const message = "at least one of takeProfit and stopLoss is needed";
  return { ok: false, problems: [{ path: "takeProfit", message }] };
}

/** Reads written prices of one contract and collects every problem on the way. */
class TickReader {
  readonly problems: TicketProblem[] = [];
  readonly #terms: PriceTerms;
  readonly #legPrefix: string;

  constructor(terms: PriceTerms, legPrefix = "bracket.") {
    this.#terms = terms;
    this.#legPrefix = legPrefix;
  }

  price(path: string, written: WrittenNumber | undefined, needed: boolean, ordType: OrdType) {
    if (!this.#belongs(path, written, needed, ordType)) return undefined;
    return this.#price(path, written);
  }

  distance(path: string, written: WrittenNumber | undefined, needed: boolean, ordType: OrdType) {
    if (!this.#belongs(path, written, needed, ordType)) return undefined;
    return this.#positive(path, this.#ticks(path, written));
  }

  /** A stop waits for its price: there is nothing that could be done at once. */
  checkDuration(ordType: OrdType, timeInForce: TimeInForce): void {
    const isAtOnce = timeInForce === "IOC" || timeInForce === "FOK";
    if (!isAtOnce || ordType === "MARKET" || ordType === "LIMIT") return;
    this.#problem(
      "timeInForce",
      `${words(timeInForce)} has no meaning on a ${words(ordType)} order`,
    );
  }

  bracket(legs: OrderTicket["bracket"]): Bracket | undefined {
    if (legs === undefined) return undefined;
    const takeProfit = this.#leg("takeProfit", legs.takeProfit);
    const stopLoss = this.#leg("stopLoss", legs.stopLoss);
    if (takeProfit === undefined && stopLoss === undefined) return undefined;
    return {
      ...(takeProfit !== undefined && { takeProfit }),
      ...(stopLoss !== undefined && { stopLoss }),
    };
  }

  /** A take-profit lies beyond the entry in the trade's direction, a stop-loss before it. */
  checkSides(side: Side, entry: Ticks | undefined, bracket: Bracket | undefined): void {
    if (bracket === undefined) return;
    const direction = side === "BUY" ? 1 : -1;
    const { takeProfit, stopLoss } = bracket;
    const profitPx = takeProfit?.by === "price" ? takeProfit.price : undefined;
    const lossPx = stopLoss?.by === "price" ? stopLoss.price : undefined;

    if (profitPx !== undefined && entry !== undefined && (profitPx - entry) * direction <= 0) {
      this.#wrongSide("takeProfit", side, "above", "below", "the entry");
    }
    if (lossPx !== undefined && entry !== undefined && (lossPx - entry) * direction >= 0) {
      this.#wrongSide("stopLoss", side, "below", "above", "the entry");
    }
    if (profitPx !== undefined && lossPx !== undefined && (profitPx - lossPx) * direction <= 0) {
      this.#wrongSide("takeProfit", side, "above", "below", "the stop-loss");
    }
  }

  #wrongSide(leg: string, side: Side, ofBuy: string, ofSell: string, of: string): void {
    const where = side === "BUY" ? ofBuy : ofSell;
    this.#problem(`${this.#legPrefix}${leg}.price`, `must be ${where} ${of} on a ${words(side)}`);
  }

  #leg(name: string, leg: LegTicket | undefined): LegLevel | undefined {
    if (leg === undefined) return undefined;
    const path = `${this.#legPrefix}${name}`;
    const given = [leg.price, leg.ticks, leg.offset].filter((value) => value !== undefined);
    if (given.length !== 1) {
      this.#problem(path, "needs exactly one of price, ticks and offset");
      return undefined;
    }
    if (leg.price !== undefined) {
      const price = this.#price(`${path}.price`, leg.price);
      return price === undefined ? undefined : { by: "price", price };
    }
    const distance =
      leg.offset === undefined ? (leg.ticks as Ticks) : this.#ticks(`${path}.offset`, leg.offset);
    const positive = this.#positive(path, distance);
    return positive && { by: "distance", distance: positive };
  }

  #belongs(
    path: string,
    written: WrittenNumber | undefined,
    needed: boolean,
    ordType: OrdType,
  ): written is WrittenNumber {
    const isGiven = written !== undefined;
    if (isGiven === needed) return isGiven;
    const problem = isGiven ? "has no meaning on" : "is needed for";
    this.#problem(path, `${problem} a ${words(ordType)} order`);
    return false;
  }

  #price(path: string, written: WrittenNumber): Ticks | undefined {
    const value = this.#ticks(path, written);
    return this.#terms.mayBeNegative === true ? value : this.#positive(path, value);
  }

  #positive(path: string, value: Ticks | undefined): Ticks | undefined {
    if (value === undefined || value > 0) return value;
    this.#problem(path, "must be greater than 0");
    return undefined;
  }

  #ticks(path: string, written: WrittenNumber): Ticks | undefined {
    const { tickSize } = this.#terms;
    const value = parseTicks(String(written), tickSize);
    if (value === undefined) {
      this.#problem(path, `${written} is not a multiple of the tick size ${tickSize}`);
    }
    return value;
  }

  #problem(path: string, message: string): void {
    this.problems.push({ path, message });
  }
}

const words = (name: string): string => name.toLowerCase().replaceAll("_", "-");
