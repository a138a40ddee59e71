import type { PlanTarget } from "./exit-plan.ts";
import {
  decimalFraction,
  type Fraction,
  multiply,
  roundDown,
  roundNearest,
  add,
  whole,
  divide,
  negative,
} from "./fraction.ts";

/** A part of what was filled, and the target that it leaves at: its place in the plan, 0 for the first. */
export interface Slot {
  readonly target: number;
  /** A positive number of contracts. */
  readonly qty: number;
}

/**
 * Shares what was filled out among the targets: fixed quantities first, then shares of all of it by the
 * largest remainder, then equal parts of what is left. What nothing is asked for goes to the first
 * target. Fewer contracts than targets are one each, from the first target on. Together the slots are
 * always all that was filled; a target that gets nothing has none.
 */
export function shareOut(targets: readonly PlanTarget[], filledQty: number): readonly Slot[] {
  if (filledQty <= 0) return [];
  if (targets.length === 0) return [{ target: 0, qty: filledQty }];
  const parts =
    filledQty < targets.length
      ? targets.map((_, place) => (place < filledQty ? 1 : 0))
      : partsOf(targets, filledQty);
  return parts.flatMap((qty, target) => (qty > 0 ? [{ target, qty }] : []));
}

function partsOf(targets: readonly PlanTarget[], filledQty: number): readonly number[] {
  const parts = targets.map(() => 0);
  let left = filledQty;
  const give = (place: number, qty: number) => {
    const given = Math.min(qty, left);
    parts[place] = (parts[place] ?? 0) + given;
    left -= given;
  };
  for (const [place, { qty }] of targets.entries()) if (qty !== undefined) give(place, qty);
  for (const [place, qty] of sharesOf(targets, filledQty)) give(place, qty);
  const open = [...targets.entries()].filter(([, one]) => isOpen(one));
  const equal = open.length === 0 ? 0 : Math.floor(left / open.length);
  const extra = open.length === 0 ? 0 : left % open.length;
  for (const [nth, [place]] of open.entries()) give(place, equal + (nth < extra ? 1 : 0));
  give(0, left);
  return parts;
}

const isOpen = ({ qty, share }: PlanTarget): boolean => qty === undefined && share === undefined;

/** By place: whole contracts that are together as near to all shares as they can be. */
function sharesOf(
  targets: readonly PlanTarget[],
  filledQty: number,
): readonly (readonly [number, number])[] {
  const ideal = [...targets.entries()].flatMap(([place, { share }]) => {
    const percent = share === undefined ? undefined : decimalFraction(share.toFixed(9));
    if (percent === undefined) return [];
    return [{ place, exact: divide(multiply(percent, whole(filledQty)), whole(100)) }];
  });
  const total = roundNearest(ideal.reduce((sum, { exact }) => add(sum, exact), whole(0)));
  const floors = ideal.map(({ exact }) => roundDown(exact));
  let extra = total - floors.reduce((sum, qty) => sum + qty, 0);
  const order = [...ideal.keys()].toSorted((a, b) => compare(remainder(b), remainder(a)) || a - b);
  for (const nth of order) {
    if (extra <= 0) break;
    floors[nth] = (floors[nth] ?? 0) + 1;
    extra -= 1;
  }
  return ideal.map(({ place }, nth) => [place, floors[nth] ?? 0] as const);

  function remainder(nth: number): Fraction {
    const exact = ideal[nth]?.exact ?? whole(0);
    return add(exact, whole(-roundDown(exact)));
  }
}

function compare(one: Fraction, other: Fraction): number {
  const { numerator } = add(one, negative(other));
  return numerator < 0n ? -1 : Number(numerator > 0n);
}
