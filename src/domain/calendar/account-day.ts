import { addDays, type CivilDay, isoDate, weekdayOf } from "./civil-day.ts";
import { firstInstantOf, toLocal } from "./local-time.ts";

/** By which clock the days of an account begin. */
export interface DayStart {
  /** A time of day, `17:00`. */
  readonly begins: string;
  /** IANA. */
  readonly zone: string;
}

/** A clock with the instant at which its first day begins, Unix ms. The first clock of an account has none. */
export interface DayClock extends DayStart {
  readonly from?: number;
  /** When the last day of the clock before begins: it lasts until `from`. */
  readonly lastBeganAt?: number;
}

/** The clocks of one account, oldest first. */
export type DayClocks = readonly DayClock[];

/** One day of an account: an interval of time, whether or not anything trades in it. */
export interface AccountDay {
  /** Its name: the civil day that most of it falls on. */
  readonly day: CivilDay;
  /** Its first instant, Unix ms. */
  readonly beganAt: number;
  /** The first instant that belongs to the next day, Unix ms. */
  readonly endsAt: number;
}

/** The days of futures brokers, and of every account that has no clock of its own. */
export const STANDARD_CLOCKS: DayClocks = [{ begins: "17:00", zone: "America/Chicago" }];

const [STANDARD] = STANDARD_CLOCKS as readonly [DayClock];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days of one clock that are remembered: time zones are slow, and each quote asks. */
const KEPT_DAYS = 16;
const MOST_CLOCKS = 200;
/** Every process has read a new clock by then: no fill is counted by two. */
const KNOWN_WITHIN_MS = 10 * 60_000;
/** Clocks of one account that are kept; older days count by the oldest of them. */
const KEPT_CLOCKS = 24;

/**
 * The day of an account that an instant belongs to. No calendar of an exchange changes it: holidays and
 * weekends have days like all others. A day has 23 or 25 hours where its clock is changed.
 */
export function accountDayAt(clocks: DayClocks, at: number): AccountDay {
  const [clock, next] = clocksAt(clocks, at);
  const { from, lastBeganAt } = next ?? {};
  if (from === undefined || lastBeganAt === undefined || at < lastBeganAt) return dayBy(clock, at);
  return { ...dayBy(clock, lastBeganAt), endsAt: from };
}

/** The clock by which the days of an account begin at an instant, and the one that follows it, if any. */
export function clocksAt(clocks: DayClocks, at: number): readonly [DayClock, DayClock | undefined] {
  const index = Math.max(
    clocks.findLastIndex(({ from = -Infinity }) => from <= at),
    0,
  );
  return [clocks[index] ?? STANDARD, clocks[index + 1]];
}

const known = new Map<string, AccountDay[]>();

function dayBy({ begins, zone }: DayStart, at: number): AccountDay {
  const key = `${begins} ${zone}`;
  let days = known.get(key);
  const found = days?.find(({ beganAt, endsAt }) => beganAt <= at && at < endsAt);
  if (found !== undefined) return found;
  if (days === undefined) {
    if (known.size >= MOST_CLOCKS) known.clear();
    days = [];
    known.set(key, days);
  }
  const made = workOut(zone, msOf(begins), at);
  days.unshift(made);
  if (days.length > KEPT_DAYS) days.pop();
  return made;
}

function workOut(zone: string, begins: number, at: number): AccountDay {
  const beginOf = (civil: number) => firstInstantOf(zone, civil * DAY_MS + begins);
  let civil = Math.floor((toLocal(zone, at) - begins) / DAY_MS);
  // Clocks may be changed at the very time at which the day begins.
  while (at < beginOf(civil)) civil -= 1;
  while (at >= beginOf(civil + 1)) civil += 1;
  const day = (begins < DAY_MS / 2 ? civil : civil + 1) as CivilDay;
  return { day, beganAt: beginOf(civil), endsAt: beginOf(civil + 1) };
}

