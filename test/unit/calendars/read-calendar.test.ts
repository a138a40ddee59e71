import { describe, expect, test } from "vitest";
import { createReadCalendar } from "../../../src/calendars/read-calendar.ts";

const NEW_YORK = "America/New_York";
const readCalendar = createReadCalendar();

async function eventsOf(text: string, zone = NEW_YORK) {
  const reading = await readCalendar(text, zone);
  if (reading.kind !== "read") throw new Error(JSON.stringify(reading.problems));
  return reading.events.map(({ startsAt, endsAt, ...rest }) => ({
    at: new Date(startsAt).toISOString(),
    ...(endsAt !== undefined && { until: new Date(endsAt).toISOString() }),
    ...rest,
  }));
}

async function problemsOf(text: string) {
  const reading = await readCalendar(text, NEW_YORK);
  return reading.kind === "read" ? [] : reading.problems.map((p) => `${p.where}: ${p.message}`);
}

async function leftOutOf(text: string) {
  const reading = await readCalendar(text, NEW_YORK);
  return reading.kind === "read" ? reading.leftOut : undefined;
}

const ics = (...lines: string[]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//EN", ...lines, "END:VCALENDAR", ""].join(
    "\r\n",
  );
const event = (...lines: string[]) => ["BEGIN:VEVENT", "UID:1", ...lines, "END:VEVENT"];

