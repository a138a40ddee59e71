import fc from "fast-check";
import * as library from "node-cron";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createCronScheduler } from "../../../src/schedule/cron-scheduler.ts";

// A file before this one in the same worker may have loaded the scheduler with the library itself.
vi.hoisted(() => vi.resetModules());
vi.mock("node-cron", { spy: true });

const scheduler = createCronScheduler();
const NEW_YORK = "America/New_York";
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 1_440 * MINUTE;

const problemsOf = (cron: string, timeZone = "UTC") => scheduler.check({ cron, timeZone });
const text = (at: number | undefined) =>
  at === undefined ? undefined : new Date(at).toISOString().replace(".000Z", "Z");

beforeEach(() => {
  vi.clearAllMocks();
  vi.useFakeTimers();
});
afterEach(() => {
  for (const stop of toStop.splice(0)) stop();
  vi.useRealTimers();
});

const toStop: (() => void)[] = [];

describe("check", () => {
  test.each([
    "* * * * *",
    "*/5 8-15 * * MON-FRI",
    "30 9 * * mon",
    "0 9 * JAN,JUL MONDAY",
    "59-0 * * * *",
    "0 22-2 * * FRI-MON",
    "0 0 29 2 *",
    "0 0 L * *",
    "0 0 * * 5L",
    "0 0 * * 1#5",
    "0 0 * * 7",
    "*/10 * * * * *",
    "0,10,20,30,40,50 * * * * *",
    "5,55 * * * * *",
    "30 0 9 * * *",
  ])("%j can be kept", (cron) => expect(problemsOf(cron)).toEqual([]));

  test.each<[cron: string, message: string]>([
    ["", "has 1 fields"],
    ["* * * *", "has 4 fields"],
    ["* * * * * * *", "has 7 fields"],
    ["@daily", "has 1 fields"],
    ["60 * * * *", "60 is a invalid expression for minute"],
    ["0 24 * * *", "24 is a invalid expression for hour"],
    ["0 0 0 * *", "0 is a invalid expression for day of month"],
    ["0 0 * 13 *", "13 is a invalid expression for month"],
    ["0 0 * * 8", "8 is a invalid expression for week day"],
    ["0 0 * * 1#6", "1#6 is a invalid expression for week day"],
    ["0 9 * * FOO", "FOO"],
    ["*/0 * * * *", "*/0 is a invalid expression for minute"],
    ["5-1-3 * * * *", "5-1-3 is a invalid expression for minute"],
    // Days that no month has, and days that never meet.
    ["0 0 31 2 *", "impossible day"],
    ["0 0 30 FEB *", "impossible day"],
    ["0 0 31 4,6,9,11 *", "impossible day"],
    ["0 0 1 * 1#2", "never comes"],
    ["*/10 0 0 1 * 1#2", "never comes"],
    // Too often.
    ["* * * * * *", "closer together than 10 seconds"],
    ["*/9 * * * * *", "closer together than 10 seconds"],
    ["0,9 * * * * *", "closer together than 10 seconds"],
    ["0,55 * * * * *", "closer together than 10 seconds"],
    ["0-59/5 0 0 1 1 *", "closer together than 10 seconds"],
  ])("%j is refused: %s", (cron, message) => {
    expect(problemsOf(cron)).toEqual([
      { path: "schedule.cron", message: expect.stringContaining(message) },
    ]);
  });

  // Two names at once are no name: the library puts their numbers together, JAN and FEB to 12.
  test.each(["0 9 * JANFEB *", "0 9 * JANJAN *", "0 9 * * SUNMON", "0 9 * * SUNSAT"])(
    "%j is refused",
    (cron) => {
      expect(problemsOf(cron)).toEqual([{ path: "schedule.cron", message: expect.any(String) }]);
    },
  );

  test.each([
    "1-1000000000 * * * *",
    "1-999 * * * *",
    "*/1000000000 * * * *",
    "0 0 1-1000000000 * *",
    "0 0 * 1-1000000000 *",
    "0 0 * JAN-1000000000 *",
    "0 0 * * 1#1000000000",
    "0,1-1000000000 * * * * *",
    "1e9 * * * *",
    "0x10 * * * *",
    "-1 * * * *",
    "1- * * * *",
    "1,,2 * * * *",
    "? * * * *",
    "0 0 15W * *",
    "0 0 L-3 * *",
    "\uff10 9 * * *",
    "* * * * *;ls",
    "__proto__ * * * *",
    `${"0,".repeat(60)}0 * * * *`,
    `* * * * ${"*".repeat(10_000)}`,
    " ".repeat(101),
  ])("%j never comes to the library", (cron) => {
    expect(problemsOf(cron)).toEqual([{ path: "schedule.cron", message: expect.any(String) }]);
    for (const called of [library.validateDetailed, library.parse, library.createTask]) {
      expect(called).not.toHaveBeenCalled();
    }
  });

  test.each(["", "Chicago", "Mars/Phobos", "GMT+5", "__proto__", "America/Chicago\n", "\0"])(
    "%j is no time zone",
    (timeZone) => {
      expect(problemsOf("0 9 * * *", timeZone)).toEqual([
        {
          path: "schedule.timeZone",
          message: `"${timeZone}" is no time zone; one is America/Chicago`,
        },
      ]);
    },
  );

  test("tells both that are wrong", () => {
    expect(problemsOf("61 * * * *", "Chicago").map(({ path }) => path)).toEqual([
      "schedule.cron",
      "schedule.timeZone",
    ]);
  });

  test("whatever is written is refused or has a next slot", () => {
    vi.setSystemTime(Date.UTC(2026, 10, 20));
    const part = fc.oneof(
      fc.constantFrom("*", "L", "MON", "JAN", "1L", "1#2", "0", "1", "7", "29", "31", "59", "99"),
      fc.integer({ min: 0, max: 60 }).map(String),
      fc.tuple(fc.nat(70), fc.nat(70)).map(([from, to]) => `${from}-${to}`),
      fc.nat(70).map((step) => `*/${step}`),
      fc.string({ maxLength: 4 }),
    );
    const fields = fc
      .array(fc.array(part, { minLength: 1, maxLength: 2 }), { minLength: 5, maxLength: 6 })
      .map((parts) => parts.map((field) => field.join(",")).join(" "));
    const usual = fc
      .tuple(
        fc.oneof(fc.constantFrom("*", "*/5", "0", "61"), part),
        fc.constantFrom("*", "9", "22-2", "25"),
        fc.constantFrom("*", "1", "L", "29", "31", "1-7"),
        fc.constantFrom("*", "2", "JAN", "4,6", "*/3"),
        fc.constantFrom("*", "MON", "1#2", "5L", "7"),
      )
      .map((parts) => parts.join(" "));
    let kept = 0;
    fc.assert(
      fc.property(fc.oneof(fields, usual, fc.string({ maxLength: 120 })), (cron) => {
        const problems = problemsOf(cron);
        for (const { path } of problems) expect(path).toBe("schedule.cron");
        if (problems.length > 0) return;
        kept += 1;
        expect(scheduler.next({ cron, timeZone: "UTC" })).toBeGreaterThan(Date.now());
      }),
      { numRuns: 250 },
    );
    expect(kept).toBeGreaterThan(10);
  });
});

