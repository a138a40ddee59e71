import type { ReadCalendar } from "../trading/guards/calendar-ports.ts";
import { readCsv } from "./read-csv.ts";
import { readForexFactory } from "./read-forex-factory.ts";
import { readIcs } from "./read-ics.ts";

/** Reads an economic calendar of any form that is known, told apart by how it begins. */
export const readCalendar: ReadCalendar = (text, zone) => {
  const begins = text.trimStart();
  if (/^BEGIN:VCALENDAR/i.test(begins)) return readIcs(text, zone);
  if (begins.startsWith("[")) return readForexFactory(text, zone);
  if (begins.startsWith("{") || begins.startsWith("<")) {
    const message = "is no calendar that is known: iCalendar, CSV, or ForexFactory's JSON";
    return { kind: "unreadable", problems: [{ where: "line 1", message }] };
  }
  return readCsv(text, zone);
};
