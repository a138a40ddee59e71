import ICAL from "ical.js";
import { isTimeZone } from "../domain/calendar/local-time.ts";
import { type CalendarSteps, EventCollector } from "./collect-events.ts";
import { addDuration } from "./ics-duration.ts";
import { type EventTime, readTime } from "./read-time.ts";

/** What files of statistical offices and of Outlook call zones that have a name in the IANA table. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["US-Eastern", "America/New_York"],
  ["US-Central", "America/Chicago"],
  ["Eastern Standard Time", "America/New_York"],
  ["Central Standard Time", "America/Chicago"],
  ["GMT Standard Time", "Europe/London"],
  ["W. Europe Standard Time", "Europe/Berlin"],
]);

/** An event is parsed at one go. */
const EVENT_CHARACTERS = 32_768;
const LINES_AT_ONCE = 500;

/** A component of the file: its lines, and where it begins. */
interface Block {
  readonly line: number;
  readonly text: string;
}

/**
 * Reads iCalendar (RFC 5545), event by event, so that what is wrong has its line. Of an event that
 * repeats only the written date is kept: each later one would be a guess, and agencies move them.
 */
export function* readIcs(text: string, given: string): CalendarSteps {
  const found = new EventCollector();
  const lines = text.split(/\r\n|\n|\r/);
  const zones = new Map<string, string>();
  for (const block of blocksOf(lines, "VTIMEZONE", new EventCollector())) {
    yield;
    if (block !== undefined) zones.set(...namesOf(block));
  }
  const zone = fileZone(lines, zones, found) ?? given;
  for (const block of blocksOf(lines, "VEVENT", found)) {
    yield;
    if (found.isOver) break;
    if (block !== undefined) readBlock(block, { zone, zones }, found);
  }
  const last = lines.findLastIndex((line) => line.trim() !== "");
  if (!/^END:VCALENDAR$/i.test(lines[last]?.trim() ?? "")) {
    found.fail(`line ${last + 1}`, "the file ends before END:VCALENDAR: a part of it is missing");
  }
  return found.end("ics");
}

/** The components of a name, with an undefined one after some lines without. */
function* blocksOf(
  lines: readonly string[],
  name: string,
  found: EventCollector,
): Generator<Block | undefined> {
  let begun: number | undefined;
  for (const [at, line] of lines.entries()) {
    if (at % LINES_AT_ONCE === 0) yield undefined;
    const marker = line.trimEnd().toUpperCase();
    if (marker === `BEGIN:${name}`) {
      if (begun !== undefined) found.fail(`line ${begun + 1}`, `has no END:${name}`);
      begun = at;
    } else if (marker === `END:${name}` && begun !== undefined) {
      yield { line: begun + 1, text: lines.slice(begun, at + 1).join("\r\n") };
      begun = undefined;
    }
  }
  if (begun !== undefined) found.fail(`line ${begun + 1}`, `has no END:${name}`);
}

/** The name of a zone in the file, and the name that the file says it has elsewhere. */
function namesOf({ text }: Block): [tzid: string, place: string] {
  const value = (name: string) => new RegExp(`^${name}:(.*)$`, "im").exec(text)?.[1]?.trim() ?? "";
  return [value("TZID"), value("X-LIC-LOCATION")];
}

/** The zone that a file names for its times without one; what is none is a problem. */
function fileZone(
  lines: readonly string[],
  zones: ReadonlyMap<string, string>,
  found: EventCollector,
): string | undefined {
  const at = lines.findIndex((line) => /^X-WR-TIMEZONE[;:]/i.test(line));
  const name = lines[at]?.replace(/^[^:]*:/, "").trim() ?? "";
  if (name === "") return undefined;
  const zone = knownZone(name, zones);
  if (zone === undefined) found.fail(`line ${at + 1}`, `its time zone "${name}" is not known`);
  return zone;
}

interface Zones {
  /** Of times that name none. */
  readonly zone: string;
  readonly zones: ReadonlyMap<string, string>;
}

function readBlock({ line, text }: Block, zones: Zones, found: EventCollector): void {
  const where = `line ${line}`;
  if (text.length > EVENT_CHARACTERS) {
    found.fail(where, `is longer than ${EVENT_CHARACTERS} characters`);
    return;
  }
  try {
    readEvent(new ICAL.Component(ICAL.parse(text)), where, zones, found);
  } catch (error) {
    found.fail(where, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
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
  const begins = event.getFirstProperty("dtstart");
  if (begins === null) {
    found.fail(where, "has no DTSTART");
    return;
  }
  const start = timeOf(begins, zones);
  const time = typeof start === "string" ? start : withEnd(event, start, zones);
  if (typeof time === "string") {
    found.fail(where, time);
    return;
  }
  if (event.hasProperty("rrule") || event.hasProperty("rdate")) {
    found.leaveOutPart(where, title, "repeats: only its first date is kept");
  }
  found.add(where, { ...time, title });
}

function textOf(event: ICAL.Component, name: string): string {
  const value = event.getFirstPropertyValue(name);
  return typeof value === "string" ? value : "";
}

/** A time as it is written, and its zone. */
interface WrittenTime {
  readonly time: EventTime;
  readonly zone: string;
}

/** A time, or what is wrong with it. */
function timeOf(property: ICAL.Property, zones: Zones): WrittenTime | string {
  const tzid = property.getParameter("tzid");
  const name = typeof tzid === "string" ? tzid : "";
  // The library makes a date of any digits: as it was written, it has to be one.
  const written = String(property.jCal[3]);
  const zone = name === "" ? zones.zone : knownZone(name, zones.zones);
  if (zone === undefined) return `its time zone "${name}" is not known`;
  const time = readTime(written, zone);
  if (time === undefined) return `"${written}" is no time`;
  return { time, zone: written.endsWith("Z") ? "UTC" : zone };
}

/**
 * The whole time of an event, or what is wrong with its end. The day that DTEND names is the first one
 * after the event. An end at the start itself says nothing, as in files that must have one.
 */
function withEnd(
  event: ICAL.Component,
  { time, zone }: WrittenTime,
  zones: Zones,
): EventTime | string {
  const [ends, lasts] = [event.getFirstProperty("dtend"), event.getFirstProperty("duration")];
  if (ends !== null && lasts !== null) return "has both DTEND and DURATION";
  if (lasts !== null) {
    const isDay = time.endsAt !== undefined;
    const written = String(lasts.jCal[3]);
    const endsAt = addDuration(written, { startsAt: time.startsAt, zone, isDay });
    if (endsAt === undefined) return `"${written}" is no DURATION of such an event`;
    return endsAt > time.startsAt ? { ...time, endsAt } : time;
  }
  const end = ends === null ? undefined : timeOf(ends, zones);
  if (end === undefined) return time;
  if (typeof end === "string") return `DTEND: ${end}`;
  const areAlike = (end.time.endsAt === undefined) === (time.endsAt === undefined);
  if (!areAlike) return "has a time of day at one end only";
  if (end.time.startsAt < time.startsAt) return "ends before it starts";
  return end.time.startsAt > time.startsAt ? { ...time, endsAt: end.time.startsAt } : time;
}

const knownZone = (name: string, zones: ReadonlyMap<string, string>): string | undefined =>
  [name, zones.get(name) ?? "", OTHER_NAMES.get(name) ?? ""].find(isTimeZone);
