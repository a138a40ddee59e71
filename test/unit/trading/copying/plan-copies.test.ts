import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import type { CopyGroup, Follower } from "../../../../src/domain/copying/copy-group.ts";
import { targetsOf } from "../../../../src/domain/copying/copy-target.ts";
import { accountId, copyGroupId, intentId } from "../../../../src/domain/ids.ts";
import {
  type PlanDeps,
  planCopies,
  type PlannedCopy,
} from "../../../../src/trading/copying/plan-copies.ts";
import type { LeaderNews } from "../../../../src/trading/copying/ports.ts";
import {
  cycleOf,
  ES,
  FIRST,
  follower,
  group,
  LEADER,
  MNQ,
  NOW,
  NQ,
  OWNER,
  SECOND,
  THIRD,
} from "./copy-kit.ts";
import { news, noted } from "./news-kit.ts";

const INACTIVE = THIRD;
const deps: PlanDeps = {
  cycleOf,
  copyId: (groupId: string, account: string, event: string) =>
    intentId(`${groupId} ${account} ${event}`),
  isActive: (account: string) => account !== INACTIVE,
  brokerNow: (_, storeNow) => storeNow,
};

const plan = (groups: readonly CopyGroup[], its: LeaderNews) => planCopies(deps, groups, its);
const half = { by: "multiplier", multiplier: "0.5", rounding: "down" } as const;

/** The only copy to the only follower. */
function planOne(
  change: Partial<Follower>,
  its: LeaderNews,
  more: Partial<CopyGroup> = {},
): PlannedCopy {
  const copies = plan([group({ ...more, followers: [follower(change)] })], its);
  const [copy] = copies;
  if (copy === undefined || copies.length > 1) throw new Error(`${copies.length} copies`);
  return copy;
}

/** The leader came to hold so many ES by fills that happened so long ago. */
const moved = (before: number, after: number, agoMs = 0): LeaderNews =>
  news([noted(7, ES, after - before, { at: NOW - agoMs })], [[ES, after]]);

describe("a copy", () => {
  test("says what the leader did, and where the follower is to be", () => {
    expect(planOne({}, moved(1, 3, 2_000))).toEqual({
      kind: "send",
      entry: {
        copyId: "cg_1 paper-2 x7",
        groupId: "cg_1",
        userId: OWNER,
        leader: LEADER,
        follower: FIRST,
        cause: "fill",
        leaderAt: NOW - 2_000,
        notedAt: NOW,
        leaderContract: ES,
        leaderSide: "BUY",
        leaderQty: 2,
        leaderPx: { numerator: 200, denominator: 2 },
        leaderOrderId: "o7",
        contract: ES,
        targetQty: 3,
        decisions: [],
      },
      intent: {
        kind: "ADJUST",
        contract: ES,
        aim: { to: "position", netQty: 3 },
        terms: { ordType: "MARKET", timeInForce: "DAY" },
      },
      seq: 7,
      entryMaxAgeMs: 28_000,
      isExit: false,
    });
  });

  test("has an id of its group, its follower and the newest fill", () => {
    const groups = [
      group({ followers: [follower(), follower({ accountId: SECOND })] }),
      group({ groupId: copyGroupId("cg_2"), followers: [follower({ accountId: THIRD })] }),
    ];
    const its = news([noted(1, ES, 1), noted(2, ES, 1)], [[ES, 2]]);
    const ids = plan(groups, its).map(({ entry }) => entry.copyId);
    expect(ids).toEqual(["cg_1 paper-2 x2", "cg_1 paper-3 x2", "cg_2 paper-4 x2"]);
    // A crash repeats it.
    expect(plan(groups, its)).toEqual(plan(groups, its));
  });

  test.each<[string, Partial<Follower>, LeaderNews, Partial<CopyGroup>, RegExp]>([
    ["of a paused group, an exit too", {}, moved(2, 0), { paused: true }, /group is paused/],
    ["to one that is off, an exit too", { enabled: false }, moved(2, 0), {}, /switched off/],
    ["to an inactive account", { accountId: INACTIVE }, moved(0, 1), {}, /inactive/],
    ["of what it may not trade", { allowedSymbols: ["NQ"] }, moved(0, 1), {}, /ES is not among/],
    ["that changes nothing by its size", { size: half }, moved(2, 3), {}, /hold 1, as before/],
    ["that comes to nothing", { size: half }, moved(0, 1), {}, /hold nothing, as before/],
    ["over its cap", { maxQty: 2 }, moved(3, 5), {}, /hold 2, as before/],
  ])("%s is skipped, with the reason", (_, change, its, more, reason) => {
    const copy = planOne(change, its, more);
    expect(copy).toMatchObject({ kind: "skip", reason: expect.stringMatching(reason) });
  });
});

