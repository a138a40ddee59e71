import type { EconomicCalendar } from "../../domain/guards/economic-calendar.ts";
import type { UserId } from "../../domain/ids.ts";
import type { Calendars, CalendarStore } from "./calendar-ports.ts";

/** A change that nobody heard of is seen so much later. */
const LOOK_MS = 2_000;
const MOST_USERS = 1_000;

interface Remembered {
  readonly version: number;
  readonly calendars: ReadonlyMap<string, EconomicCalendar>;
  lookedAt: number;
}

/** Calendars as this process remembers them. */
export interface CalendarMemory extends Calendars {
  /** Of a change, maybe by another process: each user's are looked at again before they are used. */
  readonly doubt: () => void;
}

/**
 * Remembers what users' calendars say, since rules ask with each order and each second. Whether it is
 * still so is asked by a number every two seconds; a store that does not answer is an error.
 */
export function createCalendarMemory({
  store,
  elapsed,
}: {
  readonly store: Pick<CalendarStore, "read" | "version">;
  /** A clock in ms that is never set. */
  readonly elapsed: () => number;
}): CalendarMemory {
  const known = new Map<UserId, Remembered>();

  async function load(user: UserId, version: number, lookedAt: number): Promise<Remembered> {
    const all = await store.read(user);
    const calendars = new Map(all.map((calendar) => [calendar.name, calendar]));
    if (known.size >= MOST_USERS) known.clear();
    const remembered = { version, calendars, lookedAt };
    known.set(user, remembered);
    return remembered;
  }

  return {
    of: async (user) => {
      const last = known.get(user);
      const now = elapsed();
      if (last !== undefined && now - last.lookedAt < LOOK_MS) return last.calendars;
      // Asked first: what is written meanwhile has a later number, and is read again.
      const version = await store.version(user);
      if (last?.version === version) {
        last.lookedAt = now;
        return last.calendars;
      }
      return (await load(user, version, now)).calendars;
    },
    doubt: () => {
      for (const remembered of known.values()) remembered.lookedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
