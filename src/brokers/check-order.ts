import {
  declaredPrice,
  mayHave,
  needs,
  ORDER_PRICES,
  type OrderPrice,
  waitsForTrigger,
} from "../domain/declared/order-types.ts";
import { wrongSides } from "../domain/bracket-sides.ts";
import {
  type Bracket,
  type NewOrderSingle,
  opposite,
  type OrderChange,
  type OrderReport,
  type ProtectionOrder,
} from "../domain/order.ts";

/**
 * Why an order is not even sent; undefined when it is. Only what makes no sense anywhere is refused
 * here: the rest is the broker's to judge.
 */
export function checkOrder(order: NewOrderSingle): string | undefined {
  const { orderQty, ordType, stopPx, timeInForce, bracket } = order;
  if (!isCount(orderQty)) return "The quantity must be a whole number above 0";
  for (const name of ORDER_PRICES) {
    const isAsked = needs(ordType, name) || (name === "stopPx" && stopPx !== undefined);
    if (isAsked && !isRight(name, order[name])) return NEEDED[name];
  }
  if (ordType === "TRAILING_STOP" && stopPx === undefined) {
    return "A trailing stop needs the price that it starts at";
  }
  const isAtOnce = timeInForce === "IOC" || timeInForce === "FOK";
  if (isAtOnce && waitsForTrigger(ordType)) {
    return "A stop cannot be immediate-or-cancel or fill-or-kill";
  }
  return bracket === undefined ? undefined : checkBracket(order, bracket);
}

const NEEDED: Readonly<Record<OrderPrice, string>> = {
  price: "The order needs a limit price on a tick",
  stopPx: "The order needs a stop price on a tick",
  trailOffset: "A trailing stop needs a distance of whole ticks",
};
const LACKED: Readonly<Record<OrderPrice, string>> = {
  price: "The order has no limit price",
  stopPx: "The order has no stop price",
  trailOffset: "The order does not trail",
};
const WRONG = {
  price: "The price must be on a tick",
  distance: "The distance must be a whole number of ticks above 0",
};

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
  { orderQty, ...change }: OrderChange,
  parent: OrderReport | undefined,
): string | undefined {
  const { ordType } = order;
  if (orderQty !== undefined) {
    if (!isCount(orderQty)) return "The quantity must be a whole number above 0";
    if (orderQty <= order.cumQty) return "The quantity must be above what is filled";
    const most = order.ordStatus === "HELD" ? parent?.orderQty : parent?.cumQty;
    // A leg for more than its entry has filled would open a position on the other side. One that is made
    // smaller may be: a fill of its entry that was taken back is not to keep it large.
    const grows = orderQty > order.orderQty;
    if (grows && most !== undefined && orderQty > most) {
      return "A leg cannot be larger than its entry";
    }
  }
  const given = ORDER_PRICES.filter((name) => change[name] !== undefined);
  const lacked = given.find((name) => !mayHave(ordType, name));
  if (lacked !== undefined) return LACKED[lacked];
  const wrong = given.find((name) => !isRight(name, change[name]));
  return wrong && WRONG[declaredPrice(wrong).counts];
}

function isRight(name: OrderPrice, value: number | undefined): boolean {
  return declaredPrice(name).counts === "price" ? Number.isSafeInteger(value) : isCount(value);
}

const isCount = (value: number | undefined): boolean =>
  value !== undefined && Number.isSafeInteger(value) && value > 0;
