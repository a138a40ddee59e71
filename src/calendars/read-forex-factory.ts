import type { EconomicEvent, EventImpact } from "../domain/guards/economic-calendar.ts";
import type { CalendarReading } from "../trading/guards/calendar-ports.ts";
import { EventCollector } from "./collect-events.ts";
import { readTime } from "./read-time.ts";

const DAY_MS = 86_400_000;

/** By its words; what it calls non-economic moves least. */
const IMPACTS: Readonly<Record<string, EventImpact>> = {
  high: "high",
  medium: "medium",
  low: "low",
  holiday: "holiday",
  "non-economic": "low",
};

/**
 * Reads ForexFactory's weekly JSON: `title`, `country` (a currency, or "All"), `date` with its offset
 * and `impact`. A holiday takes the day that begins with its time.
 */
export function readForexFactory(text: string, zone: string): CalendarReading {
  const found = new EventCollector();
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    found.fail("line 1", `is no JSON: ${error instanceof Error ? error.message : String(error)}`);
    return found.end("forexFactory");
  }
  if (Array.isArray(entries)) {
    entries.forEach((entry: unknown, at) => readEntry(entry, `entry ${at + 1}`, zone, found));
  }
  return found.end("forexFactory");
}

function readEntry(entry: unknown, where: string, zone: string, found: EventCollector): void {
  if (typeof entry !== "object" || entry === null) {
    found.fail(where, "is no event");
    return;
  }
  const { title, country, date, impact } = entry as Readonly<Record<string, unknown>>;
  if (typeof title !== "string" || typeof date !== "string") {
    found.fail(where, "has no title or no date");
    return;
  }
  const time = readTime(date, zone);
  if (time === undefined) {
    found.fail(where, `"${date}" is no time`);
    return;
  }
  const weight = typeof impact === "string" ? IMPACTS[impact.toLowerCase()] : undefined;
  if (weight === undefined) {
    found.fail(
      where,
      `"${String(impact)}" is no impact; one of ${Object.keys(IMPACTS).join(", ")}`,
    );
    return;
  }
  const event: EconomicEvent = { ...time, title, impact: weight };
  const ends = weight === "holiday" && time.endsAt === undefined;
  found.add(where, {
    ...event,
    ...(ends && { endsAt: time.startsAt + DAY_MS }),
    ...(typeof country === "string" && /^[A-Z]{3}$/.test(country) && { currency: country }),
  });
}
