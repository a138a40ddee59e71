import type { Ticks } from "../contracts/price.ts";
import type { OrderReport } from "../order.ts";
import type { Quote } from "../quote.ts";
import type { PlanBase } from "./plan-levels.ts";
import { beyondPx, firstStopOf, firstStopPx } from "./plan-levels.ts";
import { isBetter, nextStopPx } from "./plan-stop.ts";
import type { PlannedPair, RunningPlan } from "./running-plan.ts";
import { shareOut, type Slot } from "./share-out.ts";

/** How a pair that was asked for stands: `open` while it may still come, or is not known. */
export type PairState = "unsent" | "open" | "standing" | "failed";

/** Whether a pair may still come: then no other one is asked for. */
export const isAdding = ({ pairStates }: Pick<PlanSight, "pairStates">): boolean =>
  pairStates.some((state) => state === "unsent" || state === "open");

/** What the broker shows of a plan in one moment: orders were read first, and positions after them. */
export interface PlanSight {
  readonly base: PlanBase;
  /** Its entry may still fill. */
  readonly isEntryWorking: boolean;
  /** All that its entry has filled. */
  readonly filledQty: number;
  /** What of that is held still. */
  readonly openQty: number;
  /** What is held of the contract, on the plan's side. */
  readonly heldQty: number;
  /** Live exits that came with the plan. */
  readonly firstLegs: readonly OrderReport[];
  /** How much of it these have closed. */
  readonly firstFilledQty: number;
  /** Live exits of its other pairs. */
  readonly pairLegs: readonly OrderReport[];
  /** Of each pair that was asked for. */
  readonly pairStates: readonly PairState[];
  /** Each pair in turn: whether the broker has shown its stop (without a stop: its target), alive or ended. */
  readonly hasStood: readonly boolean[];
  /** Live stops of the contract on the same side that are not the plan's, and targets. */
  readonly otherStopQty: number;
  readonly otherTargetQty: number;
  /** A fresh one. */
  readonly quote: Quote | undefined;
}

/** What is to be done next. Each of them can be done again without harm. */
export type PlanStep =
  | { readonly kind: "move"; readonly leg: OrderReport; readonly stopPx: Ticks }
  /** What its successor has taken over; 0 ends it. */
  | { readonly kind: "shrink"; readonly leg: OrderReport; readonly leavesQty: number }
  | { readonly kind: "add"; readonly pair: PlannedPair };

/**
 * Contracts of the plan that no stop is there for, although it has one; of one without a stop, no first
 * target. While its entry works its exits may still come, but where none has come so far.
 */
export function uncoveredQty(running: RunningPlan, sight: PlanSight): number {
  const { openQty, heldQty, otherStopQty, otherTargetQty, isEntryWorking } = sight;
  const isOnce = running.untilSeen === true;
  if ((isEntryWorking || isOnce) && running.isUnseen !== true) return 0;
  const legs = [...sight.firstLegs, ...sight.pairLegs];
  const most = isOnce ? unaskedQty(running, sight) : openQty;
  const left = (own: number, others: number) =>
    Math.max(0, Math.min(most, openQty - own, heldQty - own - others));
  if (firstStopOf(running.plan) !== undefined) return left(stopQtyOf(legs), otherStopQty);
  const isLost = lostSlot(running, sight) !== undefined;
  return isLost ? left(targetQtyOf(legs), otherTargetQty) : 0;
}

/** Contracts that no exit was placed for: one that has stood may have been ended by a person. */
export const unaskedQty = (running: RunningPlan, sight: PlanSight): number =>
  sight.filledQty - qtyOf(askedPairs(running, sight)) - (running.elsewhereQty ?? 0);

/**
 * Whether the exits of an order, which nothing but they was asked for, stand or have stood: its own, and not
 * others that happen to cover it.
 */
export function areOwnSeen(running: RunningPlan, sight: PlanSight): boolean {
  if (running.untilSeen !== true || sight.isEntryWorking || isAdding(sight)) return false;
  if (isHeldBack(running, sight) || splitSteps(running, sight).length > 0) return false;
  if (running.isUnseen !== true || unaskedQty(running, sight) <= 0) return true;
  const legs = [...sight.firstLegs, ...sight.pairLegs];
  const qtyIn = firstStopOf(running.plan) === undefined ? targetQtyOf : stopQtyOf;
  return sight.openQty > 0 && qtyIn(legs) >= sight.openQty;
}

