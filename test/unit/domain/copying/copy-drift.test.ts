import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  driftOf,
  exitsOnlyIn,
  hasTurned,
  joinedBy,
  copyStatesOf,
  without,
} from "../../../../src/domain/copying/copy-drift.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import type { Follower } from "../../../../src/domain/copying/copy-group.ts";
import { isReduction } from "../../../../src/domain/copying/copy-target.ts";
import { cycleOf, ES, follower, MNQ, NQ } from "../../trading/copying/copy-kit.ts";

type Held = [ContractCode, number][];
const STOPPED = { stopped: { reason: "3 refused", at: 1 } };

const of = (change: Partial<Follower>, leader: Held, own: Held) =>
  copyStatesOf(follower(change), new Map(leader), new Map(own), cycleOf).map((standing) => [
    standing.contract,
    standing.targetQty,
    standing.dueQty,
    standing.heldQty,
  ]);

describe("how a follower stands", () => {
  test("is told of what it holds and what it is to hold", () => {
    expect(of({}, [[ES, 2]], [[NQ, -1]])).toEqual([
      [ES, 2, 2, 0],
      [NQ, 0, 0, -1],
    ]);
    expect(of({}, [[ES, 0]], [[ES, 0]])).toEqual([]);
  });

  test("is not told of what no leader's contract becomes", () => {
    expect(of({ allowedSymbols: ["ES"] }, [], [[NQ, 3]])).toEqual([]);
    // Where NQ becomes MNQ, an NQ of its own is not the copier's affair; an MNQ is.
    const mapped = { symbolMap: { NQ: "MNQ" } };
    expect(of(mapped, [], [[NQ, 3]])).toEqual([]);
    expect(of(mapped, [], [[MNQ, 3]])).toEqual([[MNQ, 0, 0, 3]]);
    const swapped = { symbolMap: { NQ: "ES", ES: "NQ" } };
    expect(of(swapped, [[NQ, 1]], [[ES, 1]])).toEqual([[ES, 1, 1, 1]]);
  });

  test.each(["ESZ6 C5000", "ESZ6-ESH7", "#77", "XYZZ2026", "ESF2026"])(
    "is not told of %s, which no leader's contract becomes",
    (name) => {
      const own: Held = [[name as ContractCode, 2]];
      expect(of({}, [], own)).toEqual([]);
      expect(of(STOPPED, [[ES, 1]], own)).toEqual([[ES, 1, 0, 0]]);
      expect(of({ symbolMap: { NQ: "ES" } }, own, own)).toEqual([]);
    },
  );

  test.each<[string, number, number, number]>([
    ["nothing is opened", 3, 0, 0],
    ["nothing is grown", 3, 1, 1],
    ["what is too much is to go", 1, 3, 1],
    ["what is right stays", 2, 2, 2],
    ["what is on the wrong side is to go", 2, -1, 0],
    ["all is to go where the leader is flat", 0, -4, 0],
  ])("of one that may only exit: %s", (_, target, held, due) => {
    const leader: Held = [[ES, target]];
    const own: Held = [[ES, held]];
    expect(of({ joining: [ES] }, leader, own)).toEqual([[ES, target, due, held]]);
    expect(of(STOPPED, leader, own)).toEqual([[ES, target, due, held]]);
    // Only in that contract.
    expect(of({ joining: [NQ] }, leader, own)).toEqual([[ES, target, target, held]]);
  });

  test.each<[string, number, number, number, number]>([
    ["what it held before is left beside a flat leader", 0, 2, 2, 2],
    ["and against the leader's side", -3, 2, 2, 2],
    ["and where the leader's comes to less", 1, 3, 3, 3],
    ["what it bought since is to go", 0, 5, 2, 2],
    ["what it sold of it is not made up for", 0, 1, 2, 1],
    ["what it turned around is to go", 0, -1, 2, 0],
    ["what is the leader's goes on being asked for", 5, 2, 2, 5],
  ])("of one that held something before: %s", (_, target, held, before, due) => {
    const of_ = of({ heldBefore: { [ES]: before } }, [[ES, target]], [[ES, held]]);
    expect(of_).toEqual([[ES, target, due, held]]);
    const stopped = of({ ...STOPPED, heldBefore: { [ES]: 2 } }, [], [[ES, 2]]);
    expect(stopped).toEqual([[ES, 0, 2, 2]]);
  });

  const qty = fc.integer({ min: -6, max: 6 });

  test("a follower that may only exit is never to go anywhere but towards flat", () => {
    fc.assert(
      fc.property(qty, qty, qty, fc.boolean(), (target, held, before, isStopped) => {
        const guard = isStopped ? STOPPED : { joining: [ES] };
        const change = { ...guard, heldBefore: { [ES]: before } };
        for (const [, , due = 0] of of(change, [[ES, target]], [[ES, held]]) as number[][]) {
          expect(due === held || isReduction(held, due)).toBe(true);
        }
      }),
    );
  });

  test("a follower that holds its targets has not drifted, whatever its guards", () => {
    fc.assert(
      fc.property(qty, fc.constantFrom({}, STOPPED, { joining: [ES] }), (target, change) => {
        const holds = new Map([[ES, target]]);
        const standings = copyStatesOf(follower(change), holds, holds, cycleOf);
        expect(standings.map(driftOf)).toEqual(target === 0 ? [] : [0]);
      }),
    );
  });
});

