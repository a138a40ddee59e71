import type { Product } from "../contracts/product.ts";
import { addDays, type CivilDay, toYearMonthDay, weekdayOf } from "./civil-day.ts";
import { type HolidayCalendar, type HolidayCalendars, holidaysOfYear } from "./holidays.ts";
import { firstInstantOf, toLocal } from "./local-time.ts";
import type { ShortDays, TradingHours } from "./trading-hours.ts";

/** One day's trading, from its first opening to its last close. Instants are Unix ms, ends half-open. */
export interface Session {
  /** In the time of its exchange. A session may open on the evening before. */
  readonly day: CivilDay;
  readonly opensAt: number;
  /** The first instant at which nothing trades any more. */
  readonly closesAt: number;
  /** Whether it closes before its regular hour. */
  readonly isEarly: boolean;
  /** Between its parts nothing trades, and it is no close: grains rest from 07:45 to 08:30. */
  readonly pauses: readonly { readonly from: number; readonly until: number }[];
}

/** How a product stands at one instant: in a session, or between two. */
export type SessionState =
  | { readonly kind: "open"; readonly session: Session }
  | { readonly kind: "closed"; readonly since: number; readonly until: number };

/** The sessions of one product. */
export interface ProductSessions {
  readonly timeZone: string;
  /** Set where the product is not known: the hours of CME Globex take the place of its own. */
  readonly areGuessed: boolean;
  /** Undefined on weekends and on days on which it is closed. */
  readonly onDay: (day: CivilDay) => Session | undefined;
  readonly at: (instant: number) => SessionState;
  readonly next: (session: Session) => Session;
}

/** Sessions by product; undefined for one that is not in the table. */
export type SessionsOf = (product: Product | undefined) => ProductSessions;

export interface SessionDeps {
  /** By calendar, the days without a session, but for those that are short ones. */
  readonly closures: HolidayCalendars;
  /** Taken where a product is not known: the row of CME Globex' equities. */
  readonly standIn: Product;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** Longer than any row of closed days. */
const SEARCH_DAYS = 30;
/** A year of one product; worked out anew beyond. */
const MAX_KNOWN_DAYS = 500;

/** Works sessions out from regular hours, holidays and early closes, and remembers them. */
export function createSessions(deps: SessionDeps): SessionsOf {
  const known = new Map<string, ProductSessions>();
  return (product) => {
    const key = product?.root ?? "";
    let found = known.get(key);
    if (found === undefined) {
      const areGuessed = product === undefined;
      found = { ...sessionsOf(product ?? deps.standIn, deps), areGuessed };
      known.set(key, found);
    }
    return found;
  };
}

function sessionsOf(
  { root, hours, shortDays, calendar: name }: Product,
  { closures }: SessionDeps,
): Omit<ProductSessions, "areGuessed"> {
  const calendar = closures[name];
  if (calendar === undefined) throw new Error(`The closures of ${root} are missing`);
  const closeOn = createCloseOn(calendar, shortDays);
  const days = new Map<CivilDay, Session | undefined>();

  function onDay(day: CivilDay): Session | undefined {
    if (days.has(day)) return days.get(day);
    if (days.size >= MAX_KNOWN_DAYS) days.clear();
    const session = workOut(hours, day, closeOn(day));
    days.set(day, session);
    return session;
  }

  function seek(from: CivilDay, step: 1 | -1, fits: (session: Session) => boolean): Session {
    for (let count = 0; count < SEARCH_DAYS; count += 1) {
      const session = onDay(addDays(from, count * step));
      if (session !== undefined && fits(session)) return session;
    }
    throw new Error(`${root} has no session in ${SEARCH_DAYS} days`);
  }

  return {
    timeZone: hours.timeZone,
    onDay,
    at(instant) {
      // An evening belongs to the day after.
      const today = Math.floor(toLocal(hours.timeZone, instant) / DAY_MS) as CivilDay;
      const ending = seek(addDays(today, -1), 1, ({ closesAt }) => instant < closesAt);
      if (ending.opensAt <= instant) return { kind: "open", session: ending };
      const { closesAt } = seek(addDays(ending.day, -1), -1, () => true);
      return { kind: "closed", since: closesAt, until: ending.opensAt };
    },
    next: ({ day }) => seek(addDays(day, 1), 1, () => true),
  };
}

/** When a day's trading ends at the latest, in minutes of its day; undefined where it has no trading. */
type CloseOn = (day: CivilDay) => number | undefined;

const REGULAR = Number.POSITIVE_INFINITY;
const NO_SESSION = Number.NEGATIVE_INFINITY;

function createCloseOn(calendar: HolidayCalendar, shortDays: readonly ShortDays[]): CloseOn {
  const byYear = new Map<number, ReadonlyMap<CivilDay, number>>();
  return (day) => {
    if (weekdayOf(day) > 5) return undefined;
    const { year } = toYearMonthDay(day);
    let closes = byYear.get(year);
    if (closes === undefined) {
      closes = closesAround(year, calendar, shortDays);
      byYear.set(year, closes);
    }
    const minute = closes.get(day) ?? REGULAR;
    return minute === NO_SESSION ? undefined : minute;
  };
}

/** Days with a close of their own. */
function closesAround(
  year: number,
  calendar: HolidayCalendar,
  shortDays: readonly ShortDays[],
): ReadonlyMap<CivilDay, number> {
  // What belongs to a new year may be kept in the old one.
  const daysOf = (rules: HolidayCalendar) =>
    [year - 1, year, year + 1].flatMap((one) => [...holidaysOfYear(rules, one)]);

  const closes = new Map<CivilDay, number>();
  const trading = new Set<CivilDay>();
  for (const { rules, closes: time, areHolidays } of shortDays) {
    for (const day of daysOf({ rules })) {
      closes.set(day, Math.min(closes.get(day) ?? REGULAR, minuteOf(time)));
      if (areHolidays === true) trading.add(day);
    }
  }
  for (const day of daysOf(calendar)) if (!trading.has(day)) closes.set(day, NO_SESSION);
  return closes;
}

/** The parts of a day that begin before its close, cut there. */
function workOut(
  { timeZone, parts }: TradingHours,
  day: CivilDay,
  close: number | undefined,
): Session | undefined {
  if (close === undefined) return undefined;
  const at = (minute: number) => firstInstantOf(timeZone, day * DAY_MS + minute * MINUTE_MS);
  const cut = parts
    .map(({ opens, closes }) => ({ opens: minuteOf(opens), closes: minuteOf(closes) }))
    .map(({ opens, closes }) => ({ opens: opens < closes ? opens : opens - DAY_MINUTES, closes }))
    .filter(({ opens }) => opens < close)
    .map(({ opens, closes }) => ({ opens: at(opens), closes: at(Math.min(closes, close)) }));
  const [first, last] = [cut[0], cut.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const pauses = cut
    .slice(1)
    .map(({ opens }, index) => ({ from: cut[index]?.closes ?? opens, until: opens }));
  const regular = minuteOf(parts.at(-1)?.closes ?? "00:00");
  return {
    day,
    opensAt: first.opens,
    closesAt: last.closes,
    isEarly: close < regular,
    pauses,
  };
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}
