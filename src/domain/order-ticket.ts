import type { ContractCode } from "./contract.ts";
import type { Bracket, LegLevel, NewOrderSingle, OrdType, Side, TimeInForce } from "./order.ts";
import { parseTicks, type TickSize, type Ticks } from "./price.ts";

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

const NEEDS_LIMIT: ReadonlySet<OrdType> = new Set(["LIMIT", "STOP_LIMIT"]);
const NEEDS_STOP: ReadonlySet<OrdType> = new Set(["STOP", "STOP_LIMIT"]);

/** Turns a ticket into an order on its resolved contract, or names everything that is wrong. */
export function prepareOrder(
  ticket: OrderTicket,
  contract: ContractCode,
  size: TickSize,
): Prepared<PreparedOrder> {
  const reader = new TickReader(size);
  const { ordType, side } = ticket;

  const price = reader.field("limitPrice", ticket.limitPrice, NEEDS_LIMIT.has(ordType), ordType);
  const stopPx = reader.field("stopPrice", ticket.stopPrice, NEEDS_STOP.has(ordType), ordType);
  const trails = ordType === "TRAILING_STOP";
  const trailOffset = reader.distance("trailOffset", ticket.trailOffset, trails, ordType);
  const bracket = reader.bracket(ticket.bracket);
  reader.checkSides(side, price ?? stopPx, bracket);

  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return {
    ok: true,
    value: {
      contract,
      side,
      orderQty: ticket.orderQty,
      ordType,
      timeInForce: ticket.timeInForce ?? "DAY",
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
  const reader = new TickReader(size, "");
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
  readonly #size: TickSize;
  readonly #legPrefix: string;

  constructor(size: TickSize, legPrefix = "bracket.") {
    this.#size = size;
    this.#legPrefix = legPrefix;
  }

  field(path: string, written: WrittenNumber | undefined, needed: boolean, ordType: OrdType) {
    if (written === undefined) {
      if (needed) this.#problem(path, `is needed for a ${words(ordType)} order`);
      return undefined;
    }
    if (!needed) {
      this.#problem(path, `has no meaning on a ${words(ordType)} order`);
      return undefined;
    }
    return this.#ticks(path, written);
  }

  distance(path: string, written: WrittenNumber | undefined, needed: boolean, ordType: OrdType) {
    const value = this.field(path, written, needed, ordType);
    if (value !== undefined && value <= 0) this.#problem(path, "must be greater than 0");
    return value;
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
      const price = this.#ticks(`${path}.price`, leg.price);
      return price === undefined ? undefined : { by: "price", price };
    }
    const distance =
      leg.offset === undefined ? (leg.ticks as Ticks) : this.#ticks(`${path}.offset`, leg.offset);
    if (distance === undefined) return undefined;
    if (distance > 0) return { by: "distance", distance };
    this.#problem(path, "must be greater than 0");
    return undefined;
  }

  #ticks(path: string, written: WrittenNumber): Ticks | undefined {
    const value = parseTicks(String(written), this.#size);
    if (value === undefined) {
      this.#problem(path, `${written} is not a multiple of the tick size ${this.#size}`);
    }
    return value;
  }

  #problem(path: string, message: string): void {
    this.problems.push({ path, message });
  }
}

const words = (name: string): string => name.toLowerCase().replaceAll("_", "-");
