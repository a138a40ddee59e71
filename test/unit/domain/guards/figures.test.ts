// What is found of one rule, where trouble was suspected.
import { describe, expect, test } from "vitest";
import type { GuardFacts } from "../../../../src/domain/guards/guard-facts.ts";
import type { GuardRule, GuardSettings } from "../../../../src/domain/guards/rule.ts";
import { accountId } from "../../../../src/domain/ids.ts";
import { minor } from "../../../../src/domain/money.ts";
import {
  closedToday,
  drawdown,
  factsOf,
  first,
  holding,
  look,
  loss,
  net,
  NOON,
  settingsOf,
} from "./kit.ts";

interface Situation {
  readonly rule: GuardRule;
  readonly settings?: Partial<GuardSettings>;
  readonly facts?: Partial<GuardFacts>;
  readonly found: object;
}

const [OTHER, LOGIN] = [accountId("other"), accountId("login")];
const together = loss({ together: [OTHER] });
const figures = {
  identity: "tradovate demo 7",
  today: minor(-600),
  week: minor(-900),
  open: minor(0),
  pricedAt: undefined,
};
const other = (change: object = {}) => ({
  others: new Map([[OTHER, { ...figures, ...change }]]),
});
const broker = (change: object) => ({ broker: { at: NOON, ...change } });
const euros = { openUncounted: { why: "No rate to EUR is known", amount: "-25125.00 EUR" } };