/** The slots that come, one after another, as `next` tells them: so many, or all before an instant. */
function comingSlots(
  cron: string,
  timeZone: string,
  from: string,
  { count = Infinity, before = Infinity },
) {
  const slots: number[] = [];
  vi.setSystemTime(from);
  while (slots.length < count) {
    const slot = scheduler.next({ cron, timeZone });
    if (slot === undefined || slot >= before) break;
    slots.push(slot);
    vi.setSystemTime(slot);
  }
  return slots;
}

describe("next", () => {
  test.each<[cron: string, timeZone: string, from: string, expected: readonly string[]]>([
    ["* * * * *", "UTC", "2026-11-20T14:00:00Z", ["2026-11-20T14:01:00Z", "2026-11-20T14:02:00Z"]],
    ["* * * * *", "UTC", "2026-11-20T13:59:59.999Z", ["2026-11-20T14:00:00Z"]],
    [
      "*/10 * * * * *",
      "UTC",
      "2026-11-20T14:00:45.500Z",
      ["2026-11-20T14:00:50Z", "2026-11-20T14:01:00Z"],
    ],
    [
      "0 9 * * MON-FRI",
      NEW_YORK,
      "2026-11-20T15:00:00Z",
      ["2026-11-23T14:00:00Z", "2026-11-24T14:00:00Z"],
    ],
    ["0 9 * * *", "Asia/Kolkata", "2026-11-20T00:00:00Z", ["2026-11-20T03:30:00Z"]],
    // The same time by the clock on both sides of a change.
    [
      "0 9 * * MON-FRI",
      NEW_YORK,
      "2026-10-29T14:00:00Z",
      ["2026-10-30T13:00:00Z", "2026-11-02T14:00:00Z"],
    ],
    ["0 0 29 2 *", "UTC", "2026-11-20T00:00:00Z", ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"]],
    // Both the day and the weekday must hold: the first Monday of a month.
    [
      "0 9 1-7 * MON",
      "UTC",
      "2026-11-20T00:00:00Z",
      ["2026-12-07T09:00:00Z", "2027-01-04T09:00:00Z"],
    ],
    // 02:30 is not there on 8 March; it comes again on the next day.
    [
      "30 2 * * *",
      NEW_YORK,
      "2026-03-07T08:00:00Z",
      ["2026-03-09T06:30:00Z", "2026-03-10T06:30:00Z"],
    ],
    [
      "*/30 * * * *",
      NEW_YORK,
      "2026-03-08T06:15:00Z",
      ["2026-03-08T06:30:00Z", "2026-03-08T07:00:00Z", "2026-03-08T07:30:00Z"],
    ],
    // 01:30 comes twice on 1 November; the first one counts.
    [
      "30 1 * * *",
      NEW_YORK,
      "2026-10-31T08:00:00Z",
      ["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"],
    ],
  ])("%s in %s after %s", (cron, timeZone, from, expected) => {
    expect(comingSlots(cron, timeZone, from, { count: expected.length }).map(text)).toEqual(
      expected,
    );
  });
});

describe("between", () => {
  const between = (cron: string, from: string, before: string, timeZone = "UTC") => {
    const {
      firstAt: _,
      lastAt,
      ...rest
    } = scheduler.between({ cron, timeZone }, Date.parse(from), Date.parse(before));
    return { ...rest, lastAt: text(lastAt) };
  };

  test.each<[cron: string, from: string, before: string, count: number, lastAt?: string]>([
    ["* * * * *", "2026-11-20T14:00:00Z", "2026-11-20T14:10:00Z", 9, "2026-11-20T14:09:00Z"],
    ["* * * * *", "2026-11-20T13:59:59Z", "2026-11-20T14:10:01Z", 11, "2026-11-20T14:10:00Z"],
    ["* * * * *", "2026-11-20T14:00:00Z", "2026-11-20T14:01:00Z", 0],
    ["* * * * *", "2026-11-20T14:00:00Z", "2026-11-20T14:00:00Z", 0],
    ["* * * * *", "2026-11-20T14:10:00Z", "2026-11-20T14:00:00Z", 0],
    ["*/20 * * * * *", "2026-11-20T14:00:20Z", "2026-11-20T14:01:20Z", 2, "2026-11-20T14:01:00Z"],
    ["5 * * * * *", "2026-11-20T14:00:05Z", "2026-11-20T14:02:06Z", 2, "2026-11-20T14:02:05Z"],
    ["0 9 * * *", "2026-11-19T09:00:00Z", "2026-11-20T09:00:00.001Z", 1, "2026-11-20T09:00:00Z"],
    ["0 9 * * SUN", "2026-11-20T00:00:00Z", "2026-11-20T23:00:00Z", 0],
  ])("%s after %s and before %s: %i", (cron, from, before, count, lastAt) => {
    expect(between(cron, from, before)).toEqual({ count, isPartial: false, lastAt });
  });

  test("looks at a day of minutes at most, the newest ones", () => {
    expect(between("* * * * *", "2026-11-01T00:00:00Z", "2026-11-20T12:00:00Z")).toEqual({
      count: 1_440,
      isPartial: true,
      lastAt: "2026-11-20T11:59:00Z",
    });
    expect(between("0 9 * * *", "2026-11-01T00:00:00Z", "2026-11-20T12:00:00Z")).toEqual({
      count: 1,
      isPartial: true,
      lastAt: "2026-11-20T09:00:00Z",
    });
    expect(between("*/10 * * * * *", "2026-11-01T00:00:00Z", "2026-11-20T12:00:00Z")).toEqual({
      count: 1_440,
      isPartial: true,
      lastAt: "2026-11-20T11:59:50Z",
    });
    expect(between("0 9 1 1 *", "1970-01-01T00:00:00Z", "2026-11-20T12:00:00Z")).toEqual({
      count: 0,
      isPartial: true,
      lastAt: undefined,
    });
  });

  test("a whole day is no more than that", () => {
    expect(between("* * * * *", "2026-11-19T12:00:00Z", "2026-11-20T12:00:01Z")).toMatchObject({
      count: 1_440,
      isPartial: false,
    });
  });

  test("of a time that is not there on the day of a change, none", () => {
    expect(between("30 2 * * *", "2026-03-08T00:00:00Z", "2026-03-09T00:00:00Z", NEW_YORK)).toEqual(
      {
        count: 0,
        isPartial: false,
        lastAt: undefined,
      },
    );
  });

  const cron = fc.constantFrom(
    "*/7 * * * *",
    "30 1-3 * * *",
    "0 9 * * MON-FRI",
    "15,45 */2 * * *",
    "20,50 */10 * * * *",
  );
  const zone = fc.constantFrom("UTC", NEW_YORK, "Asia/Kolkata", "Australia/Lord_Howe");
  /** What it should answer, by the slots that next comes to. */
  const byNext = (pattern: string, timeZone: string, fromAt: number, length: number) => {
    const from = new Date(fromAt).toISOString();
    const slots = comingSlots(pattern, timeZone, from, { before: fromAt + length });
    return {
      count: slots.length,
      isPartial: false,
      ...(slots.length > 0 && { firstAt: slots[0], lastAt: slots.at(-1) }),
    };
  };

  test("it knows the slots that next comes to", () => {
    const from = fc.integer({
      min: Date.UTC(2026, 10, 9),
      max: Date.UTC(2027, 1, 20),
    });
    const length = fc.integer({ min: 0, max: DAY / 4 });
    fc.assert(
      fc.property(cron, zone, from, length, (pattern, timeZone, fromAt, span) => {
        expect(scheduler.between({ cron: pattern, timeZone }, fromAt, fromAt + span)).toEqual(
          byNext(pattern, timeZone, fromAt, span),
        );
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ["2026-03-08T00:00:00Z", NEW_YORK],
    ["2026-11-01T00:00:00Z", NEW_YORK],
    ["2026-10-03T12:00:00Z", "Australia/Lord_Howe"],
  ])("also where the clock is changed: %s in %s", (from, timeZone) => {
    for (const pattern of ["*/30 * * * *", "30 1 * * *", "0 2 * * *"]) {
      const [fromAt, span] = [Date.parse(from), 600 * MINUTE];
      expect(scheduler.between({ cron: pattern, timeZone }, fromAt, fromAt + span)).toEqual(
        byNext(pattern, timeZone, fromAt, span),
      );
    }
  });

  test("where the clock is set back by half an hour, it counts as many as next comes to", () => {
    const [fromAt, zoneName] = [Date.parse("2026-04-04T12:00:00Z"), "Australia/Lord_Howe"];
    for (const pattern of ["*/30 * * * *", "30 1 * * *", "0 2 * * *"]) {
      const { count } = scheduler.between(
        { cron: pattern, timeZone: zoneName },
        fromAt,
        fromAt + 600 * MINUTE,
      );
      expect(count).toBe(byNext(pattern, zoneName, fromAt, 600 * MINUTE).count);
    }
  });
});

describe("the slot after another one", () => {
  test.each([
    ["*/10 * * * * *", "2026-11-20T14:00:10Z", "2026-11-20T14:00:20Z"],
    ["* * * * *", "2026-11-20T14:00:00Z", "2026-11-20T14:01:00Z"],
    ["0 9 * * *", "2026-11-20T09:00:00Z", "2026-11-21T09:00:00Z"],
  ])("of %s is the same, whenever it is asked for", (cron, slot, after) => {
    const slotAt = Date.parse(slot);
    // By a clock that is far behind, right before, in the moment of the next one, and late.
    const next = Date.parse(after);
    const behind = [slotAt - 45_000, slotAt - 5];
    for (const askedAt of [...behind, slotAt, slotAt + 9_999, next, slotAt + 90_000]) {
      vi.setSystemTime(askedAt);
      expect(text(scheduler.next({ cron, timeZone: "UTC" }, slotAt))).toBe(after);
    }
  });
});

describe("start", () => {
  /** The slots that are called back, as they come. */
  function started(cron: string, from: string, timeZone = "UTC") {
    vi.setSystemTime(from);
    const slots: (string | undefined)[] = [];
    const stop = scheduler.start({ cron, timeZone }, (slotAt) => slots.push(text(slotAt)));
    toStop.push(stop);
    return { slots, stop };
  }

  test("calls back at each slot, with its own time, until it is ended", async () => {
    const { slots, stop } = started("*/10 * * * * *", "2026-11-20T14:00:05.250Z");
    await vi.advanceTimersByTimeAsync(4_700);
    expect(slots).toEqual([]);
    await vi.advanceTimersByTimeAsync(20_100);
    expect(slots).toEqual(["2026-11-20T14:00:10Z", "2026-11-20T14:00:20Z", "2026-11-20T14:00:30Z"]);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(slots).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a slot that is far away comes too", async () => {
    const { slots } = started("0 9 1 1 *", "2026-11-20T14:00:00Z", NEW_YORK);
    await vi.advanceTimersByTimeAsync(43 * DAY);
    expect(slots).toEqual(["2027-01-01T14:00:00Z"]);
  });

  test("on the day of a change, at the times that are there", async () => {
    const { slots } = started("30 2 * * *", "2026-03-07T00:00:00Z", NEW_YORK);
    await vi.advanceTimersByTimeAsync(3 * DAY);
    expect(slots).toEqual(["2026-03-07T07:30:00Z", "2026-03-09T06:30:00Z"]);
  });

  test("the hour that comes twice, as the clock is set back, has its slots once", async () => {
    const { slots } = started("*/30 * * * *", "2026-11-01T04:45:00Z", NEW_YORK);
    await vi.advanceTimersByTimeAsync(150 * MINUTE);
    expect(slots).toEqual(["2026-11-01T05:00:00Z", "2026-11-01T05:30:00Z", "2026-11-01T07:00:00Z"]);
  });

  test("a slot that was overslept is not called back late; the next one is", async () => {
    const { slots } = started("* * * * *", "2026-11-20T14:00:30Z");
    vi.setSystemTime("2026-11-20T14:03:20Z");
    await vi.advanceTimersByTimeAsync(30_000);
    expect(slots).toEqual([]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(slots).toEqual(["2026-11-20T14:04:00Z"]);
  });

  test("one that fails does not end the others", async () => {
    vi.setSystemTime("2026-11-20T14:00:30Z");
    const told = vi.spyOn(console, "error");
    let calls = 0;
    const stop = scheduler.start({ cron: "* * * * *", timeZone: "UTC" }, () => {
      calls += 1;
      throw new Error("of the test");
    });
    toStop.push(stop);
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(calls).toBe(3);
    expect(told).not.toHaveBeenCalled();
  });

  test("every task that was made is ended: asking leaves none behind", () => {
    vi.setSystemTime("2026-11-20T14:00:00Z");
    const schedule = { cron: "*/5 * * * *", timeZone: NEW_YORK };
    scheduler.check(schedule);
    scheduler.next(schedule);
    scheduler.between(schedule, Date.now() - DAY / 2, Date.now());
    const { stop } = started("* * * * *", "2026-11-20T14:00:00Z");
    expect(library.getTasks().size).toBe(1);
    stop();
    expect(library.getTasks().size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
