import { negated, parseDecimal, type Scaled, sumOf } from "../contracts/decimal.ts";
import type { WrittenNumber } from "../contracts/tick-reader.ts";
import {
  type ExitPlanTicket,
  MOST_TARGETS,
  PLAN_LEVELS,
  type PlanLevelTicket,
  type PlanTargetTicket,
} from "./exit-plan.ts";

/** Says what is wrong, and where in the plan; "" for all of it. */
type Add = (path: string, message: string) => void;

/** How far a level is away, and in what that is counted; two of one unit can be compared. */
interface Measured {
  readonly unit: string;
  readonly amount: Scaled;
}

/** Turns a price distance into ticks, where the contract is known. */
type CountOffset = (offset: WrittenNumber) => number | undefined;

/** What only the parts of a plan together show: whether it can work, and leaves nothing without an exit. */
export function checkWholePlan(plan: ExitPlanTicket, countOffset: CountOffset, add: Add): void {
  const { targets = [] } = plan;
  if (targets.length > MOST_TARGETS) add("targets", `must be at most ${MOST_TARGETS}`);
  checkShares(targets, add);
  checkStop(plan, targets, add);
  checkOrder(targets, countOffset, add);
  checkBreakeven(plan, targets, countOffset, add);
}

function checkShares(targets: readonly PlanTargetTicket[], add: Add): void {
  const left = leftOfAll(targets);
  if (left < 0n) add("targets", "must not share out more than 100 percent");
  const empty = targets.findIndex(isRest);
  if (left === 0n && empty >= 0) {
    add(`targets.${empty}`, "has nothing left: the others share out all");
  }
}

function checkStop(plan: ExitPlanTicket, targets: readonly PlanTargetTicket[], add: Add): void {
  const { stop, trailing, breakeven } = plan;
  const hasStop = stop !== undefined || (trailing !== undefined && trailing.from === undefined);
  if (targets.length === 0 && !hasStop) {
    // The one sentence says it: what else would need the stop is no matter.
    return add("", "needs a stop or a target");
  }
  const needStop = [
    [targets.length > 1, "several targets"],
    [targets.some((target) => !hasLevel(target)), "a part without a level"],
    [targets.length > 0 && !takesAll(targets), "what no target takes out"],
    [breakeven !== undefined, "breakeven"],
    [trailing?.from !== undefined, "trailing from a level on"],
  ] as const;
  const [, what] = needStop.find(([isAsked]) => isAsked) ?? [];
  if (what !== undefined && !hasStop) add("stop", `is needed for ${what}`);
  else if (stop === undefined && countsInR(plan)) {
    add("stop", "is needed where something is counted in r");
  }
}

/** They are listed as they are reached, and by their places something may wait for them. */
function checkOrder(
  targets: readonly PlanTargetTicket[],
  countOffset: CountOffset,
  add: Add,
): void {
  const furthest = new Map<string, Scaled>();
  for (const [place, target] of targets.entries()) {
    const measured = measure(target, countOffset);
    // Which of two prices is further away follows from the side of the entry.
    if (measured === undefined || measured.unit === "price") continue;
    const { unit, amount } = measured;
    if (isLess(amount, furthest.get(unit) ?? amount)) {
      add(`targets.${place}`, "is nearer than one before it: list them as they are reached");
    }
    furthest.set(unit, amount);
  }
  checkPrices(targets, add);
}

function checkPrices(targets: readonly PlanTargetTicket[], add: Add): void {
  const prices = targets.flatMap(({ price }, place) => {
    const value = price === undefined ? undefined : parseDecimal(String(price));
    return value === undefined ? [] : [{ place, value }];
  });
  const steps = prices.slice(1).map(({ place, value }, n) => {
    const { value: before } = prices[n] ?? { value };
    return { place, direction: isLess(before, value) ? 1 : isLess(value, before) ? -1 : 0 };
  });
  const moves = steps.filter(({ direction }) => direction !== 0);
  const turned = moves.find(({ direction }) => direction !== moves[0]?.direction);
  if (turned === undefined) return;
  add(`targets.${turned.place}`, "is on the way to one before it: list them as they are reached");
}

function checkBreakeven(
  { breakeven }: ExitPlanTicket,
  targets: readonly PlanTargetTicket[],
  countOffset: CountOffset,
  add: Add,
): void {
  if (breakeven === undefined) return;
  const { after, plus = 0 } = breakeven;
  const { target } = after;
  const awaited = target === undefined ? after : targets[target - 1];
  if (target !== undefined) {
    const path = "breakeven.after.target";
    if (awaited === undefined) return add(path, "is no target of this plan");
    if (!hasLevel(awaited)) return add(path, "is a part without a level, which is never reached");
    if (target === targets.length && takesAll(targets)) {
      return add(path, "is the last one: nothing is left to protect then");
    }
  }
  const measured = measure(awaited ?? {}, countOffset);
  const counted = typeof plus === "number" ? plus : countOffset(plus.offset);
  const beyond = parseDecimal(String(counted));
  if (measured?.unit !== "ticks" || beyond === undefined) return;
  if (!isLess(beyond, measured.amount)) {
    add("breakeven.plus", "must be less than what it waits for: the stop would be in the market");
  }
}

const isLess = (one: Scaled, other: Scaled): boolean => sumOf(one, negated(other)).units < 0n;

/** What shares leave of all, in some unit: below 0 where they are more than all. */
function leftOfAll(targets: readonly PlanTargetTicket[]): bigint {
  const shares = targets.flatMap(({ share }) => parseDecimal(String(share)) ?? []);
  return sumOf({ units: 100n, scale: 0 }, ...shares.map(negated)).units;
}

export const hasLevel = (level: PlanLevelTicket): boolean =>
  PLAN_LEVELS.some((name) => level[name] !== undefined);

/** It takes an equal part of what the others leave. */
const isRest = ({ share, qty }: PlanTargetTicket): boolean =>
  share === undefined && qty === undefined;

/** Whether everything is out once all of them are reached. */
function takesAll(targets: readonly PlanTargetTicket[]): boolean {
  if (!targets.every(hasLevel)) return false;
  return targets.some(isRest) || leftOfAll(targets) <= 0n;
}

function measure(level: PlanLevelTicket, countOffset: CountOffset): Measured | undefined {
  const [unit] = PLAN_LEVELS.filter((name) => level[name] !== undefined);
  const written = unit === undefined ? undefined : level[unit];
  if (unit === undefined || written === undefined) return undefined;
  const counted = unit === "offset" ? countOffset(written) : undefined;
  const amount = parseDecimal(String(counted ?? written));
  if (amount === undefined) return undefined;
  return { unit: counted === undefined ? unit : "ticks", amount };
}

const countsInR = ({ targets = [], breakeven, trailing }: ExitPlanTicket): boolean =>
  [...targets, breakeven?.after, trailing?.from, trailing?.distance].some(
    (level) => level?.r !== undefined,
  );
