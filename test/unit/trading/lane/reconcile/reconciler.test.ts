import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AccountId, accountId, connectionId } from "../../../../../src/domain/ids.ts";
import type { Reconciliation } from "../../../../../src/trading/lane/reconcile/reconcile-account.ts";
import { Reconciler } from "../../../../../src/trading/lane/reconcile/reconciler.ts";
import type { WaitFor } from "../../../../../src/trading/ports.ts";

const PAPER = connectionId("paper");
const OTHER = connectionId("other");
const QUIET: Reconciliation = {
  adoptedFills: 0,
  differences: [],
  isSuspected: false,
  isQuiet: true,
  working: [],
};
const BUSY = { ...QUIET, isQuiet: false };

let clock: number;
let waits: (() => void)[];
/** Every reconciliation that began: `paper-1 at 30000`. */
let began: { account: AccountId; at: number }[];
let told: string[];
let outOfStep: Set<AccountId>;
let answer: (account: AccountId) => Reconciliation | Promise<Reconciliation>;
let requireSession: () => Promise<unknown>;
let reconciler: Reconciler;

const waitFor: WaitFor = (_ms, onWake) =>
  new Promise((resolve) => {
    waits.push(resolve);
    onWake(resolve);
  });

const names = (count: number, of = "paper") =>
  Array.from({ length: count }, (_, n) => accountId(`${of}-${n + 1}`));
/** A session of its own begins with each. */
async function reconcileAll(accounts: readonly AccountId[], connection = PAPER): Promise<void> {
  const session = { beganAt: clock };
  await reconciler.reconcileAll(connection, { session, accounts, requireSession });
}
const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

beforeEach(() => {
  clock = 0;
  [waits, began, told, outOfStep] = [[], [], [], new Set()];
  requireSession = async () => undefined;
  answer = () => QUIET;
  reconciler = new Reconciler({
    reconcile: async (account) => {
      began.push({ account, at: clock });
      return await answer(account);
    },
    observer: {
      reconciled: (account) => told.push(account),
      reconcileFailed: (account, error) => told.push(`${account}: ${String(error)}`),
    },
    alarms: {
      raise: (alarm) => void (alarm.kind === "outOfStep" && outOfStep.add(alarm.accountId)),
      clear: (state) => void (state.kind === "outOfStep" && outOfStep.delete(state.accountId)),
    },
    onInStep: (account) => told.push(`${account} in step`),
    elapsed: () => clock,
    waitFor,
  });
});
afterEach(async () => {
  await Promise.all([reconciler.stop(PAPER), reconciler.stop(OTHER)]);
});

/** Lets the clock run in the steps in which it is looked at. */
async function pass(ms: number): Promise<void> {
  for (const until = clock + ms; clock < until;) {
    clock += 500;
    for (const end of waits.splice(0)) end();
    await settle();
  }
}

const timesOf = (account: AccountId) =>
  began.filter((one) => one.account === account).map(({ at }) => at);

describe("all at once", () => {
  test("reads every account, and no more than 200 at a time", async () => {
    let [running, most] = [0, 0];
    answer = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return QUIET;
    };
    await reconcileAll(names(1_000));
    expect(new Set(began.map(({ account }) => account)).size).toBe(1_000);
    expect(began).toHaveLength(1_000);
    expect(most).toBe(200);
    expect(told).toHaveLength(1_000);
  });

  test("fails when the session is gone, and goes on with none", async () => {
    requireSession = async () => {
      throw new Error("gone");
    };
    answer = async (account) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (account === accountId("paper-7")) throw new Error("not shown");
      return QUIET;
    };
    await expect(reconcileAll(names(1_000))).rejects.toThrow("gone");
    await settle();
    expect(began.length).toBeLessThan(500);
  });

  test("fails when no account can be read", async () => {
    answer = () => {
      throw new Error("not shown");
    };
    await expect(reconcileAll(names(3))).rejects.toThrow("not shown");
    expect(names(3).map(reconciler.sessionOf)).toEqual([undefined, undefined, undefined]);
  });

  test("of none is nothing", async () => {
    await reconcileAll([]);
    expect(began).toEqual([]);
  });
});

