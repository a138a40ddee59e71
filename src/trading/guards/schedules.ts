import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { EconomicCalendar } from "../../domain/guards/economic-calendar.ts";
import { missedFlat, nextRestriction, restrictionAt } from "../../domain/guards/restrictions.ts";
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

const SECOND_MS = 1_000;
const SHOWN_FOR_MS = 60_000;

interface Known<Of> {
  readonly calendars: CalendarsByName;
  readonly at: number;
  readonly found: Of;
}

/** Remembers what a rule says of a second: each quote asks for it. */
export function createSchedules(
  deps: Omit<ScheduleDeps, "calendars">,
  contractFor: (rule: ScheduleRule, at: number) => ContractCode | undefined,
): Schedules {
  const bySecond = new WeakMap<ScheduleRule, Map<ContractCode, Known<Restriction | undefined>>>();
  const shown = new WeakMap<ScheduleRule, Known<Restriction | undefined>>();
  return {
    restriction: (calendars, rule, contract, at) => {
      const known = bySecond.get(rule) ?? new Map<ContractCode, Known<Restriction | undefined>>();
      bySecond.set(rule, known);
      // Every rule begins and ends at a whole second.
      const second = Math.floor(at / SECOND_MS) * SECOND_MS;
      const last = known.get(contract);
      if (last?.at === second && last.calendars === calendars) return last.found;
      const found = restrictionAt(rule, contract, second, { ...deps, calendars });
      known.set(contract, { calendars, at: second, found });
      return found;
    },

    missed: (calendars, rule, contract, within) =>
      missedFlat(rule, contract, within, { ...deps, calendars }),

    next: (calendars, rule, at) => {
      const last = shown.get(rule);
      const isNew = last !== undefined && at - last.at < SHOWN_FOR_MS && at >= last.at;
      if (isNew && last.calendars === calendars) return last.found;
      const contract = contractFor(rule, at);
      const known = { ...deps, calendars };
      const found =
        contract &&
        (restrictionAt(rule, contract, at, known) ?? nextRestriction(rule, contract, at, known));
      shown.set(rule, { calendars, at, found });
      return found;
    },
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
