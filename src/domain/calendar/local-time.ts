const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a time zone show at an instant, as if they were UTC (Unix ms). */
export const toLocal = (timeZone: string, at: number): number => at + offsetMs(timeZone, at);

/** When the clocks of a time zone show that, which they do twice on one night of the year, or never. */
export function fromLocal(timeZone: string, local: number): number {
  const guess = local - offsetMs(timeZone, local);
  // A second look, for a guess on the other side of a change to or from daylight saving time.
  return local - offsetMs(timeZone, guess);
}

function offsetMs(timeZone: string, at: number): number {
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
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}
