import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Follower } from "../../../../src/domain/copying/copy-group.ts";
import {
  explainedBy,
  fillsApart,
  keptApart,
  targetBeside,
} from "../../../../src/domain/copying/copy-mirror.ts";
import { sizedQty } from "../../../../src/domain/copying/copy-target.ts";
import { type Side, sign } from "../../../../src/domain/order.ts";
import { follower, found, MirrorWorld, mirrorOf, MNQ, NQ, order } from "./mirror-world.ts";

describe("any history", () => {
  const side = fc.constantFrom<Side>("BUY", "SELL");
  const qty = fc.integer({ min: 1, max: 5 });
  const nth = fc.nat({ max: 5 });
  const deed = fc.oneof(
    fc.record({ do: fc.constant("place" as const), side, qty }),
    fc.record({ do: fc.constant("cancel" as const), nth }),
    fc.record({ do: fc.constant("resize" as const), nth, qty }),
    fc.record({
      do: fc.constant("fill" as const),
      who: fc.constantFrom("leader", "own"),
      nth,
      qty,
    }),
    fc.record({ do: fc.constant("flatten" as const) }),
  );
  const terms = fc.record({
    size: fc.oneof(
      fc.record({
        by: fc.constant("multiplier" as const),
        multiplier: fc.constantFrom("0.3", "0.5", "1", "2.5"),
        rounding: fc.constantFrom("down", "nearest", "up"),
      }),
      fc.record({ by: fc.constant("fixed" as const), qty }),
    ),
    maxQty: fc.option(qty, { nil: undefined }),
  });
  type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never;

  function carryOut(world: MirrorWorld, one: Deed): void {
    if (one.do === "place") world.place(one.side, one.qty);
    if (one.do === "cancel") world.cancel(one.nth);
    if (one.do === "resize") world.resize(one.nth, one.qty);
    if (one.do === "fill") world.fill(one.who as "leader" | "own", one.nth, one.qty);
    if (one.do === "flatten") world.flatten();
  }

  const termsOf = ({ maxQty, ...rest }: { maxQty?: number | undefined }) =>
    ({ ...rest, ...(maxQty !== undefined && { maxQty }) }) as Partial<Follower>;

  test("places one order for each of the leader's, and never more than its target asks", () => {
    fc.assert(
      fc.property(terms, fc.array(deed, { maxLength: 40 }), (asked, deeds) => {
        const world = new MirrorWorld(termsOf(asked));
        for (const one of deeds) {
          carryOut(world, one);
          world.pass();
          expect(new Set(world.placed).size).toBe(world.placed.length);
          for (const at of ["BUY", "SELL"] as const) expectRoom(world, termsOf(asked), at);
        }
      }),
      { numRuns: 500 },
    );
  });

  /** If everything filled on one side, for both, the follower would not be beyond its target. */
  function expectRoom(world: MirrorWorld, asked: Partial<Follower>, at: Side): void {
    const leaves = world.leaves(at);
    if (leaves === 0) return;
    const all = [...world.leader.orders.values()].filter((one) => one.side === at);
    const leaderLeaves = all.reduce((sum, { leavesQty }) => sum + leavesQty, 0);
    const target = sizedQty(follower(asked), world.leader.net + sign(at) * leaderLeaves);
    expect(sign(at) * (world.own.net + sign(at) * leaves)).toBeLessThanOrEqual(sign(at) * target);
  }

  test("leaves nothing working but what its leader's orders may fill, or have filled", () => {
    fc.assert(
      fc.property(terms, fc.array(deed, { maxLength: 40 }), (asked, deeds) => {
        const world = new MirrorWorld(termsOf(asked));
        for (const one of deeds) {
          carryOut(world, one);
          world.pass();
          for (const { orderQty, most } of world.allowed()) {
            expect(orderQty).toBeLessThanOrEqual(most);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test("one for one, whoever fills first, ends with what the leader holds", () => {
    const calm = fc.oneof(
      fc.record({ do: fc.constant("place" as const), side: fc.constant<Side>("BUY"), qty }),
      fc.record({
        do: fc.constant("fill" as const),
        who: fc.constantFrom("leader", "own"),
        nth,
        qty,
      }),
    );
    fc.assert(
      fc.property(fc.array(calm, { maxLength: 40 }), (deeds) => {
        const world = new MirrorWorld();
        for (const one of deeds) {
          carryOut(world, one as Deed);
          world.pass();
        }
        for (let n = 0; n < 50; n += 1) {
          world.fill("leader", 0, 9);
          world.pass();
          world.fill("own", 0, 9);
          world.pass();
        }
        expect(world.own.net).toBe(world.leader.net);
      }),
      { numRuns: 300 },
    );
  });
});

describe("what orders explain that fill at different times", () => {
  const ahead = found("1", undefined, { ownCumQty: 2 });
  const behind = found("2", order("9", { orderQty: 3 }), { leaderCumQty: 3 });
  const sold = found("3", order("8", { side: "SELL", orderQty: 2, cumQty: 2 }));

  test("lies between all that filled ahead and all that is behind", () => {
    expect(fillsApart(follower(), NQ, [ahead, behind])).toEqual({ least: -3, most: 2, behind: -3 });
    expect(fillsApart(follower(), NQ, [sold])).toEqual({ least: -2, most: 0, behind: 0 });
    expect(fillsApart(follower(), MNQ, [ahead, behind])).toEqual({ least: 0, most: 0, behind: 0 });
  });

  test("is nothing once an order cannot catch up", () => {
    const none = { least: 0, most: 0, behind: 0 };
    expect(fillsApart(follower(), NQ, [{ ...ahead, endedForMs: 1 }])).toEqual(none);
    expect(fillsApart(follower(), NQ, [{ ...behind, own: undefined }])).toEqual(none);
    const given = { ...ahead, mirror: mirrorOf("1", { isEnded: true }) };
    expect(fillsApart(follower(), NQ, [given])).toEqual(none);
  });

  test.each([
    [1, 1],
    [5, 2],
    [0, 0],
    [-2, -2],
    [-9, -3],
  ])("is of a difference of %d: %d", (difference, expected) => {
    expect(explainedBy({ least: -3, most: 2, behind: -3 }, difference)).toBe(expected);
  });

  test.each([
    ["what is to fill yet", { least: -3, most: 0, behind: -3 }, 0, -3],
    ["what filled ahead and is held", { least: 0, most: 2, behind: 0 }, 2, 2],
    ["no more of it than is held", { least: 0, most: 2, behind: 0 }, 1, 1],
    ["nothing of it that is gone", { least: 0, most: 2, behind: 0 }, 0, 0],
    ["what was sold ahead", { least: -2, most: 0, behind: 0 }, -2, -2],
    ["what is to be sold yet", { least: 0, most: 2, behind: 2 }, 0, 2],
  ])("beside which other things are copied: %s", (_, apart, difference, expected) => {
    expect(keptApart(apart, difference)).toBe(expected);
  });

  test.each([
    [3, 2, 5],
    [3, -1, 2],
    [1, -2, 0],
    [-2, 1, -1],
    [0, 2, 0],
  ])("is held beside a target of %d: %d makes %d", (target, explained, expected) => {
    expect(targetBeside(target, explained)).toBe(expected);
  });
});
