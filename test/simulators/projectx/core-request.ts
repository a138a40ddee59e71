import { ticks } from "../../../src/domain/contracts/price.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { type ClOrdId, orderId } from "../../../src/domain/ids.ts";
import {
  type NewOrderSingle,
  opposite,
  type OrderPrices,
  type OrderReport,
  type Side,
  sign,
} from "../../../src/domain/order.ts";

/** A leg as it is asked for: ticks away from the entry's fill, up or down by their sign. */
export interface WantedLeg {
  readonly ticks: number;
}

/** An order as it was read. Prices are ticks. */
export interface WantedOrder {
  readonly account: number;
  readonly code: ContractCode;
  readonly side: Side;
  readonly size: number;
  readonly type: "LIMIT" | "MARKET" | "STOP" | "TRAILING_STOP";
  /** The type by its number, where the core knows it by another one: an order that joins a side. */
  readonly calledType?: number;
  readonly price?: number;
  readonly stopPx?: number;
  readonly trailOffset?: number;
  readonly tag: string | null;
  /** The order that it is to be linked with. */
  readonly linked?: number;
  readonly takeProfit?: WantedLeg;
  readonly stopLoss?: WantedLeg;
}

/** As the matching core has it, under the given name. */
export function toRequest(
  wanted: WantedOrder,
  name: ClOrdId,
  asked: { readonly withLegs: boolean; readonly isDay: boolean },
): NewOrderSingle {
  const { takeProfit, stopLoss } = wanted;
  const level = (leg: WantedLeg) =>
    ({ by: "distance", distance: ticks(Math.abs(leg.ticks)) }) as const;
  const isBracket = asked.withLegs && (takeProfit !== undefined || stopLoss !== undefined);
  return {
    clOrdId: name,
    contract: wanted.code,
    side: wanted.side,
    orderQty: wanted.size,
    ordType: wanted.type,
    timeInForce: asked.isDay ? "DAY" : "GTC",
    ...pricesOf(wanted),
    ...(isBracket && {
      bracket: {
        ...(takeProfit !== undefined && { takeProfit: level(takeProfit) }),
        ...(stopLoss !== undefined && { stopLoss: level(stopLoss) }),
      },
    }),
  };
}

/** An order that the core does not know, or not yet. */
export function reportOf(
  wanted: WantedOrder,
  ordStatus: OrderReport["ordStatus"],
  now: number,
): OrderReport {
  const { size } = wanted;
  return {
    orderId: orderId(""),
    contract: wanted.code,
    side: wanted.side,
    ordType: wanted.type,
    timeInForce: "GTC",
    ordStatus,
    orderQty: size,
    cumQty: 0,
    leavesQty: ordStatus === "REJECTED" ? 0 : size,
    role: "ORDER",
    transactTimeAt: now,
    ...pricesOf(wanted),
  };
}

/** A child that waits, without a price of its own. */
export function childReport(
  entry: WantedOrder,
  role: "TAKE_PROFIT" | "STOP_LOSS",
  now: number,
): OrderReport {
  return {
    orderId: orderId(""),
    contract: entry.code,
    side: opposite(entry.side),
    ordType: role === "TAKE_PROFIT" ? "LIMIT" : "STOP",
    timeInForce: "GTC",
    ordStatus: "HELD",
    orderQty: entry.size,
    cumQty: 0,
    leavesQty: entry.size,
    role,
    transactTimeAt: now,
  };
}

/** Whether a fill on this side leaves less of what is held, and some of it. */
export const reduces = (side: Side, netQty: number): boolean =>
  netQty !== 0 && sign(side) !== Math.sign(netQty);

function pricesOf({ type, price, stopPx, trailOffset }: WantedOrder): OrderPrices {
  const isStop = type === "STOP" || type === "TRAILING_STOP";
  return {
    ...(type === "LIMIT" && price !== undefined && { price: ticks(price) }),
    ...(isStop && stopPx !== undefined && { stopPx: ticks(stopPx) }),
    ...(type === "TRAILING_STOP" &&
      trailOffset !== undefined && { trailOffset: ticks(trailOffset) }),
  };
}
