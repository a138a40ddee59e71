import type { HolidayRule } from "../src/domain/calendar/holidays.ts";
import type { ShortDays } from "../src/domain/calendar/trading-hours.ts";

// The days on which a market closes before its hour, by rule, in the local time of its exchange. A
// day that `closures` in holidays.ts names and that no rule here names has no session at all.
//
// Exchanges set these hours anew each year, and differ from product to product. Where sources or
// products differ, the earliest close stands here: who is flat too early has lost little. Grades:
// OFF the exchange's own page, COM a third party's, INF inferred from these. Look at the exchange's
// holiday page before a holiday that matters, and edit this file where it says otherwise.
//
// - CME Group, halts at 12:00 on the holidays on which Globex trades for the next day (OFF
//   cmegroup.com media room 2006, 2007; COM pandas_market_calendars for equities and rates, forexlive
//   for Thanksgiving 2024). Energy and metals have had 13:30 on most of them since 2022, and
//   currencies 16:00 (COM): the earliest is taken (INF).
// - CME Group, 12:15 on the day after Thanksgiving and on 24 December (COM pandas_market_calendars);
//   energy and metals 12:45 (COM). On 3 July, 12:15 for equities alone (COM, also for 2013); rates
//   and currencies closed as ever then, and share their exchanges with equities here (INF).
// - Good Friday: closed in most years. In years with a report on employment on that day (2021, 2023,
//   2026) equities trade until 08:15 and rates and currencies until 10:15 (COM). Here it is closed.
// - Grains and livestock: no session on holidays; about 12:00 to 12:05 on the day after Thanksgiving
//   and on 24 December (COM pandas_market_calendars), and on 3 July (COM, 2013). Lumber as these (INF).
// - CFE: halts at 10:30 on the same holidays (OFF circular IC17-001 by mondovisione, rule filing
//   CFE-2014-010; later years have 11:30). 12:15 on the other three days is inferred from CME's.
// - ICE Futures U.S.: coffee, sugar, cocoa, cotton and orange juice are closed on holidays, the dollar
//   index trades with an early close (OFF calendar for 2025), 12:00 in Chicago (COM, 2013). What softs
//   do on the day after Thanksgiving and on 24 December was not found: noon is a guess (INF).
// - ICE Futures Europe, oil: open on American holidays with an early close. Its hour was not found for
//   every day; 13:00 in New York is the earliest that was (INF).
// - Eurex: none. On 30 December only products on what Xetra and Vienna trade close early; the futures
//   on German indices do not (OFF circulars 092/20 and 107/21), nor do those on bonds.

const MONDAY = 1;
const THURSDAY = 4;

/** Holidays in the middle of which a market that trades around the clock halts. */
const halts: readonly HolidayRule[] = [
  { kind: "weekday", month: 1, weekday: MONDAY, nth: 3 }, // Martin Luther King Day
  { kind: "weekday", month: 2, weekday: MONDAY, nth: 3 }, // Presidents' Day
  { kind: "weekday", month: 5, weekday: MONDAY, nth: "last" }, // Memorial Day
  { kind: "date", month: 6, day: 19, observed: "nearest-weekday", from: 2022 }, // Juneteenth
  { kind: "date", month: 7, day: 4, observed: "nearest-weekday" },
  { kind: "weekday", month: 9, weekday: MONDAY, nth: 1 }, // Labor Day
  { kind: "weekday", month: 11, weekday: THURSDAY, nth: 4 }, // Thanksgiving Day
];

const afterThanksgiving: HolidayRule = {
  kind: "weekday",
  month: 11,
  weekday: THURSDAY,
  nth: 4,
  daysAfter: 1,
};

/** On a Friday it is the holiday itself, since Christmas is a Saturday then. */
const christmasEve: HolidayRule = { kind: "date", month: 12, day: 24, observed: "none" };
const newYearsEve: HolidayRule = { kind: "date", month: 12, day: 31, observed: "none" };
/** On a Friday it is the holiday itself, and halts at the earlier hour. */
const thirdOfJuly: HolidayRule = { kind: "date", month: 7, day: 3, observed: "none" };

const eves = [afterThanksgiving, christmasEve];

/** Shortened days, which the rows of the contract table name. */
export const earlyCloses = {
  /** Equities, rates and currencies of CME and CBOT. */
  financials: [
    { rules: halts, areHolidays: true, closes: "12:00" },
    { rules: [...eves, thirdOfJuly], closes: "12:15" },
  ],
  energyAndMetals: [
    { rules: halts, areHolidays: true, closes: "12:00" },
    { rules: eves, closes: "12:45" },
  ],
  agriculture: [{ rules: [...eves, thirdOfJuly], closes: "12:00" }],
  volatility: [
    { rules: halts, areHolidays: true, closes: "10:30" },
    { rules: [...eves, thirdOfJuly], closes: "12:15" },
  ],
  iceOil: [
    { rules: halts, areHolidays: true, closes: "13:00" },
    { rules: [...eves, newYearsEve], closes: "13:00" },
  ],
  dollarIndex: [
    { rules: halts, areHolidays: true, closes: "13:00" },
    { rules: eves, closes: "13:00" },
  ],
  softs: [{ rules: eves, closes: "12:00" }],
  none: [],
} satisfies Readonly<Record<string, readonly ShortDays[]>>;