describe("iCalendar", () => {
  test.each([
    ["UTC", "DTSTART:20261210T133000Z", "2026-12-10T13:30:00.000Z"],
    ["floating", "DTSTART:20261210T083000", "2026-12-10T13:30:00.000Z"],
    ["of a zone", "DTSTART;TZID=America/Chicago:20261210T083000", "2026-12-10T14:30:00.000Z"],
    [
      "of a quoted zone",
      'DTSTART;TZID="Europe/Berlin":20260710T083000',
      "2026-07-10T06:30:00.000Z",
    ],
    [
      "of a zone by another name",
      "DTSTART;TZID=US-Eastern:20260710T083000",
      "2026-07-10T12:30:00.000Z",
    ],
    [
      "of Outlook's",
      "DTSTART;TZID=Eastern Standard Time:20260710T083000",
      "2026-07-10T12:30:00.000Z",
    ],
  ])("has a time %s", async (_what, start, expected) => {
    const text = ics(...event(start, "SUMMARY:Consumer Price Index"));
    expect(await eventsOf(text)).toEqual([{ at: expected, title: "Consumer Price Index" }]);
  });

  test("takes the whole day where it names no time", async () => {
    const text = ics(...event("DTSTART;VALUE=DATE:20261126", "SUMMARY:Thanksgiving"));
    expect(await eventsOf(text)).toEqual([
      { at: "2026-11-26T05:00:00.000Z", until: "2026-11-27T05:00:00.000Z", title: "Thanksgiving" },
    ]);
  });

  test.each([
    ["DTEND", ["DTSTART:20261210T133000Z", "DTEND:20261210T143000Z"], "2026-12-10T14:30:00.000Z"],
    [
      "DTEND of another zone",
      [
        "DTSTART;TZID=America/New_York:20261210T083000",
        "DTEND;TZID=America/Chicago:20261210T083000",
      ],
      "2026-12-10T14:30:00.000Z",
    ],
    [
      "DTEND, the first day after it",
      ["DTSTART;VALUE=DATE:20261210", "DTEND;VALUE=DATE:20261212"],
      "2026-12-12T05:00:00.000Z",
    ],
    [
      "the same day as DTEND",
      ["DTSTART;VALUE=DATE:20261210", "DTEND;VALUE=DATE:20261210"],
      "2026-12-11T05:00:00.000Z",
    ],
    ["the same time as DTEND", ["DTSTART:20261210T133000Z", "DTEND:20261210T133000Z"], undefined],
    ["DURATION", ["DTSTART:20261210T133000Z", "DURATION:PT1H30M5S"], "2026-12-10T15:00:05.000Z"],
    [
      "DURATION of days",
      ["DTSTART;VALUE=DATE:20261210", "DURATION:P1W1D"],
      "2026-12-18T05:00:00.000Z",
    ],
    [
      "DURATION over a change of clocks",
      ["DTSTART:20270313T083000", "DURATION:P1DT1H"],
      "2027-03-14T13:30:00.000Z",
    ],
    [
      "DURATION of UTC's days",
      ["DTSTART:20270313T133000Z", "DURATION:P1D"],
      "2027-03-14T13:30:00.000Z",
    ],
    ["no DURATION", ["DTSTART:20261210T133000Z", "DURATION:PT0S"], undefined],
  ])("ends by %s", async (_what, lines, until) => {
    const [found] = await eventsOf(ics(...event(...lines, "SUMMARY:x")));
    expect(found?.until).toBe(until);
  });

  test.each([
    ["X-WR-TIMEZONE:America/Chicago", "2026-12-10T14:30:00.000Z"],
    ["X-WR-TIMEZONE;X-P=1:Eastern Standard Time", "2026-12-10T13:30:00.000Z"],
    ["X-WR-TIMEZONE:", "2026-12-10T07:30:00.000Z"],
  ])("may name the zone of its times by %s", async (line, expected) => {
    const floating = event("DTSTART:20261210T083000", "SUMMARY:x");
    const zoned = event("DTSTART;TZID=Europe/Berlin:20261210T083000", "SUMMARY:y");
    const found = await eventsOf(ics(line, ...floating, ...zoned), "Europe/Berlin");
    expect(Object.fromEntries(found.map(({ title, at }) => [title, at]))).toEqual({
      x: expected,
      y: "2026-12-10T07:30:00.000Z",
    });
  });

  test("is refused where its own zone is not known", async () => {
    const text = ics("X-WR-TIMEZONE:Mars/Base", ...event("DTSTART:20261210T083000", "SUMMARY:x"));
    expect(await problemsOf(text)).toEqual(['line 4: its time zone "Mars/Base" is not known']);
  });

  test("keeps two events that differ in their end alone", async () => {
    const one = ["DTSTART:20261210T133000Z", "SUMMARY:x"];
    const text = ics(...event(...one), ...event(...one, "DURATION:PT1H"));
    expect(await eventsOf(text)).toHaveLength(2);
  });

  test("may call a zone as it likes, if it says where that is", async () => {
    const zone = [
      "BEGIN:VTIMEZONE",
      "TZID:Office",
      "X-LIC-LOCATION:Europe/Berlin",
      "END:VTIMEZONE",
    ];
    const text = ics(...zone, ...event("DTSTART;TZID=Office:20260710T083000", "SUMMARY:x"));
    expect((await eventsOf(text))[0]?.at).toBe("2026-07-10T06:30:00.000Z");
  });

  test("folds lines, escapes commas and has alarms, as BLS and others write it, in order of time", async () => {
    const text = ics(
      ...event(
        "DTSTART:20261211T133000Z",
        "SUMMARY:Producer Price\r\n  Index\\, final",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "TRIGGER:-PT15M",
        "DESCRIPTION:x",
        "END:VALARM",
      ),
      ...event("DTSTART:20261210T133000Z", `SUMMARY:${"x".repeat(300)}`, "DTEND:20261210T143000Z"),
    );
    expect((await eventsOf(text)).map(({ title }) => title)).toEqual([
      "x".repeat(200),
      "Producer Price Index, final",
    ]);
  });

  test("says what it leaves out", async () => {
    const text = ics(
      ...event("DTSTART:20261210T133000Z", "SUMMARY:Jobless Claims", "RRULE:FREQ=WEEKLY"),
      ...event("DTSTART:20261211T133000Z", "SUMMARY:Gone", "STATUS:CANCELLED"),
      ...event("DTSTART:20261210T133000Z", "SUMMARY:Jobless Claims"),
    );
    expect(await eventsOf(text)).toHaveLength(1);
    expect(await leftOutOf(text)).toEqual([
      { where: "line 4", title: "Jobless Claims", reason: "repeats: only its first date is kept" },
      { where: "line 10", title: "Gone", reason: "is cancelled" },
      { where: "line 16", title: "Jobless Claims", reason: "is the same as an earlier one" },
    ]);
  });

  test.each([
    [
      ["DTSTART;TZID=Mars/Base:20261210T083000", "SUMMARY:x"],
      /^line 4: its time zone "Mars\/Base"/,
    ],
    [["SUMMARY:x"], /^line 4: has no DTSTART/],
    [["DTSTART:20261210T083000"], /^line 4: has no title/],
    [["DTSTART:tomorrow", "SUMMARY:x"], /^line 4: /],
    [["DTSTART:20261399T083000", "SUMMARY:x"], /^line 4: /],
    [["DTSTART:20261210T253000", "SUMMARY:x"], /^line 4: /],
    [["DTSTART:20261210T083000", "SUMMARY:x", "nonsense"], /^line 4: cannot be read/],
    [
      ["DTSTART:20261210T083000", "DTEND:20261210T093000", "DURATION:PT1H", "SUMMARY:x"],
      /^line 4: has both DTEND and DURATION/,
    ],
    [["DTSTART:20261210T083000", "DTEND:20261210T073000", "SUMMARY:x"], /ends before it starts/],
    [
      ["DTSTART:20261210T083000", "DTEND;TZID=Mars:20261210T093000", "SUMMARY:x"],
      /DTEND: its time/,
    ],
    [["DTSTART:20261210T083000", "DTEND:20261399T093000", "SUMMARY:x"], /DTEND: "2026-13-99/],
    [
      ["DTSTART:20261210T083000", "DTEND;VALUE=DATE:20261211", "SUMMARY:x"],
      /has a time of day at one end only/,
    ],
    [["DTSTART:20261210T083000", "DURATION:-PT1H", "SUMMARY:x"], /"-PT1H" is no DURATION/],
    [["DTSTART:20261210T083000", "DURATION:soon", "SUMMARY:x"], /is no DURATION|cannot be read/],
    [["DTSTART;VALUE=DATE:20261210", "DURATION:PT1H", "SUMMARY:x"], /"PT1H" is no DURATION/],
    [["DTSTART:20261210T083000", "DURATION:P32D", "SUMMARY:x"], /lasts longer than 31 days/],
    [["DTSTART:20261210T083000", `SUMMARY:${"x".repeat(40_000)}`], /is longer than 32768/],
  ])("with %j is refused with its line", async (lines, expected) => {
    const [problem, ...others] = await problemsOf(ics(...event(...lines)));
    expect(problem).toMatch(expected);
    expect(others).toEqual([]);
  });

  test("that ends in the middle of an event is refused", async () => {
    const whole = event("DTSTART:20261210T083000", "SUMMARY:x");
    expect(await problemsOf(ics(...whole, "BEGIN:VEVENT", "SUMMARY:y"))).toEqual([
      "line 9: has no END:VEVENT",
    ]);
  });
});

test("an iCalendar file that was cut off between two events is refused", async () => {
  const text = ics(...event("DTSTART:20261210T083000", "SUMMARY:x")).replace(
    /END:VCALENDAR\s*$/,
    "",
  );
  expect(await problemsOf(text)).toEqual([
    "line 8: the file ends before END:VCALENDAR: a part of it is missing",
  ]);
});

describe("CSV", () => {
  test("has times in the zone given, with an offset, or whole days", async () => {
    const text = [
      "Start,Title,Impact,Products,Currency",
      "2026-12-10 08:30,Consumer Price Index,High,,usd",
      '2026-12-09T10:30:00-05:00,"EIA Crude Oil, Stocks",medium,cl|MCL NG,',
      "2026-12-08T12:00Z,UTC,,,",
      "",
      "2026-12-25,Christmas,holiday",
    ].join("\r\n");
    expect(await eventsOf(text)).toEqual([
      { at: "2026-12-08T12:00:00.000Z", title: "UTC" },
      {
        at: "2026-12-09T15:30:00.000Z",
        title: "EIA Crude Oil, Stocks",
        impact: "medium",
        products: ["CL", "MCL", "NG"],
      },
      {
        at: "2026-12-10T13:30:00.000Z",
        title: "Consumer Price Index",
        impact: "high",
        currency: "USD",
      },
      {
        at: "2026-12-25T05:00:00.000Z",
        until: "2026-12-26T05:00:00.000Z",
        title: "Christmas",
        impact: "holiday",
      },
    ]);
  });

  test("follows the clocks of its zone", async () => {
    const text =
      "start,title\n2027-03-12 08:30,before\n2027-03-15 08:30,after\n2027-03-14 02:30,gap";
    expect((await eventsOf(text)).map(({ at }) => at)).toEqual([
      "2027-03-12T13:30:00.000Z",
      "2027-03-14T07:00:00.000Z",
      "2027-03-15T12:30:00.000Z",
    ]);
  });

  test("is apart by semicolons or tabs as well", async () => {
    expect((await eventsOf("start;title;products\n2026-12-10 08:30;x;ES,NQ"))[0]?.products).toEqual(
      ["ES", "NQ"],
    );
    expect((await eventsOf("start\ttitle\n2026-12-10 08:30\ta, b"))[0]?.title).toBe("a, b");
  });

  test.each([
    ["start,title\n2026-12-10 08:30,x\n10.12.2026,y", /^line 3: "10.12.2026" is no time/],
    ["start,title\n2026-02-30 08:30,x", /^line 2: /],
    ["start,title\n2026-12-10 25:30,x", /^line 2: /],
    ["start,title\n2026-12-10 08:30,x,y", /^line 2: has 3 columns/],
    ["start,title\n2026-12-10 08:30,", /^line 2: has no title/],
    ["start,title,impact\n2026-12-10 08:30,x,huge", /^line 2: "huge" is no impact/],
    ["start,title,products\n2026-12-10 08:30,x,ES1!", /^line 2: "ES1!" is no root/],
    ["start,title,currency\n2026-12-10 08:30,x,dollar", /^line 2: "DOLLAR" is no currency/],
    ["start,title,forecast\n2026-12-10 08:30,x,1", /^line 1: "forecast" is none of the columns/],
    ["title\nx", /^line 1: has no column "start"/],
    ["start,start,title\n1,2,3", /^line 1: names a column twice/],
    ['start,title\n2026-12-10 08:30,"x', /^line \d: is no CSV/],
    ["start,title", /^line 1: there is no event/],
    ["", /^line 1: there is no event/],
  ])("%j is refused", async (text, expected) => {
    expect((await problemsOf(text))[0]).toMatch(expected);
  });

  test("names each line that cannot be read, and stops at fifty of them", async () => {
    const file = (count: number) => ["start,title", ...Array(count).fill("x,y")].join("\n");
    expect(await problemsOf(file(3))).toHaveLength(3);
    const reading = await readCalendar(file(120_000), NEW_YORK);
    expect(reading).toMatchObject({ kind: "unreadable", isWhole: false });
    expect(reading).toHaveProperty("problems.length", 50);
  });

  test("keeps the number of each line where a cell has several, and skips Excel's mark", async () => {
    const quoted = `2026-12-10 08:30,"a\n""b""\n${" ".repeat(100)}c"`;
    const rows = Array.from({ length: 300 }, () => quoted);
    const text = ["\uFEFFstart,title", ...rows, "x,y", quoted, "z,y"].join("\n");
    expect((await problemsOf(text)).map((problem) => problem.split(":")[0])).toEqual([
      "line 902",
      "line 906",
    ]);
  });

  test("has bounds for a row and for the products of an event", async () => {
    const row = (products: string) => `start,title,products\n2026-12-10 08:30,x,${products}`;
    expect(await problemsOf(row("A ".repeat(8_000)))).toEqual([
      expect.stringMatching(/^line \d: is no CSV: Max Record Size/),
    ]);
    const LONG = ["line 1: here or below, a row is longer than 8192 characters"];
    expect(await problemsOf(row("A ".repeat(160_000)))).toEqual(LONG);
    expect(await problemsOf(`start,title${",".repeat(500_000)}`)).toEqual(LONG);
    const many = Array.from({ length: 101 }, (_, n) => `R${n}`).join(" ");
    expect(await problemsOf(row(many))).toEqual([
      "line 2: names 101 products, and at most 100 are taken",
    ]);
    expect((await eventsOf(row("ES es ES NQ")))[0]?.products).toEqual(["ES", "NQ"]);
  });

  test("of more than 5,000 events is refused", async () => {
    const row = (n: number) => `2026-12-10 08:30,event ${n}`;
    const rows = Array.from({ length: 5_000 }, (_, n) => row(n));
    expect(await eventsOf(["start,title", ...rows].join("\n"))).toHaveLength(5_000);
    expect(await problemsOf(["start,title", ...rows, row(-1)].join("\n"))).toEqual([
      "line 5002: begins after 5000 events, and no more are taken: split the file",
    ]);
  });
});

describe("ForexFactory's JSON", () => {
  const entry = {
    title: "CPI m/m",
    country: "USD",
    date: "2026-12-10T08:30:00-05:00",
    impact: "High",
    forecast: "0.3%",
    previous: "0.2%",
  };

  test("has a currency, an offset and an impact", async () => {
    const all = [
      entry,
      { ...entry, title: "OPEC", country: "All", impact: "Non-Economic" },
      { ...entry, title: "Bank Holiday", date: "2026-12-11T00:00:00-05:00", impact: "Holiday" },
    ];
    expect(await eventsOf(JSON.stringify(all))).toEqual([
      { at: "2026-12-10T13:30:00.000Z", title: "CPI m/m", impact: "high", currency: "USD" },
      { at: "2026-12-10T13:30:00.000Z", title: "OPEC", impact: "low" },
      {
        at: "2026-12-11T05:00:00.000Z",
        until: "2026-12-12T05:00:00.000Z",
        title: "Bank Holiday",
        impact: "holiday",
        currency: "USD",
      },
    ]);
  });

  test.each([
    [[entry, { ...entry, date: "soon" }], /^entry 2: "soon" is no time/],
    [[{ ...entry, impact: "Huge" }], /^entry 1: "Huge" is no impact/],
    [[{ ...entry, impact: "__proto__" }], /^entry 1: "__proto__" is no impact/],
    [[{ ...entry, impact: "constructor" }], /^entry 1: "constructor" is no impact/],
    [[{ country: "USD" }], /^entry 1: has no title or no date/],
    [[1], /^entry 1: is no event/],
    [[], /^line 1: there is no event/],
  ])("%j is refused", async (entries, expected) => {
    expect((await problemsOf(JSON.stringify(entries)))[0]).toMatch(expected);
  });

  test("that is cut off is refused", async () => {
    expect((await problemsOf('[{"title":"x"'))[0]).toMatch(/^line 1: is no JSON/);
  });
});

test("a long file leaves the thread to others while it is read, and files are read in turn", async () => {
  const rows = Array.from({ length: 4_000 }, (_, n) =>
    event(`DTSTART;TZID=America/Chicago:202612${10 + (n % 20)}T083000`, `SUMMARY:event ${n}`),
  );
  const text = ics(...rows.flat());
  const ended: number[] = [];
  const reads = [1, 2, 3].map(async (n) => {
    const reading = await readCalendar(text, NEW_YORK);
    ended.push(n);
    return reading.kind;
  });
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  expect(await Promise.all(reads)).toEqual(["read", "read", "read"]);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
  expect(ended).toEqual([1, 2, 3]);
});

test("the thread is free between two files", async () => {
  const seen: (number | "free")[] = [];
  const timer = setInterval(() => {
    if (seen.at(-1) !== "free") seen.push("free");
  }, 1);
  const text = ics(...event("DTSTART:20261210T083000Z", "SUMMARY:one"));
  const reads = [1, 2, 3].map(async (n) => {
    await readCalendar(text, NEW_YORK);
    seen.push(n);
  });
  await Promise.all(reads);
  clearInterval(timer);
  expect(seen.slice(seen.indexOf(1))).toEqual([1, "free", 2, "free", 3]);
});

test("JSON of lists in lists is not parsed", async () => {
  expect((await problemsOf("[".repeat(100_000)))[0]).toMatch(/has more than 20000 parts/);
});

test.each(['{"events":[]}', "<html>"])("%s is no calendar", async (text) => {
  expect((await problemsOf(text))[0]).toMatch(/is no calendar that is known/);
});
