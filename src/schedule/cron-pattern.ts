import { validateDetailed } from "node-cron";

/** What is wrong with a cron expression in words; undefined when nothing is. */
export function cronProblem(cron: string): string | undefined {
  const shape = shapeProblem(cron);
  if (shape !== undefined) return shape;
  const { valid, errors } = validateDetailed(cron);
  return valid ? undefined : `is no cron expression: ${errors[0]?.message ?? "it is not right"}`;
}

const LONGEST = 100;

const MONTHS =
  "JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEP(?:TEMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?";
const DAYS =
  "SUN(?:DAY)?|MON(?:DAY)?|TUE(?:SDAY)?|WED(?:NESDAY)?|THU(?:RSDAY)?|FRI(?:DAY)?|SAT(?:URDAY)?";
const PART = `(?:\\*|[0-9]{1,2}|${MONTHS}|${DAYS})`;

/** Numbers of two digits, names of months and days, `*`, ranges, steps and lists of them; `L` is last. */
const FIELD = new RegExp(`^(?:${PART}(?:[-/,#](?:${PART}|L))*L?|L)$`, "i");

/**
 * The library spells a range out before it looks whether its ends make sense: of a range over a
 * thousand million it would take all memory. So what is no field at all never comes to it.
 */
function shapeProblem(cron: string): string | undefined {
  if (cron.length > LONGEST) return `is longer than ${LONGEST} characters`;
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) {
    return `has ${fields.length} fields; it needs minute, hour, day, month and weekday, with or without a second before them`;
  }
  const wrong = fields.find((field) => !FIELD.test(field));
  return wrong === undefined ? undefined : `has a field that is none: "${wrong}"`;
}
