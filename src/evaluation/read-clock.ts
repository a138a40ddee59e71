/** What conditions know of the time, in a time zone: `weekday` is 1 on Mondays and 7 on Sundays. */
export interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly weekday: number;
  readonly day: number;
  readonly month: number;
  readonly year: number;
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Making one costs as much as an evaluation. There are many ways to spell a time zone. */
const MOST_FORMATS = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

export function readClock(at: number, timeZone: string): Clock {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const number = (name: string) => Number(parts[name] ?? 0);
  return {
    hour: number("hour"),
    minute: number("minute"),
    weekday: WEEKDAYS.indexOf(parts["weekday"] ?? "") + 1,
    day: number("day"),
    month: number("month"),
    year: number("year"),
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    weekday: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}
