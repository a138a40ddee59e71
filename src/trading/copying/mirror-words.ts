import {
  declaredPrice,
  ORDER_PRICES,
  type OrdType,
  PRICES_AS_MET,
} from "../../domain/declared/order-types.ts";
import type { Bracket, LegLevel } from "../../domain/order.ts";
import type { OrderValues } from "../../domain/order-change.ts";
import type { PreparedOrder } from "../../domain/order-ticket.ts";
import { formatTicks, tickSize, type Ticks } from "../../domain/contracts/price.ts";
import type { ContractTerms } from "../orders/describe-contract.ts";

type Sized = Pick<ContractTerms, "tickSize">;

const kindOf = (ordType: OrdType): string =>
  ordType === "MARKET" ? "at the market" : ordType.toLowerCase().replaceAll("_", " ");

/** "Buy 2 at 25010.25, limit; take-profit at 25020". */
export function wordsOfOrder(order: PreparedOrder, terms: Sized): string {
  const { side, orderQty, ordType, bracket } = order;
  const action = side === "BUY" ? "Buy" : "Sell";
  const levels = PRICES_AS_MET.filter((name) => declaredPrice(name).counts === "price");
  const prices = levels.flatMap((name) => order[name] ?? []);
  const at = prices.map((one) => ` at ${text(one, terms)}`).join(" and then");
  const legs = bracket === undefined ? [] : wordsOfLevels(bracket, terms);
  return [`${action} ${orderQty}${at}, ${kindOf(ordType)}`, ...legs].join("; ");
}

/** What is changed of an order. */
export function wordsOfValues(values: OrderValues, terms: Sized): string {
  const { orderQty } = values;
  const changes = [
    ...(orderQty === undefined ? [] : [`quantity ${orderQty}`]),
    ...ORDER_PRICES.flatMap((name) => {
      const price = values[name];
      return price === undefined ? [] : [`${declaredPrice(name).called} ${text(price, terms)}`];
    }),
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
