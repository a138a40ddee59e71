import { pricesInWords, typeInWords } from "../../../domain/declared/order-types.ts";
import { countText } from "../../parts/figure-text.ts";
import type { Position, WorkingOrder } from "./types.ts";

export interface Exits {
  readonly takeProfits: readonly WorkingOrder[];
  readonly stopLosses: readonly WorkingOrder[];
}

/** The take-profits and stop-losses that rest for a position, on the side that leaves it. */
export function exitsOf(position: Position, orders: readonly WorkingOrder[]): Exits {
  const action = position.side === "long" ? "sell" : "buy";
  const leaving = orders.filter(
    (order) =>
      order.symbol === position.symbol && order.action === action && order.status !== "held",
  );
  return {
    takeProfits: leaving.filter(({ role }) => role === "takeProfit"),
    stopLosses: leaving.filter(({ role }) => role === "stopLoss"),
  };
}

type Held = Pick<Position, "side" | "qty" | "symbol">;

/** "long 2 MNQZ6". */
export const positionText = ({ side, qty, symbol }: Held): string => `${side} ${qty} ${symbol}`;

const ROLES = { entry: "entry", takeProfit: "take-profit", stopLoss: "stop-loss" } as const;

export const roleText = ({ role }: WorkingOrder): string =>
  role === null ? "not understood" : ROLES[role];
export const typeText = ({ type }: WorkingOrder): string =>
  type === null ? "type not known" : typeInWords(type);

/** "Buy 2", "Sell 1 of 3"; of an order that is not understood, as much as is known. */
export function actionText({ action, filledQty, qty, remainingQty }: WorkingOrder): string {
  const side = action === null ? "Order" : action === "buy" ? "Buy" : "Sell";
  if (remainingQty === null) return side;
  return `${side} ${remainingQty}${(filledQty ?? 0) > 0 ? ` of ${qty}` : ""}`;
}

/** At which price it rests: "limit 25010", "stop 24990", "stop 24990, limit 24985". */
export function priceText(order: WorkingOrder): string {
  const { problem, status } = order;
  if (problem !== null) return "not known";
  const parts = pricesInWords(order, "resting");
  // The level of a leg that is given in ticks follows from its entry's fill.
  if (parts.length === 0) return status === "held" ? "counted from the fill" : "at the market";
  return parts.join(", ");
}

/** One order in a sentence: "sell 2 MNQZ6, stop-loss, stop 24990". */
export const orderText = (order: WorkingOrder): string =>
  order.problem === null
    ? `${order.action} ${order.remainingQty} ${order.symbol}, ${roleText(order)}, ${priceText(order)}`
    : `an order that is not understood: ${order.problem}`;

export const contractsText = (qty: number): string => countText(qty, "contract");
