import { parseIsoDate } from "../../domain/calendar/civil-day.ts";
import type { Problem } from "../../errors.ts";

const ISO =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
/** 2001 to 2286. A shorter number is a time in seconds, or a slip. */
const MILLISECONDS = /^\d{13}$/;
const BEYOND_MILLISECONDS = /\.\d{3}\d*[1-9]/;

/** An instant as callers write it, Unix ms; undefined where it is none, which is told then. */
export function readInstant(path: string, text: string, problems: Problem[]): number | undefined {
  const instant = parseInstant(text);
  if (instant === undefined) {
    const message =
      "must be an instant such as 2026-09-21T14:30:00Z, or Unix time in milliseconds (13 digits)";
    problems.push({ path, message });
  }
  return instant;
}

function parseInstant(text: string): number | undefined {
  if (MILLISECONDS.test(text)) return Number(text);
  // A plus sign that was not escaped has become a space on its way.
  const iso = text.replace(/ (?=\d{2}:\d{2}$)/, "+").toUpperCase();
  const date = ISO.exec(iso)?.[1];
  if (date === undefined || parseIsoDate(date) === undefined) return undefined;
  // Trades have whole milliseconds: a bound between two of them is the same as the later one.
  return Date.parse(iso) + (BEYOND_MILLISECONDS.test(iso) ? 1 : 0);
}
