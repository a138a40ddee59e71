import { describe, expect, test } from "vitest";
import { sessionState } from "../../../../src/brokers/paper/exchange/session-hours.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { missedFlat, restrictionAt } from "../../../../src/domain/guards/restrictions.ts";
import type {
  FlatBeforeCloseRule,
  FlatByRule,
} from "../../../../src/domain/guards/schedule-rule.ts";
import { productOf, scheduleDeps } from "../../../support/schedule-deps.ts";

const deps = scheduleDeps();
const BEGINS = Date.parse("2026-11-01T00:00:00Z");
const ENDS = Date.parse("2027-12-01T00:00:00Z");
const SECOND = 1000;
const HOUR = 3_600_000;

const ROOTS = ["ES", "ZC", "CL", "FDAX", "6E"];
/** Far enough ahead: no rule here asks for its month. */
const contractOf = (root: string) => `${root}Z2028` as ContractCode;

function sessionsOfYear(root: string) {
  const sessions = deps.sessionsOf(productOf(root));
  const state = sessions.at(BEGINS);
  if (state.kind !== "closed") expect.fail("It begins on a Sunday morning");
  const found = [];
  const opening = sessions.at(state.until);
  if (opening.kind !== "open") expect.fail("A session is open when it opens");
  for (let one = opening.session; one.opensAt < ENDS; one = sessions.next(one)) found.push(one);
  return found;
}

/** Without the pauses in its days. */
function regularWeek(root: string) {
  const { hours } = productOf(root);
  const [first, last] = [hours.parts[0], hours.parts.at(-1)];
  if (first === undefined || last === undefined) throw new Error(root);
  return { ...hours, parts: [{ opens: first.opens, closes: last.closes }] };
}

const beforeClose: FlatBeforeCloseRule = {
  kind: "flatBeforeClose",
  before: "day",
  seconds: 90,
  entriesOffMinutes: 5,
};
const FLAT_BY: readonly (readonly [string, string])[] = [
  ["America/Chicago", "15:10"],
  ["America/New_York", "18:00"],
  ["Europe/Berlin", "21:45"],
];
const flatBy = (zone: string, time: string): FlatByRule => ({
  kind: "flatBy",
  zone,
  time,
  entriesOffMinutes: 5,
  flattenSeconds: 120,
});

describe.each(ROOTS)("in a year of %s", (root) => {
  const contract = contractOf(root);
  const year = sessionsOfYear(root);
  const forbidden = (rule: FlatByRule | FlatBeforeCloseRule, at: number) =>
    restrictionAt(rule, contract, at, deps)?.forbids ?? "nothing";

  test("there are as many sessions as the exchange has, and early ones among them", () => {
    const early = year.filter(({ isEarly }) => isEarly).length;
    const counts: Record<string, readonly [number, number]> = {
      // Of 283 weekdays: without Christmas, New Year's Day and Good Friday, and with Thanksgiving twice.
      ES: [280, 11],
      CL: [280, 11],
      "6E": [280, 11],
      ZC: [271, 3],
      FDAX: [276, 0],
    };
    expect([year.length, early]).toEqual(counts[root]);
  });

  /** What is forbidden at times around each close, written down where it is not this. */
  function wrongIn(
    rule: FlatByRule | FlatBeforeCloseRule,
    expected: ReturnType<typeof forbidden>,
    times: (closesAt: number, reopens: number) => number[],
  ) {
    const sessions = deps.sessionsOf(productOf(root));
    return year
      .flatMap((one) => times(one.closesAt, sessions.next(one).opensAt))
      .filter((at) => forbidden(rule, at) !== expected)
      .map((at) => new Date(at).toISOString());
  }

  test("flat before the close leaves no instant after a close, and all of the next session", () => {
    const closed = wrongIn(beforeClose, "positions", (closesAt, reopens) => [
      ...[-90 * SECOND, -SECOND, 0, SECOND].map((from) => closesAt + from),
      (closesAt + reopens) / 2,
      reopens - 1,
    ]);
    const ending = wrongIn(beforeClose, "entries", (closesAt) => [
      closesAt - 300 * SECOND,
      closesAt - 91 * SECOND,
    ]);
    const open = wrongIn(beforeClose, "nothing", (closesAt, reopens) => [
      closesAt - 301 * SECOND,
      reopens,
    ]);
    expect({ closed, ending, open }).toEqual({ closed: [], ending: [], open: [] });
  });

  test("a close that was slept through is found", () => {
    const missed = year.map(({ opensAt, closesAt }) =>
      missedFlat(beforeClose, contract, { after: opensAt, at: closesAt + SECOND }, deps),
    );
    expect(missed).toEqual(year.map(({ closesAt }) => closesAt - 90 * SECOND));
  });

  test.each(FLAT_BY)("flat by a time (%s %s) leaves no instant after a close", (zone, time) => {
    const wrong = wrongIn(flatBy(zone, time), "positions", (closesAt, reopens) => [
      closesAt,
      closesAt + SECOND,
      reopens - 1,
    ]);
    expect(wrong).toEqual([]);
  });

  test("no position is allowed while the regular week has no trading, by another reckoning", () => {
    const week = regularWeek(root);
    const wrong: string[] = [];
    for (let at = BEGINS + 2 * HOUR; at < ENDS; at += 5 * HOUR) {
      if (sessionState(week, at).isOpen) continue;
      for (const rule of [beforeClose, flatBy("America/Chicago", "15:10")]) {
        const found = forbidden(rule, at);
        if (found !== "positions") wrong.push(`${found} ${new Date(at).toISOString()}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
