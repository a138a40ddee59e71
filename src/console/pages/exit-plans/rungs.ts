import { amountText, countText, moneyText } from "../../parts/figure-text.ts";
import type { Ladder, LadderStep, LadderTerms, Place } from "./ladder.ts";

/** A line of the picture. */
export interface Rung {
  readonly kind: "entry" | "target" | "stop" | "moved" | "waypoint";
  /** From the entry; undefined where that is not known. */
  readonly ticks?: number;
  readonly title: string;
  /** What happens there, and what is held then. */
  readonly detail: string;
  /** What is held beyond it, seen from the entry. */
  readonly heldBeyond?: number;
}

/** What of the looking is said in words. */
export interface LadderWords extends LadderTerms {
  readonly currency: string;
}

/** Every line, from the furthest target to the stop; what has no known place comes first. */
export function rungsOf(ladder: Ladder, terms: LadderWords): readonly Rung[] {
  const targets = ladder.steps.map((step) => targetRung(step, terms)).toReversed();
  const waypoints = [
    ...waypoint(ladder.evenFrom, "From here on the stop is at the entry"),
    ...waypoint(ladder.trailsFrom, "From here on the stop trails"),
  ];
  const all = [
    ...targets,
    ...waypoints,
    entryRung(ladder, terms),
    ...movedRungs(ladder),
    ...stopRung(),
  ];
  return all.toSorted((one, other) => (other.ticks ?? Infinity) - (one.ticks ?? Infinity) || 0);

  function stopRung(): readonly Rung[] {
    const { stop, qty } = ladder;
    if (stop === undefined) return [];
    const detail = `${leaveText(qty)}${moneyPart(ladder.atStop, terms.currency)}`;
    return [{ kind: "stop", ticks: stop.ticks, title: `Stop: ${placeText(stop)}`, detail }];
  }
}

function targetRung(step: LadderStep, { currency }: LadderWords): Rung {
  const { at, heldAfter, leaves, target, won } = step;
  const held = heldAfter === 0 ? "nothing held" : `${heldAfter} held`;
  return {
    kind: "target",
    ...(at !== undefined && { ticks: at.ticks }),
    title: `Target ${target}: ${placeText(at)}`,
    detail: `${leaveText(leaves)}, ${held}${moneyPart(won, currency)}`,
    heldBeyond: heldAfter,
  };
}

function entryRung({ qty }: Ladder, { side, entry }: LadderWords): Rung {
  const at = entry === undefined ? "" : ` at ${entry}`;
  return {
    kind: "entry",
    ticks: 0,
    title: `Entry: ${side} ${qty}${at}`,
    detail: `${qty} held`,
    heldBeyond: qty,
  };
}

/** Where the stop is moved to, once for each place. */
function movedRungs({ steps, stop }: Ladder): readonly Rung[] {
  const seen = new Set([stop?.ticks]);
  return steps.flatMap(({ stopAfter, target }) => {
    if (stopAfter === undefined || seen.has(stopAfter.ticks)) return [];
    seen.add(stopAfter.ticks);
    const title = `Stop after target ${target}: ${placeText(stopAfter)}`;
    return [{ kind: "moved" as const, ticks: stopAfter.ticks, title, detail: "" }];
  });
}

const waypoint = (at: Place | undefined, title: string): readonly Rung[] =>
  at === undefined ? [] : [{ kind: "waypoint", ticks: at.ticks, title, detail: placeText(at) }];

const leaveText = (qty: number): string => `${qty} ${qty === 1 ? "leaves" : "leave"}`;

const moneyPart = (amount: string | undefined, currency: string): string =>
  amount === undefined ? "" : `: ${resultText(amount, currency)}`;

/** What was won or lost; the text is exact, and so is the number of what is paid in cents. */
export const resultText = (amount: string, currency: string): string =>
  moneyText(Number(amount), currency);

/** The same without its currency. */
export const signed = (amount: string | undefined): string =>
  amount === undefined ? "–" : amount.startsWith("-") ? amount : `+${amount}`;

/** What may be lost: a risk has no sign. */
export function riskText(amount: string, currency: string): string {
  const lost = -Number(amount);
  return lost > 0 ? amountText(lost, currency) : `nothing (${resultText(amount, currency)})`;
}

/** "+40 ticks, 25010.00": from the entry, positive where the trade wins. */
export function placeText(at: Place | undefined): string {
  if (at === undefined) return "follows from the entry's price";
  const sign = at.ticks > 0 ? "+" : at.ticks < 0 ? "−" : "";
  const ticks = `${sign}${countText(Math.abs(at.ticks), "tick")}`;
  return at.price === undefined ? ticks : `${ticks}, ${at.price}`;
}

/** The least distance between two lines, so that no words cover others. */
const GAP = 40;
const TOP = 24;
/** What all lines share, where there are few. */
const HEIGHT = 240;

/**
 * How far down each line is: as far apart as their prices, and never nearer than words need. `ticks`
 * falls or stays from line to line; what is not known is above all else.
 */
export function heightsOf(ticks: readonly (number | undefined)[]): readonly number[] {
  const known = ticks.filter((one) => one !== undefined);
  const most = Math.max(...known);
  const least = Math.min(...known);
  const unknown = (ticks.length - known.length) * GAP;
  let before = TOP - GAP;
  return ticks.map((one) => {
    const exact =
      one === undefined || most === least
        ? 0
        : TOP + unknown + ((most - one) / (most - least)) * HEIGHT;
    before = Math.round(Math.max(before + GAP, exact));
    return before;
  });
}

export const totalHeight = (heights: readonly number[]): number =>
  (heights.at(-1) ?? TOP) + GAP - 8;