describe("only exits are copied", () => {
  const stopped = { reason: "3 refused", at: 1 };

  test.each<[string, Partial<Follower>, LeaderNews, RegExp | undefined]>([
    ["to one that is stopped", { stopped }, moved(0, 1), /follower is stopped.*3 refused/],
    ["to one that is stopped, as it exits", { stopped }, moved(2, 1), /stopped/],
    ["to one that is joining", { joining: [ES] }, moved(2, 3), /too late for what the leader/],
    ["to one that is joining, as it exits", { joining: [ES] }, moved(3, 2), /too late/],
    ["not to one that joins elsewhere", { joining: [NQ] }, moved(2, 3), undefined],
    ["not once the leader was flat", { joining: [ES] }, moved(0, 1), undefined],
    ["not once the leader turned around", { joining: [ES] }, moved(2, -1), undefined],
    ["of what is as old as the limit", {}, moved(0, 1, 30_000), /30 s before it could be copied/],
    ["of what is older", {}, moved(1, 2, 95_500), /95 s before/],
    ["of an exit that is older", {}, moved(2, 1, 31_000), /only exits pass/],
    ["not of what is younger", {}, moved(0, 1, 29_999), undefined],
  ])("%s", (_, change, its, reason) => {
    const copy = planOne(change, its);
    if (copy.kind === "skip") throw new Error(copy.reason);
    const { exitsOnly, entry } = copy;
    expect(exitsOnly ?? "everything").toMatch(reason ?? /^everything$/);
    expect(entry.decisions).toEqual(exitsOnly === undefined ? [] : [exitsOnly]);
  });

  test("what is old may not wait, and no clock ahead of ours lends it time", () => {
    const lives = (agoMs: number) => {
      const copy = planOne({}, moved(0, 1, agoMs));
      return copy.kind === "send" ? copy.entryMaxAgeMs : undefined;
    };
    expect([40_000, 30_000, 10_000, 0, -5_000].map(lives)).toEqual([0, 0, 20_000, 30_000, 30_000]);
  });

  test("how old it is, the clock of the leader's broker says", () => {
    const lives = (agoMs: number, storeAheadMs: number) => {
      const brokerNow = (_: string, storeNow: number) => storeNow - storeAheadMs;
      const [copy] = planCopies({ ...deps, brokerNow }, [group()], moved(0, 1, agoMs));
      if (copy?.kind !== "send") throw new Error("skipped");
      return [copy.entryMaxAgeMs, copy.exitsOnly === undefined, copy.entry.notedAt];
    };
    expect(lives(31_000, 31_000)).toEqual([30_000, true, NOW]);
    expect(lives(41_000, 31_000)).toEqual([20_000, true, NOW]);
    expect(lives(10_000, -20_000)).toEqual([0, false, NOW]);
  });
});

describe("of several fills", () => {
  test("what a follower is to hold after all of them is copied once", () => {
    const its = news([noted(1, ES, 3), noted(2, ES, -1), noted(3, ES, 2)], [[ES, 4]]);
    const copy = planOne({}, its);
    expect(copy).toMatchObject({ kind: "send", seq: 3, entry: { targetQty: 4 } });
  });

  test("that lead back to where they began, the way there may have been copied before a crash", () => {
    const its = news([noted(1, ES, 1), noted(2, ES, -1)], [[ES, 0]]);
    const copy = planOne({}, its);
    expect(copy).toMatchObject({ kind: "send", seq: 2, entry: { targetQty: 0 } });
  });

  test("that never changed what the follower is to hold, nothing is copied", () => {
    const its = news([noted(1, ES, 1), noted(2, ES, -1)], [[ES, 2]]);
    expect(planOne({ size: half }, its).kind).toBe("skip");
  });

  test("in two contracts that become one, the newest stands for both", () => {
    const its = news(
      [noted(1, NQ, 2), noted(2, MNQ, -1)],
      [
        [NQ, 2],
        [MNQ, -1],
      ],
    );
    const copy = planOne({ symbolMap: { NQ: "MNQ" } }, its);
    const entry = { leaderContract: MNQ, leaderSide: "SELL", contract: MNQ, targetQty: 1 };
    expect(copy).toMatchObject({ kind: "send", seq: 2, entry });
  });

  test("of one contract that a follower has and one that it has not, each is told", () => {
    const its = news(
      [noted(1, ES, 1), noted(2, NQ, 1)],
      [
        [ES, 1],
        [NQ, 1],
      ],
    );
    const copies = plan([group({ followers: [follower({ allowedSymbols: ["ES"] })] })], its);
    expect(copies.map(({ kind, entry }) => [kind, entry.leaderContract])).toEqual([
      ["send", ES],
      ["skip", NQ],
    ]);
  });

  test("a follower joins when the leader was flat in between", () => {
    const its = news([noted(1, ES, -2), noted(2, ES, 3)], [[ES, 3]]);
    const copy = planOne({ joining: [ES] }, its);
    expect(copy).toMatchObject({ kind: "send", entry: { targetQty: 3, decisions: [] } });
  });
});

