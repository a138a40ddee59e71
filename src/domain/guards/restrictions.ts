import type { ContractCode } from "../contracts/contract.ts";
import { outsideWindows } from "./entry-windows.ts";
import { flatBeforeRollTime } from "./flat-before-roll.ts";
import { flatBeforeCloseTimes, flatByTimes } from "./flat-times.ts";
import { newsTimes } from "./news-times.ts";
import type { ScheduleDeps, Span } from "./schedule-deps.ts";
import { rankOf, type Restriction, type ScheduleRule } from "./schedule-rule.ts";

const DAY_MS = 86_400_000;
const LOOK_AHEAD_MS = 8 * DAY_MS;
/** A rule for holidays may not have asked for anything for months. */
const LOOK_BACK_MS = 400 * DAY_MS;
const STEP_MS = 8 * DAY_MS;
const HOLDS_MS = DAY_MS / 4;

/** Everything that a rule forbids for a contract at some time of a stretch. */
function restrictionsIn(
  rule: ScheduleRule,
  contract: ContractCode,
  span: Span,
  deps: ScheduleDeps,
): Restriction[] {
  switch (rule.kind) {
    case "window":
      return outsideWindows(rule, span);
    case "flatBy":
      return flatByTimes(rule, contract, span, deps);
    case "flatBeforeClose":
      return flatBeforeCloseTimes(rule, contract, span, deps);
    case "flatBeforeRoll":
      return [flatBeforeRollTime(rule, contract, deps)].filter(({ since }) => since <= span.to);
    case "news":
      return newsTimes(rule, contract, span, deps);
  }
}

/** What a rule forbids for a contract at an instant (Unix ms); the strictest where several hold. */
export function restrictionAt(
  rule: ScheduleRule,
  contract: ContractCode,
  at: number,
  deps: ScheduleDeps,
): Restriction | undefined {
  return strictest(restrictionsIn(rule, contract, { from: at, to: at }, deps));
}

/** What a rule forbids, and the first instant (Unix ms) at which that may be another. */
export interface Held {
  readonly restriction: Restriction | undefined;
  readonly holdsUntil: number;
}

/**
 * As `restrictionAt`, and how long it stays so: nothing begins or ends before `holdsUntil`, which is six
 * hours ahead at most.
 */
export function restrictionUntil(
  rule: ScheduleRule,
  contract: ContractCode,
  at: number,
  deps: ScheduleDeps,
): Held {
  const span = { from: at, to: at + HOLDS_MS };
  const found = restrictionsIn(rule, contract, span, deps);
  const bounds = found.flatMap(({ since, until }) => [since, until]).filter((one) => one > at);
  return {
    restriction: strictest(found.filter(({ since, until }) => since <= at && at < until)),
    holdsUntil: Math.min(span.to, ...bounds),
  };
}

const strictest = (restrictions: readonly Restriction[]): Restriction | undefined =>
  restrictions.reduce<Restriction | undefined>(
    (worst, one) => (worst === undefined || isStricter(one, worst) ? one : worst),
    undefined,
  );

function isStricter(one: Restriction, other: Restriction): boolean {
  const rank = rankOf(one.forbids) - rankOf(other.forbids);
  return rank > 0 || (rank === 0 && one.until > other.until);
}

/**
 * The newest instant in (after, at] at which the contract's position had to be flat by the clock, a
 * close or a roll: what a process that was down has missed. News are not made up for.
 */
export function missedFlat(
  rule: ScheduleRule,
  contract: ContractCode,
  { after, at }: { readonly after: number; readonly at: number },
  deps: ScheduleDeps,
): number | undefined {
  if (rule.kind === "window" || rule.kind === "news") return undefined;
  const earliest = Math.max(after, at - LOOK_BACK_MS);
  for (let to = at; to > earliest; to -= STEP_MS) {
    const span = { from: Math.max(earliest, to - STEP_MS), to };
    const missed = restrictionsIn(rule, contract, span, deps)
      .filter(({ forbids, since }) => forbids === "positions" && since > after && since <= at)
      .map(({ since }) => since);
    if (missed.length > 0) return Math.max(...missed);
  }
  return undefined;
}

/** The next restriction that begins after an instant, within 8 days; for display. */
export function nextRestriction(
  rule: ScheduleRule,
  contract: ContractCode,
  at: number,
  deps: ScheduleDeps,
): Restriction | undefined {
  const span = { from: at, to: at + LOOK_AHEAD_MS };
  return restrictionsIn(rule, contract, span, deps)
    .filter(({ since }) => since > at)
    .reduce<Restriction | undefined>((first, one) => {
      if (first === undefined || one.since < first.since) return one;
      return one.since === first.since && isStricter(one, first) ? one : first;
    }, undefined);
}
