import { errors, type Problem } from "../../errors.ts";
import { parseIsoDate } from "../../domain/calendar/civil-day.ts";

interface InstantRange {
  /** Unix ms; included. */
  readonly fromAt?: number;
  /** Unix ms; not included. */
  readonly beforeAt?: number;
}

/** Two instants of a query as callers write them; names everything that is wrong with them at once. */
export function readRange(query: {
  readonly from: string | undefined;
  readonly to: string | undefined;
}): InstantRange {
  const problems: Problem[] = [];
  const fromAt = readGiven("from", query.from, problems);
  const beforeAt = readGiven("to", query.to, problems);
  if (fromAt !== undefined && beforeAt !== undefined && fromAt > beforeAt) {
    problems.push({ path: "to", message: "must not be before from" });
  }
  if (problems.length > 0) throw errors.validationFailed(problems);
  return { ...(fromAt !== undefined && { fromAt }), ...(beforeAt !== undefined && { beforeAt }) };
}

function readGiven(
  path: string,
  text: string | undefined,
  problems: Problem[],
): number | undefined {
  return text === undefined ? undefined : readInstant(path, text, problems);
}

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
