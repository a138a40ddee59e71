import { isOwnClOrdId, legOf } from "../../domain/ids.ts";
import {
  type NewOrderSingle,
  type OrderChange,
  type OrderReport,
  pricesOf,
  type Side,
  sign,
} from "../../domain/order.ts";
import type { EntityStore } from "./entity-store.ts";
import type { Purpose } from "./requests.ts";
import { POSITION_TYPE, type ProjectXPosition } from "./wire.ts";

/** Where something may be held. */
export interface Holding {
  readonly account: string;
  readonly contractId: string;
}

/** How much is held: above 0 long, below 0 short; undefined where it cannot be read. */
export function heldQty(
  store: Pick<EntityStore, "positionsOf">,
  { account, contractId }: Holding,
): number | undefined {
  const all = store.positionsOf(account);
  const own = all.filter((one) => one.contractId === contractId);
  // There is one row for a contract: another that does not say where it is held may be this one's.
  if (own.length === 0 && all.some((one) => one.contractId === undefined)) return undefined;
  const signed = own.map(signedSize);
  if (signed.includes(undefined)) return undefined;
  return signed.reduce<number>((sum, qty) => sum + (qty ?? 0), 0);
}

function signedSize({ type, size }: ProjectXPosition): number | undefined {
  if (size === undefined || size === 0) return size;
  if (type === POSITION_TYPE.long) return size;
  return type === POSITION_TYPE.short ? -size : undefined;
}

/** What lowers risk may use the part of the request budget that is kept for it, and passes what hangs. */
export function purposeOf(
  store: Pick<EntityStore, "positionsOf">,
  holding: Holding,
  { clOrdId, side, orderQty }: NewOrderSingle,
): Purpose {
  const isExit = legOf(clOrdId) !== undefined || closes(store, holding, side, orderQty);
  return isExit ? "protect" : "entry";
}

/** The same of a change: by what the order does, and by whether it is only made smaller. */
export function purposeOfChange(
  store: Pick<EntityStore, "positionsOf">,
  holding: Holding,
  report: OrderReport,
  change: OrderChange,
): Purpose {
  const { side, leavesQty, clOrdId, parentOrderId } = report;
  const { orderQty = report.orderQty } = change;
  const isSameLevel = Object.keys(pricesOf(change)).length === 0;
  const isNamed = clOrdId !== undefined && isOwnClOrdId(clOrdId) && legOf(clOrdId) !== undefined;
  const isLeg = isNamed || parentOrderId !== undefined;
  if (isLeg || (isSameLevel && orderQty < report.orderQty)) return "protect";
  const qty = leavesQty + orderQty - report.orderQty;
  return closes(store, holding, side, qty) ? "protect" : "entry";
}

/** Whether an order of this size can do no more than close what is held. */
function closes(
  store: Pick<EntityStore, "positionsOf">,
  holding: Holding,
  side: Side,
  qty: number,
): boolean {
  const held = heldQty(store, holding);
  return held !== undefined && -sign(side) * held >= qty;
}
