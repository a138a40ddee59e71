import { describe, expect, test } from "vitest";
import { type Feed, feedAfter, NO_FEED } from "../../../src/console/pages/alerts/alert-feed.ts";
import type { AlertLine } from "../../../src/console/pages/alerts/types.ts";

/** A line of which only the id and what became of it matter here. */
const line = (alertId: string, outcome: AlertLine["outcome"] = "done") =>
  ({ alertId, outcome }) as AlertLine;
const page = (ids: string, nextCursor: string | null = null) => ({
  alerts: ids.split("").map((id) => line(id)),
  nextCursor,
});
const idsOf = (lines: readonly AlertLine[]) => lines.map(({ alertId }) => alertId).join("");
const told = (feed: Feed, ids: string, isReading = false, nextCursor: string | null = null) =>
  feedAfter(feed, { kind: "page", page: page(ids, nextCursor), isReading });
const seen = ({ shown, waiting }: Feed) => [idsOf(waiting), idsOf(shown)];

const FEED = told(NO_FEED, "cba", false, "older than a");

describe("new alerts", () => {
  test("come on top at once where nobody reads further down", () => {
    expect(seen(told(FEED, "edcb"))).toEqual(["", "edcba"]);
  });

  test("wait while somebody reads, in order, and come together", () => {
    const waiting = told(told(FEED, "dcb", true), "edc", true);
    expect(seen(waiting)).toEqual(["ed", "cba"]);
    expect(seen(feedAfter(waiting, { kind: "showNew" }))).toEqual(["", "edcba"]);
  });

  test("are shown with what waits when the reader is back on top", () => {
    expect(seen(told(told(FEED, "dcb", true), "edcb"))).toEqual(["", "edcba"]);
  });

  test("that are more than a page begin the list anew: nothing is left out in silence", () => {
    const begun = told(FEED, "zyx", true, "older than x");
    expect(seen(begun)).toEqual(["", "zyx"]);
    expect(begun.olderCursor).toBe("older than x");
  });
});

test("what became of an alert is brought up to date, shown or waiting", () => {
  const waiting = told(FEED, "dcb", true);
  const fresh = feedAfter(waiting, {
    kind: "page",
    page: { alerts: [line("d", "rejected"), line("c", "unknown")], nextCursor: null },
    isReading: true,
  });
  expect(fresh.waiting[0]).toMatchObject({ alertId: "d", outcome: "rejected" });
  expect(fresh.shown[0]).toMatchObject({ alertId: "c", outcome: "unknown" });
});

describe("older alerts", () => {
  const older = (feed: Feed, after: string) =>
    feedAfter(feed, { kind: "older", page: page("a09", "older than 9"), after });

  test("follow below, none twice, and say where the next begin", () => {
    const more = older(FEED, "older than a");
    expect(seen(more)).toEqual(["", "cba09"]);
    expect(more.olderCursor).toBe("older than 9");
  });

  test("that were asked for before the list began anew are passed over", () => {
    const begun = told(FEED, "zyx", false, "older than x");
    expect(older(begun, "older than a")).toBe(begun);
  });
});

test("another question begins with nothing", () => {
  expect(feedAfter(FEED, { kind: "subject" })).toBe(NO_FEED);
});
