import { setTimeout as pause } from "node:timers/promises";
import type { CalendarReading, ReadCalendar } from "../trading/guards/calendar-ports.ts";
import type { CalendarSteps } from "./collect-events.ts";
import { readCsv } from "./read-csv.ts";
import { readForexFactory } from "./read-forex-factory.ts";
import { readIcs } from "./read-ics.ts";

/** How long steps are taken at a time. The thread is then left to orders for as long. */
const SLICE_MS = 5;

/**
 * Reads economic calendars. Their first characters show which of the known forms it is. A full file takes a
 * second of the thread on which orders run, so it is read in slices, and one file after another.
 */
export function createReadCalendar(): ReadCalendar {
  let last: Promise<unknown> = Promise.resolve();
  return async (text, zone) => {
    const mine = last.then(async () => {
      await pause(SLICE_MS);
      return await inSlices(stepsOf(text.replace(/^\uFEFF/, ""), zone));
    });
    last = mine.catch(() => undefined);
    return await mine;
  };
}

function stepsOf(text: string, zone: string): CalendarSteps {
  const begins = text.slice(0, 100_000).trimStart();
  if (/^BEGIN:VCALENDAR/i.test(begins)) return readIcs(text, zone);
  if (begins.startsWith("[")) return readForexFactory(text, zone);
  if (begins.startsWith("{") || begins.startsWith("<")) return unknown();
  return readCsv(text, zone);
}

// oxlint-disable-next-line require-yield
function* unknown(): CalendarSteps {
  const message = "is no calendar that is known: iCalendar, CSV, or ForexFactory's JSON";
  return { kind: "unreadable", problems: [{ where: "line 1", message }], isWhole: true };
}

async function inSlices(steps: CalendarSteps): Promise<CalendarReading> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await pause(SLICE_MS);
  }
}
