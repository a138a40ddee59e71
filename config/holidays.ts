import type { HolidayCalendar, HolidayRule } from "../src/domain/calendar/holidays.ts";

// The days that do not count as business days of a market, by rule. The rules are valid from 2015 on;
// where a rule names years, an exchange began or stopped observing the day then.
//
// Two kinds of days are left out on purpose. On 2018-12-05 and 2025-01-09 (days of mourning) the
// New York stock exchanges were closed, but the futures exchanges counted a business day. And
// early closes, such as the Friday after Thanksgiving, are business days.

const MONDAY = 1;
const THURSDAY = 4;

const goodFriday: HolidayRule = { kind: "easter", daysAfter: -2 };
const easterMonday: HolidayRule = { kind: "easter", daysAfter: 1 };

/** CME Group, ICE Futures U.S. and Cboe Futures Exchange count the same days. */
const unitedStates: readonly HolidayRule[] = [
  // A New Year's Day on a Saturday closes no exchange on the Friday: 2021-12-31 was a full day.
  { kind: "date", month: 1, day: 1, observed: "sunday-to-monday" },
  { kind: "weekday", month: 1, weekday: MONDAY, nth: 3 }, // Martin Luther King Day
  { kind: "weekday", month: 2, weekday: MONDAY, nth: 3 }, // Presidents' Day
  goodFriday,
  { kind: "weekday", month: 5, weekday: MONDAY, nth: "last" }, // Memorial Day
  { kind: "date", month: 6, day: 19, observed: "nearest-weekday", from: 2022 }, // Juneteenth
  { kind: "date", month: 7, day: 4, observed: "nearest-weekday" },
  { kind: "weekday", month: 9, weekday: MONDAY, nth: 1 }, // Labor Day
  { kind: "weekday", month: 11, weekday: THURSDAY, nth: 4 }, // Thanksgiving Day
  { kind: "date", month: 12, day: 25, observed: "nearest-weekday" },
];

/** Days on which the banks of New York and Chicago are closed while the exchanges trade. */
const unitedStatesBanks: readonly HolidayRule[] = [
  { kind: "weekday", month: 10, weekday: MONDAY, nth: 2 }, // Columbus Day
  { kind: "date", month: 11, day: 11, observed: "sunday-to-monday" }, // Veterans Day
];

const london: HolidayCalendar = {
  rules: [
    { kind: "date", month: 1, day: 1, observed: "next-free-weekday" },
    goodFriday,
    easterMonday,
    { kind: "weekday", month: 5, weekday: MONDAY, nth: 1 },
    { kind: "weekday", month: 5, weekday: MONDAY, nth: "last" },
    { kind: "weekday", month: 8, weekday: MONDAY, nth: "last" },
    { kind: "date", month: 12, day: 25, observed: "next-free-weekday" },
    { kind: "date", month: 12, day: 26, observed: "next-free-weekday" },
  ],
  closed: [
    "2020-05-08", // early May, moved to the anniversary of 1945
    "2022-06-02", // spring, moved to the Platinum Jubilee
    "2022-06-03", // Platinum Jubilee
    "2022-09-19", // funeral of Queen Elizabeth II
    "2023-05-08", // coronation of King Charles III
  ],
  open: ["2020-05-04", "2022-05-30"],
};

const eurex: HolidayCalendar = {
  rules: [
    { kind: "date", month: 1, day: 1, observed: "none" },
    goodFriday,
    easterMonday,
    { kind: "date", month: 5, day: 1, observed: "none" },
    { kind: "date", month: 12, day: 24, observed: "none" },
    { kind: "date", month: 12, day: 25, observed: "none" },
    { kind: "date", month: 12, day: 26, observed: "none" },
    { kind: "date", month: 12, day: 31, observed: "none" },
  ],
};

/** The calendars that the contract table names. */
export const holidays = {
  CME: { rules: unitedStates },
  // Currency rules (for example CME Rulebook, chapter 261): no contract ends on a bank holiday.
  CME_FX: { rules: [...unitedStates, ...unitedStatesBanks] },
  CFE: { rules: unitedStates },
  ICE_US: { rules: unitedStates },
  ICE_US_FX: { rules: [...unitedStates, ...unitedStatesBanks] },
  // The oil contracts of ICE Futures Europe trade on British bank holidays, but do not end on
  // one: Brent for July 2021 ended on Friday 28 May, before the bank holiday of Monday 31 May.
  ICE_EU: london,
  LONDON: london,
  EUREX: eurex,
} as const satisfies Readonly<Record<string, HolidayCalendar>>;

/**
 * By the same names, the days without a trading day of their own: what is traded on one belongs to the
 * next. A holiday of banks keeps a contract from ending, and does not close an exchange.
 */
export const closures: typeof holidays = {
  ...holidays,
  CME_FX: holidays.CME,
  ICE_US_FX: holidays.ICE_US,
  ICE_EU: {
    rules: [
      { kind: "date", month: 1, day: 1, observed: "sunday-to-monday" },
      goodFriday,
      { kind: "date", month: 12, day: 25, observed: "sunday-to-monday" },
    ],
  },
  // Named by a contract of NYMEX, which ends by London's days and trades by those of Chicago.
  LONDON: holidays.CME,
};
