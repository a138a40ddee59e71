import ICAL from "ical.js";
import { isTimeZone } from "../domain/calendar/local-time.ts";
import type { CalendarReading } from "../trading/guards/calendar-ports.ts";
import { EventCollector } from "./collect-events.ts";
import { readTime } from "./read-time.ts";

/** What files of statistical offices and of Outlook call zones that have a name in the IANA table. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "US-Eastern": "America/New_York",
  "US-Central": "America/Chicago",
  "Eastern Standard Time": "America/New_York",
  "Central Standard Time": "America/Chicago",
  "GMT Standard Time": "Europe/London",
  "W. Europe Standard Time": "Europe/Berlin",
};

/** A component of the file: its lines, and where it begins. */
interface Block {
  readonly line: number;
  readonly text: string;
}

/**
 * Reads iCalendar (RFC 5545), event by event, so that what is wrong has its line. Of an event that
 * repeats only the written date is kept: each later one would be a guess, and agencies move them.
 */
export function readIcs(text: string, zone: string): CalendarReading {
  const found = new EventCollector();
  const lines = text.split(/\r\n|\n|\r/);
  const zones = zonesOf(blocksOf(lines, "VTIMEZONE", new EventCollector()));
  for (const block of blocksOf(lines, "VEVENT", found)) {
    const where = `line ${block.line}`;
    try {
      readEvent(new ICAL.Component(ICAL.parse(block.text)), where, { zone, zones }, found);
    } catch (error) {
      found.fail(
        where,
        `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  const last = lines.findLastIndex((line) => line.trim() !== "");
  if (!/^END:VCALENDAR$/i.test(lines[last]?.trim() ?? "")) {
    found.fail(`line ${last + 1}`, "the file ends before END:VCALENDAR: a part of it is missing");
  }
  return found.end("ics");
}

function blocksOf(lines: readonly string[], name: string, found: EventCollector): Block[] {
  const blocks: Block[] = [];
  let begun: number | undefined;
  lines.forEach((line, at) => {
    const marker = line.trimEnd().toUpperCase();
    if (marker === `BEGIN:${name}`) {
      if (begun !== undefined) found.fail(`line ${begun + 1}`, `has no END:${name}`);
      begun = at;
    } else if (marker === `END:${name}` && begun !== undefined) {
      blocks.push({ line: begun + 1, text: lines.slice(begun, at + 1).join("\r\n") });
      begun = undefined;
    }
  });
  if (begun !== undefined) found.fail(`line ${begun + 1}`, `has no END:${name}`);
  return blocks;
}

/** What the file itself says its zones are called elsewhere. */
function zonesOf(blocks: readonly Block[]): ReadonlyMap<string, string> {
  const value = (text: string, name: string) =>
    new RegExp(`^${name}:(.*)$`, "im").exec(text)?.[1]?.trim() ?? "";
  return new Map(
    blocks.map(({ text }) => [value(text, "TZID"), value(text, "X-LIC-LOCATION")] as const),
  );
}

interface Zones {
  /** Of times that name none. */
  readonly zone: string;
  readonly zones: ReadonlyMap<string, string>;
}

function readEvent(
  event: ICAL.Component,
  where: string,
  zones: Zones,
  found: EventCollector,
): void {
  const title = textOf(event, "summary");
  if (textOf(event, "status").toUpperCase() === "CANCELLED") {
    found.leaveOut(where, title, "is cancelled");
    return;
  }
  const start = event.getFirstProperty("dtstart");
  if (start === null) {
    found.fail(where, "has no DTSTART");
    return;
  }
  const zone = zoneOf(start, zones);
  if (zone === undefined) {
    found.fail(where, `its time zone "${tzidOf(start)}" is not known`);
    return;
  }
  // The library makes a date of any digits: as it was written, it has to be one.
  const written = String(start.jCal[3]);
  const time = readTime(written, zone);
  if (time === undefined) {
    found.fail(where, `"${written}" is no time`);
    return;
  }
  if (event.hasProperty("rrule") || event.hasProperty("rdate")) {
    found.leaveOut(where, title, "repeats: only its first date is kept");
  }
  found.add(where, { ...time, title });
}

function textOf(event: ICAL.Component, name: string): string {
  const value = event.getFirstPropertyValue(name);
  return typeof value === "string" ? value : "";
}

function tzidOf(start: ICAL.Property): string {
  const tzid = start.getParameter("tzid");
  return typeof tzid === "string" ? tzid : "";
}

function zoneOf(start: ICAL.Property, { zone, zones }: Zones): string | undefined {
  const tzid = tzidOf(start);
  if (tzid === "") return zone;
  return [tzid, zones.get(tzid) ?? "", OTHER_NAMES[tzid] ?? ""].find(isTimeZone);
}
