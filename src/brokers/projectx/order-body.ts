import {
  mayHave,
  ORDER_PRICES,
  type OrderPrice,
  type OrdType,
} from "../../domain/declared/order-types.ts";
import type { BrokerLacks } from "../../domain/broker-lacks.ts";
import type { TickSize } from "../../domain/contracts/price.ts";
import { type NewOrderSingle, type OrderChange, type OrderPrices } from "../../domain/order.ts";
import type { KnownContract } from "./contract-desk.ts";
import { toWireId, toProjectXSide } from "./parse.ts";
import { toPrice } from "../price-numbers.ts";
import {
  ORDER_TYPE,
  type ProjectXAccount,
  type ProjectXBracketLeg,
  type ProjectXModifyOrder,
  type ProjectXPlaceOrder,
} from "./wire.ts";

/** Who trades what. */
export interface Placement {
  readonly account: ProjectXAccount;
  readonly contract: KnownContract;
}

/** The exits that go with an entry, as ProjectX takes them. */
export interface EntryLegs {
  readonly stopLossBracket?: ProjectXBracketLeg;
  readonly takeProfitBracket?: ProjectXBracketLeg;
}

const TYPE_LACKED = "ProjectX takes market, limit and stop orders only";
const TIME_LACKED =
  "ProjectX takes no immediate-or-cancel or fill-or-kill orders: what is not filled at once would rest";

/** Type 3 cannot be placed, and what a trailing stop's price counts is not documented alike. */
export const LACKS: BrokerLacks = {
  ordTypes: { STOP_LIMIT: TYPE_LACKED, TRAILING_STOP: TYPE_LACKED },
  timesInForce: { IOC: TIME_LACKED, FOK: TIME_LACKED },
};

/** Undefined for what it lacks. */
const TYPES: Readonly<Record<OrdType, ProjectXPlaceOrder["type"] | undefined>> = {
  MARKET: ORDER_TYPE.market,
  LIMIT: ORDER_TYPE.limit,
  STOP: ORDER_TYPE.stop,
  STOP_LIMIT: undefined,
  TRAILING_STOP: undefined,
};

/** The only price that an order of the type has at ProjectX. */
const PRICE_FIELDS: Readonly<Record<OrderPrice, "limitPrice" | "stopPrice" | undefined>> = {
  price: "limitPrice",
  stopPx: "stopPrice",
  trailOffset: undefined,
};

/** Body of Order/place. What ProjectX lacks has none. */
export function placeBody(
  { account, contract }: Placement,
  order: NewOrderSingle,
  legs: EntryLegs = {},
): ProjectXPlaceOrder {
  const type = TYPES[order.ordType];
  if (type === undefined) throw new Error(`no type for ${order.ordType}`);
  return {
    accountId: toWireId(account.id),
    contractId: contract.id,
    type,
    side: toProjectXSide(order.side),
    size: order.orderQty,
    ...priceFields(order, contract.tickSize, (name) => mayHave(order.ordType, name)),
    customTag: order.clOrdId,
    ...legs,
  };
}

/**
 * Body of Order/modify: only what is to change. Its fields are optional one by one, and a price that is
 * said again would take back a move that the hub has not told yet.
 */
export function modifyBody(
  account: string,
  { orderId, orderQty, ...prices }: OrderChange,
  size: TickSize,
): ProjectXModifyOrder {
  return {
    accountId: toWireId(account),
    orderId: toWireId(orderId),
    ...(orderQty !== undefined && { size: orderQty }),
    ...priceFields(prices, size),
  };
}

function priceFields(
  prices: OrderPrices,
  size: TickSize,
  isWanted: (name: OrderPrice) => boolean = () => true,
): Pick<ProjectXPlaceOrder, "limitPrice" | "stopPrice"> {
  const fields = ORDER_PRICES.flatMap((name) => {
    const [field, value] = [PRICE_FIELDS[name], prices[name]];
    const isLeftOut = field === undefined || value === undefined || !isWanted(name);
    return isLeftOut ? [] : [[field, toPrice(value, size)]];
  });
  return Object.fromEntries(fields) as Pick<ProjectXPlaceOrder, "limitPrice" | "stopPrice">;
}
