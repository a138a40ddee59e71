import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Quantities } from "../../domain/holdings.ts";
import type { OrderId } from "../../domain/ids.ts";
import { counted, type Fill, type Side, sign } from "../../domain/order.ts";
import type { AveragePrice } from "../../domain/contracts/price.ts";
import type { LeaderNews } from "./ports.ts";

/** What the fills that were not copied yet did to one of the leader's contracts. */
export interface LeaderMove {
  readonly contract: ContractCode;
  /** Of the newest fill. */
  readonly seq: number;
  readonly newest: Fill;
  /** When the oldest of the fills was, Unix ms by the broker's clock: what is copied is as old. */
  readonly beganAt: number;
  /** The orders that the fills are of, with how much of each was filled. */
  readonly orders: ReadonlyMap<OrderId, number>;
  /** What was bought or sold on the newest fill's side: that is what a copy is compared with. */
  readonly side: Side;
  readonly qty: number;
  readonly px: AveragePrice;
}

/** One move for each contract that something was filled of, in the order of their newest fills. */
export function movesOf({ fills }: LeaderNews): readonly LeaderMove[] {
  const byContract = new Map<ContractCode, LeaderNews["fills"]>();
  for (const noted of fills) {
    const { contract } = noted.fill;
    byContract.set(contract, [...(byContract.get(contract) ?? []), noted]);
  }
  return [...byContract]
    .map(([contract, noted]) => moveOf(contract, noted))
    .filter((move) => move !== undefined)
    .toSorted((one, other) => one.seq - other.seq);
}

/** What the leader held before its fills, and after each of them, in their order. */
export function holdsAlong({ fills, holds }: LeaderNews): readonly Quantities[] {
  const backwards = [holds];
  for (const { fill } of fills.toReversed()) {
    const { contract, side, lastQty } = fill;
    const after = backwards.at(-1) ?? holds;
    const before = (after.get(contract) ?? 0) - sign(side) * lastQty;
    backwards.push(new Map([...after, [contract, before]]));
  }
  return backwards.toReversed();
}

function moveOf(contract: ContractCode, noted: LeaderNews["fills"]): LeaderMove | undefined {
  const last = noted.at(-1);
  if (last === undefined) return undefined;
  const { side } = last.fill;
  const sameSide = noted.map(({ fill }) => fill).filter((fill) => fill.side === side);
  const qty = sameSide.reduce((sum, { lastQty }) => sum + lastQty, 0);
  const worth = sameSide.reduce((sum, { lastQty, lastPx }) => sum + lastQty * lastPx, 0);
  return {
    contract,
    seq: last.seq,
    newest: last.fill,
    beganAt: Math.min(...noted.map(({ fill }) => fill.transactTimeAt)),
    orders: filledByOrder(noted.map(({ fill }) => fill)),
    side,
    qty,
    px: { numerator: worth, denominator: qty },
  };
}

/** How much of each order is filled by these fills, with what was before. */
export function filledByOrder(
  fills: readonly Fill[],
  before: ReadonlyMap<OrderId, number> = new Map(),
): ReadonlyMap<OrderId, number> {
  const filled = new Map(before);
  for (const { orderId, lastQty } of counted(fills)) {
    filled.set(orderId, (filled.get(orderId) ?? 0) + lastQty);
  }
  return filled;
}
