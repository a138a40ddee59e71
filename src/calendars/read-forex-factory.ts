import type { EconomicEvent, EventImpact } from "../domain/guards/economic-calendar.ts";
import { type CalendarSteps, EventCollector } from "./collect-events.ts";
import { readTime } from "./read-time.ts";

const DAY_MS = 86_400_000;
/** Lists and objects of a file: several times the events that are taken. */
const MOST_PARTS = 20_000;

/** By its words; what it calls non-economic moves least. */
const IMPACTS: ReadonlyMap<string, EventImpact> = new Map([
  ["high", "high"],
  ["medium", "medium"],
  ["low", "low"],
  ["holiday", "holiday"],
  ["non-economic", "low"],
]);

/**
 * Reads ForexFactory's weekly JSON: `title`, `country` (a currency, or "All"), `date` with its offset
 * and `impact`. A holiday takes the day that begins with its time.
 */
export function* readForexFactory(text: string, zone: string): CalendarSteps {
  const found = new EventCollector();
  if (hasTooManyParts(text)) {
    found.fail(
      "line 1",
      `has more than ${MOST_PARTS} parts, and no more are taken: split the file`,
    );
    return found.end("forexFactory");
  }
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    found.fail("line 1", `is no JSON: ${error instanceof Error ? error.message : String(error)}`);
    return found.end("forexFactory");
  }
  for (const [at, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    if (found.isOver) break;
    readEntry(entry, `entry ${at + 1}`, zone, found);
    yield;
  }
  return found.end("forexFactory");
}

/** JSON is parsed at once: lists in lists would take half a second of the thread. */
function hasTooManyParts(text: string): boolean {
  let parts = 0;
  for (const sign of ["[", "{"]) {
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
      parts += 1;
      if (parts > MOST_PARTS) return true;
    }
  }
  return false;
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
  const weight = typeof impact === "string" ? IMPACTS.get(impact.toLowerCase()) : undefined;
  if (weight === undefined) {
    found.fail(where, `"${String(impact)}" is no impact; one of ${[...IMPACTS.keys()].join(", ")}`);
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
