import type { Webhook } from "../../../../src/domain/people/credential.ts";
import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { accountId, connectionId } from "../../../../src/domain/ids.ts";
import type { Trouble } from "../../../../src/trading/reads/overview.ts";
import type { Holding } from "../../../../src/trading/reads/read-holdings.ts";
import {
  countUnprotected,
  findTroubles,
  LONG_WAIT_MS,
  type OverviewFacts,
} from "../../../../src/trading/reads/overview-troubles.ts";
import type { ConnectionView } from "../../../../src/trading/connections/connection-uses.ts";

const ACCOUNT = accountId("paper-1");
const OTHER = accountId("paper-2");

const connection = (change: Partial<ConnectionView> = {}) =>
  ({
    connectionId: connectionId("c-1"),
    status: "CONNECTED",
    since: 5,
    ...change,
  }) as ConnectionView;

const work = (change: object = {}) => ({
  accountId: ACCOUNT,
  waiting: 0,
  unknown: 0,
  unfinished: 0,
  heldExits: 0,
  unprotected: 0,
  oldestMs: 0,
  ...change,
});

const NOW = 1_790_001_000_000;

const QUIET: OverviewFacts = {
  now: NOW,
  nameOf: (account) => account.replace("paper-", "Paper "),
  holdings: [],
  connections: [connection()],
  work: [work()],
  switches: { ofUser: false, accounts: [] },
  outOfStep: [],
  unread: [],
  blocked: [],
  drifted: [],
  guards: [],
  plans: [],
  failing: [],
  unclear: [],
  silent: [],
  store: [],
};

const HELD = {
  kind: "exitPlanHeld",
  accountId: ACCOUNT,
  contract: "ESZ2026" as ContractCode,
} as const;

const wordsOf = (trouble: Trouble | undefined) => `${trouble?.message}. ${trouble?.advice}`;

const troublesOf = (change: Partial<OverviewFacts>) => findTroubles({ ...QUIET, ...change });

test("where all is quiet there is none", () => {
  expect(findTroubles(QUIET)).toEqual([]);
});

