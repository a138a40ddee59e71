import {
  calendarStateOf,
  type CalendarState,
  type EconomicCalendar,
} from "../../domain/guards/economic-calendar.ts";
import { errors, type Problem } from "../../errors.ts";
import type { Caller } from "../people/caller.ts";
import type { CalendarFormat, CalendarReading, LeftOut, ReadCalendar } from "./calendar-ports.ts";
import { createHoldCalendar, type HoldCalendarDeps } from "./hold-calendar.ts";

export const MOST_CALENDARS = 20;
/** Of a file, in bytes of UTF-8. */
export const CALENDAR_BYTES = 512 * 1024;

/** A calendar and how it stands. */
export interface CalendarView {
  readonly calendar: EconomicCalendar;
  readonly state: CalendarState;
}

/** A calendar that was just saved, and what of its file is not in it. */
export interface SavedCalendar extends CalendarView {
  readonly format: CalendarFormat;
  readonly leftOut: readonly LeftOut[];
}

/** A user's economic calendars. They are only ever what the user has given. */
export interface CalendarUses {
  readonly listCalendars: (caller: Caller) => Promise<readonly CalendarView[]>;
  readonly findCalendar: (caller: Caller, name: string) => Promise<CalendarView>;
  /**
   * Replaces one of that name. A file of which any line cannot be read changes nothing; nor does one that
   * would take an event of today from a hard rule. The same holds for removing it.
   */
  readonly saveCalendar: (
    caller: Caller,
    name: string,
    file: { readonly text: string; readonly zone: string },
  ) => Promise<SavedCalendar>;
  readonly removeCalendar: (caller: Caller, name: string) => Promise<void>;
}

export interface CalendarUsesDeps extends HoldCalendarDeps {
  readonly readCalendar: ReadCalendar;
}

export function createCalendarUses(deps: CalendarUsesDeps): CalendarUses {
  const { calendars, readCalendar } = deps;
  const requireFree = createHoldCalendar(deps);
  const view = (calendar: EconomicCalendar, now: number): CalendarView => ({
    calendar,
    state: calendarStateOf(calendar, now),
  });

  return {
    listCalendars: async ({ userId, receivedAt }) => {
      const all = await calendars.read(userId);
      return all.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((one) => view(one, receivedAt));
    },

    findCalendar: async ({ userId, receivedAt }, name) => {
      const calendar = await calendars.find(userId, name);
      if (calendar === undefined) throw errors.notFound("calendar");
      return view(calendar, receivedAt);
    },

    saveCalendar: async ({ userId, receivedAt }, name, { text, zone }) => {
      const reading = await readCalendar(text, zone);
      if (reading.kind === "unreadable") {
        throw errors.validationFailed(problemsOf(reading));
      }
      const { events, format, leftOut } = reading;
      const calendar = { name, savedAt: receivedAt, events };
      await requireFree(userId, name, calendar, receivedAt);
      const isSaved = await calendars.save(userId, calendar, MOST_CALENDARS);
      if (!isSaved) throw errors.tooMany("TOO_MANY_CALENDARS", MOST_CALENDARS);
      return { ...view(calendar, receivedAt), format, leftOut };
    },

    removeCalendar: async ({ userId, receivedAt }, name) => {
      await requireFree(userId, name, undefined, receivedAt);
      if (!(await calendars.remove(userId, name))) throw errors.notFound("calendar");
    },
  };
}

function problemsOf({ problems, isWhole }: Extract<CalendarReading, { kind: "unreadable" }>) {
  const told = problems.map(({ where, message }): Problem => ({ path: `body, ${where}`, message }));
  const rest = "has further lines, which were not read: mend these first";
  return isWhole ? told : [...told, { path: "body", message: rest }];
}
