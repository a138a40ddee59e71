import { describe, expect, test } from "vitest";
import { readCalendar } from "../../../src/calendars/read-calendar.ts";

const NEW_YORK = "America/New_York";

function eventsOf(text: string, zone = NEW_YORK) {
  const reading = readCalendar(text, zone);
  if (reading.kind !== "read") throw new Error(JSON.stringify(reading.problems));
  return reading.events.map(({ startsAt, endsAt, ...rest }) => ({
    at: new Date(startsAt).toISOString(),
    ...(endsAt !== undefined && { until: new Date(endsAt).toISOString() }),
    ...rest,
  }));
}

function problemsOf(text: string) {
  const reading = readCalendar(text, NEW_YORK);
  return reading.kind === "read" ? [] : reading.problems.map((p) => `${p.where}: ${p.message}`);
}

function leftOutOf(text: string) {
  const reading = readCalendar(text, NEW_YORK);
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
  ])("has a time %s", (_what, start, expected) => {
    const text = ics(...event(start, "SUMMARY:Consumer Price Index"));
    expect(eventsOf(text)).toEqual([{ at: expected, title: "Consumer Price Index" }]);
  });

  test("takes the whole day where it names no time", () => {
    const text = ics(...event("DTSTART;VALUE=DATE:20261126", "SUMMARY:Thanksgiving"));
    expect(eventsOf(text)).toEqual([
      { at: "2026-11-26T05:00:00.000Z", until: "2026-11-27T05:00:00.000Z", title: "Thanksgiving" },
    ]);
  });

  test("may call a zone as it likes, if it says where that is", () => {
    const zone = [
      "BEGIN:VTIMEZONE",
      "TZID:Office",
      "X-LIC-LOCATION:Europe/Berlin",
      "END:VTIMEZONE",
    ];
    const text = ics(...zone, ...event("DTSTART;TZID=Office:20260710T083000", "SUMMARY:x"));
    expect(eventsOf(text)[0]?.at).toBe("2026-07-10T06:30:00.000Z");
  });

  test("folds lines, escapes commas and has alarms, as BLS and others write it, in order of time", () => {
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
    expect(eventsOf(text).map(({ title }) => title)).toEqual([
      "x".repeat(200),
      "Producer Price Index, final",
    ]);
  });

  test("says what it leaves out", () => {
    const text = ics(
      ...event("DTSTART:20261210T133000Z", "SUMMARY:Jobless Claims", "RRULE:FREQ=WEEKLY"),
      ...event("DTSTART:20261211T133000Z", "SUMMARY:Gone", "STATUS:CANCELLED"),
      ...event("DTSTART:20261210T133000Z", "SUMMARY:Jobless Claims"),
    );
    expect(eventsOf(text)).toHaveLength(1);
    expect(leftOutOf(text)).toEqual([
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
  ])("with %j is refused with its line", (lines, expected) => {
    const [problem, ...others] = problemsOf(ics(...event(...lines)));
    expect(problem).toMatch(expected);
    expect(others).toEqual([]);
  });

  test("that ends in the middle of an event is refused", () => {
    const whole = event("DTSTART:20261210T083000", "SUMMARY:x");
    expect(problemsOf(ics(...whole, "BEGIN:VEVENT", "SUMMARY:y"))).toEqual([
      "line 9: has no END:VEVENT",
    ]);
  });
});

test("an iCalendar file that was cut off between two events is refused", () => {
  const text = ics(...event("DTSTART:20261210T083000", "SUMMARY:x")).replace(
    /END:VCALENDAR\s*$/,
    "",
  );
  expect(problemsOf(text)).toEqual([
    "line 8: the file ends before END:VCALENDAR: a part of it is missing",
  ]);
});

describe("CSV", () => {
  test("has times in the zone given, with an offset, or whole days", () => {
    const text = [
      "Start,Title,Impact,Products,Currency",
      "2026-12-10 08:30,Consumer Price Index,High,,usd",
      '2026-12-09T10:30:00-05:00,"EIA Crude Oil, Stocks",medium,cl|MCL NG,',
      "2026-12-08T12:00Z,UTC,,,",
      "",
      "2026-12-25,Christmas,holiday",
    ].join("\r\n");
    expect(eventsOf(text)).toEqual([
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

  test("follows the clocks of its zone", () => {
    const text =
      "start,title\n2027-03-12 08:30,before\n2027-03-15 08:30,after\n2027-03-14 02:30,gap";
    expect(eventsOf(text).map(({ at }) => at)).toEqual([
      "2027-03-12T13:30:00.000Z",
      "2027-03-14T07:00:00.000Z",
      "2027-03-15T12:30:00.000Z",
    ]);
  });

  test("is apart by semicolons or tabs as well", () => {
    expect(eventsOf("start;title;products\n2026-12-10 08:30;x;ES,NQ")[0]?.products).toEqual([
      "ES",
      "NQ",
    ]);
    expect(eventsOf("start\ttitle\n2026-12-10 08:30\ta, b")[0]?.title).toBe("a, b");
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
  ])("%j is refused", (text, expected) => {
    expect(problemsOf(text)[0]).toMatch(expected);
  });

  test("tells every line that cannot be read", () => {
    const lines = Array.from({ length: 3 }, () => "x,y");
    expect(problemsOf(["start,title", ...lines].join("\n"))).toHaveLength(3);
  });

  test("of more than 5,000 events is refused", () => {
    const row = (n: number) => `2026-12-10 08:30,event ${n}`;
    const rows = Array.from({ length: 5_000 }, (_, n) => row(n));
    expect(eventsOf(["start,title", ...rows].join("\n"))).toHaveLength(5_000);
    expect(problemsOf(["start,title", ...rows, row(-1)].join("\n"))).toEqual([
      "line 1: there are 5001 events in it, and at most 5000 are taken",
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

  test("has a currency, an offset and an impact", () => {
    const all = [
      entry,
      { ...entry, title: "OPEC", country: "All", impact: "Non-Economic" },
      { ...entry, title: "Bank Holiday", date: "2026-12-11T00:00:00-05:00", impact: "Holiday" },
    ];
    expect(eventsOf(JSON.stringify(all))).toEqual([
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
    [[{ country: "USD" }], /^entry 1: has no title or no date/],
    [[1], /^entry 1: is no event/],
    [[], /^line 1: there is no event/],
  ])("%j is refused", (entries, expected) => {
    expect(problemsOf(JSON.stringify(entries))[0]).toMatch(expected);
  });

  test("that is cut off is refused", () => {
    expect(problemsOf('[{"title":"x"')[0]).toMatch(/^line 1: is no JSON/);
  });
});

test.each(['{"events":[]}', "<html>"])("%s is no calendar", (text) => {
  expect(problemsOf(text)[0]).toMatch(/is no calendar that is known/);
});