describe("each says what is wrong and what to do", () => {
  test.each<[string, Partial<OverviewFacts>, object, RegExp]>([
    [
      "an unknown outcome",
      { work: [work({ unknown: 1 })] },
      { kind: "unknown", accountId: ACCOUNT },
      /^Paper 1: the broker did not answer 1 order.*Check .* at the broker/,
    ],
    [
      "several unknown outcomes",
      { work: [work({ unknown: 3 })] },
      { kind: "unknown", accountId: ACCOUNT },
      /did not answer 3 orders/,
    ],
    [
      "exits of an entry that rests",
      { work: [work({ unprotected: 1 })] },
      { kind: "unprotected", accountId: ACCOUNT },
      /^Paper 1: a stop-loss .* may be missing.*close/,
    ],
    [
      "a follower that has drifted",
      { drifted: [{ account: ACCOUNT, leader: OTHER, state: "drifted" }] },
      { kind: "copying", accountId: ACCOUNT },
      /^Paper 1, follower of Paper 2, is out of sync.*then sync/,
    ],
    [
      "a follower that was stopped",
      { drifted: [{ account: ACCOUNT, leader: OTHER, state: "stopped" }] },
      { kind: "copying", accountId: ACCOUNT },
      /^Paper 1, follower of Paper 2, was stopped .* only exits .*resume/,
    ],
    [
      "an account whose guards see nothing",
      { guards: [{ kind: "guardBlind", accountId: ACCOUNT, reason: "no price of ES for 12 s" }] },
      { kind: "guard", accountId: ACCOUNT, severity: "critical" },
      /^Paper 1: its guards cannot see .* \(no price of ES for 12 s\)\. Entries are refused, exits pass.*at the broker/,
    ],
    [
      "an account that a guard cannot close",
      { guards: [{ kind: "guardNotFlat", accountId: ACCOUNT, reason: "2 ESZ6 are held" }] },
      { kind: "guard", accountId: ACCOUNT, severity: "critical" },
      /^Paper 1: a guard closes it, and it is not flat and empty yet \(2 ESZ6 are held\)\. Close what is open/,
    ],
    [
      "an account that is locked for a time",
      { guards: [{ kind: "accountLocked", accountId: ACCOUNT, reason: "a loss", until: NOW }] },
      { kind: "guard", accountId: ACCOUNT, severity: "warning" },
      /^Paper 1 is locked until 2026-09-21T14:30:00\.000Z: a loss\. Entries are refused/,
    ],
    [
      "an account that is locked until a person ends it",
      { guards: [{ kind: "accountLocked", accountId: ACCOUNT, reason: "a loss" }] },
      { kind: "guard", accountId: ACCOUNT },
      /^Paper 1 is locked until a person ends it/,
    ],
    [
      "an exit plan without prices",
      { plans: [{ ...HELD, what: "blind", reason: "no price was told" }] },
      { kind: "exitPlan", accountId: ACCOUNT, severity: "critical", about: "ESZ2026 blind" },
      /^Paper 1: the exit plan of ESZ6 sees no prices \(no price was told\)\. Exits that are at .*move them, or close/,
    ],
    [
      "an exit plan that is refused",
      { plans: [{ ...HELD, what: "stuck", reason: "Too many requests" }] },
      { kind: "exitPlan", accountId: ACCOUNT, severity: "critical", about: "ESZ2026 stuck" },
      /is refused what it is to do \(Too many requests\)\./,
    ],
    [
      "an account whose guards nobody judges",
      { guards: [{ kind: "guardsUnjudged", accountId: ACCOUNT, reason: "no balance is known" }] },
      { kind: "guard", accountId: ACCOUNT, severity: "warning" },
      /^Paper 1: its guards cannot be judged \(no balance is known\)\. Entries are refused/,
    ],
    [
      "a calendar that is over",
      {
        guards: [
          { kind: "calendarExpired", accountId: ACCOUNT, calendar: "fed", reason: "too old" },
        ],
      },
      { kind: "guard", accountId: ACCOUNT, about: "fed", severity: "warning" },
      /^Paper 1: .* the calendar "fed", which has none any more \(too old\)\. Give .* newer file/,
    ],
    [
      "a strategy that was not evaluated",
      { failing: [{ name: "S", accountId: ACCOUNT, what: "notEvaluated", reason: "no bars" }] },
      { kind: "strategy", accountId: ACCOUNT },
      /^Strategy "S" on Paper 1 missed its last evaluation: no bars.*its log/,
    ],
    [
      "a strategy whose decision was not carried out",
      { failing: [{ name: "S", accountId: ACCOUNT, what: "notCarriedOut", reason: "margin" }] },
      { kind: "strategy", accountId: ACCOUNT },
      /could not carry out its decision: margin/,
    ],
    [
      "a webhook with a plan that does not say who sends",
      { unclear: [{ name: "Breakout" } as Webhook] },
      { kind: "webhook", severity: "warning" },
      /^Webhook "Breakout" has an exit plan.*whether a strategy or an indicator sends/,
    ],
    [
      "something that waits",
      { work: [work({ waiting: 1, oldestMs: LONG_WAIT_MS + 2_500 })] },
      { kind: "waiting", accountId: ACCOUNT, since: NOW - LONG_WAIT_MS - 2_500 },
      /waiting for 12 seconds/,
    ],
    [
      "an account whose broker cannot be read",
      { outOfStep: [OTHER] },
      { kind: "outOfStep", accountId: OTHER },
      /no orders are sent/,
    ],
    [
      "a connection whose process does not answer",
      { silent: [connection()] },
      { kind: "connection", connectionId: "c-1" },
      /does not answer/,
    ],
    [
      "a connection whose feed tells nothing",
      { blocked: [{ connection: connection(), reason: "It tells nothing" }] },
      { kind: "connection", connectionId: "c-1" },
      /is up, .* \(It tells nothing\)\. Entries are refused, exits pass/,
    ],
    [
      "the kill switch of all",
      { switches: { ofUser: true, accounts: [] } },
      { kind: "killSwitch" },
      /on for all accounts: .*Turn it off/,
    ],
    [
      "the kill switch of one",
      { switches: { ofUser: false, accounts: [OTHER] } },
      { kind: "killSwitch", accountId: OTHER },
      /on for Paper 2/,
    ],
  ])("%s", (_, facts, expected, words) => {
    const [trouble, ...others] = troublesOf(facts);
    expect(others).toEqual([]);
    expect(trouble).toMatchObject(expected);
    expect(wordsOf(trouble)).toMatch(words);
  });

  test.each([
    ["AUTH_EXPIRED", /refused its login by the broker \(Wrong password\)\..*Correct its settings/],
    ["FATAL_ERROR", /Contact the broker/],
    ["CONNECTING", /logging in/],
    ["RECONNECTING", /reconnecting/],
    ["DISCONNECTED", /Check that a process that trades is running/],
  ] as const)("a connection that is %s", (status, words) => {
    const [trouble] = troublesOf({
      connections: [connection({ status, reason: "Wrong password" })],
    });
    expect(trouble).toMatchObject({ kind: "connection", connectionId: "c-1" });
    expect(wordsOf(trouble)).toMatch(words);
  });
});

