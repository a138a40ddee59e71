import { formatScaled, parseDecimal, sumOf } from "../../../domain/contracts/decimal.ts";
import {
  formatTicks,
  parseTicks,
  tickSize as asTickSize,
  tickWorth,
  type Ticks,
} from "../../../domain/contracts/price.ts";
import type { ExitPlan, ExitPlanTicket, PlanLevel } from "../../../domain/exits/exit-plan.ts";
import { whole } from "../../../domain/exits/fraction.ts";
import {
  beyondPx,
  distanceOf,
  firstStopOf,
  firstStopPx,
  type PlanBase,
} from "../../../domain/exits/plan-levels.ts";
import { prepareExitPlan } from "../../../domain/exits/prepare-exit-plan.ts";
import { shareOut } from "../../../domain/exits/share-out.ts";

/** What a plan is looked at with. */
export interface LadderTerms {
  readonly side: "buy" | "sell";
  readonly qty: number;
  /** Exact decimals. */
  readonly tickSize: string;
  /** What one tick of one contract is worth; absent where it is not known. */
  readonly tickValue?: string;
  /** Where the entry fills; absent where nothing is said of it. */
  readonly entry?: string;
}

/** A place on the ladder. */
export interface Place {
  /** From the entry; positive where the trade wins. */
  readonly ticks: number;
  /** Undefined where the entry's price is not known. */
  readonly price?: string;
}

/** A target, in the order in which they are reached. */
export interface LadderStep {
  /** Its number in the plan: 1 for the first. */
  readonly target: number;
  /** Undefined where that follows from the entry's price, which is not known. */
  readonly at?: Place;
  readonly leaves: number;
  readonly heldAfter: number;
  /** What its contracts win there; exact, in the contract's currency. */
  readonly won?: string;
  /** Where the stop stands from then on, at the worst. */
  readonly stopAfter?: Place;
  /** All of the trade, if that stop is what comes next. */
  readonly ifStopped?: string;
}

/** A plan as it would be carried out for one quantity of one contract. */
export interface Ladder {
  readonly qty: number;
  readonly steps: readonly LadderStep[];
  /** What no target takes out: it runs until the stop, or until it is closed. */
  readonly runs: number;
  readonly hasStop: boolean;
  /** Undefined too where that follows from the entry's price, which is not known. */
  readonly stop?: Place;
  /** What is lost if all of it leaves at the stop: 0 or less where it is lost. */
  readonly atStop?: string;
  /** If every target is reached; without what runs on. */
  readonly wonInAll?: string;
  /** Where the stop goes to the entry, if that waits for a price. */
  readonly evenFrom?: Place;
  /** Where it begins to trail, if that waits for a price. */
  readonly trailsFrom?: Place;
  /** What of it cannot be drawn without the entry's price. */
  readonly needsEntry: boolean;
}

export type LadderReading =
  | { readonly kind: "drawn"; readonly ladder: Ladder }
  | { readonly kind: "problems"; readonly problems: readonly { path: string; message: string }[] };

/** Draws a plan by the arithmetic that carries it out, or says what the gateway would say against it. */
export function readLadder(ticket: ExitPlanTicket, terms: LadderTerms): LadderReading {
  const price = { tickSize: asTickSize(terms.tickSize), mayBeNegative: true };
  const plan = prepareExitPlan(ticket, price, "");
  if (!plan.ok) return { kind: "problems", problems: plan.problems };
  return { kind: "drawn", ladder: ladderOf(plan.value, terms) };
}

export function ladderOf(plan: ExitPlan, terms: LadderTerms): Ladder {
  const scale = scaleOf(plan, terms);
  const { qty } = terms;
  const first = firstStopOf(plan);
  const stop = first && scale.stop(first);
  const parts = shareOut(plan.targets, qty)
    .map(({ target, qty: leaves }) => ({ target, leaves, level: plan.targets[target]?.at }))
    .filter(({ level }) => level !== undefined);
  const reached = parts
    .map(({ target, leaves, level }) => ({ target, leaves, at: level && scale.beyond(level) }))
    .toSorted((one, other) => (one.at?.ticks ?? Infinity) - (other.at?.ticks ?? Infinity));
  const steps = stepsOf({ plan, scale, reached, qty, stop });
  const leaves = reached.reduce((sum, one) => sum + one.leaves, 0);
  const atStop = scale.worth(stop, qty);
  const wonInAll = addUp(steps.map(({ won }) => won));
  const { breakeven, trailing } = plan;
  const after = breakeven?.after;
  const evenFrom = after === undefined || after.by === "target" ? undefined : scale.beyond(after);
  const trailsFrom = trailing?.from && scale.beyond(trailing.from);
  const levels = [first, after, trailing?.from, ...plan.targets.map(({ at }) => at)];
  return {
    qty,
    steps,
    runs: qty - leaves,
    hasStop: first !== undefined,
    ...(stop !== undefined && { stop }),
    ...(atStop !== undefined && { atStop }),
    ...(steps.length > 0 && wonInAll !== undefined && { wonInAll }),
    ...(evenFrom !== undefined && { evenFrom }),
    ...(trailsFrom !== undefined && { trailsFrom }),
    needsEntry:
      !scale.knowsEntry &&
      levels.some((one) => one !== undefined && one.by !== "target" && scale.isRelative(one)),
  };
}

