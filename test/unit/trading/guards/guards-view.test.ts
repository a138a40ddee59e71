// The goal: guards never look judged while no owner judges them. The method: their view, by what is stored
// of them, by the status of their connection, and by the ledger.
import { beforeEach, describe, expect, test } from "vitest";
import { accountDayAt, STANDARD_CLOCKS } from "../../../../src/domain/calendar/account-day.ts";
import type { ConnectionStatus } from "../../../../src/domain/connection-status.ts";
import type { Verdict } from "../../../../src/domain/guards/verdict.ts";
import { connectionId, userId } from "../../../../src/domain/ids.ts";
import { EMPTY_BOOK } from "../../../../src/domain/ledger/account-book.ts";
import type { StoredGuards } from "../../../../src/trading/guards/guard-store.ts";
import {
  createGuardUses,
  type ManageGuardsDeps,
} from "../../../../src/trading/guards/manage-guards.ts";
import type { Caller } from "../../../../src/trading/people/caller.ts";
import { loss, NOON, settingsOf } from "../../domain/guards/kit.ts";
import { ACCOUNT, ES } from "../lane-kit.ts";

const OK = { ruleId: "rule", kind: "loss", level: "ok", figure: -10, reason: "Fine" } as Verdict;
const HELD = { ...EMPTY_BOOK, positions: { [ES]: { position: { netQty: 1 } } } } as never;

let stored: StoredGuards;
let status: ConnectionStatus;
let [book, ageMs] = [EMPTY_BOOK, 0];

beforeEach(() => {
  [status, book, ageMs] = ["CONNECTED", EMPTY_BOOK, 0];
  stored = { version: "v1", settings: settingsOf([loss()]) };
});

async function view() {
  const at = NOON - ageMs;
  const deps: Partial<ManageGuardsDeps> = {
    accounts: {
      require: async () =>
        await Promise.resolve({ accountId: ACCOUNT, connectionId: connectionId("paper") }),
      dayAt: (_: unknown, instant: number) => accountDayAt(STANDARD_CLOCKS, instant),
    } as never,
    guardStore: {
      load: async () =>
        await Promise.resolve({ ...stored, sight: { at, verdicts: [OK], upcoming: {} } }),
    } as never,
    statusOf: async () => await Promise.resolve(status),
    ledger: { book: async () => await Promise.resolve(book) },
    askBrokerGuards: async () => await Promise.resolve(undefined),
    now: () => NOON,
  };
  const caller = { userId: userId("u1") } as Caller;
  return await createGuardUses(deps as ManageGuardsDeps).readGuards(caller, ACCOUNT);
}

test("what its owner has just judged is shown as it was found", async () => {
  expect(await view()).toMatchObject({ verdicts: [OK], judgedAt: NOON });
  expect(await view()).not.toHaveProperty("entriesRefused");
});

describe("while its connection is down", () => {
  beforeEach(() => {
    status = "RECONNECTING";
  });

  test("each rule is unknown at once, beside the figures of the last look", async () => {
    const { verdicts, entriesRefused, blind } = await view();
    expect(verdicts).toEqual([
      { ...OK, level: "unknown", reason: `${String(entriesRefused)}. At the last look: Fine` },
    ]);
    expect(entriesRefused).toContain("RECONNECTING");
    expect(blind).toBeUndefined();
  });

  test("an account that holds something is blind", async () => {
    book = HELD;
    ageMs = 2_000;
    const { blind, entriesRefused } = await view();
    expect(blind).toEqual({ since: NOON - 2_000, reason: entriesRefused });
  });

  test("a lock is still what refuses entries", async () => {
    const lock = { id: "l", at: NOON, lock: "soft", then: "exitsOnly", reason: "Enough" } as const;
    stored = { ...stored, lock };
    expect((await view()).entriesRefused).toContain("Enough");
  });
});

test.each([
  [45_000, "ok"],
  [45_001, "unknown"],
])("what was judged %i ms ago is %s", async (ago, level) => {
  ageMs = ago;
  expect((await view()).verdicts[0]?.level).toBe(level);
});
