import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import type { CopyGroup, Follower } from "../../../../src/domain/copying/copy-group.ts";
import { type AccountId, copyGroupId, intentId } from "../../../../src/domain/ids.ts";
import { Copier } from "../../../../src/trading/copying/copier.ts";
import { CopyGroupDirectory } from "../../../../src/trading/copying/copy-group-directory.ts";
import type { PlannedCopy } from "../../../../src/trading/copying/plan-copies.ts";
import type { NotedFill } from "../../../../src/trading/copying/ports.ts";
import { contracts, cycleOf, ES, FIRST, follower, group, LEADER, NOW, SECOND } from "./copy-kit.ts";
import { CopyGroupTable } from "./memory-copy-groups.ts";
import { news, noted } from "./news-kit.ts";

let table: CopyGroupTable;
let groups: CopyGroupDirectory;
/** What the leader did and nobody has copied yet, and what it holds after all of it. */
let fills: readonly NotedFill[];
let held: number;
let sent: (readonly [copyId: string, targetQty: number | undefined])[];
let told: readonly PlannedCopy[];
let failures: unknown[];
/** Thrown where orders are asked for. */
let unread: Error | undefined;
let isHere: boolean;
let inactive: AccountId | undefined;
/** Who accounts are at their brokers. */
let identityOf: (account: AccountId) => string;
/** Runs while copies are being sent. */
let whileSending: () => void;
let whenWaiting: () => void;
let storeAheadMs: number;

const copier = () =>
  new Copier({
    groups,
    cycleOf,
    copyId: (_, account, event) => intentId(`${account} ${event}`),
    isActive: (account) => account !== inactive,
    isHere: () => isHere,
    brokerNow: (_, storeNow) => storeNow - storeAheadMs,
    news: {
      read: async () => news(fills, [[ES, held]]),
      done: async (_, seqs) => void (fills = fills.filter(({ seq }) => !seqs.includes(seq))),
    },
    send: async (copies) => {
      sent.push(...copies.map(({ entry }) => [entry.copyId, entry.targetQty] as const));
      whileSending();
      await Promise.resolve();
    },
    readMirrored: async (_, led) => {
      if (!led.some(({ mode }) => mode === "orders")) return undefined;
      return async () => {
        if (unread !== undefined) throw unread;
        return { fills: () => false, apart: () => 0 };
      };
    },
    onCopied: (copies) => (told = [...told, ...copies]),
    onError: (error) => failures.push(error),
    waitFor: async () => {
      whenWaiting();
      await setImmediate();
    },
  });

function leads(...followers: Partial<Follower>[]): CopyGroup {
  const led = group({ followers: followers.map((change) => follower(change)) });
  table.put(led);
  return led;
}

const trade = (seq: number, qty: number) => {
  fills = [...fills, noted(seq, ES, qty)];
  held += qty;
};

/** Ends what is under way. */
async function run(one = copier()): Promise<void> {
  one.wake(LEADER);
  await expect.poll(() => fills).toEqual([]);
  await one.stop();
}

beforeEach(async () => {
  table = new CopyGroupTable();
  groups = new CopyGroupDirectory(table, {
    ...contracts,
    identityOf: (account) => identityOf(account),
  });
  [fills, held, sent, told, failures, isHere] = [[], 0, [], [], [], true];
  whileSending = () => undefined;
  whenWaiting = () => undefined;
  storeAheadMs = 0;
  inactive = undefined;
  unread = undefined;
  identityOf = String;
  leads({}, { accountId: SECOND });
  await groups.load();
});

