import { beforeEach, describe, expect, test } from "vitest";
import { createScheduleLookups } from "../../../../src/app/schedule-lookups.ts";
import type { GuardRule } from "../../../../src/domain/guards/rule.ts";
import type { GuardDecision, GuardLock } from "../../../../src/domain/guards/verdict.ts";
import { orderId } from "../../../../src/domain/ids.ts";
import { closingsOf, type ClosingsOf } from "../../../../src/trading/guards/closings.ts";
import { GuardedAccount } from "../../../../src/trading/guards/guarded-account.ts";
import { createSchedules } from "../../../../src/trading/guards/schedules.ts";
import { factsOf, holding, loss, NOON, OF_RULE, settingsOf } from "../../domain/guards/kit.ts";
import { ACCOUNT, ES } from "../lane-kit.ts";

/** At 12:05 in Chicago, five minutes after NOON; free again at 12:10. */
const FLAT_BY: GuardRule = {
  ...OF_RULE,
  kind: "flatBy",
  zone: "America/Chicago",
  time: "12:05",
  entriesOffMinutes: 0,
  flattenSeconds: 0,
  resumes: "12:10",
};
const MINUTE = 60_000;
const schedules = createSchedules(createScheduleLookups(), () => ES);

let elapsed: number;
let notes: GuardDecision[];
let kept: { -readonly [Name in keyof ClosingsOf["kept"]]: ClosingsOf["kept"][Name] };

beforeEach(() => {
  [elapsed, notes] = [0, []];
});

function open(
  rules: readonly GuardRule[],
  {
    judgedAt = NOON,
    lock,
    ...change
  }: { judgedAt?: number; lock?: GuardLock } & Parameters<typeof settingsOf>[1] = {},
): void {
  const state = { tradingDay: "2026-06-10", rules: {}, judgedAt };
  const settings = settingsOf(rules, change);
  const stored = { version: "v1", settings, state, ...(lock && { lock }) };
  const account = new GuardedAccount(ACCOUNT, stored, undefined, {
    newLockId: () => "new",
    elapsed: () => elapsed,
  });
  kept = {
    account,
    book: { positions: { [ES]: { position: { contract: ES, netQty: 2 } } } } as never,
    calendars: new Map(),
    working: [],
    judgedUntil: judgedAt,
    reported: 0,
    readUpTo: 0,
    missed: undefined,
    closings: [],
    told: new Set(),
  };
}

/** What is demanded so long after NOON. */
function at(afterMs: number, facts: Parameters<typeof factsOf>[0] = {}) {
  elapsed = afterMs;
  kept.account.judge(factsOf({ now: NOON + afterMs, ...facts }));
  const found = closingsOf({ kept, schedules, note: (one) => void notes.push(one) });
  kept.closings = found.closings;
  kept.missed = found.missed;
  return found.closings.map(({ what, contract, reason }) => ({ what, contract, reason }));
}

const flatten = { what: "flatten", contract: ES };
const missed = expect.stringContaining("when nobody was there") as string;

test("before it was judged nothing is demanded", () => {
  open([FLAT_BY], { judgedAt: NOON - 86_400_000 });
  expect(closingsOf({ kept, schedules, note: () => undefined }).closings).toEqual([]);
});

describe("by the clock", () => {
  test("what is held is closed at its time and until it is free, and not after that", () => {
    open([FLAT_BY]);
    expect(at(4 * MINUTE)).toEqual([]);
    expect(at(5 * MINUTE)).toMatchObject([flatten]);
    expect(at(9 * MINUTE)).toMatchObject([flatten]);
    expect(at(10 * MINUTE)).toEqual([]);
  });

  test("in shadow it is told once, and nothing is closed", () => {
    open([{ ...FLAT_BY, mode: "shadow" }]);
    expect([at(5 * MINUTE), at(6 * MINUTE)]).toEqual([[], []]);
    expect(notes.map(({ what }) => what)).toEqual(["wouldFlatten"]);
  });
});

describe("what was missed", () => {
  test("is closed as it is found, until it is seen to be done, and never again", () => {
    open([FLAT_BY]);
    expect(at(60 * MINUTE)).toMatchObject([{ ...flatten, reason: missed }]);
    // It is flat, and somebody has yet to see that.
    kept.book = { positions: {} } as never;
    expect(at(61 * MINUTE)).toMatchObject([{ ...flatten, reason: missed }]);
    kept.missed = [];
    kept.book = { positions: { [ES]: { position: { contract: ES, netQty: 2 } } } } as never;
    expect(at(62 * MINUTE)).toEqual([]);
  });

  test("is nothing where it was judged after that time, or nothing was held", () => {
    open([FLAT_BY], { judgedAt: NOON + 30 * MINUTE });
    expect(at(60 * MINUTE)).toEqual([]);
    open([FLAT_BY]);
    kept.book = { positions: {} } as never;
    expect(at(60 * MINUTE)).toEqual([]);
  });
});

test.each([
  ["flatten", "flatten"],
  ["exitsOnly", "cancelEntries"],
] as const)("a stored lock with %s demands %s under its own id", (then, what) => {
  const lock: GuardLock = { id: "l1", at: NOON, lock: "soft", then, reason: "Enough" };
  open([], { lock });
  at(0);
  expect(kept.closings).toEqual([{ key: "l1", what, reason: "Enough" }]);
});

describe("while it is blind", () => {
  const then = "flattenUnprotected";
  const stop = {
    orderId: orderId("1"),
    contract: ES,
    side: "SELL",
    stopPx: 1,
    leavesQty: 2,
    ordStatus: "NEW",
  };

  test("for so long, what no stop covers is closed, where that was said", () => {
    open([loss()], { whenBlind: { then, afterSeconds: 60 } });
    expect([at(0, holding(undefined)), at(59_999, holding(undefined))]).toEqual([[], []]);
    expect(at(60_000, holding(undefined))).toMatchObject([flatten]);
    kept.working = [stop as never];
    expect(at(61_000, holding(undefined))).toEqual([]);
    kept.working = [{ ...stop, leavesQty: 1 } as never];
    expect(at(62_000, holding(undefined))).toMatchObject([flatten]);
  });

  test("for so long, all of it is closed by a lock, once that is stored", () => {
    open([loss()], { whenBlind: { then: "flatten", afterSeconds: 60 } });
    expect([at(0, holding(undefined)), at(60_000, holding(undefined))]).toEqual([[], []]);
    const write = kept.account.pending(
      { verdicts: [], upcoming: {} },
      { isAtStake: true, isMissed: false },
    );
    if (write !== undefined) kept.account.wrote(write);
    expect(at(60_001, holding(undefined))).toMatchObject([{ what: "flatten" }]);
  });

  test("with an alarm only, nothing is closed ever", () => {
    open([loss()]);
    expect([at(0, holding(undefined)), at(600_000, holding(undefined))]).toEqual([[], []]);
  });
});
