// The goal: each decision that somebody has to hear of is one event, with its figures as exact decimals, and
// what is told elsewhere is not told twice.
import { describe, expect, test } from "vitest";
import { type GuardRule, lots } from "../../../../src/domain/guards/rule.ts";
import type { DecisionKind, GuardDecision } from "../../../../src/domain/guards/verdict.ts";
import { accountId } from "../../../../src/domain/ids.ts";
import {
  type DecidedOn,
  eventOfDecision,
} from "../../../../src/trading/notify/event-of-decision.ts";

const ACCOUNT = accountId("paper-1");
const SIZE: GuardRule = {
  id: "size",
  mode: "on",
  lock: "soft",
  kind: "lots",
  max: lots(5_000),
  weights: {},
};
const ENDS = Date.UTC(2026, 8, 21, 22);
const ON: DecidedOn = { settings: { currency: "USD", rules: [SIZE] } };

const decision = (what: DecisionKind, change: Partial<GuardDecision> = {}): GuardDecision => ({
  at: 5,
  what,
  ruleId: "size",
  reason: "the day's loss is 962.40 USD",
  ...change,
});

test.each<[DecisionKind, type: string, severity: string, words: string]>([
  ["warned", "guard.warned", "warning", "A limit is near"],
  ["entriesOff", "guard.entries_off", "warning", "Entries are refused, exits pass"],
  ["locked", "guard.locked", "critical", "Locked until a person ends it"],
  ["unlocked", "guard.unlocked", "warning", "Unlocked"],
  [
    "isFlat",
    "guard.flattened",
    "critical",
    "Closed by a guard: the account is flat, and nothing rests",
  ],
  ["changed", "guard.changed", "info", "The guards were changed"],
  ["wouldLock", "guard.would_act", "info", "In shadow mode, a guard would have locked the account"],
  ["wouldRefuse", "guard.would_act", "info", "In shadow mode, a guard would have refused an entry"],
  [
    "wouldFlatten",
    "guard.would_act",
    "info",
    "In shadow mode, a guard would have closed the account",
  ],
])("%s is told as %s", (what, type, severity, words) => {
  expect(eventOfDecision(ACCOUNT, decision(what), ON)).toMatchObject({
    type,
    severity,
    accountId: ACCOUNT,
    message: `paper-1: ${words}: the day's loss is 962.40 USD`,
    facts: { ruleId: "size", ruleKind: "lots", reason: "the day's loss is 962.40 USD" },
  });
});

test.each<DecisionKind>(["flattened", "cancelled", "blind", "sees", "refused", "dayBegan"])(
  "%s is told by nobody, or elsewhere",
  (what) => expect(eventOfDecision(ACCOUNT, decision(what), ON)).toBeUndefined(),
);

test.each<[DecisionKind, would: string | undefined]>([
  ["wouldLock", "lock"],
  ["wouldRefuse", "refuse"],
  ["wouldFlatten", "close"],
  ["locked", undefined],
])("of %s it says what would have been done: %s", (what, would) => {
  const { facts = {} } = eventOfDecision(ACCOUNT, decision(what), ON) ?? {};
  expect("would" in facts ? facts.would : undefined).toBe(would);
});

describe("what is told with it", () => {
  const factsOf = (on: Partial<DecidedOn>, change: Partial<GuardDecision> = {}) =>
    eventOfDecision(ACCOUNT, decision("locked", change), { ...ON, ...on })?.facts;

  test("amounts, in their currency", () => {
    const figures = { figure: -96_240, limit: -100_000, unit: "money" } as const;
    expect(factsOf({ figures })).toMatchObject({
      figure: "-962.40",
      limit: "-1000.00",
      unit: "money",
      currency: "USD",
    });
    const settings = { currency: "JPY", rules: [] };
    expect(factsOf({ figures, settings })).toMatchObject({ figure: "-96240", currency: "JPY" });
  });

  test.each([
    ["lots", { figure: 4_100, limit: 5_000, unit: "lots" }, { figure: "4.1", limit: "5" }],
    ["counts", { figure: 3, limit: 3, unit: "count" }, { figure: "3", limit: "3" }],
    ["percent", { figure: 52.5, limit: 50, unit: "percent" }, { figure: "52.5", limit: "50" }],
    ["a figure alone", { figure: 3, unit: "count" }, { figure: "3" }],
  ] as const)("%s", (_, figures, told) => {
    const { reason, ruleId, ruleKind, unit, ...rest } = factsOf({ figures }) as never as Record<
      string,
      unknown
    >;
    expect([reason, ruleId, ruleKind, unit].every((one) => one !== undefined)).toBe(true);
    expect(rest).toEqual(told);
  });

  test("no figures of a schedule, nor where none are known", () => {
    const figures = { figure: 1, limit: 2, unit: "none" } as const;
    const told = ["ruleId", "ruleKind", "reason"];
    expect(Object.keys(factsOf({ figures }) ?? {})).toEqual(told);
    expect(Object.keys(factsOf({}) ?? {})).toEqual(told);
  });

  test("when a lock ends, and who has asked for it", () => {
    const on = { ...ON, resetsAt: ENDS };
    const event = eventOfDecision(
      ACCOUNT,
      { at: 5, what: "locked", reason: "enough for today", by: "Ann" },
      on,
    );
    expect(event).toMatchObject({
      message: "paper-1: Locked by Ann until 2026-09-21T22:00:00.000Z: enough for today",
      facts: { reason: "enough for today", resetsAt: "2026-09-21T22:00:00.000Z", by: "Ann" },
    });
    expect(event?.facts).not.toHaveProperty("ruleId");
  });

  test("what a rule that is gone had decided", () => {
    expect(factsOf({}, { ruleId: "gone" })).toEqual({
      ruleId: "gone",
      reason: "the day's loss is 962.40 USD",
    });
  });
});