describe("again and again", () => {
  async function start(count: number): Promise<void> {
    await reconcileAll(names(count));
    began.length = 0;
    reconciler.start(PAPER);
  }

  test("accounts with something at stake are read every 30 s, evenly spread", async () => {
    answer = () => BUSY;
    await start(10);
    await pass(120_000);
    for (const account of names(10)) expect(timesOf(account)).toHaveLength(4);
    const perSecond = new Map<number, number>();
    for (const { at } of began) perSecond.set(at, (perSecond.get(at) ?? 0) + 1);
    expect(Math.max(...perSecond.values())).toBe(1);
  });

  test("quiet ones are read every half an hour", async () => {
    await start(10);
    await pass(3_600_000);
    for (const account of names(10)) expect(timesOf(account)).toHaveLength(2);
  });

  test("a quiet one is read soon after something happened to it, and rests again then", async () => {
    await start(100);
    const account = accountId("paper-100");
    reconciler.noteActivity(account);
    reconciler.noteActivity(accountId("other-1"));
    await pass(60_000);
    expect(timesOf(account)).toEqual([30_000]);
  });

  test("what happens while an account is read counts for the next reading", async () => {
    const account = accountId("paper-1");
    answer = () => {
      if (clock === 1_800_000) reconciler.noteActivity(account);
      return QUIET;
    };
    await start(1);
    await pass(1_800_000 + 120_000);
    expect(timesOf(account)).toEqual([1_800_000, 1_830_000]);
  });

  test("one with a suspected difference is read again after two seconds", async () => {
    answer = () => ({ ...QUIET, isSuspected: began.length <= 2 });
    await start(1);
    began.push({ account: accountId("earlier"), at: 0 });
    await pass(10_000);
    expect(timesOf(accountId("paper-1"))).toEqual([2_000, 4_000]);
  });

  test("one that is left out is an alarm until it can be read, or its session is over", async () => {
    const [first, second] = names(2) as [AccountId, AccountId];
    answer = (account) => {
      if (account !== first && clock < 60_000) throw new Error("gone");
      return BUSY;
    };
    await start(2);
    expect([...outOfStep]).toEqual([second]);
    await pass(120_000);
    expect([...outOfStep]).toEqual([]);
    // What was read in this session is in step, whatever fails later in it.
    answer = () => {
      throw new Error("gone");
    };
    await pass(60_000);
    expect([...outOfStep]).toEqual([]);
    answer = (account) => {
      if (account === second) throw new Error("gone");
      return BUSY;
    };
    await start(2);
    expect([...outOfStep]).toEqual([second]);
    await reconciler.stop(PAPER);
    expect([...outOfStep]).toEqual([]);
  });

  test("one that the next session does not have any more is no alarm", async () => {
    const [first] = names(2);
    answer = (account) => {
      if (account !== first) throw new Error("gone");
      return BUSY;
    };
    await start(2);
    expect(outOfStep.size).toBe(1);
    await start(1);
    expect([...outOfStep]).toEqual([]);
  });

  test("one that fails is told and tried again, and the others go on", async () => {
    answer = (account) => {
      if (account === accountId("paper-1") && clock > 0) throw new Error("gone");
      return BUSY;
    };
    await start(3);
    told.length = 0;
    await pass(60_000);
    expect(told.filter((line) => line === "paper-1: Error: gone")).toHaveLength(2);
    expect(timesOf(accountId("paper-3"))).toHaveLength(2);
  });

  test("no more than four at a time, and a broker that hangs holds up only its own", async () => {
    answer = () => BUSY;
    await reconcileAll(names(100));
    await reconcileAll(names(1, "other"), OTHER);
    began.length = 0;
    answer = (account) =>
      account === accountId("other-1") ? BUSY : new Promise<Reconciliation>(() => undefined);
    reconciler.start(PAPER);
    reconciler.start(OTHER);
    await pass(60_000);
    expect(began.filter(({ account }) => account !== accountId("other-1"))).toHaveLength(4);
    expect(timesOf(accountId("other-1"))).toHaveLength(2);
    expect(reconciler.figures().oldestMs).toBe(60_000);
    // What hangs never ends: it cannot be waited for.
    void reconciler.stop(PAPER);
  });

  test("a backlog is worked off without waiting for the next look", async () => {
    answer = () => BUSY;
    await reconcileAll(names(100));
    began.length = 0;
    reconciler.start(PAPER);
    clock = 60_000;
    for (const end of waits.splice(0)) end();
    await settle();
    for (let turn = 0; turn < 40; turn += 1) await settle();
    expect(new Set(began.map(({ account }) => account)).size).toBe(100);
  });

  test("nothing is read after the end, and nobody hears of what fails then", async () => {
    let fail = (): void => undefined;
    await start(1);
    answer = () =>
      new Promise((_, reject) => {
        fail = () => reject(new Error("late"));
      });
    reconciler.noteActivity(accountId("paper-1"));
    await pass(30_000);
    told.length = 0;
    const stopped = reconciler.stop(PAPER);
    fail();
    await stopped;
    await pass(60_000);
    expect([began.length, told]).toEqual([1, []]);
    await reconciler.stop(PAPER);
  });

  test("what the broker reports no more is read no more", async () => {
    answer = () => BUSY;
    await start(2);
    await start(1);
    await pass(60_000);
    expect(timesOf(accountId("paper-1"))).toHaveLength(2);
    expect(timesOf(accountId("paper-2"))).toEqual([]);
  });
});

