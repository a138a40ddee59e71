import { addDays, parseIsoDate } from "../domain/calendar/civil-day.ts";
import { firstInstantOf } from "../domain/calendar/local-time.ts";
import { parseLocalTime } from "../domain/guards/clock-times.ts";

const DAY_MS = 86_400_000;

/** When something is; what has no time of day takes its whole day. */
export interface EventTime {
  readonly startsAt: number;
  readonly endsAt?: number;
}

const WRITTEN =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Reads "2026-12-10", "2026-12-10 08:30" or "2026-12-10T08:30:00-05:00"; without an offset it is in the
 * zone. Undefined for anything else.
 */
export function readTime(text: string, zone: string): EventTime | undefined {
  const [, date = "", time, offset] = WRITTEN.exec(text) ?? [];
  const day = parseIsoDate(date);
  if (day === undefined) return undefined;
  if (time === undefined) {
    const startsAt = firstInstantOf(zone, day * DAY_MS);
    return { startsAt, endsAt: firstInstantOf(zone, addDays(day, 1) * DAY_MS) };
  }
  const ofDay = parseLocalTime(time);
  if (ofDay === undefined) return undefined;
  const local = day * DAY_MS + ofDay;
  if (offset === undefined) return { startsAt: firstInstantOf(zone, local) };
  const ahead = offsetMs(offset);
  return ahead === undefined ? undefined : { startsAt: local - ahead };
}

function offsetMs(offset: string): number | undefined {
  if (offset === "Z") return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  if (hours > 14 || minutes > 59) return undefined;
  return (hours * 60 + minutes) * 60_000 * (offset.startsWith("-") ? -1 : 1);
}
