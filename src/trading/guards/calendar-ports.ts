import type { EconomicCalendar, EconomicEvent } from "../../domain/guards/economic-calendar.ts";
import type { UserId } from "../../domain/ids.ts";

export const CALENDAR_FORMATS = ["ics", "csv", "forexFactory"] as const;
export type CalendarFormat = (typeof CALENDAR_FORMATS)[number];

/** Something of a file that is not in the calendar, and why. */
export interface LeftOut {
  /** For example "line 12", or "entry 3" of a JSON file. */
  readonly where: string;
  readonly title: string;
  readonly reason: string;
}

/** Something that cannot be read. */
export interface Unreadable {
  readonly where: string;
  readonly message: string;
}

/** What a file says: all of it, or what is wrong with it. */
export type CalendarReading =
  | {
      readonly kind: "read";
      readonly format: CalendarFormat;
      /** By their start. */
      readonly events: readonly EconomicEvent[];
      readonly leftOut: readonly LeftOut[];
    }
  | {
      readonly kind: "unreadable";
      readonly problems: readonly Unreadable[];
      /** False where reading ended with these, and the rest of the file may have others. */
      readonly isWhole: boolean;
    };

/**
 * Reads a user's own file. Times without a zone are in this one (IANA), unless the file names its own.
 * Never rejects.
 */
export type ReadCalendar = (text: string, zone: string) => Promise<CalendarReading>;

/** The calendars of users. Throws `StoreError`. */
export interface CalendarStore {
  readonly read: (user: UserId) => Promise<readonly EconomicCalendar[]>;
  readonly find: (user: UserId, name: string) => Promise<EconomicCalendar | undefined>;
  /** Raised by each change; cheap to ask. */
  readonly version: (user: UserId) => Promise<number>;
  /** False, and nothing is written, where the user has as many others as there may be. */
  readonly save: (user: UserId, calendar: EconomicCalendar, most: number) => Promise<boolean>;
  /** False where there is none of the name. */
  readonly remove: (user: UserId, name: string) => Promise<boolean>;
}

/** Where rules look news up. Throws `StoreError` where the store does not answer. */
export interface Calendars {
  readonly of: (user: UserId) => Promise<ReadonlyMap<string, EconomicCalendar>>;
}
