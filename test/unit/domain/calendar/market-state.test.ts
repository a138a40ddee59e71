// The goal: a market is called closed only where that is certain. The method: the real table of hours, at instants
// around openings, closes, pauses, holidays and a change of the clocks.
import { expect, test } from "vitest";
import { createScheduleLookups } from "../../../../src/app/schedule-lookups.ts";
import { marketAt } from "../../../../src/domain/calendar/market-state.ts";

const { productOf, sessionsOf } = createScheduleLookups();
const stateOf = (root: string, at: string) => marketAt(sessionsOf(productOf(root)), Date.parse(at));

test.each([
  ["a Tuesday", "ES", "2026-12-01T15:00:00Z", "open"],
  ["Friday before the close", "ES", "2026-12-04T21:55:00Z", "open"],
  ["within a minute before the close", "ES", "2026-12-04T21:59:30Z", "unsure"],
  ["within a minute after it", "ES", "2026-12-04T22:00:30Z", "unsure"],
  ["Friday after the close", "ES", "2026-12-04T22:05:00Z", "closed"],
  ["Saturday", "ES", "2026-12-05T15:00:00Z", "closed"],
  ["Sunday's auction", "ES", "2026-12-06T22:30:00Z", "closed"],
  ["within a minute before Sunday's opening", "ES", "2026-12-06T22:59:30Z", "unsure"],
  ["two seconds after it", "ES", "2026-12-06T23:00:02Z", "unsure"],
  ["a minute after it", "ES", "2026-12-06T23:01:01Z", "open"],
  ["the daily break", "ES", "2026-12-01T22:30:00Z", "closed"],
  ["Thanksgiving after the early close", "ES", "2026-11-26T18:30:00Z", "closed"],
  ["the pause of grains", "ZC", "2026-12-01T14:00:00Z", "closed"],
  ["livestock at night", "LE", "2026-12-01T08:30:00Z", "closed"],
  ["a product that is not in the table", "??", "2026-12-05T15:00:00Z", "unsure"],
])("%s", (_, root, at, kind) => {
  expect(stateOf(root, at).kind).toBe(kind);
});

test.each([
  ["a weekend", "ES", "2026-12-05T15:00:00Z", "2026-12-06T23:00:00.000Z"],
  [
    "the weekend on which summer time begins",
    "ES",
    "2026-03-07T15:00:00Z",
    "2026-03-08T22:00:00.000Z",
  ],
  ["the weekend on which it ends", "ES", "2026-10-31T15:00:00Z", "2026-11-01T23:00:00.000Z"],
  ["the pause of grains", "ZC", "2026-12-01T14:00:00Z", "2026-12-01T14:30:00.000Z"],
])("%s says when it opens", (_, root, at, opensAt) => {
  const state = stateOf(root, at);
  expect(state.kind === "closed" && new Date(state.opensAt).toISOString()).toBe(opensAt);
});
