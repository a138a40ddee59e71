import type { OrderChange, OrderReport, OrdType } from "./order.ts";
import type { Prepared, TicketProblem, WrittenNumber } from "./order-ticket.ts";
import { parseTicks, type Ticks } from "./price.ts";
import type { Product } from "./product.ts";

/** New values for an order; what is absent stays as it is. `orderQty` counts what is filled too. */
export type OrderValues = Omit<OrderChange, "orderId">;

/** New values as asked for, in the words of the API: the prices are still text. */
export interface ChangeTicket {
  readonly orderQty?: number;
  readonly limitPrice?: WrittenNumber;
  readonly stopPrice?: WrittenNumber;
  readonly trailOffset?: WrittenNumber;
}

/** Turns what is asked of a working order into new values, or names everything that is wrong. */
export function prepareChange(
  ticket: ChangeTicket,
  order: OrderReport,
  terms: Pick<Product, "tickSize" | "mayBeNegative">,
): Prepared<OrderValues> {
  const reader = new ChangeReader(ticket, order, terms);
  const orderQty = reader.qty();
  const price = reader.price("limitPrice");
  const stopPx = reader.price("stopPrice");
  const trailOffset = reader.price("trailOffset");

  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return {
    ok: true,
    value: {
      ...(orderQty !== undefined && { orderQty }),
      ...(price !== undefined && { price }),
      ...(stopPx !== undefined && { stopPx }),
      ...(trailOffset !== undefined && { trailOffset }),
    },
  };
}

const BELONGS_TO = {
  limitPrice: new Set<OrdType>(["LIMIT", "STOP_LIMIT"]),
  stopPrice: new Set<OrdType>(["STOP", "STOP_LIMIT"]),
  trailOffset: new Set<OrdType>(["TRAILING_STOP"]),
} as const;

/** Reads the written values for one order and collects every problem on the way. */
class ChangeReader {
  readonly problems: TicketProblem[] = [];
  readonly #ticket: ChangeTicket;
  readonly #order: OrderReport;
  readonly #terms: Pick<Product, "tickSize" | "mayBeNegative">;

  constructor(
    ticket: ChangeTicket,
    order: OrderReport,
    terms: Pick<Product, "tickSize" | "mayBeNegative">,
  ) {
    this.#ticket = ticket;
    this.#order = order;
    this.#terms = terms;
  }

  qty(): number | undefined {
    const { orderQty } = this.#ticket;
    const problem = orderQty === undefined ? undefined : checkQty(orderQty, this.#order);
    return problem === undefined ? orderQty : this.#problem("qty", problem);
  }

  price(path: keyof typeof BELONGS_TO): Ticks | undefined {
    const written = this.#ticket[path];
    if (written === undefined) return undefined;
    const { ordType } = this.#order;
    if (!BELONGS_TO[path].has(ordType)) {
      return this.#problem(path, `has no meaning on a ${words(ordType)} order`);
    }
    const { tickSize, mayBeNegative } = this.#terms;
    const value = parseTicks(String(written), tickSize);
    if (value === undefined) {
      return this.#problem(path, `${written} is not a multiple of the tick size ${tickSize}`);
    }
    const isPositive = path === "trailOffset" || mayBeNegative !== true;
    if (isPositive && value <= 0) return this.#problem(path, "must be greater than 0");
    return value;
  }

  #problem(path: string, message: string): undefined {
    this.problems.push({ path, message });
  }
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

/** Whether the order stands as a change wants it. */
export function hasValues(order: OrderReport, values: OrderValues): boolean {
  const changed = withValues(order, values);
  return (
    changed.orderQty === order.orderQty &&
    changed.price === order.price &&
    changed.stopPx === order.stopPx &&
    changed.trailOffset === order.trailOffset
  );
}

/** The order as it stands once a change is carried out and nothing else happens to it. */
export function withValues(order: OrderReport, values: OrderValues): OrderReport {
  const changed = { ...order, ...values };
  return { ...changed, leavesQty: order.leavesQty + changed.orderQty - order.orderQty };
}

const words = (name: string): string => name.toLowerCase().replaceAll("_", "-");
