export const EVENT_IMPACTS = ["low", "medium", "high", "holiday"] as const;
export type EventImpact = (typeof EVENT_IMPACTS)[number];

/** A figure that is published, a decision, a holiday. What is absent was not said. */
export interface EconomicEvent {
  /** Unix ms. */
  readonly startsAt: number;
  /** Of one without a time of day: the first instant after its day. */
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

/** How a calendar stands: nobody fills it up by itself. */
export function calendarStateOf(calendar: EconomicCalendar, now: number): CalendarState {
  const { events, savedAt } = calendar;
  const lastAt = events.at(-1)?.startsAt;
  const expiresAt = lastAt === undefined ? 0 : lastAt + DAY_MS;
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
