import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { EconomicCalendar } from "../../domain/guards/economic-calendar.ts";
import { missedFlat, nextRestriction, restrictionUntil } from "../../domain/guards/restrictions.ts";
import type { ScheduleDeps } from "../../domain/guards/schedule-deps.ts";
import type { Restriction, ScheduleRule } from "../../domain/guards/schedule-rule.ts";

export type CalendarsByName = ReadonlyMap<string, EconomicCalendar>;

/** What schedules say of a contract, by the hours, holidays and calendars that are known. Unix ms. */
export interface Schedules {
  readonly restriction: (
    calendars: CalendarsByName,
    rule: ScheduleRule,
    contract: ContractCode,
    at: number,
  ) => Restriction | undefined;
  readonly missed: (
    calendars: CalendarsByName,
    rule: ScheduleRule,
    contract: ContractCode,
    within: { readonly after: number; readonly at: number },
  ) => number | undefined;
  /** What holds of some contract that the rule concerns, or else what comes next, for showing. */
  readonly next: (
    calendars: CalendarsByName,
    rule: ScheduleRule,
    at: number,
  ) => Restriction | undefined;
}

const SHOWN_FOR_MS = 60_000;
/** Of each calendar, and of all rules without one; forgotten at once beyond, and worked out again. */
const MOST_KNOWN = 20_000;

/** What holds from an instant until another one, which is no more part of it. */
interface Known {
  readonly from: number;
  readonly until: number;
  readonly found: Restriction | undefined;
}

/**
 * Remembers what a rule says until that may be another: each quote asks for it. Accounts whose rules say
 * the same share what is known.
 */
export function createSchedules(
  deps: Omit<ScheduleDeps, "calendars">,
  contractFor: (rule: ScheduleRule, at: number) => ContractCode | undefined,
): Schedules {
  const nameOf = createContentNames();
  const held = createMemory(nameOf);
  const shown = createMemory(nameOf);

  function heldAt(
    calendars: CalendarsByName,
    rule: ScheduleRule,
    contract: ContractCode,
    at: number,
  ): Known {
    return held.at({ calendars, rule, at, about: contract }, () => {
      const answer = restrictionUntil(rule, contract, at, { ...deps, calendars });
      return { from: at, until: answer.holdsUntil, found: answer.restriction };
    });
  }

  return {
    restriction: (calendars, rule, contract, at) => heldAt(calendars, rule, contract, at).found,

    missed: (calendars, rule, contract, { after, at }) => {
      // Nothing begins while an answer holds.
      if (heldAt(calendars, rule, contract, at).from <= after) return undefined;
      return missedFlat(rule, contract, { after, at }, { ...deps, calendars });
    },

    next: (calendars, rule, at) =>
      shown.at({ calendars, rule, at, about: "" }, () => {
        const contract = contractFor(rule, at);
        if (contract === undefined) return { from: at, until: at + SHOWN_FOR_MS, found: undefined };
        const now = heldAt(calendars, rule, contract, at);
        const found = now.found ?? nextRestriction(rule, contract, at, { ...deps, calendars });
        return { from: at, until: Math.min(now.until, at + SHOWN_FOR_MS), found };
      }).found,
  };
}

/** What is asked of a rule: of a contract, or what it shows. */
interface Asked {
  readonly calendars: CalendarsByName;
  readonly rule: ScheduleRule;
  readonly about: string;
  readonly at: number;
}

/** By what rules say and by the calendar that they ask: one that is saved anew is another object. */
function createMemory(nameOf: (rule: ScheduleRule) => string) {
  const byCalendar = new WeakMap<object, Map<string, Known>>();
  return {
    at({ calendars, rule, about, at }: Asked, workOut: () => Known): Known {
      const calendar = (rule.kind === "news" && calendars.get(rule.calendar)) || NO_CALENDAR;
      const known = byCalendar.get(calendar) ?? new Map<string, Known>();
      byCalendar.set(calendar, known);
      const key = `${about} ${nameOf(rule)}`;
      const last = known.get(key);
      if (last !== undefined && last.from <= at && at < last.until) return last;
      if (known.size >= MOST_KNOWN) known.clear();
      const found = workOut();
      known.set(key, found);
      return found;
    },
  };
}

const NO_CALENDAR = {};

/** A short name of what a rule says, without what makes it a guard of one account. */
function createContentNames(): (rule: ScheduleRule) => string {
  const byRule = new WeakMap<ScheduleRule, string>();
  const byText = new Map<string, string>();
  let last = 0;
  return (rule) => {
    const known = byRule.get(rule);
    if (known !== undefined) return known;
    const text = JSON.stringify({ ...rule, id: undefined, mode: undefined, lock: undefined });
    if (byText.size >= MOST_KNOWN) byText.clear();
    // Never given twice: what was remembered of a forgotten name is of nobody any more.
    const name = byText.get(text) ?? String((last += 1));
    byText.set(text, name);
    byRule.set(rule, name);
    return name;
  };
}

export const isSchedule = <Rule extends { readonly kind: string }>(
  rule: Rule,
): rule is Rule & ScheduleRule => SCHEDULES.has(rule.kind);

const SCHEDULES: ReadonlySet<string> = new Set<ScheduleRule["kind"]>([
  "window",
  "flatBy",
  "flatBeforeClose",
  "flatBeforeRoll",
  "news",
]);
