export const EVENT_IMPACTS = ["low", "medium", "high", "holiday"] as const;
export type EventImpact = (typeof EVENT_IMPACTS)[number];

/** A figure that is published, a decision, a holiday. What is absent was not said. */
export interface EconomicEvent {
  /** Unix ms. */
  readonly startsAt: number;
  /** The first instant after it: of one without a time of day after its day, of others where it is said. */
  readonly endsAt?: number;
  readonly title: string;
  readonly impact?: EventImpact;
  /** Roots that it concerns, and no others. */
  readonly products?: readonly string[];
  /** The currency it moves, for example "USD". */
  readonly currency?: string;
}

/** A calendar as a user has saved it. */
export interface EconomicCalendar {
  readonly name: string;
  readonly savedAt: number;
  /** By their start. */
  readonly events: readonly EconomicEvent[];
}

/** How up to date a calendar is. */
export interface CalendarState {
  readonly lastAt: number | undefined;
  readonly next: EconomicEvent | undefined;
  /** Since it was saved, in ms. */
  readonly ageMs: number;
  /** From when on nothing is known: a day after its last event; 0 for one without events. */
  readonly expiresAt: number;
  readonly isExpired: boolean;
}

const DAY_MS = 86_400_000;
/** No event of a calendar lasts longer, so no rule has to look further back. */
export const MOST_EVENT_MS = 31 * DAY_MS;

/** How a calendar stands: nobody fills it up by itself. */
export function calendarStateOf(calendar: EconomicCalendar, now: number): CalendarState {
  const { events, savedAt } = calendar;
  const last = events.at(-1);
  const lastAt = last?.startsAt;
  const expiresAt = last === undefined ? 0 : Math.max(last.startsAt + DAY_MS, last.endsAt ?? 0);
  return {
    lastAt,
    next: events[firstAtOrAfter(events, now)],
    ageMs: Math.max(0, now - savedAt),
    expiresAt,
    isExpired: now >= expiresAt,
  };
}

/** The index of the first event that starts at or after an instant. */
export function firstAtOrAfter(events: readonly EconomicEvent[], instant: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.startsAt ?? 0) < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}
