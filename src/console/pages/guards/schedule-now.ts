import type { GuardState, Restriction, Rule, RuleKind } from "./types.ts";

const SCHEDULES: ReadonlySet<RuleKind> = new Set<RuleKind>([
  "window",
  "flatBy",
  "flatBeforeClose",
  "flatBeforeRoll",
  "news",
]);

/** Whether a rule goes by the clock, and has no figure. */
export const isSchedule = ({ kind }: Rule): boolean => SCHEDULES.has(kind);

/** What a schedule forbids now; undefined where it comes later, or is over since it was told. */
export function restrictionNow({ upcoming }: GuardState, now: number): Restriction | undefined {
  if (upcoming === null || Date.parse(upcoming.from) > now) return undefined;
  const isOver = upcoming.until !== null && Date.parse(upcoming.until) <= now;
  return isOver ? undefined : upcoming;
}

/** What schedules keep out now, each with its rule; those that only tell keep nothing out. */
export const closedNow = (rules: readonly GuardState[], now: number) =>
  rules.flatMap((state) => {
    const restriction = restrictionNow(state, now);
    return restriction === undefined || state.rule.mode === "shadow"
      ? []
      : [{ rule: state.rule, restriction }];
  });
