import { type ContractCode, rootOfCode } from "../contracts/contract.ts";
import { parseDecimal, rescale } from "../contracts/decimal.ts";
import type { Ticks, TickSize } from "../contracts/price.ts";
import { wrongSides } from "../bracket-sides.ts";
import type { MirrorView } from "./copy-mirror.ts";
import { declaredPrice, type OrderPrice } from "../declared/order-types.ts";
import {
  type Bracket,
  type LegLevel,
  type OrderPrices,
  type OrderReport,
  pricesOf,
} from "../order.ts";

/** Whether an order's price in one contract means the same in the other. */
export const isOnePrice = (
  { isOneMarket }: Pick<MirrorView, "isOneMarket">,
  contract: ContractCode,
  other: ContractCode,
): boolean => isOneMarket(rootOfCode(contract), rootOfCode(other));

/** The tick sizes of a leader's contract and of its follower's. */
export interface TickSizes {
  readonly from: TickSize;
  readonly to: TickSize;
}

/** The same price in ticks of the other contract: the nearest one, halves away from zero. */
export function inTicksOf(price: Ticks, { from, to }: TickSizes): Ticks {
  if (from === to) return price;
  const [fromTick, toTick] = [parseDecimal(from), parseDecimal(to)];
  if (fromTick === undefined || toTick === undefined) throw new Error(`${from}, ${to}: no ticks`);
  const scale = Math.max(fromTick.scale, toTick.scale);
  const worth = BigInt(price) * rescale(fromTick, scale);
  const tick = rescale(toTick, scale);
  const rounded = (2n * abs(worth) + tick) / (2n * tick);
  return Number(worth < 0n ? -rounded : rounded) as Ticks;
}

/** The same distance: never less than a tick. */
export function distanceInTicksOf(distance: Ticks, sizes: TickSizes): Ticks {
  return Math.max(1, inTicksOf(distance, sizes)) as Ticks;
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

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
