// The goal: a log that is read page by page while it grows shows each line once, in its order.
import { describe, expect, test } from "vitest";
import { feedAfter, type LogFeed, NO_FEED } from "../../../src/console/parts/log-feed.ts";

interface Line {
  readonly id: string;
  readonly outcome: string;
}

describe("a log", () => {
  const line = (id: number, outcome = "done"): Line => ({ id: `${id}`, outcome });
  const page = (ids: readonly number[], nextCursor: string | null = "older") => ({
    lines: ids.map((id) => line(id)),
    nextCursor,
  });
  const idsOf = ({ shown }: LogFeed<Line>) => shown.map(({ id }) => Number(id));
  const first = feedAfter(NO_FEED, { kind: "newest", page: page([9, 8, 7]) });

  test("begins with the newest page, and goes on with older ones", () => {
    const feed = feedAfter(first, { kind: "older", page: page([6, 5], null), after: "older" });
    expect(idsOf(feed)).toEqual([9, 8, 7, 6, 5]);
    expect(feed.olderCursor).toBeUndefined();
  });

  test("takes what is new on top, and what became of what was there", () => {
    const older = feedAfter(first, { kind: "older", page: page([6, 5], null), after: "older" });
    const newest = { lines: [line(10), line(9, "unknown"), line(8)], nextCursor: "8" };
    const feed = feedAfter(older, { kind: "newest", page: newest });
    expect(idsOf(feed)).toEqual([10, 9, 8, 7, 6, 5]);
    expect(feed.shown[1]?.outcome).toBe("unknown");
    expect(feed.olderCursor).toBeUndefined();
  });

  test("forgets what is no longer like the filter", () => {
    const feed = feedAfter(first, { kind: "newest", page: page([9, 7]) });
    expect(idsOf(feed)).toEqual([9, 7]);
  });

  test("begins anew where more came than a page holds, and passes late answers over", () => {
    const anew = feedAfter(first, { kind: "newest", page: page([29, 28, 27], "27") });
    expect([idsOf(anew), anew.olderCursor]).toEqual([[29, 28, 27], "27"]);
    expect(feedAfter(anew, { kind: "older", page: page([6]), after: "older" })).toBe(anew);
  });

  test("of a filter goes on where a page of it is empty", () => {
    const empty = { kind: "newest", page: page([], "further") } as const;
    const feed = feedAfter(NO_FEED, empty);
    expect([idsOf(feed), feed.olderCursor]).toEqual([[], "further"]);
    const older = feedAfter(feed, { kind: "older", page: page([3], "3"), after: "further" });
    expect(feedAfter(older, empty)).toBe(older);
    expect(idsOf(feedAfter(first, empty))).toEqual([]);
  });
});
