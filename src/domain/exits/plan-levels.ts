import { type Ticks, ticks } from "../contracts/price.ts";
import { type Side, sign } from "../order.ts";
import type { ExitPlan, PlanLevel } from "./exit-plan.ts";
import {
  absolute,
  add,
  decimalFraction,
  divide,
  type Fraction,
  multiply,
  negative,
  roundDown,
  roundNearest,
  roundUp,
  whole,
} from "./fraction.ts";

/** What the levels of a plan are counted from. */
export interface PlanBase {
  /** The side of the entry. */
  readonly side: Side;
  /** What a contract gains or loses by a tick, in its currency; absent where nobody tells. */
  readonly tickValue?: string | undefined;
  /** Where the entry filled, or will by all that is known; undefined while nothing is. */
  readonly entry: Fraction | undefined;
  readonly plan: Pick<ExitPlan, "stop" | "trailing">;
}

/** A stop that trails from the entry on is the first stop too. Levels as they are written, or in ticks. */
export function firstStopOf<Level>({
  stop,
  trailing,
}: {
  readonly stop?: Level;
  readonly trailing?: { readonly from?: unknown; readonly distance: Level };
}): Level | undefined {
  return stop ?? (trailing?.from === undefined ? trailing?.distance : undefined);
}

/** In ticks from the entry; undefined where what it is counted by is not known. */
export function distanceOf(level: PlanLevel, base: PlanBase): Fraction | undefined {
  const { entry, tickValue, plan } = base;
  switch (level.by) {
    case "ticks":
      return whole(level.ticks);
    case "price":
      return entry && absolute(add(whole(level.price), negative(entry)));
    case "percent": {
      const share = decimalFraction(level.percent);
      return entry && share && divide(multiply(absolute(entry), share), whole(100));
    }
    case "money": {
      const money = decimalFraction(level.money);
      const value = tickValue === undefined ? undefined : decimalFraction(tickValue);
      if (money === undefined || value === undefined || value.numerator <= 0n) return undefined;
      return divide(money, value);
    }
    case "r": {
      const stop = firstStopOf(plan);
      const times = decimalFraction(level.r);
      // The first stop itself cannot be counted in r.
      if (stop === undefined || stop.by === "r") return undefined;
      const risk = distanceOf(stop, base);
      return risk && times && multiply(risk, times);
    }
  }
}

/** Where the first stop stands: never further away than it was asked, and never at the entry itself. */
export function firstStopPx(base: PlanBase): Ticks | undefined {
  const level = firstStopOf(base.plan);
  if (level === undefined) return undefined;
  if (level.by === "price") return level.price;
  const { entry, side } = base;
  const exact = exactly(level, base, -sign(side));
  if (exact === undefined || entry === undefined) return undefined;
  return side === "BUY"
    ? ticks(Math.min(roundUp(exact), roundUp(entry) - 1))
    : ticks(Math.max(roundDown(exact), roundDown(entry) + 1));
}

/** Where something in the trade's own direction stands, to the nearest tick and beyond the entry. */
export function beyondPx(level: PlanLevel, base: PlanBase): Ticks | undefined {
  if (level.by === "price") return level.price;
  const { entry, side } = base;
  const exact = exactly(level, base, sign(side));
  if (exact === undefined || entry === undefined) return undefined;
  return side === "BUY"
    ? ticks(Math.max(roundNearest(exact), roundDown(entry) + 1))
    : ticks(Math.min(roundNearest(exact), roundUp(entry) - 1));
}

function exactly(level: PlanLevel, base: PlanBase, direction: number): Fraction | undefined {
  const distance = distanceOf(level, base);
  if (distance === undefined || base.entry === undefined) return undefined;
  return add(base.entry, multiply(distance, whole(direction)));
}