test("what has just been asked for is no trouble yet", () => {
  expect(troublesOf({ work: [work({ waiting: 2, oldestMs: LONG_WAIT_MS - 1 })] })).toEqual([]);
  // An outcome that is unknown for long is one trouble, not two.
  const old = work({ unknown: 1, oldestMs: LONG_WAIT_MS * 10 });
  expect(troublesOf({ work: [old] }).map(({ kind }) => kind)).toEqual(["unknown"]);
});

const held = (change: Partial<Holding> = {}) =>
  ({
    account: { accountId: ACCOUNT, name: "Paper 1" },
    position: { contract: "ESZ2026", netQty: 2 },
    live: true,
    noted: ["STOP_LOSS"],
    protection: { kind: "protected" },
    ...change,
  }) as Holding;

test("of what is held, what was asked for and is missing is told, and what cannot be seen", () => {
  const told = (change: Partial<Holding>) =>
    troublesOf({ holdings: [held(change)], work: [work({ unprotected: 1 })] });
  expect(told({})).toEqual([]);
  // What is noted belongs to an entry in another contract.
  expect(told({ noted: [] })).toMatchObject([{ kind: "unprotected", severity: "critical" }]);
  expect(told({ protection: { kind: "noneAsked", openedBy: "alert" } })).toEqual([]);
  const [missing, ...others] = told({ protection: { kind: "missing", exits: ["STOP_LOSS"] } });
  expect(others).toEqual([]);
  expect(missing).toMatchObject({ kind: "unprotected", severity: "critical", accountId: ACCOUNT });
  expect(missing?.message).toBe(
    "Paper 1: long 2 ESZ6 has no stop-loss, although one was requested",
  );
  const unknown = { kind: "unknown", reason: "The broker is silent" } as const;
  expect(told({ protection: unknown })).toMatchObject([{ kind: "unseen", severity: "warning" }]);
  // The connection that is down, or paused, says it for all of its accounts.
  expect(told({ protection: unknown, live: false })).toEqual([]);
  const one = held({ protection: unknown });
  // The link lives, and its broker shows nothing.
  const dumb = {
    ...one,
    live: false,
    account: { ...one.account, connectionId: connectionId("c-1") },
  };
  expect(troublesOf({ holdings: [dumb], connections: [connection()] })).toMatchObject([
    { kind: "unseen", severity: "warning" },
  ]);
  const account = { ...one.account, connectionId: connectionId("c-1") };
  const doubted = troublesOf({
    holdings: [{ ...one, account }],
    blocked: [{ connection: connection(), reason: "It tells nothing" }],
  });
  expect(doubted.map(({ kind }) => kind)).toEqual(["connection"]);
});

test("followers that drift from one leader are one trouble", () => {
  const leader = accountId("paper-9");
  const all = Array.from({ length: 34 }, (_, n) => ({
    account: accountId(`paper-${n + 10}`),
    leader,
    state: "drifted" as const,
  }));
  const [trouble, ...others] = troublesOf({ drifted: all });
  expect(others).toEqual([]);
  expect(trouble?.message).toBe("34 followers of Paper 9 are out of sync");
  expect(trouble?.accounts).toHaveLength(34);
  expect(trouble?.accounts?.[0]).toEqual({ accountId: "paper-10", name: "Paper 10" });
});

test("the most severe comes first", () => {
  const all = troublesOf({
    connections: [connection({ status: "RECONNECTING" })],
    work: [
      work({ waiting: 1, oldestMs: 60_000 }),
      work({ accountId: OTHER, unprotected: 1, unknown: 1 }),
    ],
    switches: { ofUser: true, accounts: [] },
    outOfStep: [ACCOUNT],
  });
  expect(all.map(({ kind }) => kind)).toEqual([
    "unknown",
    "unprotected",
    "connection",
    "outOfStep",
    "waiting",
    "killSwitch",
  ]);
});

const MISSING = { kind: "missing", exits: ["STOP_LOSS"] } as const;

test.each([
  ["a note that outlasts its exit's return", [held()], 1, 0],
  ["a position without its stop, noted or not", [held({ protection: MISSING, noted: [] })], 0, 1],
  ["a position without its stop, and its note", [held({ protection: MISSING })], 1, 1],
  ["a note of an entry that rests", [], 1, 1],
  ["that, beside a position without its stop", [held({ protection: MISSING })], 2, 2],
])("the count is what is told as a trouble: %s", (_, holdings, unprotected, count) => {
  const facts = { ...QUIET, holdings, work: [work({ unprotected })] };
  expect(countUnprotected(facts)).toBe(count);
  expect(findTroubles(facts).filter(({ kind }) => kind === "unprotected")).toHaveLength(count);
});
