import {
  mayHave,
  ORDER_PRICES,
  type OrderPrice,
  type OrdType,
} from "../../domain/declared/order-types.ts";
import { type ClOrdId, legIdOf } from "../../domain/ids.ts";
import {
  type LegLevel,
  type NewOrderSingle,
  opposite,
  type OrderPrices,
  pricesOf,
  type OrderChange,
  type OrderReport,
  type ProtectionOrder,
  type Side,
  sign,
} from "../../domain/order.ts";
import { type Ticks, ticks, type TickSize } from "../../domain/contracts/price.ts";
import type { TradedContract } from "./contract-desk.ts";
import type { Holding } from "./position-check.ts";
import { PRICE_FIELDS, toAction, toOrderType, toTradovateTime } from "./parse.ts";
import { toPrice } from "../price-numbers.ts";
import type { TradovateAccount, TradovateLeg, TradovatePlaceOrder } from "./wire.ts";

/** Who trades what. */
export interface Placement {
  readonly account: TradovateAccount;
  readonly contract: TradedContract;
}

export const holdingOf = ({ account, contract }: Placement): Holding => ({
  accountId: account.id,
  contractId: contract.id,
});

/** The two exits of an entry, with prices that are known. */
export interface ExitLevels {
  readonly takeProfit?: Ticks;
  readonly stopLoss?: Ticks;
}

export function placeBody(
  { account, contract }: Placement,
  order: NewOrderSingle,
): TradovatePlaceOrder {
  const { tickSize } = contract;
  return {
    accountSpec: account.name,
    accountId: account.id,
    clOrdId: order.clOrdId,
    action: toAction(order.side),
    symbol: contract.symbol,
    orderQty: order.orderQty,
    orderType: toOrderType(order.ordType),
    ...priceFields(order, order.ordType, tickSize),
    timeInForce: toTradovateTime(order.timeInForce),
    // Rule of the exchange: an order that no person has typed says so.
    isAutomated: true,
  };
}

/** Prices that an order of this type does not use are left out. */
function priceFields(prices: OrderPrices, ordType: OrdType, size: TickSize): PriceFields {
  const fields = ORDER_PRICES.flatMap((name) => {
    const value = prices[name];
    const isLeftOut = value === undefined || !mayHave(ordType, name);
    return isLeftOut ? [] : [[PRICE_FIELDS[name], toPrice(value, size)]];
  });
  return Object.fromEntries(fields) as PriceFields;
}

type PriceFields = Pick<TradovatePlaceOrder, (typeof PRICE_FIELDS)[OrderPrice]>;

/**
 * The legs of placeoso, take-profit first. They are good till canceled: a position outlives its day.
 */
export function bracketLegs(
  { clOrdId, side }: Pick<NewOrderSingle, "clOrdId" | "side">,
  { takeProfit, stopLoss }: ExitLevels,
  size: TickSize,
): readonly TradovateLeg[] {
  const exit = opposite(side);
  const target = legIdOf(clOrdId, "TAKE_PROFIT");
  const stop = legIdOf(clOrdId, "STOP_LOSS");
  return [
    // A price of 0 is a price.
    ...(takeProfit === undefined ? [] : [targetLeg(target, { side: exit, px: takeProfit, size })]),
    ...(stopLoss === undefined ? [] : [stopLeg(stop, { side: exit, px: stopLoss, size })]),
  ];
}

interface LegTerms {
  readonly side: Side;
  readonly px: Ticks;
  readonly size: TickSize;
}

function targetLeg(clOrdId: ClOrdId, { side, px, size }: LegTerms): TradovateLeg {
  const price = toPrice(px, size);
  return { clOrdId, action: toAction(side), orderType: "Limit", price, timeInForce: "GTC" };
}

/** Official examples show a stop's level as `price`; what works is `stopPrice`. */
function stopLeg(clOrdId: ClOrdId, { side, px, size }: LegTerms): TradovateLeg {
  const stopPrice = toPrice(px, size);
  return { clOrdId, action: toAction(side), orderType: "Stop", stopPrice, timeInForce: "GTC" };
}

/** The exits of a protection, take-profit first: one is placed alone, two by placeoco. */
export function protectionLegs(
  { side, takeProfit, stopLoss }: ProtectionOrder,
  size: TickSize,
): readonly TradovateLeg[] {
  return [
    takeProfit && targetLeg(takeProfit.clOrdId, { side, px: takeProfit.price, size }),
    stopLoss && stopLeg(stopLoss.clOrdId, { side, px: stopLoss.stopPx, size }),
  ].filter((leg) => leg !== undefined);
}

/** A leg with its account, contract and quantity: an order that can stand alone. */
export function standaloneBody(
  { account, contract }: Placement,
  leg: TradovateLeg,
  orderQty: number,
): TradovatePlaceOrder {
  return {
    ...leg,
    accountSpec: account.name,
    accountId: account.id,
    symbol: contract.symbol,
    orderQty,
    isAutomated: true,
  };
}

/** Everything that the order is to have from now on: what is left out might be taken away. */
export function modifyBody(order: OrderReport, change: OrderChange, size: TickSize): object {
  return {
    orderId: Number(order.orderId),
    orderQty: change.orderQty ?? order.orderQty,
    orderType: toOrderType(order.ordType),
    // A trailing stop goes on from where it stands: it is never without its price.
    ...priceFields({ ...order, ...pricesOf(change) }, order.ordType, size),
    timeInForce: toTradovateTime(order.timeInForce),
    isAutomated: true,
  };
}

/** The price of a level; undefined for a distance from a price that is not known yet. */
export function levelAt(
  level: LegLevel | undefined,
  leg: keyof ExitLevels,
  from: { readonly side: Side; readonly px: Ticks | undefined },
): Ticks | undefined {
  if (level === undefined) return undefined;
  if (level.by === "price") return level.price;
  if (from.px === undefined) return undefined;
  const direction = sign(from.side) * (leg === "takeProfit" ? 1 : -1);
  return ticks(from.px + direction * level.distance);
}

/** The exits of an entry at a price; those that are not known yet are left out. */
export function exitLevels(
  { side, bracket }: Pick<NewOrderSingle, "side" | "bracket">,
  px: Ticks | undefined,
): ExitLevels {
  const takeProfit = levelAt(bracket?.takeProfit, "takeProfit", { side, px });
  const stopLoss = levelAt(bracket?.stopLoss, "stopLoss", { side, px });
  return {
    ...(takeProfit !== undefined && { takeProfit }),
    ...(stopLoss !== undefined && { stopLoss }),
  };
}