/** Whether the target of an order was asked for, and is not there for all that is held of it. */
export const lacksTargets = ({ plan }: RunningPlan, sight: PlanSight): boolean =>
  plan.targets[0]?.at !== undefined &&
  targetQtyOf([...sight.firstLegs, ...sight.pairLegs]) < sight.openQty;

/** Whether a stop of it works further away than was asked, since the market had passed that. */
export function isHeldBack(running: RunningPlan, { base, pairLegs }: PlanSight): boolean {
  const asked = firstStopPx(base);
  const isWorse = (px: Ticks | undefined): boolean =>
    px !== undefined && asked !== undefined && isBetter(asked, px, base);
  return (
    running.pairs.some(({ stopLossPx }) => isWorse(stopLossPx)) &&
    pairLegs.some((leg) => isStop(leg) && isWorse(leg.stopPx))
  );
}

/** So many pairs are tried with the target that is to come with a stop. */
const TRIES_WITH_TARGET = 2;

/**
 * The pair that replaces stops that are gone. Targets come with it, part by part, if the exits that came with the
 * entry never worked; after two refusals, the stop comes alone.
 */
export function coveringPair(running: RunningPlan, sight: PlanSight, qty: number): PlannedPair {
  const slot = lostSlot(running, sight);
  const hasStop = firstStopOf(running.plan) !== undefined;
  const refused = sight.pairStates.filter((state) => state === "failed").length;
  if (slot !== undefined && (!hasStop || refused < TRIES_WITH_TARGET)) {
    return pairAt(running, sight, { ...slot, qty: Math.min(slot.qty, qty) });
  }
  const stopLossPx = stopFor(running, sight);
  return { qty, ...(stopLossPx !== undefined && { stopLossPx }) };
}

/** The next part whose target never worked, as far as no other target covers it. */
function lostSlot(running: RunningPlan, sight: PlanSight): Slot | undefined {
  if (running.isUnseen !== true) return undefined;
  const { openQty, heldQty, otherTargetQty, firstFilledQty } = sight;
  const own = targetQtyOf(sight.pairLegs);
  const most = Math.min(openQty - own, heldQty - own - otherTargetQty);
  return shareOut(running.plan.targets, sight.filledQty)
    .map((slot, nth) => {
      const asked = askedPairs(running, sight).filter(({ target }) => target === slot.target);
      const gone = qtyOf(asked) + (nth === 0 ? firstFilledQty : 0);
      return { ...slot, qty: Math.min(most, slot.qty - gone) };
    })
    .find(({ qty, target }) => qty > 0 && running.plan.targets[target]?.at !== undefined);
}

/** Those that are on their way, or have stood. */
const askedPairs = ({ pairs }: RunningPlan, { pairStates, hasStood }: PlanSight) =>
  pairs.filter(
    (_, nth) => pairStates[nth] !== "failed" && (pairStates[nth] !== "standing" || hasStood[nth]),
  );

const qtyOf = (pairs: readonly PlannedPair[]): number =>
  pairs.reduce((sum, { qty }) => sum + qty, 0);

/** The stops that are to be moved, all of a plan at once. */
export function stopMoves(running: RunningPlan, sight: PlanSight): readonly PlanStep[] {
  const stops = [...sight.firstLegs, ...sight.pairLegs].filter(isStop);
  return stops.flatMap((leg): PlanStep[] => {
    const { stopPx: now } = leg;
    const stopPx = nextStopPx(running, sight.base, { stopPx: now, quote: sight.quote });
    return stopPx === undefined ? [] : [{ kind: "move", leg, stopPx }];
  });
}

/**
 * How the exits that came with the plan, which are for all of it, become one pair a target: the
 * successor first, and once that stands they give up as much. Never two successors at once, so that
 * stops are for no more than one part more than is held, and never for less.
 */
