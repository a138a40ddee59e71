import {
  mayHave,
  ORDER_PRICES,
  type OrderPrice,
  type OrdType,
} from "../../domain/declared/order-types.ts";
import type { TickSize } from "../../domain/contracts/price.ts";
import {
  type NewOrderSingle,
  type OrderChange,
  type OrderPrices,
  type TimeInForce,
} from "../../domain/order.ts";
import type { KnownContract } from "./contract-desk.ts";
import { toWireId, toPrice, toProjectXSide } from "./parse.ts";
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

/** Undefined for what ProjectX does not take. */
const TYPES: Readonly<Record<OrdType, ProjectXPlaceOrder["type"] | undefined>> = {
  MARKET: ORDER_TYPE.market,
  LIMIT: ORDER_TYPE.limit,
  STOP: ORDER_TYPE.stop,
  // No document has it among the types that can be placed.
  STOP_LIMIT: undefined,
  // Whether its `trailPrice` is a price or a distance depends on the source.
  TRAILING_STOP: undefined,
};

/** The only price that an order of the type has at ProjectX. */
const PRICE_FIELDS: Readonly<Record<OrderPrice, "limitPrice" | "stopPrice" | undefined>> = {
  price: "limitPrice",
  stopPx: "stopPrice",
  trailOffset: undefined,
};

/** Until when an order works is not said to ProjectX: it is taken for these two alike. */
const TIMES: ReadonlySet<TimeInForce> = new Set(["DAY", "GTC"]);

/** Why ProjectX has no such order; undefined where it has. */
export function lacking({
  ordType,
  timeInForce,
}: Pick<NewOrderSingle, "ordType" | "timeInForce">): string | undefined {
  if (TYPES[ordType] === undefined) return `ProjectX takes no ${ordType} orders`;
  return TIMES.has(timeInForce) ? undefined : `ProjectX takes no ${timeInForce} orders`;
}

/** Body of Order/place. An order that `lacking` refuses has none. */
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
