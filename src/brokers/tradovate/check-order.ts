import { wrongSides } from "../../domain/bracket-sides.ts";
import {
  type Bracket,
  type NewOrderSingle,
  opposite,
  type OrderChange,
  type OrderReport,
  type ProtectionOrder,
} from "../../domain/order.ts";

/**
 * Why an order is not even sent; undefined when it is. Only what makes no sense anywhere is refused
 * here: the rest is the broker's to judge.
 */
export function checkOrder(order: NewOrderSingle): string | undefined {
  const { orderQty, ordType, price, stopPx, trailOffset, timeInForce, bracket } = order;
  if (!isCount(orderQty)) return "The quantity must be a whole number above 0";
  const hasLimit = ordType === "LIMIT" || ordType === "STOP_LIMIT";
  if (hasLimit && !Number.isSafeInteger(price)) return "The order needs a limit price on a tick";
  const hasStop = ordType === "STOP" || ordType === "STOP_LIMIT";
  if ((hasStop || stopPx !== undefined) && !Number.isSafeInteger(stopPx)) {
    return "The order needs a stop price on a tick";
  }
  if (ordType === "TRAILING_STOP" && !isCount(trailOffset)) {
    return "A trailing stop needs a distance of whole ticks";
  }
  if (ordType === "TRAILING_STOP" && stopPx === undefined) {
    return "A trailing stop needs the price that it starts at";
  }
  const isAtOnce = timeInForce === "IOC" || timeInForce === "FOK";
  if (isAtOnce && ordType !== "MARKET" && ordType !== "LIMIT") {
    return "A stop cannot be immediate-or-cancel or fill-or-kill";
  }
  return bracket === undefined ? undefined : checkBracket(order, bracket);
}

function checkBracket(order: NewOrderSingle, bracket: Bracket): string | undefined {
  for (const level of [bracket.takeProfit, bracket.stopLoss]) {
    if (level?.by === "distance" && !isCount(level.distance)) {
      return "The distance of a leg must be a whole number of ticks above 0";
    }
    if (level?.by === "price" && !Number.isSafeInteger(level.price)) {
      return "The price of a leg must be on a tick";
    }
  }
  const entry = order.ordType === "MARKET" ? {} : order;
  const [wrong] = wrongSides(order.side, entry, bracket);
  if (wrong === undefined) return undefined;
  const leg = wrong.leg === "takeProfit" ? "The take-profit" : "The stop-loss";
  return `${leg} ${wrong.message}`;
}

export function checkProtection(order: ProtectionOrder): string | undefined {
  const { side, orderQty, takeProfit, stopLoss } = order;
  if (takeProfit === undefined && stopLoss === undefined) return "A protection needs an exit";
  if (!isCount(orderQty)) return "The quantity must be a whole number above 0";
  const prices = [takeProfit?.price, stopLoss?.stopPx].filter((price) => price !== undefined);
  if (!prices.every(Number.isSafeInteger)) return "The price of an exit must be on a tick";
  const bracket: Bracket = {
    ...(takeProfit !== undefined && { takeProfit: { by: "price", price: takeProfit.price } }),
    ...(stopLoss !== undefined && { stopLoss: { by: "price", price: stopLoss.stopPx } }),
  };
  const [wrong] = wrongSides(opposite(side), {}, bracket);
  return wrong === undefined ? undefined : "The exits are on the wrong sides of each other";
}

/** Why an order cannot be changed so. `parent` is the entry of a leg. */
export function checkChange(
  order: OrderReport,
  { orderQty, price, stopPx, trailOffset }: OrderChange,
  parent: OrderReport | undefined,
): string | undefined {
  const { ordType } = order;
  if (orderQty !== undefined) {
    if (!isCount(orderQty)) return "The quantity must be a whole number above 0";
    if (orderQty <= order.cumQty) return "The quantity must be above what is filled";
    const most = order.ordStatus === "HELD" ? parent?.orderQty : parent?.cumQty;
    // A leg for more than its entry has filled would open a position on the other side.
    if (most !== undefined && orderQty > most) return "A leg cannot be larger than its entry";
  }
  const hasLimit = ordType === "LIMIT" || ordType === "STOP_LIMIT";
  const hasStop = ordType !== "MARKET" && ordType !== "LIMIT";
  if (price !== undefined && !hasLimit) return "The order has no limit price";
  if (stopPx !== undefined && !hasStop) return "The order has no stop price";
  if (trailOffset !== undefined && ordType !== "TRAILING_STOP") return "The order does not trail";
  const numbers = [price, stopPx].filter((value) => value !== undefined);
  if (!numbers.every(Number.isSafeInteger)) return "The price must be on a tick";
  const isFar = trailOffset === undefined || isCount(trailOffset);
  return isFar ? undefined : "The distance must be a whole number of ticks above 0";
}

const isCount = (value: number | undefined): boolean =>
  value !== undefined && Number.isSafeInteger(value) && value > 0;
