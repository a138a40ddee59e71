import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AccountId, accountId, connectionId } from "../../../../src/domain/ids.ts";
import type { Reconciliation } from "../../../../src/trading/lane/reconcile-account.ts";
import { Reconciler } from "../../../../src/trading/lane/reconciler.ts";
import type { WaitFor } from "../../../../src/trading/ports.ts";

const PAPER = connectionId("paper");
const OTHER = connectionId("other");
const QUIET: Reconciliation = {
  adoptedFills: 0,
  differences: [],
  isSuspected: false,
  isQuiet: true,
};
const BUSY = { ...QUIET, isQuiet: false };

let clock: number;
let waits: (() => void)[];
/** Every reconciliation that began: `paper-1 at 30000`. */
let began: { account: AccountId; at: number }[];
let told: string[];
let answer: (account: AccountId) => Reconciliation | Promise<Reconciliation>;
let reconciler: Reconciler;

const waitFor: WaitFor = (_ms, onWake) =>
  new Promise((resolve) => {
    waits.push(resolve);
    onWake(resolve);
  });

const names = (count: number, of = "paper") =>
  Array.from({ length: count }, (_, n) => accountId(`${of}-${n + 1}`));
const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

beforeEach(() => {
  clock = 0;
  [waits, began, told] = [[], [], []];
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
    now: () => clock,
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
    await reconciler.reconcileAll(names(1_000));
    expect(new Set(began.map(({ account }) => account)).size).toBe(1_000);
    expect(began).toHaveLength(1_000);
    expect(most).toBe(200);
    expect(told).toHaveLength(1_000);
  });

  test("fails with the first that fails, and goes on with none", async () => {
    answer = async (account) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (account === accountId("paper-7")) throw new Error("gone");
      return QUIET;
    };
    await expect(reconciler.reconcileAll(names(1_000))).rejects.toThrow("gone");
    await settle();
    expect(began.length).toBeLessThan(500);
  });

  test("of none is nothing", async () => {
    await reconciler.reconcileAll([]);
    expect(began).toEqual([]);
  });
});

describe("again and again", () => {
  async function start(count: number): Promise<void> {
    await reconciler.reconcileAll(names(count));
    began.length = 0;
    reconciler.start(PAPER, names(count));
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
    await reconciler.reconcileAll([...names(100), ...names(1, "other")]);
    began.length = 0;
    answer = (account) =>
      account === accountId("other-1") ? BUSY : new Promise<Reconciliation>(() => undefined);
    reconciler.start(PAPER, names(100));
    reconciler.start(OTHER, names(1, "other"));
    await pass(60_000);
    expect(began.filter(({ account }) => account !== accountId("other-1"))).toHaveLength(4);
    expect(timesOf(accountId("other-1"))).toHaveLength(2);
    expect(reconciler.figures().oldestMs).toBe(60_000);
    // What hangs never ends: it cannot be waited for.
    void reconciler.stop(PAPER);
  });

  test("a backlog is worked off without waiting for the next look", async () => {
    answer = () => BUSY;
    await reconciler.reconcileAll(names(100));
    began.length = 0;
    reconciler.start(PAPER, names(100));
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

  test("a new start takes the place of an earlier one", async () => {
    answer = () => BUSY;
    await start(2);
    reconciler.start(PAPER, names(1));
    await pass(60_000);
    expect(timesOf(accountId("paper-1"))).toHaveLength(2);
    expect(timesOf(accountId("paper-2"))).toEqual([]);
  });
});

test("the figures tell of accounts with something at stake, while their connection stands", async () => {
  answer = (account) => ({
    ...(account === accountId("paper-1") ? QUIET : BUSY),
    isSuspected: account === accountId("paper-3"),
  });
  await reconciler.reconcileAll(names(3));
  expect(reconciler.figures()).toEqual({ oldestMs: 0, suspected: 0 });
  reconciler.start(PAPER, names(3));
  clock = 7_000;
  expect(reconciler.figures()).toEqual({ oldestMs: 7_000, suspected: 1 });
  await reconciler.stop(PAPER);
  expect(reconciler.figures()).toEqual({ oldestMs: 0, suspected: 0 });
});
