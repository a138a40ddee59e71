import { type CivilDay, parseIsoDate } from "./civil-day.ts";

/** Every offset in use, and every change of one, falls on a quarter of an hour. */
const BUCKET_MS = 15 * 60_000;

interface KnownDay {
  readonly bucket: number;
  readonly day: CivilDay;
}

/** Tells which calendar day an instant belongs to in a time zone. */
export type ExchangeDay = (timeZone: string, nowMs: number) => CivilDay;

/** Formatting a date costs microseconds and is needed for every alert, so the last answer is kept. */
export function createExchangeDay(): ExchangeDay {
  const formats = new Map<string, Intl.DateTimeFormat>();
  const known = new Map<string, KnownDay>();

  return function exchangeDay(timeZone, nowMs) {
    const bucket = Math.floor(nowMs / BUCKET_MS);
    const last = known.get(timeZone);
    if (last?.bucket === bucket) return last.day;

    let format = formats.get(timeZone);
    if (format === undefined) {
      format = dayFormat(timeZone);
      formats.set(timeZone, format);
    }
    const day = readDay(format, nowMs);
    known.set(timeZone, { bucket, day });
    return day;
  };
}

function dayFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
}

function readDay(format: Intl.DateTimeFormat, nowMs: number): CivilDay {
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  const text = `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
  const day = parseIsoDate(text);
  if (day === undefined) throw new Error(`"${text}" is no date`);
  return day;
}