describe("an account that cannot be read", () => {
  const [CLOSED, OPEN] = [accountId("paper-1"), accountId("paper-2")];
  const inStep = () => names(2).filter((account) => reconciler.sessionOf(account) !== undefined);
  let isClosed: boolean;

  beforeEach(() => {
    isClosed = true;
    answer = (account) => {
      if (account === CLOSED && isClosed) throw new Error("closed");
      return BUSY;
    };
  });

  test("is left out, and keeps nobody else from being worked", async () => {
    await reconcileAll(names(2));
    expect(inStep()).toEqual([OPEN]);
    expect(told.sort()).toEqual(["paper-1: Error: closed", "paper-2"]);
    expect(reconciler.sessionOf(accountId("paper-404"))).toBeUndefined();
  });

  test("is tried again soon, later and later, and told once it is in step", async () => {
    await reconcileAll(names(2));
    reconciler.start(PAPER);
    began.length = 0;
    await pass(65_000);
    expect(timesOf(CLOSED)).toEqual([1_000, 3_000, 7_000, 15_000, 31_000, 61_000]);
    expect(inStep()).toEqual([OPEN]);
    isClosed = false;
    [told, began] = [[], []];
    await pass(30_000);
    expect(inStep()).toEqual([CLOSED, OPEN]);
    expect(told.filter((line) => line.endsWith("in step"))).toEqual(["paper-1 in step"]);
  });

  test("is waited for by no more than one question whether the session stands", async () => {
    let asked = 0;
    requireSession = async () => {
      asked += 1;
      await new Promise((resolve) => setImmediate(resolve));
    };
    answer = (account) => {
      if (account !== OPEN) throw new Error("closed");
      return QUIET;
    };
    await reconcileAll(names(200));
    expect(asked).toBe(1);
    expect(inStep()).toEqual([OPEN]);
  });

  test("later in its session stays in step: whoever sends for it reads it anew", async () => {
    isClosed = false;
    await reconcileAll(names(2));
    reconciler.start(PAPER);
    isClosed = true;
    await pass(60_000);
    expect(inStep()).toEqual([CLOSED, OPEN]);
  });
});

describe("a session", () => {
  test("is another one for its accounts each time, from the beginning of its readings", async () => {
    await reconcileAll(names(2));
    const first = reconciler.sessionOf(accountId("paper-1"));
    expect(reconciler.sessionOf(accountId("paper-2"))).toBe(first);
    clock = 5_000;
    let [during]: unknown[] = ["not asked"];
    answer = () => {
      during = reconciler.sessionOf(accountId("paper-1"));
      return QUIET;
    };
    await reconcileAll(names(1));
    expect(during).toBeUndefined();
    expect(reconciler.sessionOf(accountId("paper-1"))).toEqual({ beganAt: 5_000 });
    expect(reconciler.sessionOf(accountId("paper-2"))).toBeUndefined();
    expect(first).toEqual({ beganAt: 0 });
  });

  test("is over with its connection, at once", async () => {
    await reconcileAll(names(2));
    await reconcileAll(names(1, "other"), OTHER);
    reconciler.start(PAPER);
    expect(reconciler.sessionOf(accountId("paper-1"))).toBeDefined();
    const stopped = reconciler.stop(PAPER);
    expect(names(2).map(reconciler.sessionOf)).toEqual([undefined, undefined]);
    expect(reconciler.sessionOf(accountId("other-1"))).toBeDefined();
    await stopped;
  });

  test("is not joined by what was read in an earlier one", async () => {
    let end: (result: Reconciliation) => void = () => undefined;
    await reconcileAll(names(2));
    reconciler.start(PAPER);
    answer = () => new Promise((resolve) => (end = resolve));
    await pass(900_000);
    expect(began.at(-1)).toEqual({ account: accountId("paper-1"), at: 900_000 });
    void reconciler.stop(PAPER);
    answer = (account) => {
      if (account === accountId("paper-1")) throw new Error("closed");
      return QUIET;
    };
    await reconcileAll(names(2));
    end(QUIET);
    await settle();
    expect(reconciler.sessionOf(accountId("paper-1"))).toBeUndefined();
  });
});

test("the figures tell of accounts with something at stake, while their connection stands", async () => {
  answer = (account) => ({
    ...(account === accountId("paper-1") ? QUIET : BUSY),
    isSuspected: account === accountId("paper-3"),
  });
  await reconcileAll(names(3));
  expect(reconciler.figures()).toEqual({ oldestMs: 0, suspected: 0 });
  reconciler.start(PAPER);
  clock = 7_000;
  expect(reconciler.figures()).toEqual({ oldestMs: 7_000, suspected: 1 });
  await reconciler.stop(PAPER);
  expect(reconciler.figures()).toEqual({ oldestMs: 0, suspected: 0 });
});