test("hands nothing to a follower that turns out to be its leader", async () => {
  identityOf = (account) => (account === FIRST ? LEADER : account);
  await groups.load();
  trade(1, 2);
  await run();
  expect(sent).toEqual([
    ["paper-2 x1", undefined],
    ["paper-3 x1", 2],
  ]);
  expect(told).toMatchObject([
    { kind: "skip", reason: expect.stringMatching(/its leader's own account/) },
    { kind: "send" },
  ]);
  const led = groups.ledBy(LEADER);
  await groups.load();
  expect(groups.ledBy(LEADER)).toBe(led);
});

test("hands what the leader did to every follower, and forgets it then", async () => {
  trade(1, 2);
  await run();
  expect(sent).toEqual([
    ["paper-2 x1", 2],
    ["paper-3 x1", 2],
  ]);
  expect(told.map(({ entry }) => entry.follower)).toEqual([FIRST, SECOND]);
});

test("what cannot be handed on is tried again in full, and told once it is", async () => {
  trade(1, 2);
  let tries = 0;
  whileSending = () => {
    tries += 1;
    if (tries < 3) throw new Error("The store is away");
  };
  await run();
  expect(failures).toHaveLength(2);
  expect(sent).toHaveLength(6);
  expect(new Set(sent.map(([copyId]) => copyId)).size).toBe(2);
  expect(told).toHaveLength(2);
});

test("what the leader did back while a copy was tried is copied too", async () => {
  trade(1, 2);
  whileSending = () => {
    whileSending = () => undefined;
    trade(2, -2);
    throw new Error("The answer is lost");
  };
  await run();
  // The first one may be on its lane.
  expect(sent.at(-1)).toEqual(["paper-3 x2", 0]);
});

test("what the leader does while it runs is copied by the same run", async () => {
  trade(1, 2);
  const one = copier();
  whileSending = () => {
    whileSending = () => undefined;
    trade(2, 1);
    one.wake(LEADER);
  };
  await run(one);
  expect(sent.map(([, targetQty]) => targetQty)).toEqual([2, 2, 3, 3]);
});

describe("nothing is read", () => {
  test.each<[string, () => unknown]>([
    ["of a leader whose connection another process owns", () => (isHere = false)],
    ["of one that leads nobody", async () => await table.remove(group().groupId, 1)],
  ])("%s", async (_, arrange) => {
    await arrange();
    await groups.load();
    trade(1, 1);
    const one = copier();
    one.wake(LEADER);
    one.wakeAll();
    await one.stop();
    expect([sent.length, fills.length]).toEqual([0, 1]);
  });

  test("after the stop, which waits for what is under way", async () => {
    trade(1, 1);
    const one = copier();
    one.wake(LEADER);
    await one.stop();
    expect([sent.length, fills.length]).toEqual([2, 0]);
    trade(2, 1);
    one.wake(LEADER);
    await one.stop();
    expect(fills).toHaveLength(1);
  });

  test("once the connection is another's, however much is left", async () => {
    trade(1, 1);
    whenWaiting = () => (isHere = false);
    whileSending = () => {
      throw new Error("The store is away");
    };
    const one = copier();
    one.wake(LEADER);
    await expect.poll(() => isHere).toBe(false);
    await one.stop();
    expect([sent.length, fills.length]).toEqual([2, 1]);
    // It comes back, and is woken.
    whileSending = () => undefined;
    isHere = true;
    await run();
  });
});

describe("a leader whose orders cannot be read", () => {
  const MIRRORING = copyGroupId("cg_2");

  beforeEach(async () => {
    leads({});
    table.put(
      group({ groupId: MIRRORING, mode: "orders", followers: [follower({ accountId: SECOND })] }),
    );
    await groups.load();
    unread = new Error("An order of its cannot be read");
  });

  test("is copied to those that follow its fills, entries and exits", async () => {
    const one = copier();
    trade(1, 2);
    one.wake(LEADER);
    await expect.poll(() => sent).toEqual([["paper-2 x1", 2]]);
    trade(2, -2);
    one.wake(LEADER);
    // Exits go to all, and nothing is told twice.
    await expect.poll(() => sent.length).toBe(3);
    expect(sent.slice(1)).toEqual([
      ["paper-2 x2", 0],
      ["paper-3 x2", 0],
    ]);
    expect(told).toMatchObject([{}, {}, { exitsOnly: expect.stringMatching(/cannot be read/) }]);
    expect(failures).not.toEqual([]);
    expect(fills).toHaveLength(2);
    await one.stop();
  });

  test("is copied to the others once it can be read", async () => {
    const one = copier();
    trade(1, 2);
    one.wake(LEADER);
    await expect.poll(() => sent).toEqual([["paper-2 x1", 2]]);
    unread = undefined;
    await expect.poll(() => fills).toEqual([]);
    await one.stop();
    expect(sent.slice(1)).toEqual([
      ["paper-2 x1", 2],
      ["paper-3 x1", 2],
    ]);
  });

  test("is waited for by the clock of the leader's broker", async () => {
    storeAheadMs = 31_000;
    const one = copier();
    fills = [noted(1, ES, 2, { at: NOW - storeAheadMs })];
    held = 2;
    one.wake(LEADER);
    await expect.poll(() => sent).toEqual([["paper-2 x1", 2]]);
    expect(fills).toHaveLength(1);
    unread = undefined;
    await expect.poll(() => fills).toEqual([]);
    await one.stop();
  });

  test("is waited for as long as an entry may be copied", async () => {
    fills = [noted(1, ES, 2, { at: NOW - 30_000 })];
    held = 2;
    await run();
    expect(sent).toEqual([
      ["paper-2 x1", 2],
      ["paper-3 x1", 2],
    ]);
    expect(told.map((copy) => copy.kind === "send" && copy.exitsOnly)).toEqual([
      expect.stringMatching(/only exits pass/),
      expect.stringMatching(/only exits pass/),
    ]);
  });
});

describe("a follower that came too late", () => {
  const joiningOf = (n: number) => [...table.kept.values()][0]?.followers[n]?.joining;

  beforeEach(async () => {
    leads({ joining: [ES] }, { accountId: SECOND, joining: [ES] });
    await groups.load();
  });

  test("is joining while the leader stays in its trade", async () => {
    held = 2;
    trade(1, 1);
    await run();
    expect([joiningOf(0), joiningOf(1)]).toEqual([[ES], [ES]]);
  });

  test.each<[string, readonly number[]]>([
    ["was flat", [-2]],
    ["turned around", [-5]],
    ["was flat in between", [-2, 1]],
  ])("has joined once the leader %s", async (_, trades) => {
    held = 2;
    for (const [n, qty] of trades.entries()) trade(n + 1, qty);
    await run();
    expect([joiningOf(0), joiningOf(1)]).toEqual([[], []]);
    expect(groups.ledBy(LEADER)[0]?.followers.map(({ joining }) => joining)).toEqual([[], []]);
  });

  test("has not joined by a trade that is too old for it", async () => {
    held = 2;
    for (const [seq, qty] of [
      [1, -2],
      [2, 2],
    ] as const) {
      fills = [...fills, noted(seq, ES, qty, { at: NOW - 60_000 })];
    }
    await run();
    expect([joiningOf(0), joiningOf(1)]).toEqual([[ES], [ES]]);
  });

  test("joins in what it missed while its account was inactive, unless it is repaired", async () => {
    inactive = SECOND;
    for (const drift of ["alarm", "repair"] as const) {
      const followers = [follower(), follower({ accountId: SECOND })];
      table.put(group({ drift, followers }));
      await groups.load();
      trade(drift === "alarm" ? 1 : 3, 2);
      await run();
      expect([joiningOf(0), joiningOf(1)]).toEqual([[], drift === "alarm" ? [ES] : []]);
      trade(drift === "alarm" ? 2 : 4, -2);
      await run();
    }
  });

  test("has joined although others changed the group at that moment", async () => {
    held = 2;
    trade(1, -2);
    table.beforeWrite = () => {
      table.beforeWrite = () => undefined;
      leads({ joining: [ES], maxQty: 5 }, { accountId: SECOND, joining: [ES] });
    };
    await run();
    expect([joiningOf(0), joiningOf(1)]).toEqual([[], []]);
    expect([...table.kept.values()][0]?.followers[0]?.maxQty).toBe(5);
  });
});
