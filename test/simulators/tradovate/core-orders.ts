import { type ClOrdId, orderId } from "../../../src/domain/ids.ts";
import type {
  Bracket,
  NewOrderSingle,
  OrderChange,
  ProtectionOrder,
} from "../../../src/domain/order.ts";
import type { JournalOrder, Origin } from "./order-journal.ts";
import { type CoreTerms, definedOf, toCoreTerms } from "./order-request.ts";

/** An order that was read, and its terms for the core. */
export interface PlacedOrder {
  readonly name: ClOrdId;
  readonly origin: Origin;
  readonly terms: CoreTerms;
}

/** A take-profit is a limit, a stop-loss a stop: which is which follows from the type. */
export function roleOf({ ordType }: CoreTerms): "TAKE_PROFIT" | "STOP_LOSS" {
  return ordType === "LIMIT" ? "TAKE_PROFIT" : "STOP_LOSS";
}

export function singleOrder({ name, origin, terms }: PlacedOrder): NewOrderSingle {
  const { listed, orderQty } = origin;
  return { clOrdId: name, contract: listed.code, orderQty, ...terms };
}

export function bracketOf(legs: readonly { readonly terms: CoreTerms }[]): Bracket {
  const price = limitIn(legs)?.terms.price;
  const stopPx = stopIn(legs)?.terms.stopPx;
  return {
    ...(price !== undefined && { takeProfit: { by: "price", price } }),
    ...(stopPx !== undefined && { stopLoss: { by: "price", price: stopPx } }),
  };
}

/** Two exits as one order of the core; both are of one contract, side and quantity. */
export function protectionOf(
  { listed, orderQty }: Pick<Origin, "listed" | "orderQty">,
  legs: readonly Pick<PlacedOrder, "name" | "terms">[],
): ProtectionOrder {
  const [target, stop] = [limitIn(legs), stopIn(legs)];
  const { price } = target?.terms ?? {};
  const { stopPx } = stop?.terms ?? {};
  return {
    contract: listed.code,
    side: legs[0]?.terms.side ?? "SELL",
    orderQty,
    ...(target !== undefined &&
      price !== undefined && { takeProfit: { clOrdId: target.name, price } }),
    ...(stop !== undefined && stopPx !== undefined && { stopLoss: { clOrdId: stop.name, stopPx } }),
  };
}

/** Only what differs: a new price gives an order a new place in its queue at the core. */
export function changeOf(order: JournalOrder, terms: CoreTerms, orderQty: number): OrderChange {
  const { listed, wish } = order.origin;
  const now = toCoreTerms({ ...wish, ...definedOf(order.version) }, listed);
  const old = "value" in now ? now.value : undefined;
  const { price, stopPx, trailOffset } = terms;
  return {
    orderId: order.coreId ?? orderId(""),
    ...(orderQty !== order.orderQty && { orderQty }),
    ...(price !== undefined && price !== old?.price && { price }),
    ...(stopPx !== undefined && stopPx !== old?.stopPx && { stopPx }),
    ...(trailOffset !== undefined && trailOffset !== old?.trailOffset && { trailOffset }),
  };
}

function limitIn<Leg extends { readonly terms: CoreTerms }>(legs: readonly Leg[]) {
  return legs.find(({ terms }) => terms.ordType === "LIMIT");
}

function stopIn<Leg extends { readonly terms: CoreTerms }>(legs: readonly Leg[]) {
  return legs.find(({ terms }) => terms.ordType === "STOP");
}
