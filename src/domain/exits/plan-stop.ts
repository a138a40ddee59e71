import { type Ticks, ticks } from "../contracts/price.ts";
import { opposite, type Side, sign } from "../order.ts";
import { marketPrice, type Quote } from "../quote.ts";
import { add, multiply, roundDown, roundNearest, roundUp, whole } from "./fraction.ts";
import { beyondPx, distanceOf, firstStopPx, type PlanBase } from "./plan-levels.ts";
import type { RunningPlan } from "./running-plan.ts";

/** Whether only prices can tell where the stop has to go next. */
export function needsPrices({ plan, breakevenReached }: RunningPlan): boolean {
  const { breakeven, trailing } = plan;
  const isPending = breakeven !== undefined && breakevenReached !== true;
  return trailing !== undefined || (isPending && breakeven.after.by !== "target");
}

/** What the market's price, where the position would be closed now, does to a plan. */
export function followPrice(running: RunningPlan, base: PlanBase, px: Ticks): RunningPlan {
  const { plan, breakevenReached, bestPx } = running;
  const { breakeven, trailing } = plan;
  let next = running;
  if (breakeven !== undefined && breakevenReached !== true && breakeven.after.by !== "target") {
    const level = beyondPx(breakeven.after, base);
    if (level !== undefined && hasTouched(level, px, base)) {
      next = { ...next, breakevenReached: true };
    }
  }
  if (trailing === undefined || base.entry === undefined) return next;
  if (bestPx !== undefined) return isBetter(px, bestPx, base) ? { ...next, bestPx: px } : next;
  const from = trailing.from && beyondPx(trailing.from, base);
  const begins = trailing.from === undefined || (from !== undefined && hasTouched(from, px, base));
  return begins ? { ...next, bestPx: px } : next;
}

const hasTouched = (level: Ticks, px: Ticks, { side }: Pick<PlanBase, "side">): boolean =>
  sign(side) * (px - level) >= 0;

/** Whether a stop there loses less, or a price there wins more. */
export const isBetter = (px: Ticks, than: Ticks, { side }: Pick<PlanBase, "side">): boolean =>
  sign(side) * (px - than) > 0;

/** Where the stop may stand at the worst: at the first stop, or at the entry once that is reached. */
export function leastStopPx(running: RunningPlan, base: PlanBase): Ticks | undefined {
  const first = firstStopPx(base);
  const { plan, breakevenReached, side } = running;
  if (breakevenReached !== true || plan.breakeven === undefined || base.entry === undefined) {
    return first;
  }
  const entry = side === "BUY" ? roundUp(base.entry) : roundDown(base.entry);
  const even = ticks(entry + sign(side) * plan.breakeven.plus);
  return better(first, even, base);
}

/** Where a stop that follows the best price stands; undefined while it does not. */
export function trailingPx({ plan, bestPx, side }: RunningPlan, base: PlanBase): Ticks | undefined {
  if (plan.trailing === undefined || bestPx === undefined) return undefined;
  const distance = distanceOf(plan.trailing.distance, base);
  if (distance === undefined) return undefined;
  const exact = add(whole(bestPx), multiply(distance, whole(-sign(side))));
  const px = side === "BUY" ? roundUp(exact) : roundDown(exact);
  // Never at the best price itself.
  return ticks(roundNearest(distance) < 1 ? bestPx - sign(side) : px);
}

/**
 * Where a stop that stands somewhere is to go; undefined where it stays. It never goes back, follows a
 * better price only by whole steps, and never so near that it would trade at once.
 */
export function nextStopPx(
  running: RunningPlan,
  base: PlanBase,
  stop: { readonly stopPx: Ticks | undefined; readonly quote: Quote | undefined },
): Ticks | undefined {
  const { stopPx, quote } = stop;
  const least = leastStopPx(running, base);
  const trailing = trailingPx(running, base);
  const { step = 1 } = running.plan.trailing ?? {};
  const isStep =
    trailing !== undefined &&
    (stopPx === undefined || sign(running.side) * (trailing - stopPx) >= step);
  const wanted = better(least, isStep ? trailing : undefined, base);
  if (wanted === undefined) return undefined;
  const clamped = clampedStop(wanted, running.side, quote);
  return stopPx === undefined || isBetter(clamped, stopPx, base) ? clamped : undefined;
}

function better(
  one: Ticks | undefined,
  other: Ticks | undefined,
  base: Pick<PlanBase, "side">,
): Ticks | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return isBetter(other, one, base) ? other : one;
}

/** A sell stop below the bid, a buy stop above the ask. */
function clampedStop(px: Ticks, side: Side, quote: Quote | undefined): Ticks {
  const market = quote && marketPrice(quote, opposite(side));
  if (market === undefined) return px;
  return ticks(side === "BUY" ? Math.min(px, market.px - 1) : Math.max(px, market.px + 1));
}
