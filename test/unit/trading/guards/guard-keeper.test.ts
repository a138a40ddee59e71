// The goal: what guards have decided, or somebody else has, is acted upon at once by the account's owner,
// whatever becomes of the news of it. The method: a keeper on a store of the test's own, which tells news
// as Redis does, in the middle of a write, or loses them. No look each second is made but where it is said.
import { waitFor } from "../../../../src/app/wait-for.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { STANDARD_CLOCKS } from "../../../../src/domain/calendar/account-day.ts";
import type { GuardFacts } from "../../../../src/domain/guards/guard-facts.ts";
import { GUARD_DEFAULTS, type GuardRule } from "../../../../src/domain/guards/rule.ts";
import type { GuardLock } from "../../../../src/domain/guards/verdict.ts";
import { accountId } from "../../../../src/domain/ids.ts";
import { EMPTY_BOOK } from "../../../../src/domain/ledger/account-book.ts";
import { minor } from "../../../../src/domain/money.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";
import type { Closing } from "../../../../src/trading/guards/close-account.ts";
import { GuardKeeper, type GuardKeeperDeps } from "../../../../src/trading/guards/guard-keeper.ts";
import type {
  GuardStore,
  GuardWrite,
  StoredGuards,
} from "../../../../src/trading/guards/guard-store.ts";

const ID = accountId("paper-1");
const DAILY: GuardRule = {
  id: "daily",
  kind: "loss",
  mode: "on",
  lock: "soft",
  period: "day",
  limit: minor(100_000),
  counts: "open",
  then: "flatten",
};
const NOW = Date.UTC(2026, 10, 24, 15);
const BY_HAND: GuardLock = {
  id: "by-hand",
  at: NOW,
  until: NOW + 3_600_000,
  lock: "hard",
  then: "flatten",
  reason: "Somebody asked for it",
};

let stored: StoredGuards;
let writes: GuardWrite[];
let closings: readonly Closing[];
let [isOpen, open]: [boolean, number] = [true, 0];
let [clock, epoch]: [number, number | undefined] = [0, 1];
/** Something works, so that the account is looked at each second. */
const WORKING = [{ contract: "ESZ2026" } as never];
let working: readonly never[];
let keeper: GuardKeeper;
/** What the process hears of a write, before whoever wrote hears that it is done. */
let hear: (written: GuardWrite, isOwner: boolean) => void;

const store: GuardStore = {
  guarded: async () => await Promise.resolve([ID]),
  load: async () => await Promise.resolve(stored),
  stands: async () => await Promise.resolve({ version: stored.version, lockId: stored.lock?.id }),
  history: async () => await Promise.resolve({ items: [] }),
  write: async (_, expected, write) => {
    await Promise.resolve();
    const isOther = expected.version !== stored.version || expected.lockId !== stored.lock?.id;
    if (isOther) return "changed";
    const { lock: stood, ...rest } = stored;
    const lock = write.lock === undefined ? stood : (write.lock ?? undefined);
    const { settings, state } = write;
    stored = {
      ...rest,
      ...(settings !== undefined && { settings }),
      ...(state !== undefined && { state }),
      ...(lock !== undefined && { lock }),
    };
    writes.push(write);
    hear(write, expected.epoch !== undefined);
    return "written";
  },
};

const facts = (): GuardFacts => ({
  now: NOW + clock,
  tradingDay: "2026-11-24",
  dayEndsAt: NOW + 3_600_000,
  weekBegan: "2026-11-23",
  weekEndsAt: NOW + 72 * 3_600_000,
  days: [],
  daysSince: "2026-11-01",
  isOpen,
  open: minor(open),
  atStops: undefined,
  pricedAt: NOW + clock,
  trades: 1,
  executions: 1,
  lossesInRow: 0,
  held: new Map([["ES", 2]]),
  others: new Map(),
});

let areStored: boolean;
/** Undefined where none is expected. */
let failures: unknown[] | undefined;

beforeEach(() => {
  [areStored, failures] = [true, undefined];
  stored = { version: "1", settings: { ...GUARD_DEFAULTS, rules: [DAILY] } };
  writes = [];
  closings = [];
  [isOpen, open, working] = [true, 0, WORKING];
  [clock, epoch] = [0, 1];
  hear = () => undefined;
  let locks = 0;
  const deps: Partial<GuardKeeperDeps> = {
    store,
    readFacts: facts,
    clocksOf: () => STANDARD_CLOCKS,
    bookOf: async () => await Promise.resolve(EMPTY_BOOK),
    othersOf: async () => await Promise.resolve(new Map()),
    workingOf: async () => await Promise.resolve(working),
    balancesOf: async () => await Promise.resolve([]),
    brokerGuardsOf: async () => await Promise.resolve(undefined),
    calendarsOf: async () => await Promise.resolve(new Map()),
    epochOf: () => epoch,
    fillsStored: async () => await Promise.resolve(areStored),
    askBalances: () => undefined,
    waitFor,
    alarms: { raise: () => undefined, clear: () => undefined } as never,
    observer: {
      decided: () => undefined,
      judged: () => undefined,
      flattened: () => undefined,
      figuresFrom: () => undefined,
    },
    newLockId: () => `lock-${(locks += 1)}`,
    soon: (work) => setImmediate(work),
    onError: (_, error) => {
      if (failures === undefined) throw error;
      failures.push(error);
    },
    elapsed: () => clock,
    now: () => NOW + clock,
  };
  keeper = new GuardKeeper(deps as GuardKeeperDeps);
  keeper.closeBy((_, wanted) => (closings = wanted ?? []));
});

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};
/** Each account by itself: when they have ended, nobody waits for. */
async function look(): Promise<void> {
  await keeper.look();
  await settled();
}
const keys = () => closings.map(({ key }) => key);
const noted = () =>
  writes.flatMap(({ decisions }) => decisions.map(({ decision }) => decision.what));

