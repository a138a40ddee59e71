import type { EconomicCalendar, EconomicEvent } from "./economic-calendar.ts";
import { isAbout } from "./news-times.ts";
import type { Span } from "./schedule-deps.ts";
import type { NewsRule } from "./schedule-rule.ts";

/**
 * The events of a calendar that a rule waits for in a stretch, and that another one in its place would
 * take from it: none of its begins with it, lasts as long, and concerns all that it concerns.
 */
export function takenAway(
  rule: NewsRule,
  former: EconomicCalendar,
  next: EconomicCalendar | undefined,
  { from, to }: Span,
): readonly EconomicEvent[] {
  const kept = next?.events.filter((event) => isAbout(rule, event)) ?? [];
  return former.events.filter((event) => {
    const since = event.startsAt - rule.beforeSeconds * 1000;
    const until = endOf(event) + rule.afterSeconds * 1000;
    const isWaitedFor = since < to && until > from && isAbout(rule, event);
    return isWaitedFor && !kept.some((one) => holds(one, event));
  });
}

const endOf = ({ startsAt, endsAt }: EconomicEvent): number => endsAt ?? startsAt;

const holds = (one: EconomicEvent, event: EconomicEvent): boolean =>
  one.startsAt <= event.startsAt &&
  endOf(one) >= endOf(event) &&
  (one.products === undefined ||
    (event.products?.every((product) => one.products?.includes(product)) ?? false));
