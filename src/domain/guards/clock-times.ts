import { type CivilDay, weekdayOf } from "../calendar/civil-day.ts";
import { firstInstantOf, toLocal } from "../calendar/local-time.ts";
import { type LocalTime, WEEKDAYS, type WeekdayName } from "./schedule-rule.ts";

const DAY_MS = 86_400_000;

const LOCAL_TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;

/** A time of day in ms since midnight; undefined for text that is none. */
export function parseLocalTime(text: string): number | undefined {
  const match = LOCAL_TIME.exec(text);
  if (match === null) return undefined;
  const [, hour, minute, second = "0"] = match;
  return ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
}

/** The same for a rule's time, which was checked when it was saved. */
export function msOfDay(time: LocalTime): number {
  const ms = parseLocalTime(time);
  if (ms === undefined) throw new Error(`"${time}" is no time of day`);
  return ms;
}

/** The instant of a time on a day: one that is left out when clocks change is its first valid instant. */
export const instantOn = (zone: string, day: number, time: LocalTime): number =>
  firstInstantOf(zone, day * DAY_MS + msOfDay(time));

export const dayAt = (zone: string, instant: number): CivilDay =>
  Math.floor(toLocal(zone, instant) / DAY_MS) as CivilDay;

export const weekdayName = (day: CivilDay): WeekdayName => WEEKDAYS[weekdayOf(day) - 1] ?? "mon";

/** The days of a zone that a stretch touches, and so many before and after it. */
export function daysAround(
  zone: string,
  { from, to }: { readonly from: number; readonly to: number },
  margin: number,
): CivilDay[] {
  const first = dayAt(zone, from) - margin;
  const count = dayAt(zone, to) + margin - first + 1;
  return Array.from({ length: count }, (_, index) => (first + index) as CivilDay);
}

/** An instant on the clocks of a zone, for example "2026-11-27 12:15". */
export function clockText(zone: string, instant: number): string {
  const text = new Date(toLocal(zone, instant)).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, text.endsWith(":00.000Z") ? 16 : 19)}`;
}

/** Seconds as one would say them, for example "5 min" or "90 s". */
export function durationText(seconds: number): string {
  return seconds > 0 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
