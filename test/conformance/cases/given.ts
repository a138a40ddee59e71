import assert from "node:assert/strict";
import { legIdOf, type OrderId } from "../../../src/domain/ids.ts";
import { type NewOrderSingle, opposite, type Side } from "../../../src/domain/order.ts";
import { expect } from "vitest";
import { accepted, px, REFUSED, type Trader } from "../broker-under-test.ts";

/** The connected trader of the running case. */
export type Given = () => Trader;

/** The exits of a position that is held, live at the broker. */
export interface Pair {
  readonly target: OrderId;
  readonly stop: OrderId;
}

/** An entry with its legs. */
export interface Bracketed extends Pair {
  readonly entry: OrderId;
}

/**
 * Holds 4 contracts, bought at 1,000 or sold at 999, with exits 10 ticks above and 20 below, or the
 * other way round: the broker's own pair, or two plain orders where it links none.
 */
export async function holdWithPair(trader: Trader, side: Side = "BUY"): Promise<Pair> {
  await trader.place({ side, orderQty: 4 });
  await trader.waitForPosition(side === "BUY" ? 4 : -4);
  return placePair(trader, { side: opposite(side), orderQty: 4 });
}

export async function placePair(
  trader: Trader,
  { side, orderQty }: { side: Side; orderQty: number },
): Promise<Pair> {
  const { contract, account } = trader.broker;
  const id = trader.newId();
  const [price, stopPx] = side === "SELL" ? [px(1_010), px(980)] : [px(989), px(1_019)];
  const takeProfit = { clOrdId: legIdOf(id, "TAKE_PROFIT"), price };
  const stopLoss = { clOrdId: legIdOf(id, "STOP_LOSS"), stopPx };
  if (trader.adapter.capabilities.nativeOco) {
    const order = { contract, side, orderQty, takeProfit, stopLoss };
    return legsOf(accepted(await trader.adapter.submitProtection(account, order)));
  }
  const shared = { side, orderQty, timeInForce: "GTC" } as const;
  const stop = await trader.place({ ...shared, ...stopLoss, ordType: "STOP" });
  const target = await trader.place({ ...shared, ...takeProfit, ordType: "LIMIT" });
  return { target: target.orderId, stop: stop.orderId };
}

/** Where the broker cannot do what the order asks for: it is refused, and nothing of it is left. */
export async function isLacked(trader: Trader, order: Partial<NewOrderSingle>): Promise<boolean> {
  if (!trader.lacks(order)) return false;
  expect(await trader.submit(order)).toEqual(REFUSED);
  expect(await trader.working()).toEqual([]);
  expect(await trader.netQty()).toBe(0);
  return true;
}

/** The two legs that an answer names. */
export function legsOf({
  takeProfitOrderId: target,
  stopLossOrderId: stop,
}: {
  readonly takeProfitOrderId?: OrderId;
  readonly stopLossOrderId?: OrderId;
}): Pair {
  assert(target !== undefined && stop !== undefined, "the answer names both legs");
  return { target, stop };
}

/** An order that the broker refused, as it is kept there: a stop on the wrong side. */
export async function refusedOrder(trader: Trader): Promise<OrderId> {
  const clOrdId = trader.newId();
  const outcome = await trader.submit({ clOrdId, ordType: "STOP", stopPx: px(990) });
  assert(outcome.kind === "rejected", "a stop on the wrong side is refused");
  const found = await trader.adapter.findOrder(trader.broker.account, clOrdId);
  assert(found?.ordStatus === "REJECTED", "a refused order can be looked up");
  return found.orderId;
}

/** A limit order that has been filled in full. */
export async function filledOrder(trader: Trader): Promise<OrderId> {
  const { orderId } = await trader.limit("BUY", 1_000);
  await trader.waitForReport(orderId, "TRADE");
  return orderId;
}

export async function canceledOrder(trader: Trader): Promise<OrderId> {
  const { orderId } = await trader.limit("BUY", 990);
  assert((await trader.cancel(orderId)).kind === "accepted", "a working order can be canceled");
  await trader.waitForReport(orderId, "CANCELED");
  return orderId;
}

/** A working order of the other account, with a number that this account has not given yet. */
export async function othersOrder(trader: Trader): Promise<OrderId> {
  const order = trader.order({ ordType: "LIMIT", price: px(990) });
  const { otherAccount } = trader.broker;
  return accepted(await trader.adapter.submitOrder(otherAccount, order)).orderId;
}
