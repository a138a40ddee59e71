import type { Bracket, LegLevel, OrdType } from "../../domain/order.ts";
import type { OrderValues } from "../../domain/order-change.ts";
import type { PreparedOrder } from "../../domain/order-ticket.ts";
import { formatTicks, tickSize, type Ticks } from "../../domain/contracts/price.ts";
import type { ContractTerms } from "../gateway.ts";

type Sized = Pick<ContractTerms, "tickSize">;

const KINDS: Readonly<Record<OrdType, string>> = {
  MARKET: "at the market",
  LIMIT: "limit",
  STOP: "stop",
  STOP_LIMIT: "stop limit",
  TRAILING_STOP: "trailing stop",
};

/** "Buy 2 at 25010.25, limit; take-profit at 25020". */
export function wordsOfOrder(order: PreparedOrder, terms: Sized): string {
  const { side, orderQty, ordType, price, stopPx, bracket } = order;
  const action = side === "BUY" ? "Buy" : "Sell";
  const prices = [stopPx, price].filter((one) => one !== undefined);
  const at = prices.map((one) => ` at ${text(one, terms)}`).join(" and then");
  const legs = bracket === undefined ? [] : wordsOfLevels(bracket, terms);
  return [`${action} ${orderQty}${at}, ${KINDS[ordType]}`, ...legs].join("; ");
}

/** What is changed of an order. */
export function wordsOfValues(values: OrderValues, terms: Sized): string {
  const { orderQty, price, stopPx, trailOffset } = values;
  const changes = [
    ...(orderQty === undefined ? [] : [`quantity ${orderQty}`]),
    ...(price === undefined ? [] : [`limit ${text(price, terms)}`]),
    ...(stopPx === undefined ? [] : [`stop ${text(stopPx, terms)}`]),
    ...(trailOffset === undefined ? [] : [`trail ${text(trailOffset, terms)}`]),
  ];
  return `Its order is changed: ${changes.join(", ")}`;
}

/** Where exits are put. */
export function wordsOfLevels({ takeProfit, stopLoss }: Bracket, terms: Sized): readonly string[] {
  const words = (leg: string, level: LegLevel | undefined) =>
    level?.by === "price" ? [`${leg} at ${text(level.price, terms)}`] : [];
  return [...words("take-profit", takeProfit), ...words("stop-loss", stopLoss)];
}

const text = (price: Ticks, { tickSize: size }: Sized): string =>
  size === undefined ? "its level" : formatTicks(price, tickSize(size));