function msOf(begins: string): number {
  const [hours = 0, minutes = 0] = begins.split(":").map(Number);
  return hours * HOUR_MS + minutes * 60_000;
}

/**
 * The clocks of an account after a person has set another one. The present day, or the one that begins within
 * minutes, ends when it would have, or later: it lasts until the first day by the new clock that begins at or
 * after its end and has a later name. So no day is cut short, no fill changes its day, and no lock of a day
 * ends sooner.
 */
export function changeClock(clocks: DayClocks, { begins, zone }: DayStart, now: number): DayClocks {
  const base = settled(clocks.length === 0 ? STANDARD_CLOCKS : clocks, now);
  const newest = base.at(-1) ?? STANDARD;
  if (newest.begins === begins && newest.zone === zone) return base;
  // A clock that is to come has its first day before another one follows.
  const lasting = accountDayAt(base, Math.max(now + KNOWN_WITHIN_MS, newest.from ?? -Infinity));
  let next = dayBy({ begins, zone }, lasting.endsAt);
  while (next.beganAt < lasting.endsAt || next.day <= lasting.day) {
    next = dayBy({ begins, zone }, next.endsAt);
  }
  const changed = { begins, zone, from: next.beganAt, lastBeganAt: lasting.beganAt };
  return [...base, changed].slice(-KEPT_CLOCKS);
}

/** Without a clock that is to come, unless it has its say in a day that goes on, or is about to. */
function settled(clocks: DayClocks, now: number): DayClocks {
  const past = clocks.filter(({ from = -Infinity }) => from <= now);
  const soon = now + KNOWN_WITHIN_MS;
  return accountDayAt(past, soon).beganAt === accountDayAt(clocks, soon).beganAt ? past : clocks;
}

/** The week of a day of an account, from its Monday to the end of its Sunday. */
export interface AccountWeek {
  readonly monday: CivilDay;
  readonly beganAt: number;
  readonly endsAt: number;
}

export function accountWeekOf(clocks: DayClocks, today: AccountDay): AccountWeek {
  const monday = addDays(today.day, 1 - weekdayOf(today.day));
  let [first, last] = [today, today];
  for (;;) {
    const before = accountDayAt(clocks, first.beganAt - 1);
    if (before.day < monday) break;
    first = before;
  }
  for (;;) {
    const next = accountDayAt(clocks, last.endsAt);
    if (next.day >= addDays(monday, 7)) break;
    last = next;
  }
  return { monday, beganAt: first.beganAt, endsAt: last.endsAt };
}

/**
 * The day of an account that its broker's figures are of. Brokers count from 17:00 to 17:00 in Chicago,
 * and name the day, or speak of the one that goes on. The account may have no such day: undefined.
 */
export function dayOfBroker(
  clocks: DayClocks,
  { at, tradingDay }: { readonly at: number; readonly tradingDay?: string },
): AccountDay | undefined {
  const instant = tradingDay === undefined ? at : Date.parse(`${tradingDay}T12:00:00Z`);
  if (Number.isNaN(instant)) return undefined;
  const [own, theirs] = [clocks, STANDARD_CLOCKS].map((one) => accountDayAt(one, instant));
  return own?.beganAt === theirs?.beganAt && own?.endsAt === theirs?.endsAt ? own : undefined;
}

/** The name of a day as an ISO date. */
export const nameOf = ({ day }: AccountDay): string => isoDate(day);

/**
 * When ends what holds until the next day: a lock by hand, or a hard rule that is loosened. Saturday's and
 * Sunday's days are mostly empty: from there it holds until Monday's has ended, also when the market opens.
 */
export function holdsUntil(clocks: DayClocks, at: number): number {
  let day = accountDayAt(clocks, at);
  while (weekdayOf(day.day) > 5) day = accountDayAt(clocks, day.endsAt);
  return day.endsAt;
}
