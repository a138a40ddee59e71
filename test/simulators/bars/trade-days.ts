export interface TradeDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** One trade day: from 17:00 in Chicago to the same hour of its own date; a weekend is Monday's. */
export interface TradeDay {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly date: TradeDate;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** At this hour in Chicago a trade day ends and the next one begins. */
const TURN = 17 * HOUR_MS;
const MAINTENANCE_FROM = 16 * HOUR_MS;
const [SUNDAY, FRIDAY, SATURDAY] = [0, 5, 6];

const CHICAGO = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/Chicago",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
});
const offsets = new Map<number, number>();

export function tradeDayAt(at: number): TradeDay {
  const local = at + offsetAt(at);
  let last = Math.floor((local - TURN) / DAY_MS) + 1;
  let first = last;
  while (isWeekend(last)) last += 1;
  while (isWeekend(first - 1)) first -= 1;
  const date = new Date(last * DAY_MS);
  return {
    startsAt: toInstant((first - 1) * DAY_MS + TURN),
    endsAt: toInstant(last * DAY_MS + TURN),
    date: { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
  };
}

/** As charts have it: 20261127. */
export function dateNumber({ year, month, day }: TradeDate): number {
  return (year * 100 + month) * 100 + day;
}

/** The day that its week begins with, as a number of days. */
export function weekOf({ year, month, day }: TradeDate): number {
  const days = Date.UTC(year, month - 1, day) / DAY_MS;
  return days - weekday(days);
}

/** Whether futures trade then: all week but for an hour a day and the weekend. */
export function isGlobexOpen(at: number): boolean {
  const local = at + offsetAt(at);
  const day = Math.floor(local / DAY_MS);
  const time = local - day * DAY_MS;
  switch (weekday(day)) {
    case SATURDAY:
      return false;
    case SUNDAY:
      return time >= TURN;
    case FRIDAY:
      return time < MAINTENANCE_FROM;
    default:
      return time < MAINTENANCE_FROM || time >= TURN;
  }
}

function isWeekend(day: number): boolean {
  return weekday(day) === SUNDAY || weekday(day) === SATURDAY;
}

/** The first day of Unix time was a Thursday. */
function weekday(day: number): number {
  return (day + 4) % 7;
}

function toInstant(local: number): number {
  return local - offsetAt(local - offsetAt(local));
}

/** How far Chicago's clocks are ahead; asked once an hour, since time zones are slow to ask about. */
function offsetAt(at: number): number {
  const hour = Math.floor(at / HOUR_MS);
  const known = offsets.get(hour);
  if (known !== undefined) return known;
  const parts = CHICAGO.formatToParts(hour * HOUR_MS);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"));
  const offset = local - hour * HOUR_MS;
  offsets.set(hour, offset);
  return offset;
}