test("a drift has the sign of what is too much", () => {
  const standing = { contract: ES, targetQty: 2, dueQty: 2, heldQty: 5 };
  expect(driftOf(standing)).toBe(3);
  expect(driftOf({ ...standing, heldQty: -1 })).toBe(-3);
});

test("why only exits are copied: the stop is told before the joining", () => {
  expect(exitsOnlyIn(follower(), false)).toBeUndefined();
  expect(exitsOnlyIn(follower(), true)).toMatch(/too late for what the leader holds/);
  expect(exitsOnlyIn(follower(STOPPED), true)).toMatch(/stopped.*3 refused/);
});

describe("joining ends", () => {
  test.each<[readonly number[], boolean]>([
    [[2, 0], true],
    [[0, 2], true],
    [[2, -1], true],
    [[-2, 1], true],
    [[2, 0, 2], true],
    [[1, -1, 2, 3], true],
    [[2, 1], false],
    [[1, 3], false],
    [[-1, -2, -1], false],
    [[2], false],
  ])("as the target goes %j: %s", (targets, expected) => {
    expect(hasTurned(targets)).toBe(expected);
    // The other contract is held all the time.
    const along = targets.map(
      (qty) =>
        new Map([
          [ES, qty],
          [NQ, 1],
        ]),
    );
    const joined = joinedBy(follower({ joining: [ES, NQ] }), along, cycleOf);
    expect(joined).toEqual(expected ? [ES] : []);
    const own = joinedBy(follower({ heldBefore: { [ES]: 1, [NQ]: 1 } }), along, cycleOf);
    expect(own).toEqual(expected ? [ES] : []);
  });

  test("not by a trade in another contract, where nothing is copied to it", () => {
    const own = { [NQ]: -1, [MNQ]: 2 };
    const along = [new Map(), new Map([[ES, 3]])];
    expect(joinedBy(follower({ heldBefore: own }), along, cycleOf)).toEqual([]);
    // Where ES became NQ, it is a trade in NQ.
    const mapped = follower({ symbolMap: { ES: "NQ" }, heldBefore: own });
    expect(joinedBy(mapped, along, cycleOf)).toEqual([NQ]);
    // It was flat in between, and is where it was.
    const back = [new Map([[NQ, 1]]), new Map([[NQ, 0]]), new Map([[NQ, 1]])];
    expect(joinedBy(follower({ heldBefore: own }), back, cycleOf)).toEqual([NQ]);
  });

  test("not while another of the leader's contracts keeps the follower's target", () => {
    const one = follower({ symbolMap: { NQ: "MNQ" }, joining: [MNQ] });
    const both = new Map([
      [NQ, 1],
      [MNQ, 1],
    ]);
    expect(joinedBy(one, [both, new Map([[MNQ, 1]])], cycleOf)).toEqual([]);
    expect(joinedBy(one, [both, new Map([[NQ, 0]])], cycleOf)).toEqual([MNQ]);
  });

  test("in the contracts that are named, and changes nothing else", () => {
    const one = follower({ joining: [ES, NQ] });
    expect(without(one, [NQ])).toEqual({ ...one, joining: [ES] });
    const held = { ...one, heldBefore: { [MNQ]: 2, [NQ]: 1 } };
    expect(without(held, [NQ])).toEqual({ ...one, joining: [ES], heldBefore: { [MNQ]: 2 } });
    expect(without(held, [NQ, MNQ])).toEqual({ ...one, joining: [ES] });
    expect(without(one, [MNQ])).toBeUndefined();
    expect(without(one, [])).toBeUndefined();
  });
});