interface Reached {
  readonly target: number;
  readonly leaves: number;
  readonly at: Place | undefined;
}

interface Walk {
  readonly plan: ExitPlan;
  readonly scale: Scale;
  readonly reached: readonly Reached[];
  readonly qty: number;
  readonly stop: Place | undefined;
}

function stepsOf({ plan, scale, reached, qty, stop }: Walk): readonly LadderStep[] {
  let held = qty;
  let standing = stop;
  const won: (string | undefined)[] = [];
  return reached.map(({ target, leaves, at }) => {
    held -= leaves;
    const wins = scale.worth(at, leaves);
    won.push(wins);
    if (isEvenBy(plan, { target, at }, scale)) standing = scale.even(plan, standing);
    const rest = scale.worth(standing, held);
    const ifStopped = standing === undefined ? undefined : addUp([...won, rest]);
    return {
      target: target + 1,
      ...(at !== undefined && { at }),
      leaves,
      heldAfter: held,
      ...(wins !== undefined && { won: wins }),
      ...(held > 0 && standing !== undefined && { stopAfter: standing }),
      ...(held > 0 && ifStopped !== undefined && { ifStopped }),
    };
  });
}

/** Whether the stop is at the entry's price once that target is reached, if not before. */
function isEvenBy(
  { breakeven }: ExitPlan,
  { target, at }: Pick<Reached, "target" | "at">,
  scale: Scale,
): boolean {
  if (breakeven === undefined) return false;
  const { after } = breakeven;
  if (after.by === "target") return after.target === target + 1;
  const from = scale.beyond(after);
  return from !== undefined && at !== undefined && at.ticks >= from.ticks;
}

interface Scale {
  readonly knowsEntry: boolean;
  readonly stop: (level: PlanLevel) => Place | undefined;
  readonly beyond: (level: PlanLevel) => Place | undefined;
  /** Where the stop stands once it was moved to the entry. */
  readonly even: (plan: ExitPlan, standing: Place | undefined) => Place | undefined;
  readonly worth: (place: Place | undefined, qty: number) => string | undefined;
  /** Whether a level follows from the price at which the entry fills. */
  readonly isRelative: (level: PlanLevel) => boolean;
}

/** Counts in ticks from the entry, as far as that is possible without its price. */
function scaleOf(plan: ExitPlan, { side, tickSize, tickValue, entry }: LadderTerms): Scale {
  const size = asTickSize(tickSize);
  const entryPx = entry === undefined ? undefined : parseTicks(entry, size);
  const direction = side === "buy" ? 1 : -1;
  const base: PlanBase = {
    side: side === "buy" ? "BUY" : "SELL",
    tickValue,
    plan,
    // What is counted from the entry alone is as far away from any.
    entry: whole(entryPx ?? 0),
  };
  const first = firstStopOf(plan);
  const isRelative = (level: PlanLevel): boolean =>
    level.by === "price" ||
    level.by === "percent" ||
    (level.by === "r" && first !== undefined && first.by !== "r" && isRelative(first));
  const place = (px: number): Place => ({
    ticks: (px - (entryPx ?? 0)) * direction || 0,
    ...(entryPx !== undefined && { price: formatTicks(px as Ticks, size) }),
  });
  const counted = (level: PlanLevel, px: () => Ticks | undefined): Place | undefined => {
    if (entryPx === undefined && isRelative(level)) return undefined;
    if (distanceOf(level, base) === undefined) return undefined;
    const value = px();
    return value === undefined ? undefined : place(value);
  };
  return {
    knowsEntry: entryPx !== undefined,
    isRelative,
    stop: (level) => counted(level, () => firstStopPx(base)),
    beyond: (level) => counted(level, () => beyondPx(level, base)),
    even: ({ breakeven }, standing) => {
      const plus = breakeven?.plus ?? 0;
      if (standing !== undefined && standing.ticks >= plus) return standing;
      return place((entryPx ?? 0) + direction * plus);
    },
    worth: (at, qty) =>
      at === undefined || tickValue === undefined
        ? undefined
        : tickWorth(at.ticks * qty, tickValue),
  };
}

/** Undefined where one of them is not known. */
function addUp(amounts: readonly (string | undefined)[]): string | undefined {
  const known = amounts.flatMap((text) => (text === undefined ? [] : (parseDecimal(text) ?? [])));
  return known.length === amounts.length ? formatScaled(sumOf(...known), 2) : undefined;
}
