import type { ContractCode } from "./contracts/contract.ts";
import type { Bracket, NewOrderSingle, Side, TimeInForce } from "./order.ts";
import type { OrdType } from "./declared/order-types.ts";
import type { HandlingTicket } from "./order-handling.ts";
import {
  type BracketTicket,
  type Prepared,
  type PriceTerms,
  type PriceTickets,
  TickReader,
} from "./contracts/tick-reader.ts";

/** An order as asked for, in the words of the API: the symbol and the prices are still text. */
export interface OrderTicket extends PriceTickets, HandlingTicket {
  readonly symbol: string;
  readonly side: Side;
  readonly ordType: OrdType;
  readonly orderQty: number;
  readonly timeInForce?: TimeInForce;
  readonly bracket?: BracketTicket;
}

/** An order that lacks only its identifier. */
export type PreparedOrder = Omit<NewOrderSingle, "clOrdId">;

/** What an order is beside its contract, side and quantity. */
export type PreparedTerms = Omit<PreparedOrder, "contract" | "side" | "orderQty">;

type TermsTicket = Omit<OrderTicket, "symbol" | "side" | "orderQty">;

/** Turns a ticket into an order on its resolved contract, or names everything that is wrong. */
export function prepareOrder(
  ticket: OrderTicket,
  contract: ContractCode,
  terms: PriceTerms,
): Prepared<PreparedOrder> {
  const { side, orderQty } = ticket;
  const prepared = prepareTerms(ticket, terms, side);
  if (!prepared.ok) return prepared;
  return { ok: true, value: { contract, side, orderQty, ...prepared.value } };
}

/**
 * Turns an order's terms into ticks. Without a side, levels on the wrong side of the entry cannot be
 * told yet.
 */
export function prepareTerms(
  ticket: TermsTicket,
  terms: PriceTerms,
  side: Side | undefined,
): Prepared<PreparedTerms> {
  const reader = new TickReader(terms);
  const { ordType, timeInForce = "DAY" } = ticket;

  const prices = reader.prices(ticket, ordType);
  const bracket = reader.bracket(ticket.bracket);
  if (side !== undefined) reader.checkSides(side, prices, bracket);
  reader.checkDuration(ordType, timeInForce);

  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return {
    ok: true,
    value: {
      ordType,
      timeInForce,
      ...prices,
      ...(bracket !== undefined && { bracket }),
    },
  };
}

/** Turns the legs of a protection into levels, or names everything that is wrong. */
export function prepareLegs(legs: BracketTicket, terms: PriceTerms): Prepared<Bracket> {
  const reader = new TickReader(terms, "");
  const bracket = reader.bracket(legs);
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  if (bracket !== undefined) return { ok: true, value: bracket };
  const message = "at least one of takeProfit and stopLoss is needed";
  return { ok: false, problems: [{ path: "takeProfit", message }] };
}