test("exits come first, the rest in the order of the groups, followers and moves", () => {
  const its = news(
    [noted(1, ES, 1), noted(2, NQ, -1)],
    [
      [ES, 2],
      [NQ, 1],
    ],
  );
  const invert = { invert: true };
  const followers = [follower(), follower({ accountId: SECOND, ...invert })];
  const copies = plan([group({ followers })], its);
  expect(
    copies.map((copy) => [copy.entry.follower, copy.entry.leaderContract, copy.isExit]),
  ).toEqual([
    [FIRST, NQ, true],
    [SECOND, NQ, true],
    [FIRST, ES, false],
    [SECOND, ES, false],
  ]);
});

describe("whatever the leader did", () => {
  const qty = fc.integer({ min: -4, max: 4 }).filter((it) => it !== 0);
  const trades = fc.array(fc.tuple(fc.constantFrom(ES, NQ, MNQ), qty), {
    minLength: 1,
    maxLength: 5,
  });
  const followers = fc
    .array(
      fc.record({
        invert: fc.boolean(),
        size: fc.constantFrom(half, { by: "fixed", qty: 2 } as const),
        symbolMap: fc.constantFrom({}, { NQ: "MNQ" }),
        enabled: fc.boolean(),
        joining: fc.subarray([ES, MNQ]),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((all) => all.map((one, n) => follower({ ...one, accountId: accountId(`f-${n}`) })));

  function newsOf(all: readonly (readonly [ContractCode, number])[]): LeaderNews {
    const holds = new Map<ContractCode, number>();
    for (const [contract, by] of all) holds.set(contract, (holds.get(contract) ?? 0) + by);
    const fills = all.map(([contract, by], n) => noted(n + 1, contract, by));
    return news(fills, [...holds]);
  }

  test("every follower is sent where its targets are, once in each contract", () => {
    fc.assert(
      fc.property(trades, followers, (all, its) => {
        const leader = newsOf(all);
        const copies = plan([group({ followers: its })], leader);
        for (const one of its) {
          const own = copies.filter(({ entry }) => entry.follower === one.accountId);
          const sent = own.filter((copy) => copy.kind === "send");
          const targets = targetsOf(one, leader.holds, cycleOf);
          expect(new Set(own.map(({ entry }) => entry.copyId)).size).toBe(own.length);
          expect(new Set(sent.map(({ entry }) => entry.contract)).size).toBe(sent.length);
          expect(sent.length).toBeLessThanOrEqual(one.enabled ? targets.size : 0);
          for (const { entry, intent, seq } of sent) {
            expect(entry.targetQty).toBe(targets.get(entry.contract ?? ES));
            expect(intent).toMatchObject({ aim: { netQty: entry.targetQty } });
            expect(seq).toBeLessThanOrEqual(all.length);
          }
        }
        const order = copies.map(({ isExit }) => Number(isExit));
        expect(order).toEqual(order.toSorted((a, b) => b - a));
      }),
    );
  });

  /**
   * What is noted may be read at any moment and again after a crash: the last copy into each contract
   * leads where the follower is to be, however the fills were cut into readings.
   */
  test("however its fills are read, and read again, the last copies lead to the targets", () => {
    fc.assert(
      fc.property(trades, followers, fc.array(fc.nat(4)), (all, its, cuts) => {
        const idle = its.map((one) => ({ ...one, enabled: true, joining: [] }));
        const held = new Map<string, number>();
        const ends = [...cuts.map((cut) => Math.min(cut + 1, all.length)), all.length];
        // Each reading that was not forgotten begins at the first fill again.
        for (const end of ends.toSorted((a, b) => a - b)) {
          for (const copy of plan([group({ followers: idle })], newsOf(all.slice(0, end)))) {
            const { follower: account, contract, targetQty } = copy.entry;
            if (copy.kind === "send") held.set(`${account} ${contract}`, targetQty ?? Number.NaN);
          }
        }
        const leader = newsOf(all);
        for (const one of idle) {
          for (const [contract, target] of targetsOf(one, leader.holds, cycleOf)) {
            expect(held.get(`${one.accountId} ${contract}`) ?? 0).toBe(target);
          }
        }
      }),
    );
  });
});

test("what an inactive account misses is named, and an exit is nothing to miss", () => {
  const missed = (before: number, after: number) =>
    planOne({ accountId: INACTIVE }, moved(before, after));
  expect(missed(0, 2)).toMatchObject({ kind: "skip", missed: ES });
  expect(missed(2, 0)).toEqual(expect.not.objectContaining({ missed: ES }));
});

test("several fills are as old as the oldest of them", () => {
  const fills = [noted(7, ES, 3, { at: NOW - 40_000 }), noted(8, ES, -1, { at: NOW - 1_000 })];
  const copy = planOne({}, news(fills, [[ES, 2]]));
  expect(copy).toMatchObject({ kind: "send", entryMaxAgeMs: 0, seq: 8 });
  expect(copy).toHaveProperty("exitsOnly", expect.stringMatching(/only exits pass/));
});
