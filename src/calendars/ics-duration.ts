import { firstInstantOf, toLocal } from "../domain/calendar/local-time.ts";

const DAY_MS = 86_400_000;
const WRITTEN =
  /^\+?P(?=.)(?:(\d{1,3})W)?(?:(\d{1,3})D)?(?:T(?=.)(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?$/;

/** The start of an event, from which its duration counts. */
interface DurationStart {
  readonly startsAt: number;
  readonly zone: string;
  /** It begins with a day: then it lasts whole days. */
  readonly isDay: boolean;
}

/**
 * The instant so long after a start; undefined where the text is no duration of RFC 5545, or a negative
 * one. Days and weeks are of the calendar: on the day that clocks change, a day has 23 or 25 hours.
 */
export function addDuration(
  text: string,
  { startsAt, zone, isDay }: DurationStart,
): number | undefined {
  const match = WRITTEN.exec(text);
  if (match === null) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  const exactMs = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  if (isDay && exactMs > 0) return undefined;
  const wholeDays = weeks * 7 + days;
  if (wholeDays === 0) return startsAt + exactMs;
  return firstInstantOf(zone, toLocal(zone, startsAt) + wholeDays * DAY_MS) + exactMs;
}
