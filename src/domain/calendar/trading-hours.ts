import type { HolidayRule } from "./holidays.ts";

/** When a product trades, in the local time of its exchange ("HH:MM"). */
export interface TradingHours {
  readonly timeZone: string;
  /** A part whose opening hour is not before its closing hour opens on the evening before. */
  readonly parts: readonly { readonly opens: string; readonly closes: string }[];
}

/** Days on which a market closes before its hour, in the local time of its exchange. */
export interface ShortDays {
  readonly rules: readonly HolidayRule[];
  /** "HH:MM". */
  readonly closes: string;
  /** Set where they are holidays on which it trades all the same, though not to the end. */
  readonly areHolidays?: true;
}
