import { type OrderChange, type OrderReport, sign } from "./order.ts";
import type { Ticks } from "./contracts/price.ts";
import {
  type Prepared,
  type PriceTerms,
  type PriceTickets,
  TickReader,
} from "./contracts/tick-reader.ts";
import { type OrderPrice, ORDER_PRICES } from "./declared/order-types.ts";

/** New values for an order; what is absent stays as it is. `orderQty` counts what is filled too. */
export type OrderValues = Omit<OrderChange, "orderId">;

/** New values as asked for, in the words of the API: the prices are still text. */
export interface ChangeTicket extends PriceTickets {
  readonly orderQty?: number;
}

/** Turns what is asked of a working order into new values, or names everything that is wrong. */
export function prepareChange(
  ticket: ChangeTicket,
  order: OrderReport,
  terms: PriceTerms,
): Prepared<OrderValues> {
  const reader = new TickReader(terms);
  const { orderQty } = ticket;
  const problem = orderQty === undefined ? undefined : checkQty(orderQty, order);
  if (problem !== undefined) reader.add("qty", problem);
  const prices = reader.givenPrices(ticket, order.ordType);

  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return {
    ok: true,
    value: {
      ...(orderQty !== undefined && { orderQty }),
      ...prices,
    },
  };
}

/** Why an order cannot have that quantity, in words that follow the field's name. */
export function checkQty(
  orderQty: number,
  { role, cumQty }: Pick<OrderReport, "role" | "cumQty">,
): string | undefined {
  if (role !== "ORDER") {
    return "of a take-profit or stop-loss follows its position and cannot be changed";
  }
  if (orderQty > cumQty) return undefined;
  return `must be more than the ${cumQty} filled already; to end the order, cancel it`;
}

/** Whether the order has the values of a change already. */
export function hasValues(order: OrderReport, values: OrderValues): boolean {
  const changed = withValues(order, values);
  return (
    changed.orderQty === order.orderQty &&
    ORDER_PRICES.every((name) =>
      name === "stopPx" ? isStopThere(order, changed.stopPx) : changed[name] === order[name],
    )
  );
}

/** A trailing stop may have trailed on from where it was put. */
function isStopThere({ ordType, side, stopPx }: OrderReport, asked: Ticks | undefined): boolean {
  if (stopPx === asked) return true;
  if (ordType !== "TRAILING_STOP" || stopPx === undefined || asked === undefined) return false;
  return sign(side) * (stopPx - asked) < 0;
}

/** The order as it stands once a change is carried out and nothing else happens to it. */
export function withValues(order: OrderReport, values: OrderValues): OrderReport {
  const changed = { ...order, ...values };
  return { ...changed, leavesQty: order.leavesQty + changed.orderQty - order.orderQty };
}

/** In which direction each price makes an order less likely to fill: +1 is up, or further behind. */
const AWAY: Readonly<Record<OrderPrice, (order: Pick<OrderReport, "side">) => 1 | -1>> = {
  price: ({ side }) => (side === "BUY" ? -1 : 1),
  stopPx: ({ side }) => sign(side),
  trailOffset: () => 1,
};

/**
 * Whether a change may make an order fill sooner, or more of it. What is not certain may: a price that
 * the order does not show, and one price nearer beside another one further away.
 */
export function mayFillSooner(order: OrderReport, values: OrderValues): boolean {
  if ((values.orderQty ?? order.orderQty) > order.orderQty) return true;
  return ORDER_PRICES.some((name) => {
    const [now, asked] = [order[name], values[name]];
    if (asked === undefined || asked === now) return false;
    return now === undefined || (asked - now) * AWAY[name](order) < 0;
  });
}
