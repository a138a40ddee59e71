import { beforeEach, describe, expect, test } from "vitest";
import type { EconomicCalendar } from "../../../../src/domain/guards/economic-calendar.ts";
import type { GuardRule } from "../../../../src/domain/guards/rule.ts";
import type { GuardLock } from "../../../../src/domain/guards/verdict.ts";
import type { Alarm, Alarms } from "../../../../src/trading/alarms/alarm.ts";
import {
  BLIND_TOLD_AFTER_MS,
  GuardedAccount,
} from "../../../../src/trading/guards/guarded-account.ts";
import {
  forgetCalendars,
  raiseGuardAlarms,
} from "../../../../src/trading/guards/raise-guard-alarms.ts";
import { factsOf, holding, loss, NOON, OF_RULE, settingsOf } from "../../domain/guards/kit.ts";
import { ACCOUNT } from "../lane-kit.ts";

const NEWS: GuardRule = {
  ...OF_RULE,
  id: "cpi",
  kind: "news",
  calendar: "us",
  beforeSeconds: 60,
  afterSeconds: 60,
  forbids: "entries",
  whenExpired: "refuse",
};
const LOCK: GuardLock = { id: "l", at: NOON, lock: "soft", then: "exitsOnly", reason: "asked" };
const calendarUntil = (startsAt: number): EconomicCalendar => ({
  name: "us",
  savedAt: 0,
  events: [{ startsAt, title: "CPI" }],
});

let clock: number;
/** Alarms that are raised now, by kind, without the account. */
let raised: Map<string, object>;

const alarms = {
  raise: (alarm: Alarm & { accountId: unknown }) => {
    const { kind, accountId: _, ...facts } = alarm;
    raised.set(kind, facts);
  },
  clear: ({ kind }: Alarm) => void raised.delete(kind),
} as unknown as Alarms;

beforeEach(() => {
  [clock, raised] = [0, new Map()];
});

function open(rule: GuardRule, lock?: GuardLock): GuardedAccount {
  const stored = { version: "1", settings: settingsOf([rule]), ...(lock && { lock }) };
  const deps = { newLockId: () => "lock", elapsed: () => clock };
  return new GuardedAccount(ACCOUNT, stored, undefined, deps);
}

function look(account: GuardedAccount, facts = {}, calendar?: EconomicCalendar): void {
  account.judge(factsOf(facts));
  const calendars = new Map(calendar === undefined ? [] : [[calendar.name, calendar]]);
  raiseGuardAlarms(alarms, { id: ACCOUNT, account, calendars });
}

test.each([
  ["without an end", LOCK, { reason: "asked" }],
  ["with an end", { ...LOCK, until: NOON + 1 }, { reason: "asked", until: NOON + 1 }],
])("a lock %s is raised", (_, lock, facts) => {
  look(open(loss(), lock));
  expect(raised.get("accountLocked")).toStrictEqual(facts);
  look(open(loss()));
  expect(raised).toEqual(new Map());
});

test("an account that stays blind is raised, until it is judged", () => {
  const account = open(loss());
  clock = 5_000;
  look(account, holding(undefined));
  clock += BLIND_TOLD_AFTER_MS - 1;
  look(account, holding(undefined));
  expect(raised.has("guardBlind")).toBe(false);
  clock += 1;
  look(account, holding(undefined));
  expect(raised.has("guardBlind")).toBe(true);
  look(account);
  expect(raised.has("guardBlind")).toBe(false);
});

describe("a rule about news", () => {
  test.each([
    ["without its calendar", undefined, 'There is no calendar "us": rule "cpi" refuses entries'],
    ["after its last event", calendarUntil(0), 'Nothing is left in calendar "us": rule "cpi"'],
  ])("%s raises the calendar by its name, until it is renewed", (_, calendar, words) => {
    const account = open(NEWS);
    look(account, {}, calendar);
    expect(raised.get("calendarExpired")).toEqual({
      calendar: "us",
      reason: expect.stringContaining(words) as string,
    });
    look(account, {}, calendarUntil(NOON));
    expect(raised.has("calendarExpired")).toBe(false);
  });

  test("raises its calendar no more once its guards are read again", () => {
    const account = open(NEWS);
    look(account);
    forgetCalendars(alarms, { id: ACCOUNT, account, calendars: undefined });
    expect(raised.has("calendarExpired")).toBe(false);
  });
});
