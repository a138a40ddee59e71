import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { copyStatesOf } from "../../../../src/domain/copying/copy-drift.ts";
import type { CopyGroup, Follower } from "../../../../src/domain/copying/copy-group.ts";
import {
  heldBeforeOf,
  joinersOf,
  joiningOf,
} from "../../../../src/trading/copying/join-followers.ts";
import { cycleOf, ES, FIRST, follower, group, MNQ, NQ, SECOND } from "./copy-kit.ts";

type Held = [typeof ES, number][];

describe("who begins anew", () => {
  const of = (change: Partial<Follower>, more: Partial<CopyGroup> = {}) =>
    group({ ...more, followers: [follower(change), follower({ accountId: SECOND })] });
  const before = of({ allowedSymbols: ["ES", "NQ"] });
  const stop = { stopped: { reason: "3 refused", at: 1 } };

  test.each<[string, CopyGroup | undefined, CopyGroup, readonly string[]]>([
    ["all of a new group", undefined, before, [FIRST, SECOND]],
    ["nobody where nothing changes", before, before, []],
    ["one that is added", group(), of({}), [SECOND]],
    ["nobody when one leaves", before, group({ followers: [follower({ accountId: SECOND })] }), []],
    ["one that is switched on", of({ enabled: false }), of({}), [FIRST]],
    ["nobody who is switched off", of({}), of({ enabled: false }), []],
    ["one that is resumed", of(stop), of({}), [FIRST]],
    ["nobody who is stopped", of({}), of(stop), []],
    ["all of a group that is resumed", of({}, { paused: true }), of({}), [FIRST, SECOND]],
    ["nobody of a group that is paused", of({}), of({}, { paused: true }), []],
    ["one with another size", of({}), of({ size: { by: "fixed", qty: 1 } }), [FIRST]],
    ["one with another side", of({}), of({ invert: true }), [FIRST]],
    ["one with another map", of({}), of({ symbolMap: { NQ: "MNQ" } }), [FIRST]],
    ["one with other symbols", before, of({ allowedSymbols: ["ES"] }), [FIRST]],
    ["one with all symbols", before, of({}), [FIRST]],
    ["one with a cap", of({}), of({ maxQty: 1 }), [FIRST]],
    [
      "nobody whose symbols are told in another order",
      before,
      of({ allowedSymbols: ["NQ", "ES"] }),
      [],
    ],
    ["nobody by the group's own terms", before, { ...before, mode: "orders", drift: "repair" }, []],
  ])("is %s", (_, was, is, expected) => {
    expect([...joinersOf(was, is)]).toEqual(expected);
  });
});

describe("what is joined", () => {
  const joining = (change: Partial<Follower>, leader: [typeof ES, number][], held = leader) =>
    joiningOf(follower(change), new Map(leader), new Map(held), cycleOf);

  test("is nothing while the leader is flat, whatever the follower holds", () => {
    expect(joining({}, [], [[ES, 3]])).toEqual([]);
  });

  test("is what the follower does not hold as it is to", () => {
    expect(joining({}, [[ES, 2]], [])).toEqual([ES]);
    expect(joining({}, [[ES, 2]], [[ES, 1]])).toEqual([ES]);
    expect(joining({}, [[ES, 2]])).toEqual([]);
  });

  test("is named by the follower's own contracts", () => {
    expect(joining({ symbolMap: { NQ: "MNQ" } }, [[NQ, 1]], [])).toEqual([MNQ]);
  });

  test("is nothing that does not come to a contract", () => {
    const size = { by: "multiplier", multiplier: "0.5", rounding: "down" } as const;
    expect(joining({ size }, [[ES, 1]], [])).toEqual([]);
    expect(joining({ allowedSymbols: ["NQ"] }, [[ES, 1]], [])).toEqual([]);
  });

  test("what is held beside it stays the follower's own", () => {
    const own = (was: Follower | undefined, leader: Held, held: Held, is = follower()) =>
      heldBeforeOf(copyStatesOf(is, new Map(leader), new Map(held), cycleOf), was, cycleOf)
        .heldBefore;
    expect(own(undefined, [], [[ES, 3]])).toEqual({ [ES]: 3 });
    expect(own(undefined, [[ES, 3]], [[ES, 3]])).toBeUndefined();
    expect(own(undefined, [[ES, 1]], [[ES, 3]])).toEqual({ [ES]: 3 });
    // What is not copied is no standing at all.
    expect(own(undefined, [], [[NQ, 1]], follower({ allowedSymbols: ["ES"] }))).toBeUndefined();
    // Of one that followed, what it holds is the leader's, but for what was not copied to it.
    expect(own(follower(), [[ES, 1]], [[ES, 3]])).toBeUndefined();
    expect(own(follower({ heldBefore: { [ES]: 2 } }), [], [[ES, 3]])).toEqual({ [ES]: 2 });
    const narrow = follower({ allowedSymbols: ["NQ"] });
    expect(
      own(
        narrow,
        [[NQ, 1]],
        [
          [ES, 3],
          [NQ, 2],
        ],
      ),
    ).toEqual({ [ES]: 3 });
  });

  const qty = fc.integer({ min: -5, max: 5 });
  const holds = fc
    .tuple(qty, qty, qty)
    .map(([es, nq, mnq]) => new Map([[ES, es] as const, [NQ, nq] as const, [MNQ, mnq] as const]));
  const followers = fc.record({
    invert: fc.boolean(),
    symbolMap: fc.constantFrom({}, { NQ: "MNQ" }),
    multiplier: fc.constantFrom("0.5", "1", "3"),
  });

  test("never has the follower open or grow what it came too late for", () => {
    fc.assert(
      fc.property(followers, holds, holds, ({ multiplier, ...terms }, leader, held) => {
        const size = { by: "multiplier", multiplier, rounding: "down" } as const;
        const one = follower({ ...terms, size });
        const joined = { ...one, joining: joiningOf(one, leader, held, cycleOf) };
        for (const { dueQty, heldQty } of copyStatesOf(joined, leader, held, cycleOf)) {
          expect(Math.abs(dueQty)).toBeLessThanOrEqual(Math.abs(heldQty));
          expect(dueQty * heldQty).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
