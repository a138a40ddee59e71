import { beforeEach, describe, expect, test } from "vitest";
import type { GuardSettings } from "../../../../src/domain/guards/rule.ts";
import {
  BLIND_TOLD_AFTER_MS,
  GuardedAccount,
} from "../../../../src/trading/guards/guarded-account.ts";
import type { GuardWrite, StoredGuards } from "../../../../src/trading/guards/guard-store.ts";
import { closedToday, factsOf, holding, loss, NOON, settingsOf } from "../../domain/guards/kit.ts";
import { ACCOUNT } from "../lane-kit.ts";

const SIGHT = { verdicts: [], upcoming: {} };
const QUIET = { isAtStake: false, isMissed: false };
const HOLDS = { isAtStake: true, isMissed: false };

let clock: number;
let account: GuardedAccount;

const open = (settings: GuardSettings = settingsOf([loss()]), more: Partial<StoredGuards> = {}) =>
  new GuardedAccount(ACCOUNT, { version: "v1", settings, ...more }, undefined, {
    newLockId: () => "lock-1",
    elapsed: () => clock,
  });

beforeEach(() => {
  clock = 0;
  account = open();
});

/** Judges by facts of so much later, and stores what is to be stored. */
function look(
  afterMs: number,
  facts: Parameters<typeof factsOf>[0] = {},
  at = QUIET,
): GuardWrite | undefined {
  clock += afterMs;
  account.judge(factsOf({ now: NOON + clock, ...facts }));
  const write = account.pending({ ...SIGHT, verdicts: account.verdicts }, at);
  if (write !== undefined) account.wrote(write);
  return write;
}

test("lets no entry in before it was judged, and says so; a lock that stands says its own", () => {
  expect(account.entriesRefused).toMatchObject({ code: "GUARD_REFUSED" });
  look(0, closedToday(-1_000));
  const again = open(settingsOf([loss()]), account.stored);
  expect(again.entriesRefused).toMatchObject({ code: "LOCKED", ruleId: "rule" });
  look(0);
});

test("refuses from the moment of a breach, and hands its lock out once it is stored", () => {
  look(0);
  account.judge(factsOf({ now: NOON, ...closedToday(-1_000) }));
  expect([account.entriesRefused?.code, account.storedLock]).toEqual(["LOCKED", undefined]);
  const write = account.pending(SIGHT, QUIET);
  expect(write?.lock).toMatchObject({ id: "lock-1" });
  expect(write?.decisions.map(({ decision }) => decision.what)).toContain("locked");
  if (write !== undefined) account.wrote(write);
  expect(account.storedLock).toMatchObject({ id: "lock-1" });
  expect(account.pending(SIGHT, QUIET)).toBeUndefined();
});

describe("when it was judged last", () => {
  test("is stored every 10 s while something is at stake, and never while nothing is", () => {
    look(0);
    expect(look(60_000)?.state).toBeUndefined();
    expect(look(1_000, {}, HOLDS)?.state?.judgedAt).toBe(NOON + clock);
    expect(look(9_000, {}, HOLDS)?.state).toBeUndefined();
    expect(look(1_000, {}, HOLDS)?.state?.judgedAt).toBe(NOON + clock);
  });

  test("stays as it was until what was missed is done", () => {
    look(0);
    const missing = { isAtStake: true, isMissed: true };
    look(60_000, closedToday(-800), missing);
    expect(account.stored.state?.judgedAt).toBe(NOON);
    look(1_000, closedToday(-800), HOLDS);
    expect(account.stored.state?.judgedAt).toBe(NOON + clock);
  });
});

test("its verdicts are stored each second while they change, and each half minute while not", () => {
  const isShown = (afterMs: number, amount: number) =>
    look(afterMs, closedToday(amount))?.sight !== undefined;
  expect(isShown(0, -100)).toBe(true);
  expect(isShown(999, -200)).toBe(false);
  expect(isShown(1, -200)).toBe(true);
  expect(isShown(1_000, -200)).toBe(false);
  expect(isShown(28_999, -200)).toBe(false);
  expect(isShown(1, -200)).toBe(true);
});

test("is blind since its first look without figures, and tells it once that lasts", () => {
  look(10_000);
  const since = clock;
  look(0, holding(undefined));
  expect(look(BLIND_TOLD_AFTER_MS - 1, holding(undefined))?.decisions ?? []).toEqual([]);
  const told = look(1, holding(undefined));
  expect(told?.decisions.map(({ decision }) => decision.what)).toEqual(["blind"]);
  look(5_000, holding(undefined));
  expect([account.blindness?.since, account.blindForMs]).toEqual([NOON + since, clock - since]);
  const sees = look(1_000);
  expect(sees?.decisions.map(({ decision }) => decision.what)).toEqual(["sees"]);
  expect([account.blindness, account.blindForMs]).toEqual([undefined, undefined]);
});

test("what is decided while something is stored is stored next", () => {
  look(0);
  const noted = { at: NOON, what: "wouldRefuse", reason: "x" } as const;
  account.note(noted);
  const write = account.pending(SIGHT, QUIET);
  account.note({ ...noted, reason: "y" });
  if (write !== undefined) account.wrote(write);
  const next = account.pending(SIGHT, QUIET);
  expect(next?.decisions.map(({ decision }) => decision.reason)).toEqual(["y"]);
});
