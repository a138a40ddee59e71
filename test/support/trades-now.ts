import { createScheduleLookups, type ScheduleLookups } from "../../src/app/schedule-lookups.ts";
import { addDays, type CivilDay } from "../../src/domain/calendar/civil-day.ts";
import type { Session } from "../../src/domain/calendar/session-close.ts";

const DAY_MS = 86_400_000;

/** Sessions of 24 hours, one after another. This one began twelve hours ago, and ends in twelve. */
export function tradesNow(): ScheduleLookups {
  const firstOpensAt = (Date.now() + DAY_MS / 2) % DAY_MS;
  const onDay = (day: CivilDay): Session => {
    const opensAt = day * DAY_MS + firstOpensAt;
    return { day, opensAt, closesAt: opensAt + DAY_MS, isEarly: false, pauses: [] };
  };
  const dayAt = (instant: number) => Math.floor((instant - firstOpensAt) / DAY_MS) as CivilDay;
  const sessions = {
    timeZone: "UTC",
    areGuessed: false,
    onDay,
    at: (instant: number) => ({ kind: "open", session: onDay(dayAt(instant)) }) as const,
    next: ({ day }: Session) => onDay(addDays(day, 1)),
  };
  return { ...createScheduleLookups(), sessionsOf: () => sessions };
}
