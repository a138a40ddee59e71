const formats = new Map<string, Intl.DateTimeFormat>();

/** Every change of an offset falls on a quarter of an hour. */
const QUARTER_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
/** Of each zone, by the instant. Asking anew costs microseconds. */
const MAX_KNOWN = 2_000;
const known = new Map<string, Map<number, number>>();

/** What the clocks of a time zone show at an instant, as if they were UTC (Unix ms). */
export const toLocal = (timeZone: string, at: number): number => at + offsetMs(timeZone, at);

/** When the clocks of a time zone show that, which they do twice on one night of the year, or never. */
export function fromLocal(timeZone: string, local: number): number {
  const guess = local - offsetMs(timeZone, local);
  // A second look, for a guess on the other side of a change to or from daylight saving time.
  return local - offsetMs(timeZone, guess);
}

/**
 * The first instant at which the clocks of a time zone show that or more: of a time that comes twice
 * its first, and of one that is left out the instant at which clocks are put forward over it.
 */
export function firstInstantOf(timeZone: string, local: number): number {
  // No zone is a day away from UTC, so the one is before a change that is near, and the other after it.
  const early = local - offsetMs(timeZone, local - DAY_MS);
  const late = local - offsetMs(timeZone, local + DAY_MS);
  let [before, reached] = early < late ? [early, late] : [late, early];
  if (toLocal(timeZone, before) === local) return before;
  if (toLocal(timeZone, reached) === local) return reached;
  // The time is left out: the clocks jump over it somewhere between the two.
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (toLocal(timeZone, middle) >= local) reached = middle;
    else before = middle;
  }
  return reached;
}

/** A time of day in hours and minutes, `17:00`, as the pattern of a schema. */
export const TIME_OF_DAY = "^([01][0-9]|2[0-3]):[0-5][0-9]$";

/**
 * Whether a text names a time zone that this machine knows, for example "America/Chicago". An offset such
 * as +02:00 is none: it knows no summer time.
 */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

function offsetMs(timeZone: string, at: number): number {
  let offsets = known.get(timeZone);
  if (offsets === undefined) {
    offsets = new Map();
    known.set(timeZone, offsets);
  }
  // No zone changes its clocks twice within a day.
  const day = Math.floor(at / DAY_MS) * DAY_MS;
  const before = offsetAt(timeZone, day, offsets);
  if (before === offsetAt(timeZone, day + DAY_MS, offsets)) return before;
  return offsetAt(timeZone, Math.floor(at / QUARTER_MS) * QUARTER_MS, offsets);
}

function offsetAt(timeZone: string, instant: number, offsets: Map<number, number>): number {
  let offset = offsets.get(instant);
  if (offset === undefined) {
    offset = readOffset(timeZone, instant);
    if (offsets.size >= MAX_KNOWN) offsets.clear();
    offsets.set(instant, offset);
  }
  return offset;
}

function readOffset(timeZone: string, at: number): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(timeZone, format);
  }
  const part = Object.fromEntries(format.formatToParts(at).map((p) => [p.type, Number(p.value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
}
