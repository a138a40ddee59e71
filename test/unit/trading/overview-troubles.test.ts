import { describe, expect, test } from "vitest";
import { accountId, connectionId } from "../../../src/domain/ids.ts";
import type { ConnectionView } from "../../../src/trading/gateway.ts";
import {
  findTroubles,
  LONG_WAIT_MS,
  type OverviewFacts,
} from "../../../src/trading/overview-troubles.ts";

const ACCOUNT = accountId("paper-1");
const OTHER = accountId("paper-2");

const connection = (change: Partial<ConnectionView> = {}) =>
  ({ connectionId: connectionId("c-1"), status: "CONNECTED", ...change }) as ConnectionView;

const work = (change: object = {}) => ({
  accountId: ACCOUNT,
  waiting: 0,
  unknown: 0,
  unprotected: 0,
  oldestMs: 0,
  ...change,
});

const QUIET: OverviewFacts = {
  connections: [connection()],
  work: [work()],
  switches: { ofUser: false, accounts: [] },
  outOfStep: [],
  unread: [],
  held: [],
  astray: [],
  failing: [],
  silent: [],
  store: [],
};

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
      /^One request has .* look at the broker/,
    ],
    [
      "several unknown outcomes",
      { work: [work({ unknown: 3 })] },
      { kind: "unknown", accountId: ACCOUNT },
      /^3 requests have/,
    ],
    [
      "a position without its exits",
      { work: [work({ unprotected: 1 })] },
      { kind: "unprotected", accountId: ACCOUNT },
      /^One position .* protect or close it now/,
    ],
    [
      "a follower that has drifted",
      { astray: [{ account: ACCOUNT, leader: OTHER, state: "drifted" }] },
      { kind: "copying", accountId: ACCOUNT },
      /^paper-1 does not hold .* follower of paper-2.* sync it/,
    ],
    [
      "a follower that was stopped",
      { astray: [{ account: ACCOUNT, leader: OTHER, state: "stopped" }] },
      { kind: "copying", accountId: ACCOUNT },
      /^paper-1 was stopped .* only exits .* resume it/,
    ],
    [
      "a strategy that was not evaluated",
      { failing: [{ name: "S", accountId: ACCOUNT, what: "notEvaluated", reason: "no bars" }] },
      { kind: "strategy", accountId: ACCOUNT },
      /^The strategy "S" on paper-1 was not evaluated .*no bars.*its log/,
    ],
    [
      "a strategy whose decision was not carried out",
      { failing: [{ name: "S", accountId: ACCOUNT, what: "notCarriedOut", reason: "margin" }] },
      { kind: "strategy", accountId: ACCOUNT },
      /decided what did not happen: margin/,
    ],
    [
      "something that waits",
      { work: [work({ waiting: 1, oldestMs: LONG_WAIT_MS + 2_500 })] },
      { kind: "waiting", accountId: ACCOUNT },
      /waited for 12 seconds/,
    ],
    [
      "an account whose broker cannot be read",
      { outOfStep: [OTHER] },
      { kind: "outOfStep", accountId: OTHER },
      /nothing is sent/,
    ],
    [
      "a connection whose process does not answer",
      { silent: [connection()] },
      { kind: "connection", connectionId: "c-1" },
      /does not answer/,
    ],
    [
      "a connection whose feed tells nothing",
      { held: [{ connection: connection(), reason: "It tells nothing" }] },
      { kind: "connection", connectionId: "c-1" },
      /is up, .* \(It tells nothing\): entries are refused, exits go on/,
    ],
    [
      "the kill switch of all",
      { switches: { ofUser: true, accounts: [] } },
      { kind: "killSwitch" },
      /all accounts is on: .*Turn it off/,
    ],
    [
      "the kill switch of one",
      { switches: { ofUser: false, accounts: [OTHER] } },
      { kind: "killSwitch", accountId: OTHER },
      /paper-2 is on/,
    ],
  ])("%s", (_, facts, expected, words) => {
    const [trouble, ...others] = troublesOf(facts);
    expect(others).toEqual([]);
    expect(trouble).toMatchObject(expected);
    expect(trouble?.message).toMatch(words);
  });

  test.each([
    ["AUTH_EXPIRED", /refused its login by the broker \(Wrong password\): correct its settings/],
    ["FATAL_ERROR", /settle it with the broker/],
    ["CONNECTING", /logging in/],
    ["RECONNECTING", /being brought back/],
    ["DISCONNECTED", /see that a process that trades is running/],
  ] as const)("a connection that is %s", (status, words) => {
    const [trouble] = troublesOf({
      connections: [connection({ status, reason: "Wrong password" })],
    });
    expect(trouble).toMatchObject({ kind: "connection", connectionId: "c-1" });
    expect(trouble?.message).toMatch(words);
  });
});

test("what has just been asked for is no trouble yet", () => {
  expect(troublesOf({ work: [work({ waiting: 2, oldestMs: LONG_WAIT_MS - 1 })] })).toEqual([]);
  // An outcome that is unknown for long is one trouble, not two.
  const old = work({ unknown: 1, oldestMs: LONG_WAIT_MS * 10 });
  expect(troublesOf({ work: [old] }).map(({ kind }) => kind)).toEqual(["unknown"]);
});

test("the gravest comes first", () => {
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