const SITUATIONS: Readonly<Record<string, Situation>> = {
  "a percent of an odd limit is not rounded down": {
    rule: loss({ limit: minor(333) }),
    facts: closedToday(-299),
    found: { level: "warn", usedPercent: 89 },
  },
  "nor up": {
    rule: loss({ limit: minor(333) }),
    facts: closedToday(-300),
    found: { level: "entriesOff", usedPercent: 90 },
  },
  "a limit of one minor unit": {
    rule: loss({ limit: minor(1) }),
    facts: closedToday(-1),
    found: { level: "breach", usedPercent: 100, room: 0 },
  },
  "a limit of one minor unit, nothing lost": {
    rule: loss({ limit: minor(1) }),
    found: { level: "ok", usedPercent: 0, room: 1 },
  },
  "yen have no minor digits": {
    rule: loss({ limit: minor(100_000) }),
    settings: { currency: "JPY" },
    facts: closedToday(-70_000),
    found: {
      level: "warn",
      reason:
        "The trading day has brought -70000 JPY (net, open positions included); the loss limit is 100000 JPY, room 30000 JPY",
    },
  },
  "one unit before a huge limit": {
    rule: loss({ limit: minor(1e12) }),
    facts: closedToday(-(1e12 - 1)),
    found: { level: "entriesOff", room: 1, usedPercent: 99 },
  },
  "one unit before the buffer of a huge limit": {
    rule: loss({ limit: minor(1e12) }),
    settings: { bufferPercent: 5 },
    facts: closedToday(-(95e10 - 1)),
    found: { level: "entriesOff" },
  },
  "a loss far beyond a huge limit": {
    rule: loss({ limit: minor(1e12) }),
    facts: closedToday(-9e13),
    found: { level: "breach", usedPercent: 9000, room: 1e12 - 9e13 },
  },
  "without a buffer 999 of 1,000 is no breach": {
    rule: loss(),
    facts: closedToday(-999),
    found: { level: "entriesOff" },
  },
  "a buffer of 50 breaches at the half": {
    rule: loss(),
    settings: { bufferPercent: 50 },
    facts: closedToday(-500),
    found: { level: "breach", room: 500 },
  },
  "and not before it": {
    rule: loss(),
    settings: { bufferPercent: 50 },
    facts: closedToday(-499),
    found: { level: "ok" },
  },
  "the buffer of a drawdown is of its size": {
    rule: drawdown({ start: minor(100) }),
    settings: { bufferPercent: 5 },
    facts: broker({ worth: minor(-1800) }),
    found: { level: "breach", limit: -1900, room: 100 },
  },
  "a week runs over New Year": {
    rule: loss({ period: "week" }),
    facts: {
      tradingDay: "2027-01-01",
      weekBegan: "2026-12-28",
      days: [net("2026-12-25", -900), net("2026-12-28", -400), net("2027-01-01", -500)],
    },
    found: { level: "entriesOff", figure: -900 },
  },
  "a profit is no breach before it is reached, whatever the buffer": {
    rule: loss({ kind: "profit" }),
    settings: { bufferPercent: 50 },
    facts: closedToday(999),
    found: { level: "warn", room: 1 },
  },
  "a profit is a breach when it is": {
    rule: loss({ kind: "profit" }),
    facts: closedToday(1000),
    found: { level: "breach", figure: 1000, limit: 1000, room: 0 },
  },
  "of a profit the greater word counts": {
    rule: loss({ kind: "profit" }),
    facts: { ...closedToday(900), ...broker({ closed: minor(1000), open: minor(0) }) },
    found: { level: "breach", source: "broker" },
  },
  "a loss is no profit": {
    rule: loss({ kind: "profit" }),
    facts: closedToday(-5000),
    found: { level: "ok", usedPercent: 0, room: 6000 },
  },
  "another account's loss is added": {
    rule: together,
    facts: { ...closedToday(-400), ...other() },
    found: { level: "breach", figure: -1000 },
  },
  "of the week too": {
    rule: loss({ together: [OTHER], period: "week" }),
    facts: { ...closedToday(-50), ...other() },
    found: { level: "entriesOff", figure: -950 },
  },
  "an account that names itself counts once": {
    rule: together,
    facts: { ...closedToday(-400), others: new Map([[OTHER, "itself" as const]]) },
    found: { level: "ok", figure: -400 },
  },
  "and keeps the limit at its broker": {
    rule: together,
    facts: {
      ...closedToday(-600),
      others: new Map([[OTHER, "itself" as const]]),
      ...broker({ dailyLoss: minor(600) }),
    },
    found: { level: "breach", limit: -600, source: "broker" },
  },
  "one account by two logins counts once": {
    rule: loss({ together: [OTHER, LOGIN] }),
    facts: {
      others: new Map([
        [OTHER, figures],
        [LOGIN, figures],
      ]),
    },
    found: { level: "ok", figure: -600 },
  },
  "an account that nobody tells of": {
    rule: together,
    found: { level: "unknown" },
  },
  "an account whose price is missing": {
    rule: together,
    facts: other({ open: undefined }),
    found: { level: "unknown" },
  },
  "an account whose price is old": {
    rule: together,
    facts: other({ pricedAt: NOON - 10_001 }),
    found: { level: "unknown" },
  },
  "an account whose day cannot be counted": {
    rule: together,
    facts: other({ today: undefined }),
    found: { level: "unknown", reason: expect.stringContaining("cannot be counted") as string },
  },
  "an account whose day began at another time": {
    rule: together,
    facts: other({ areOtherDays: true }),
    found: { level: "unknown", reason: expect.stringContaining("the same day") as string },
  },
  "an uncounted day of its week is none of today's": {
    rule: together,
    facts: other({ week: undefined }),
    found: { level: "ok", figure: -600 },
  },
  "what is closed needs none of its prices": {
    rule: loss({ together: [OTHER], counts: "closed" }),
    facts: other({ open: undefined }),
    found: { level: "ok", figure: -600 },
  },
  "one account's limit at its broker is not that of several": {
    rule: together,
    facts: { ...other(), ...broker({ dailyLoss: minor(500) }) },
    found: { level: "ok", figure: -600, limit: -1000, source: "gateway" },
  },
  "a stricter limit of the broker": {
    rule: loss(),
    facts: { ...closedToday(-600), ...broker({ dailyLoss: minor(600) }) },
    found: { level: "breach", limit: -600, source: "broker" },
  },
  "a milder limit of the broker": {
    rule: loss(),
    facts: { ...closedToday(-600), ...broker({ dailyLoss: minor(999_999_999) }) },
    found: { level: "ok", limit: -1000, source: "gateway" },
  },
  "a limit of 0 at the broker is none": {
    rule: loss(),
    facts: broker({ dailyLoss: minor(0) }),
    found: { level: "ok", limit: -1000, source: "gateway" },
  },
  "a stricter floor of the broker": {
    rule: drawdown(),
    facts: broker({ worth: minor(50_000), floor: minor(49_000) }),
    found: { limit: 49_000, room: 1000, source: "broker" },
  },
  "the broker's worse word counts": {
    rule: loss(),
    facts: { ...closedToday(-100), ...broker({ closed: minor(-1000), open: minor(0) }) },
    found: { level: "breach", source: "broker" },
  },
  "its better one does not": {
    rule: loss(),
    facts: { ...closedToday(-1000), ...broker({ closed: minor(0), open: minor(0) }) },
    found: { level: "breach", source: "gateway" },
  },
  "nor one of 10.001 s ago that a fill has followed": {
    rule: loss(),
    facts: {
      ...closedToday(-100),
      ...broker({ at: NOON - 10_001, closed: minor(-1000), mayLackFills: true }),
    },
    found: { level: "ok", figure: -100, source: "gateway" },
  },
  "a flat account's worse word of minutes ago counts until a newer one comes": {
    rule: loss(),
    facts: { ...closedToday(-100), ...broker({ at: NOON - 300_000, closed: minor(-1000) }) },
    found: { level: "breach", figure: -1000, source: "broker", asOf: NOON - 300_000 },
  },
  "a flat account's lower worth of minutes ago counts as well": {
    rule: drawdown(),
    facts: { ...closedToday(0), ...broker({ at: NOON - 300_000, worth: minor(48_000) }) },
    found: { level: "breach", figure: 48_000, source: "broker" },
  },
  "beside an open position an old word counts by what it says of the closed ones": {
    rule: loss(),
    facts: {
      ...holding(-100),
      ...broker({ at: NOON - 60_000, closed: minor(-1000), open: minor(900) }),
    },
    found: { level: "breach", figure: -1000, source: "broker" },
  },
  "a worth of before does not, since prices have moved": {
    rule: drawdown(),
    facts: {
      ...holding(-100),
      ...broker({ at: NOON - 60_000, closed: minor(0), open: minor(0), worth: minor(1) }),
    },
    found: { level: "unknown" },
  },
  "an open loss counts where the broker says nothing else": {
    rule: loss(),
    facts: { ...closedToday(-100), ...holding(-100), ...broker({ open: minor(-5000) }) },
    found: { level: "breach", figure: -5000, source: "broker" },
  },
  "a closed loss counts where the broker says nothing else": {
    rule: loss(),
    facts: { ...holding(-100), ...broker({ closed: minor(-5000) }) },
    found: { level: "breach", figure: -5000, source: "broker" },
  },
  "an open profit of ours is added to a closed loss of theirs": {
    rule: loss(),
    facts: { ...closedToday(-1200), ...holding(800), ...broker({ closed: minor(-1300) }) },
    found: { level: "ok", figure: -500, source: "broker" },
  },
  "a loss closed here and still open there alone is not counted twice": {
    rule: loss(),
    facts: { ...closedToday(-600), ...holding(0), ...broker({ open: minor(-600) }) },
    found: { level: "ok", figure: -600, source: "gateway" },
  },
  "without prices an open loss of theirs is added to what was closed here": {
    rule: loss(),
    facts: { ...closedToday(-600), ...holding(undefined), ...broker({ open: minor(-600) }) },
    found: { level: "breach", figure: -1200, source: "broker" },
  },
  "without prices their closed loss alone leaves it unknown": {
    rule: loss(),
    facts: { ...holding(undefined), ...broker({ closed: minor(-10) }) },
    found: { level: "unknown" },
  },
  "a part of a word that fills have followed counts for nothing": {
    rule: loss(),
    facts: { ...closedToday(-100), ...broker({ closed: minor(-1000), mayLackFills: true }) },
    found: { level: "ok", figure: -100, source: "gateway" },
  },
  "of a profit the closed part of the broker is enough": {
    rule: loss({ kind: "profit" }),
    facts: { ...holding(-100), ...broker({ closed: minor(1100) }) },
    found: { level: "breach", figure: 1000, source: "broker" },
  },
  "what it closed is all, where nothing is held": {
    rule: loss(),
    facts: { ...closedToday(-100), ...broker({ closed: minor(-1000) }) },
    found: { level: "breach", source: "broker" },
  },
  "what the broker sees open counts where nothing is held here": {
    rule: loss(),
    facts: broker({ closed: minor(0), open: minor(-5000) }),
    found: { level: "breach", figure: -5000, source: "broker" },
  },
  "not for a rule of what is closed": {
    rule: loss({ counts: "closed" }),
    facts: broker({ closed: minor(0), open: minor(-5000) }),
    found: { level: "ok", figure: 0 },
  },
  "nor is what the account began with raised by it": {
    rule: drawdown(),
    facts: broker({ closed: minor(0), open: minor(5000), worth: minor(55_000) }),
    found: { figure: 50_000, limit: 48_000 },
  },
  "closed here and open there is not counted twice": {
    rule: loss(),
    facts: {
      ...closedToday(-600),
      ...holding(0),
      ...broker({ closed: minor(0), open: minor(-600) }),
    },
    found: { level: "ok", figure: -600 },
  },
  "a price of 10 s ago is new": {
    rule: loss(),
    facts: holding(-100, NOON - 10_000),
    found: { level: "ok", figure: -100, asOf: NOON - 10_000 },
  },
  "one of 10.001 s is old": {
    rule: loss(),
    facts: holding(-5000, NOON - 10_001),
    found: { level: "unknown", asOf: NOON - 10_001 },
  },
  "with the broker's figure nothing is blind": {
    rule: loss(),
    facts: {
      ...holding(undefined),
      broker: { at: NOON - 2000, closed: minor(0), open: minor(-10) },
    },
    found: { level: "ok", figure: -10, source: "broker", asOf: NOON - 2000 },
  },
  "nothing of a doubtful account is believed": {
    rule: drawdown(),
    facts: { doubt: "its fills have not been read", ...broker({ worth: minor(50_000) }) },
    found: { level: "unknown", reason: "its fills have not been read" },
  },
  "a stop that would breach keeps entries out": {
    rule: loss(),
    facts: { ...closedToday(-500), ...holding(100), atStops: minor(-500) },
    found: { level: "entriesOff", figure: -400, room: 0 },
  },
  "also a rule that counts what is closed": {
    rule: loss({ counts: "closed" }),
    facts: { ...closedToday(-500), ...holding(100), atStops: minor(-500) },
    found: { level: "entriesOff", figure: -500, room: 0 },
  },
  "one that would not breach only takes its room": {
    rule: loss(),
    facts: { ...closedToday(-500), ...holding(100), atStops: minor(-499) },
    found: { level: "ok", room: 1 },
  },
  "a position in another currency leaves the day unknown, with its amount": {
    rule: loss(),
    facts: { ...holding(0), ...euros },
    found: {
      level: "unknown",
      figure: 0,
      reason: expect.stringContaining("-25125.00 EUR") as string,
    },
  },
  "a rule of what is closed counts on beside it": {
    rule: loss({ counts: "closed" }),
    facts: { ...closedToday(-10), ...holding(0), ...euros },
    found: { level: "ok", figure: -10 },
  },
  "a loss at the limit is a breach whatever cannot be counted": {
    rule: loss(),
    facts: { ...closedToday(-1000), ...holding(0), ...euros },
    found: { level: "breach", figure: -1000 },
  },
  "a closed trade in another currency leaves its own day unknown": {
    rule: loss(),
    facts: { days: [{ ...net("2026-06-10", -10), uncounted: { why: "No rate to EUR is known" } }] },
    found: { level: "unknown", figure: -10 },
  },
  "its week too": {
    rule: loss({ period: "week" }),
    facts: { days: [{ ...net("2026-06-08", 0), uncounted: { why: "No rate to EUR is known" } }] },
    found: { level: "unknown" },
  },
  "and no later day": {
    rule: loss(),
    facts: { days: [{ ...net("2026-06-09", 0), uncounted: { why: "No rate to EUR is known" } }] },
    found: { level: "ok" },
  },
  "executions are counted in any currency": {
    rule: { id: "rule", mode: "on", lock: "soft", kind: "count", of: "executions", max: 3 },
    facts: { executions: 1, ...euros },
    found: { level: "ok", figure: 1 },
  },
  "the worth of an account with such a position is unknown": {
    rule: drawdown(),
    facts: { ...holding(0), ...euros, ...broker({ worth: minor(49_000), open: minor(0) }) },
    found: { level: "unknown", figure: 49_000 },
  },
  "and a breach where what is known reaches the floor": {
    rule: drawdown(),
    facts: { ...holding(0), ...euros, ...broker({ worth: minor(48_000), open: minor(0) }) },
    found: { level: "breach", figure: 48_000 },
  },
  "a drawdown's reason names the room that it shows": {
    rule: drawdown(),
    facts: {
      ...holding(0),
      atStops: minor(-500),
      ...broker({ worth: minor(50_000), open: minor(0) }),
    },
    found: { room: 1500, reason: expect.stringContaining("room 15.00 USD") as string },
  },
  "a balance that nobody has told": {
    rule: drawdown(),
    found: { level: "unknown" },
  },
  "a week of which a part is not known": {
    rule: loss({ period: "week" }),
    facts: { ...closedToday(-10), daysSince: "2026-06-09" },
    found: { level: "unknown" },
  },
  "the day of which all is known": {
    rule: loss(),
    facts: { ...closedToday(-10), daysSince: "2026-06-10" },
    found: { level: "ok" },
  },
  "a balance above the start is the floor's from the first look on": {
    rule: drawdown(),
    facts: broker({ worth: minor(52_500) }),
    found: { limit: 50_500, room: 2000 },
  },
  "where nothing is won no day has a share of it": {
    rule: { id: "rule", mode: "on", lock: "soft", kind: "consistency", percent: 50 },
    facts: closedToday(-10),
    found: { level: "ok", figure: 0 },
  },
};

describe("where trouble was suspected", () => {
  test.each(Object.entries(SITUATIONS))("%s", (_, { rule, settings, facts, found }) => {
    expect(first(look(settingsOf([rule], settings), factsOf(facts)))).toMatchObject(found);
  });
});