describe("a lock that is stored", () => {
  test("is acted upon at once, although its own news come back", async () => {
    // As `store/guards/redis-guards.ts` tells them.
    hear = ({ settings, lock }, isOwner) => {
      if (settings !== undefined || (lock !== undefined && !isOwner)) keeper.reread(ID);
    };
    await look();
    open = -200_000;
    keeper.noteQuote(ID);
    await settled();
    expect(stored.lock?.ruleId).toBe("daily");
    expect(keys()).toEqual(["lock-1"]);
    const met = { at: NOW + 5, what: "isFlat", reason: "Flat" } as const;
    for (const closing of closings) keeper.decided(ID, closing, met);
    await settled();
    expect(stored.lock?.doneAt).toBe(NOW + 5);
    const again = { ...met, at: NOW + 9 };
    keeper.decided(ID, { key: "lock-1", what: "flatten", reason: "" }, again);
    await settled();
    expect(stored.lock?.doneAt).toBe(NOW + 5);
    expect(noted().filter((what) => what === "isFlat")).toEqual(["isFlat"]);
  });

  test("by somebody else is acted upon with its news, without a look", async () => {
    await look();
    stored = { ...stored, lock: BY_HAND };
    keeper.reread(ID);
    await settled();
    expect(keys()).toEqual(["by-hand"]);
  });

  test("is acted upon by the next look where its news are lost", async () => {
    await look();
    stored = { ...stored, lock: BY_HAND };
    clock += 1_000;
    await look();
    expect(keys()).toEqual(["by-hand"]);
  });

  test("while the guards are being read is not missed", async () => {
    await look();
    const { load } = store;
    let release: () => void = () => undefined;
    const before = stored;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    Object.assign(store, {
      load: async () => {
        Object.assign(store, { load });
        await isReleased;
        return before;
      },
    });
    keeper.reread(ID);
    stored = { ...stored, lock: BY_HAND };
    keeper.reread(ID);
    release();
    await settled();
    expect(keys()).toEqual(["by-hand"]);
  });
});

describe("what is met before the guards are read", () => {
  const closing = { key: "by-hand", what: "flatten", reason: "" } as const;
  const meet = () => keeper.decided(ID, closing, { at: NOW, what: "isFlat", reason: "Flat" });

  test("for the first time is noted once they are", async () => {
    meet();
    await look();
    expect(noted()).toContain("isFlat");
  });

  test("anew is noted once they are", async () => {
    await look();
    keeper.reread(ID);
    meet();
    await settled();
    expect(noted()).toContain("isFlat");
  });

  test("is forgotten where another process owns the account meanwhile", async () => {
    await look();
    keeper.reread(ID);
    meet();
    epoch = undefined;
    await look();
    epoch = 3;
    await look();
    expect(keeper.of(ID).unready).toBeUndefined();
    expect(noted()).not.toContain("isFlat");
  });
});

test("a report about an account without guards changes nothing", () => {
  expect(() => keeper.noteReport(accountId("paper-2"))).not.toThrow();
});

test("a lock that may not be stored is stored later, although its reason has gone", async () => {
  await look();
  const { write } = store;
  Object.assign(store, {
    write: async () => {
      Object.assign(store, { write });
      await Promise.reject(new StoreError("No answer", { certainlyNotWritten: false }));
    },
  });
  failures = [];
  open = -200_000;
  keeper.noteQuote(ID);
  await settled();
  expect([stored.lock, failures.length]).toEqual([undefined, 1]);
  open = 0;
  await look();
  expect(stored.lock?.ruleId).toBe("daily");
  expect(keys()).toEqual(["lock-1"]);
});

test.each<[string, readonly never[], number]>([
  ["works", WORKING, NOW + 10_000],
  ["works no more", [], NOW],
])("with nothing open, and an order that %s: stored as judged last", async (_, orders, at) => {
  [isOpen, working] = [false, orders];
  await look();
  clock += 10_000;
  await look();
  expect(stored.state?.judgedAt).toBe(at);
});

describe("an account that cannot be judged", () => {
  test("has what its lock asks for pursued", async () => {
    stored = { ...stored, lock: BY_HAND };
    await look();
    const { load } = store;
    let asked = 0;
    keeper.closeBy((_, wanted) => (asked += wanted?.length ?? 0));
    Object.assign(store, { load: async () => await Promise.resolve(undefined) });
    failures = [];
    keeper.reread(ID);
    for (let count = 0; count < 3; count += 1) await look();
    Object.assign(store, { load });
    expect([asked, failures?.length]).toEqual([3, 4]);
  });

  test("by what was reported last takes no entry, and is judged by prices all the same", async () => {
    await look();
    areStored = false;
    keeper.noteReport(ID);
    open = -200_000;
    keeper.noteQuote(ID);
    await settled();
    expect(stored.lock?.ruleId).toBe("daily");
    expect(keeper.of(ID).unready?.code).toBe("LOCKED");
  });

  test("takes no entry until it is read", async () => {
    await look();
    areStored = false;
    keeper.noteReport(ID);
    await keeper.upToDate(ID);
    expect(keeper.of(ID).unready?.code).toBe("GUARD_REFUSED");
    areStored = true;
    clock += 50;
    await keeper.upToDate(ID);
    expect(keeper.of(ID).unready).toBeUndefined();
  });
});
