import { createTask, parse, type ScheduledTask, validateDetailed } from "node-cron";
import type { Schedule } from "../domain/strategies/strategy.ts";
import type { Problem } from "../errors.ts";
import type { Scheduler, SlotsBetween, SlotTimers } from "../trading/strategies/ports.ts";

/** Two slots of a schedule are never closer together. */
const CLOSEST_MS = 10_000;

/** How many instants are looked at for slots that were missed, at most: a day of minutes. */
const MOST_LOOKED_AT = 1_440;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Schedules by `node-cron`, in the time zone of each. */
export function createCronScheduler(): Scheduler & SlotTimers {
  return { check, next, between, start };
}

function check({ cron, timeZone }: Schedule): readonly Problem[] {
  const problem = cronProblem(cron);
  const problems = problem === undefined ? [] : [{ path: "schedule.cron", message: problem }];
  if (!isTimeZone(timeZone)) {
    const message = `"${timeZone}" is no time zone; one is America/Chicago`;
    problems.push({ path: "schedule.timeZone", message });
  }
  if (problems.length > 0) return problems;
  if (isTooOften(cron)) {
    const message = `has slots closer together than ${CLOSEST_MS / SECOND_MS} seconds`;
    return [{ path: "schedule.cron", message }];
  }
  const never = next({ cron, timeZone }) === undefined;
  return never ? [{ path: "schedule.cron", message: "never comes" }] : [];
}

/** The seconds of a minute are the same in every minute that has any. */
function isTooOften(cron: string): boolean {
  const seconds = parse(cron).second.toSorted((a, b) => a - b);
  return seconds.some((second, index) => {
    const later = seconds[index + 1] ?? (seconds[0] ?? 0) + 60;
    return (later - second) * SECOND_MS < CLOSEST_MS;
  });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The library knows only the next one after now. */
function next(schedule: Schedule, afterAt?: number): number | undefined {
  const coming = comingSlots(schedule).find((slotAt) => slotAt > (afterAt ?? 0));
  if (afterAt === undefined) return coming;
  // Its clock may be behind that of whoever asks, or ahead.
  const until = Math.min(coming ?? afterAt + DAY_MS, Math.max(Date.now(), afterAt) + MINUTE_MS);
  return between(schedule, afterAt, until).firstAt ?? coming;
}

/** The next two: of a clock that is behind, the first may be the one that is asked about. */
function comingSlots(schedule: Schedule): readonly number[] {
  return withTask(schedule, (task) => {
    try {
      return task.getNextRuns(2).map((slot) => slot.getTime());
    } catch {
      return []; // It looks ahead for some years only.
    }
  });
}

function between(schedule: Schedule, fromAt: number, beforeAt: number): SlotsBetween {
  const { second: seconds } = parse(schedule.cron);
  const firstMinute = Math.floor(fromAt / MINUTE_MS);
  const lastMinute = Math.floor(beforeAt / MINUTE_MS);
  return withTask(schedule, (task) => {
    const found: number[] = [];
    let looked = 0;
    // From the newest one backwards: the older ones are those that may go uncounted.
    for (let minute = lastMinute; minute >= firstMinute; minute -= 1) {
      for (const second of seconds.toSorted((a, b) => b - a)) {
        const at = minute * MINUTE_MS + second * SECOND_MS;
        if (at <= fromAt || at >= beforeAt) continue;
        if (looked >= MOST_LOOKED_AT) return summary(found, true);
        looked += 1;
        if (!task.match(new Date(at)) || comesAgain(at, schedule.timeZone)) continue;
        found.push(at);
      }
    }
    return summary(found, false);
  });
}

/** By how much clocks are set back: an hour, and on Lord Howe Island half of one. */
const SET_BACK_MS = [3_600_000, 1_800_000];
const MOST_CLOCKS = 100;
const clocks = new Map<string, Intl.DateTimeFormat>();

/** In the hour that comes twice in autumn, the library's slots come once: when it comes first. */
function comesAgain(at: number, timeZone: string): boolean {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", { timeZone, dateStyle: "short", timeStyle: "medium" });
  // There are many ways to spell a time zone.
  if (clocks.size >= MOST_CLOCKS) clocks.clear();
  clocks.set(timeZone, clock);
  const now = clock.format(at);
  return SET_BACK_MS.some((ms) => clock.format(at - ms) === now);
}

function summary(newestFirst: readonly number[], isPartial: boolean): SlotsBetween {
  const [firstAt, lastAt] = [newestFirst.at(-1), newestFirst[0]];
  const ends = firstAt !== undefined && lastAt !== undefined && { firstAt, lastAt };
  return { count: newestFirst.length, isPartial, ...ends };
}

function start(schedule: Schedule, onSlot: (slotAt: number) => void): () => void {
  const task = createTask(schedule.cron, ({ date }) => onSlot(date.getTime()), {
    timezone: schedule.timeZone,
    logger: SILENT,
    unref: true,
    // A thread that is busy for a second or two may still be in time: whoever evaluates decides that.
    missedExecutionTolerance: CLOSEST_MS,
  });
  void task.start();
  return () => void task.destroy();
}

/** The library keeps every task in a list of its own until it is destroyed. */
function withTask<Value>({ cron, timeZone }: Schedule, use: (task: ScheduledTask) => Value): Value {
  const task = createTask(cron, () => undefined, { timezone: timeZone, logger: SILENT });
  try {
    return use(task);
  } finally {
    void task.destroy();
  }
}

/** What was missed is told by our own log. */
const SILENT = { info: ignore, warn: ignore, error: ignore, debug: ignore };

function ignore(): void {}

/** What is wrong with a cron expression in words; undefined when nothing is. */
function cronProblem(cron: string): string | undefined {
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
