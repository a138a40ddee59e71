import { ticks } from "../contracts/price.ts";
import type { Bracket, LegLevel } from "../order.ts";
import type { ExitPlan, PlanLevel } from "./exit-plan.ts";
import { roundDown, roundNearest } from "./fraction.ts";
import { distanceOf, firstStopOf, type PlanBase } from "./plan-levels.ts";

/** The levels that the broker is to hold from the entry's first fill on. */
function firstLevels(plan: ExitPlan) {
  return { stop: firstStopOf(plan), target: plan.targets[0]?.at };
}

/** Whether the bracket of a plan depends on where its entry will fill. */
export function needsEntryPrice(plan: ExitPlan): boolean {
  const { stop, target } = firstLevels(plan);
  const needs = (level: PlanLevel | undefined): boolean => {
    if (level?.by === "percent") return true;
    return level?.by === "r" && (stop?.by === "price" || needs(stop));
  };
  return needs(stop) || needs(target);
}

/**
 * The plan's first stop and first target as a bracket for all of the order: so the broker itself holds
 * them for whatever fills, whoever is there to see it. A stop is never further away than it was asked.
 * Undefined where something that a level is counted by is not known.
 */
export function bracketOfPlan(plan: ExitPlan, base: PlanBase): Bracket | undefined {
  const { stop, target } = firstLevels(plan);
  const stopLoss = stop && legLevel(stop, base, roundDown);
  const takeProfit = target && legLevel(target, base, roundNearest);
  if ((stop && !stopLoss) || (target && !takeProfit)) return undefined;
  return {
    ...(takeProfit !== undefined && { takeProfit }),
    ...(stopLoss !== undefined && { stopLoss }),
  };
}

function legLevel(level: PlanLevel, base: PlanBase, round: typeof roundDown): LegLevel | undefined {
  if (level.by === "price") return { by: "price", price: level.price };
  const distance = distanceOf(level, base);
  return distance && { by: "distance", distance: ticks(Math.max(1, round(distance))) };
}
