import { describe, expect, test } from "vitest";
import { readRange } from "../../../../src/http/requests/read-range.ts";

const AT = 1_790_001_000_000;
const from = (text: string) => readRange({ from: text, to: undefined }).fromAt;

describe("an instant of a query", () => {
  test.each([
    ["2026-09-21T14:30:00.000Z", AT],
    ["2026-09-21T14:30:00Z", AT],
    ["2026-09-21T14:30Z", AT],
    ["2026-09-21t14:30:00z", AT],
    ["2026-09-21T16:30:00+02:00", AT],
    ["2026-09-21T16:30:00 02:00", AT],
    ["2026-09-21T09:30:00-05:00", AT],
    ["2026-09-21T14:30:00.5Z", AT + 500],
    ["2026-09-21T14:30:00.123000000Z", AT + 123],
    ["2026-09-21T14:30:00.123001+00:00", AT + 124],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
    [String(AT), AT],
  ])("%s is read", (text, expected) => {
    expect(from(text)).toBe(expected);
  });

  test.each([
    "now",
    "2026-09-21",
    "2026-09-21T14:30:00",
    "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-09-21T24:00:00Z",
    "2026-09-21T14:30:60Z",
    "2026-09-21T14:30:00+2:00",
    "1790001000",
    "-1790001000000",
    "1790001000000.5",
    "1.79e12",
    " ",
  ])("%j is refused", (text) => {
    expect(() => from(text)).toThrow(/from must be an instant such as/);
  });
});

describe("a range", () => {
  test("may be open on both sides, and empty", () => {
    expect(readRange({ from: undefined, to: undefined })).toEqual({});
    expect(readRange({ from: undefined, to: `${AT}` })).toEqual({ beforeAt: AT });
    expect(readRange({ from: `${AT}`, to: `${AT}` })).toEqual({ fromAt: AT, beforeAt: AT });
  });

  test("does not end before it begins", () => {
    expect(() => readRange({ from: `${AT}`, to: `${AT - 1}` })).toThrow(/to must not be before/);
  });

  test("names both ends that are wrong", () => {
    const read = () => readRange({ from: "a", to: "b" });
    expect(read).toThrow(
      expect.objectContaining({
        details: [
          { path: "from", message: expect.any(String) as string },
          { path: "to", message: expect.any(String) as string },
        ],
      }) as Error,
    );
  });
});