export function splitSteps(running: RunningPlan, sight: PlanSight): readonly PlanStep[] {
  if (sight.isEntryWorking) return [];
  const shrinks = shrinkSteps(running, sight);
  if (shrinks.length > 0) return shrinks;
  if (isAdding(sight)) return [];
  const [first, ...rest] = shareOut(running.plan.targets, sight.filledQty);
  if (first === undefined) return [];
  const isThere = ({ target }: Slot) =>
    running.pairs.some((pair, nth) => pair.target === target && stands(sight, nth));
  const next = rest.find((slot) => !isThere(slot));
  const replaced = running.pairs.filter(
    ({ target }, nth) => target === first.target && stands(sight, nth),
  );
  const stays = Math.max(0, first.qty - sight.firstFilledQty - qtyOf(replaced));
  const qty = Math.min(next?.qty ?? 0, stopQtyOf(sight.firstLegs) - stays);
  if (next === undefined || qty <= 0) return [];
  return [{ kind: "add", pair: pairAt(running, sight, { ...next, qty }) }];
}

function shrinkSteps(running: RunningPlan, sight: PlanSight): readonly PlanStep[] {
  const taken = running.pairs.filter(
    ({ target }, nth) => (target !== undefined || running.untilSeen === true) && stands(sight, nth),
  );
  if (taken.length === 0) return [];
  const leavesQty = Math.max(0, sight.filledQty - qtyOf(taken) - sight.firstFilledQty);
  // The stop first: until it is smaller, together they could close more than is held.
  const legs = sight.firstLegs.toSorted((a, b) => Number(isStop(b)) - Number(isStop(a)));
  return legs.flatMap((leg): PlanStep[] =>
    leg.leavesQty > leavesQty ? [{ kind: "shrink", leg, leavesQty }] : [],
  );
}

const stands = ({ pairStates }: PlanSight, nth: number): boolean => pairStates[nth] === "standing";

function pairAt(running: RunningPlan, sight: PlanSight, { target, qty }: Slot): PlannedPair {
  const at = running.plan.targets[target]?.at;
  const takeProfitPx = at && beyondPx(at, sight.base);
  const stopLossPx = stopFor(running, sight);
  return {
    target,
    qty,
    ...(takeProfitPx !== undefined && { takeProfitPx }),
    ...(stopLossPx !== undefined && { stopLossPx }),
  };
}

/** Where the plan's stops are, or are to go: what a person has moved nearer stays there. */
function stopFor(running: RunningPlan, sight: PlanSight): Ticks | undefined {
  const { base, quote } = sight;
  const standing = [...sight.firstLegs, ...sight.pairLegs]
    .filter(isStop)
    .map(({ stopPx }) => stopPx)
    .filter((px) => px !== undefined)
    .reduce<Ticks | undefined>(
      (best, px) => (best === undefined || isBetter(px, best, base) ? px : best),
      undefined,
    );
  return nextStopPx(running, base, { stopPx: standing, quote }) ?? standing;
}

export const isStop = ({ role }: Pick<OrderReport, "role">): boolean => role === "STOP_LOSS";

export const stopQtyOf = (legs: readonly OrderReport[]): number => leavesOf(legs.filter(isStop));

export const targetQtyOf = (legs: readonly OrderReport[]): number =>
  leavesOf(legs.filter(({ role }) => role === "TAKE_PROFIT"));

const leavesOf = (legs: readonly OrderReport[]): number =>
  legs.reduce((sum, { leavesQty }) => sum + leavesQty, 0);

/** What take-profits have filled: those that came with the plan, and those of each of its pairs. */
export interface TargetFills {
  readonly filledQty: number;
  readonly first: number;
  readonly pairs: readonly number[];
}

/** Whether a target was reached: all that was to leave there has. */
export function isTargetFilled(
  running: RunningPlan,
  target: number,
  { filledQty, first, pairs }: TargetFills,
): boolean {
  const slots = shareOut(running.plan.targets, filledQty);
  if (slots[0]?.target === target && first >= slots[0].qty) return true;
  return running.pairs.some((pair, nth) => pair.target === target && (pairs[nth] ?? 0) >= pair.qty);
}
