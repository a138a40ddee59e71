import { mayHave, type OrderPrice } from "../../../domain/declared/order-types.ts";
import { type ClOrdId, legIdOf, type OrderId, orderId } from "../../../domain/ids.ts";
import { type NewOrderSingle, opposite, type ProtectionOrder } from "../../../domain/order.ts";
import type { ContractBook } from "./contract-book.ts";
import type { ExchangeAccount } from "./exchange-account.ts";
import type { ExchangeOrder } from "./exchange-order.ts";

/** What the exchange stamps on every order it takes in. */
export interface Stamp {
  readonly account: ExchangeAccount;
  readonly now: number;
  readonly nextPriority: () => number;
}

type Seed = { [Field in keyof ExchangeOrder]?: ExchangeOrder[Field] | undefined } & Pick<
  ExchangeOrder,
  "contract" | "side" | "ordType" | "orderQty"
>;

/** An order of which only some things are said; the rest is as on any new order. */
export function newOrder({ account, now, nextPriority }: Stamp, seed: Seed): ExchangeOrder {
  return {
    account: account.accountId,
    orderId: seed.orderId ?? newId(account),
    clOrdId: seed.clOrdId,
    contract: seed.contract,
    side: seed.side,
    ordType: seed.ordType,
    timeInForce: seed.timeInForce ?? "DAY",
    role: seed.role ?? "ORDER",
    parentOrderId: seed.parentOrderId,
    linkedOrderId: seed.linkedOrderId,
    legIds: seed.legIds ?? [],
    ordStatus: seed.ordStatus ?? "NEW",
    orderQty: seed.orderQty,
    cumQty: 0,
    filledTicks: 0,
    price: seed.price,
    stopPx: seed.stopPx,
    trailOffset: seed.trailOffset,
    distance: seed.distance,
    isTriggered: false,
    priority: nextPriority(),
    expireAt: seed.expireAt,
    text: seed.text,
    transactTimeAt: now,
  };
}

/** What was asked for, kept so that its identifier stays used and can be looked up. */
export function newRefused(stamp: Stamp, request: NewOrderSingle, text: string): ExchangeOrder {
  const { bracket: _, ...asked } = request;
  return newOrder(stamp, { ...asked, ordStatus: "REJECTED", text });
}

/** The order itself, which knows its legs' numbers. Fields that its type does not use are dropped. */
export function newEntry(
  stamp: Stamp,
  request: NewOrderSingle,
  { book, dayEndsAt }: { book: ContractBook; dayEndsAt: number },
): ExchangeOrder {
  const { clOrdId: id, contract, side, ordType, timeInForce, orderQty, bracket } = request;
  const own = (name: OrderPrice) => (mayHave(ordType, name) ? request[name] : undefined);
  const trailOffset = own("trailOffset");
  const start = trailOffset === undefined ? undefined : book.trailFrom(side, trailOffset);
  const entryId = newId(stamp.account);
  const legs = [bracket?.takeProfit, bracket?.stopLoss].filter((leg) => leg !== undefined);
  return newOrder(stamp, {
    orderId: entryId,
    clOrdId: id,
    contract,
    side,
    ordType,
    timeInForce,
    orderQty,
    legIds: legs.map(() => newId(stamp.account)),
    price: own("price"),
    stopPx: own("stopPx") ?? start,
    trailOffset,
    expireAt: timeInForce === "DAY" ? dayEndsAt : undefined,
  });
}

/**
 * The legs of an entry, held until its first fill. They are good till canceled, since a position
 * outlives its trade day, and carry the entry's identifier with `-TP` and `-SL`.
 */
export function newLegs(
  stamp: Stamp,
  { bracket, clOrdId: entryId }: NewOrderSingle,
  { entry, areLinked }: { entry: ExchangeOrder; areLinked: boolean },
): readonly ExchangeOrder[] {
  const { takeProfit, stopLoss } = bracket ?? {};
  const [firstId, lastId] = [entry.legIds[0], entry.legIds.at(-1)];
  const isPair = areLinked && takeProfit !== undefined && stopLoss !== undefined;
  const shared = {
    contract: entry.contract,
    side: opposite(entry.side),
    timeInForce: "GTC",
    ordStatus: "HELD",
    orderQty: entry.orderQty,
    parentOrderId: entry.orderId,
  } as const;
  const target =
    takeProfit &&
    newOrder(stamp, {
      ...shared,
      orderId: firstId,
      clOrdId: targetId(entryId),
      ordType: "LIMIT",
      role: "TAKE_PROFIT",
      linkedOrderId: isPair ? lastId : undefined,
      price: takeProfit.by === "price" ? takeProfit.price : undefined,
      distance: takeProfit.by === "distance" ? takeProfit.distance : undefined,
    });
  const stop =
    stopLoss &&
    newOrder(stamp, {
      ...shared,
      orderId: lastId,
      clOrdId: stopId(entryId),
      ordType: "STOP",
      role: "STOP_LOSS",
      linkedOrderId: isPair ? firstId : undefined,
      stopPx: stopLoss.by === "price" ? stopLoss.price : undefined,
      distance: stopLoss.by === "distance" ? stopLoss.distance : undefined,
    });
  return [target, stop].filter((leg) => leg !== undefined);
}

/** The identifiers that an order with its legs takes. */
export function clOrdIdsOf({ clOrdId: id, bracket }: NewOrderSingle): readonly ClOrdId[] {
  if (bracket === undefined) return [id];
  const { takeProfit, stopLoss } = bracket;
  return [id, ...(takeProfit ? [targetId(id)] : []), ...(stopLoss ? [stopId(id)] : [])];
}

/** The one or two exits of a protection, live at once. */
export function newExits(
  stamp: Stamp,
  { contract, side, orderQty, takeProfit, stopLoss }: ProtectionOrder,
): readonly ExchangeOrder[] {
  const firstId = takeProfit && newId(stamp.account);
  const lastId = stopLoss && newId(stamp.account);
  const shared = { contract, side, orderQty, timeInForce: "GTC" } as const;
  const target =
    takeProfit &&
    newOrder(stamp, {
      ...shared,
      ...takeProfit,
      orderId: firstId,
      ordType: "LIMIT",
      role: "TAKE_PROFIT",
      linkedOrderId: lastId,
    });
  const stop =
    stopLoss &&
    newOrder(stamp, {
      ...shared,
      ...stopLoss,
      orderId: lastId,
      ordType: "STOP",
      role: "STOP_LOSS",
      linkedOrderId: firstId,
    });
  return [target, stop].filter((leg) => leg !== undefined);
}

const targetId = (entryId: ClOrdId) => legIdOf(entryId, "TAKE_PROFIT");
const stopId = (entryId: ClOrdId) => legIdOf(entryId, "STOP_LOSS");

function newId(account: ExchangeAccount): OrderId {
  return orderId(account.nextId());
}
