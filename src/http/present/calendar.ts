import type { EconomicEvent } from "../../domain/guards/economic-calendar.ts";
import type { CalendarView } from "../../trading/guards/calendar-uses.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";

/** How a calendar stands. */
export function presentCalendar({ calendar, state }: CalendarView) {
  return {
    name: calendar.name,
    savedAt: presentTime(calendar.savedAt),
    ageSeconds: Math.floor(state.ageMs / 1000),
    eventCount: calendar.events.length,
    lastEventAt: presentTimeOrNull(state.lastAt),
    nextEvent: state.next === undefined ? null : presentEvent(state.next),
    expiresAt: presentTime(state.expiresAt),
    isExpired: state.isExpired,
  };
}

export function presentEvent(event: EconomicEvent) {
  const { startsAt, endsAt, title, impact = null, products = null, currency = null } = event;
  return {
    start: presentTime(startsAt),
    end: presentTimeOrNull(endsAt),
    title,
    impact,
    products,
    currency,
  };
}
