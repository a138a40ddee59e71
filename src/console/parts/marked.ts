import type { components } from "../api/schema.ts";
import { type AccountMoney, ageOf, type Answered } from "./money.ts";

type Position = components["schemas"]["Position"];

/** How old the mark of a position is; null where there is none. */
export interface Marked {
  readonly markAgeMs: number | null;
}

/**
 * Positions with the newest marks: a position is read when it changes, and its price moves meanwhile.
 */
export function markPositions<Held extends Position>(
  positions: readonly Held[],
  read: Answered,
  money: { readonly account: AccountMoney; readonly answeredAt: number } | undefined,
  now: number,
): readonly (Held & Marked)[] {
  return positions.map((position) => {
    const mark = money && markOf(position, money.account);
    if (money !== undefined && mark !== undefined) {
      const { heardAt, price } = mark;
      const told = { asOf: money.account.asOf, answeredAt: money.answeredAt };
      return { ...position, ...valueAt(position, price), markAgeMs: ageOf(heardAt, told, now) };
    }
    const { markedAt } = position;
    return { ...position, markAgeMs: markedAt === null ? null : ageOf(markedAt, read, now) };
  });
}

/** Undefined where it was not told, or is the price of the other side. */
function markOf({ symbol, side }: Position, { marks }: AccountMoney) {
  const mark = marks.find((one) => one.symbol === symbol);
  if (mark === undefined || mark.netQty > 0 !== (side === "long")) return undefined;
  const { heardAt, price } = mark;
  return heardAt === null || price === null ? undefined : { heardAt, price };
}

/** Prices are whole ticks, and an average is a fraction of them: rounded to 4 places, as it is told. */
function valueAt(
  { averagePrice, qty, side, tickSize, tickValue }: Position,
  markPrice: number,
): Pick<Position, "markPrice" | "unrealizedPnl" | "unrealizedTicks"> {
  if (averagePrice === null || tickSize === null) {
    return { markPrice, unrealizedPnl: null, unrealizedTicks: null };
  }
  const ticks = ((markPrice - averagePrice) / tickSize) * (side === "long" ? qty : -qty);
  const unrealizedTicks = Math.round(ticks * 10_000) / 10_000;
  const unrealizedPnl = tickValue === null ? null : unrealizedTicks * tickValue;
  return { markPrice, unrealizedPnl, unrealizedTicks };
}
