import type { Ticks } from "../../../domain/contracts/price.ts";
import { type LegLevel, type NewOrderSingle, sign } from "../../../domain/order.ts";
import type { LegRole } from "../leg-tags.ts";
import type { EntryLegs } from "../order-body.ts";
import { ORDER_TYPE } from "../wire.ts";

/** Nearer legs are refused by the broker [COM, seen live]. */
const LEAST_TICKS = 4;

export type PlannedLegs =
  | { readonly kind: "legs"; readonly legs: EntryLegs }
  | { readonly kind: "rejected"; readonly reason: string };

const CALLED: Readonly<Record<LegRole, string>> = {
  TAKE_PROFIT: "The take-profit",
  STOP_LOSS: "The stop-loss",
};

/** +1 where a leg lies above a bought entry: a take-profit wins, a stop-loss loses. */
export const winsBy = (role: LegRole): 1 | -1 => (role === "TAKE_PROFIT" ? 1 : -1);

/** What levels by price are counted from; undefined for what only the market says. */
export const entryLevel = ({ ordType, price, stopPx }: NewOrderSingle): Ticks | undefined =>
  ordType === "MARKET" ? undefined : (price ?? stopPx);

/** Whether the legs cannot be told to the broker without knowing where the market is. */
export const needsReference = (order: NewOrderSingle): boolean =>
  entryLevel(order) === undefined &&
  [order.bracket?.takeProfit, order.bracket?.stopLoss].some((leg) => leg?.by === "price");

/**
 * The legs of an entry as ProjectX takes them: signed ticks from the price at which the entry fills.
 * Levels by price are counted from the entry's own price, else from `reference`; once it has filled they
 * are moved to where they were asked for.
 */
export function entryExits(order: NewOrderSingle, reference: Ticks | undefined): PlannedLegs {
  const { bracket = {}, side } = order;
  const from = entryLevel(order) ?? reference;
  let legs: EntryLegs = {};
  for (const [role, level] of [
    ["STOP_LOSS", bracket.stopLoss],
    ["TAKE_PROFIT", bracket.takeProfit],
  ] as const) {
    if (level === undefined) continue;
    const ticks = ticksOf(level, sign(side) * winsBy(role), from);
    if (ticks === undefined) {
      const reason = `${CALLED[role]} cannot be counted from a market that nobody tells of`;
      return { kind: "rejected", reason };
    }
    const away = ticks * sign(side) * winsBy(role);
    if (away <= 0) {
      return { kind: "rejected", reason: `${CALLED[role]} is on the wrong side of the market` };
    }
    if (away < LEAST_TICKS) {
      const reason = `${CALLED[role]} is ${away} ticks from the entry, and ProjectX takes none nearer than ${LEAST_TICKS}`;
      return { kind: "rejected", reason };
    }
    legs =
      role === "STOP_LOSS"
        ? { ...legs, stopLossBracket: { ticks, type: ORDER_TYPE.stop } }
        : { ...legs, takeProfitBracket: { ticks, type: ORDER_TYPE.limit } };
  }
  return { kind: "legs", legs };
}

function ticksOf(level: LegLevel, direction: number, from: Ticks | undefined): number | undefined {
  if (level.by === "distance") return direction * level.distance;
  return from === undefined ? undefined : level.price - from;
}
