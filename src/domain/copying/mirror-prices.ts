import { wrongSides } from "../bracket-sides.ts";
import type { ContractCode } from "../contracts/contract.ts";
import type { MirrorView } from "./copy-mirror.ts";
import { distanceInTicksOf, inTicksOf } from "./copy-prices.ts";
import { declaredPrice, type OrderPrice } from "../declared/order-types.ts";
import {
  type Bracket,
  type LegLevel,
  type OrderPrices,
  type OrderReport,
  pricesOf,
} from "../order.ts";
import type { Ticks } from "../contracts/price.ts";

type Priced = Pick<MirrorView, "leader" | "tickSizeOf">;

/** Where a leader's order stands, in ticks of the follower's contract. */
export function mirroredPrices(
  view: Priced,
  order: OrderReport,
  contract: ContractCode,
): OrderPrices {
  const from = order.contract;
  const sizes = { from: view.tickSizeOf(from), to: view.tickSizeOf(contract) };
  const inTicks = { price: inTicksOf, distance: distanceInTicksOf };
  const mirrored = Object.entries(pricesOf(order)).map(([name, value]) => [
    name,
    inTicks[declaredPrice(name as OrderPrice).counts](value, sizes),
  ]);
  return Object.fromEntries(mirrored) as OrderPrices;
}

/**
 * The levels of a leader's bracket that have a price already; undefined when none has. One that would
 * come to lie on the wrong side, as half a tick can, is left out: it is put there once it is live.
 */
export function mirroredBracket(
  view: Priced,
  entry: OrderReport,
  contract: ContractCode,
): Bracket | undefined {
  const legs = view.leader.working.filter(({ parentOrderId }) => parentOrderId === entry.orderId);
  const sizes = { from: view.tickSizeOf(entry.contract), to: view.tickSizeOf(contract) };
  const levelOf = (role: OrderReport["role"]): LegLevel | undefined => {
    const leg = legs.find((one) => one.role === role);
    const price: Ticks | undefined = leg?.price ?? leg?.stopPx;
    return price === undefined ? undefined : { by: "price", price: inTicksOf(price, sizes) };
  };
  const [takeProfit, stopLoss] = [levelOf("TAKE_PROFIT"), levelOf("STOP_LOSS")];
  const bracket = { ...(takeProfit && { takeProfit }), ...(stopLoss && { stopLoss }) };
  const prices = mirroredPrices(view, entry, contract);
  const wrong = new Set(wrongSides(entry.side, prices, bracket).map(({ leg }) => leg));
  const right = Object.fromEntries(
    Object.entries(bracket).filter(([leg]) => !wrong.has(leg as keyof Bracket)),
  ) as Bracket;
  return Object.keys(right).length === 0 ? undefined : right;
}
