import { describe, expect, test } from "vitest";
import type { Follower } from "../../../../src/domain/copying/copy-group.ts";
import {
  type FoundMirror,
  type MirrorStep,
  type MirrorView,
} from "../../../../src/domain/copying/copy-mirror.ts";
import {
  distanceInTicksOf,
  inTicksOf,
  isOnePrice,
} from "../../../../src/domain/copying/copy-prices.ts";
import { orderId } from "../../../../src/domain/ids.ts";
import { planLeaving, planMirrors } from "../../../../src/domain/copying/plan-mirrors.ts";
import { tickSize, ticks } from "../../../../src/domain/contracts/price.ts";
import {
  CL,
  ES,
  follower,
  found,
  having,
  mirrorOf,
  MNQ,
  NOW,
  NQ,
  order,
  QM,
  view,
} from "./mirror-world.ts";

/** A step in few words. */
function inWords(step: MirrorStep): string {
  const sure = "isSure" in step && !step.isSure ? " (if seen again)" : "";
  switch (step.kind) {
    case "skip":
      return `skip: ${step.reason}`;
    case "place": {
      const { side, orderQty, contract, price } = step.order;
      return `${step.isExit ? "exit" : "place"} ${side} ${orderQty} ${contract} ${price}`;
    }
    case "change":
      return `change ${JSON.stringify(step.values)}${sure}`;
    case "cancel":
      return `cancel: ${step.reason}${sure}`;
    case "protect":
      return `protect ${step.contract}${sure}`;
  }
}
const plan = (change: Partial<MirrorView>) => planMirrors(view(change)).map(inWords);

const NO_PART = "skip: By its size and cap the follower has no part of it";

describe("a new order of the leader", () => {
  const stopped = { reason: "3 copies in a row were refused", at: NOW };
  const long = (leader: number, own = leader) => ({
    leaderHolds: [[NQ, leader] as const],
    ownHolds: [[NQ, own] as const],
  });
  interface Case {
    readonly terms?: Partial<Follower>;
    readonly of?: Parameters<typeof order>[1];
    readonly more?: Partial<MirrorView>;
    readonly leaderHolds?: Parameters<typeof having>[1];
    readonly ownHolds?: Parameters<typeof having>[1];
  }
  test.each<[string, Case, readonly string[]]>([
    ["works for the follower too", {}, ["place BUY 1 NQZ2026 100000"]],
    ["in its size", { terms: { size: { by: "fixed", qty: 3 } } }, ["place BUY 3 NQZ2026 100000"]],
    ["in its contract", { terms: { symbolMap: { NQ: "MNQ" } } }, ["place BUY 1 MNQZ2026 100000"]],
    [
      "up to its cap",
      { terms: { maxQty: 2 }, of: { orderQty: 5 } },
      ["place BUY 2 NQZ2026 100000"],
    ],
    [
      "up to its cap with what it holds",
      { terms: { maxQty: 3 }, of: { orderQty: 5 }, ...long(2) },
      ["place BUY 1 NQZ2026 100000"],
    ],
    [
      "less what was copied as fills before",
      { of: { orderQty: 5, cumQty: 2 }, ...long(2) },
      ["place BUY 3 NQZ2026 100000"],
    ],
    [
      "not where its size comes to nothing",
      { terms: { size: { by: "multiplier", multiplier: "0.5", rounding: "down" } } },
      [NO_PART],
    ],
    ["not where it is at its cap", { terms: { maxQty: 1 }, ...long(1) }, [NO_PART]],
    [
      "not where a fixed size is held already",
      { terms: { size: { by: "fixed", qty: 1 } }, ...long(1) },
      [NO_PART],
    ],
    [
      "not where the root is not allowed",
      { terms: { allowedSymbols: ["ES"] } },
      ["skip: NQ is not among the follower's allowed symbols"],
    ],
    [
      "not where its price means nothing",
      { terms: { symbolMap: { NQ: "ES" } } },
      ["skip: A price of NQZ2026 is none of ESZ2026: its fills are copied"],
    ],
    [
      "not while the group rests",
      { more: { rest: "The group is paused" } },
      ["skip: The group is paused"],
    ],
    [
      "not while the follower is stopped",
      { terms: { stopped } },
      [
        "skip: The follower is stopped, so only exits are copied to it: 3 copies in a row were refused",
      ],
    ],
    [
      "not while the follower is joining",
      { terms: { joining: [NQ] } },
      [
        "skip: The follower came, or was reached, too late for what the leader holds: entries are copied once the leader was flat, or after a sync",
      ],
    ],
    [
      "not when it is old",
      { of: { transactTimeAt: NOW - 45_000 } },
      ["skip: It was 45 s old when it was seen, and entries are copied for 30 s: only exits pass"],
    ],
    ["later, while something is on its way", { more: { isBusy: () => true } }, []],
    ["later, while the broker has not confirmed it", { of: { ordStatus: "PENDING_NEW" } }, []],
    ["not by itself, when it ends at once", { of: { timeInForce: "IOC" } }, []],
    ["not by itself, when it is a leg", { of: { role: "STOP_LOSS" } }, []],
    ["as an exit", { of: { side: "SELL" }, ...long(1) }, ["exit SELL 1 NQZ2026 100000"]],
    [
      "as an exit, old and stopped as it may be",
      { of: { side: "SELL", transactTimeAt: 0 }, terms: { stopped }, ...long(1) },
      ["exit SELL 1 NQZ2026 100000"],
    ],
    [
      "as an exit of what the follower holds at most",
      { of: { side: "SELL", orderQty: 4 }, ...long(4, 3) },
      ["exit SELL 3 NQZ2026 100000"],
    ],
    ["as no exit where nothing is held", { of: { side: "SELL" }, ...long(1, 0) }, []],
    [
      "as no exit where its part stays",
      { of: { side: "SELL" }, terms: { size: { by: "fixed", qty: 1 } }, ...long(3, 1) },
      [],
    ],
    [
      "to the other side, when it turns around",
      { of: { side: "SELL", orderQty: 3 }, ...long(1) },
      ["place SELL 3 NQZ2026 100000"],
    ],
    [
      "to flat only, when a stopped follower's leader turns around",
      { of: { side: "SELL", orderQty: 3 }, terms: { stopped }, ...long(1) },
      ["exit SELL 1 NQZ2026 100000"],
    ],
  ])("%s", (_, { terms, of, more, leaderHolds, ownHolds }, expected) => {
    const steps = plan({
      follower: follower(terms),
      leader: having([order("1", of)], leaderHolds),
      own: having([], ownHolds),
      ...more,
    });
    expect(steps).toEqual(expected);
  });

  test("is placed with the levels of its bracket", () => {
    const leg = (role: "TAKE_PROFIT" | "STOP_LOSS", change: object) =>
      order(role, {
        role,
        side: "SELL",
        ordStatus: "HELD",
        parentOrderId: orderId("1"),
        ...change,
      });
    const legs = [
      leg("TAKE_PROFIT", { price: ticks(100_040) }),
      leg("STOP_LOSS", { price: undefined, stopPx: ticks(99_960) }),
    ];
    const steps = planMirrors(view({ leader: having([order("1"), ...legs]) }));
    expect(steps).toMatchObject([
      {
        order: {
          bracket: {
            takeProfit: { by: "price", price: 100_040 },
            stopLoss: { by: "price", price: 99_960 },
          },
        },
      },
    ]);
  });

  test("that was noted and perhaps not sent is sent as it was noted, while it is young", () => {
    const leader = having([order("1", { orderQty: 5, cumQty: 3 })], [[NQ, 3]]);
    const noted = (change: object) =>
      plan({
        leader,
        own: having([], [[NQ, 1]]),
        mirrors: [found("1", undefined, { isSent: false, mirror: mirrorOf("1", change) })],
      });
    expect(noted({ filledBefore: 1 })).toEqual(["place BUY 4 NQZ2026 100000"]);
    expect(noted({ filledBefore: 1, notedAt: NOW - 31_000 })).toEqual([]);
    expect(noted({ isEnded: true })).toEqual([]);
  });
});

test("how old a leader's order is, the clock of its broker says", () => {
  const stepsAt = (transactTimeAt: number, brokerNow: number) =>
    planMirrors(view({ brokerNow, leader: having([order("1", { transactTimeAt })]) }));
  const ahead = NOW - 31_000;
  expect(stepsAt(ahead, ahead)).toMatchObject([{ kind: "place" }]);
  expect(stepsAt(NOW - 10_000, NOW + 21_000)).toMatchObject([{ kind: "skip" }]);
});

describe("an order that stands for a leader's", () => {
  const own = (change: Parameters<typeof order>[1] = {}) => order("9", change);
  const standing = (
    leaders: Parameters<typeof order>[1],
    its: Parameters<typeof order>[1] = {},
    more: Partial<MirrorView> = {},
  ) =>
    plan({
      leader: having([order("1", leaders)]),
      own: having([own(its)]),
      mirrors: [found("1", own(its))],
      ...more,
    });

  test.each<[string, readonly string[], readonly string[]]>([
    ["stays as it is while both agree", standing({}), []],
    ["follows a price", standing({ price: ticks(99_990) }), ['change {"price":99990}']],
    ["grows", standing({ orderQty: 3 }), ['change {"orderQty":3}']],
    [
      "follows a price before it grows, which may be refused",
      standing({ orderQty: 3, price: ticks(5) }),
      ['change {"price":5}'],
    ],
    [
      "shrinks with its price",
      standing({ orderQty: 2, price: ticks(5) }, { orderQty: 5 }),
      ['change {"price":5,"orderQty":2}'],
    ],
    ["shrinks", standing({ orderQty: 2 }, { orderQty: 5 }), ['change {"orderQty":2}']],
    [
      "follows a trail, and not the trigger that moves by itself",
      standing(
        { ordType: "TRAILING_STOP", stopPx: ticks(7), trailOffset: ticks(9) },
        { ordType: "TRAILING_STOP", stopPx: ticks(6), trailOffset: ticks(8) },
      ),
      ['change {"trailOffset":9}'],
    ],
    ["is left alone while it ends", standing({ orderQty: 3 }, { ordStatus: "PENDING_CANCEL" }), []],
    [
      "grows later, while something is on its way",
      standing({ orderQty: 3 }, {}, { isBusy: () => true }),
      [],
    ],
    [
      "does not wait with its price",
      standing({ orderQty: 3, price: ticks(5) }, {}, { isBusy: () => true }),
      ['change {"price":5}'],
    ],
    [
      "ends while its follower rests",
      standing({}, {}, { rest: "The group is paused" }),
      ["cancel: The group is paused"],
    ],
    [
      "stays while its follower rests, as an exit",
      standing(
        { side: "SELL" },
        { side: "SELL" },
        {
          rest: "The group is paused",
          own: having([], [[NQ, 1]]),
        },
      ),
      [],
    ],
    [
      "ends where its root is not allowed any more",
      standing({}, {}, { follower: follower({ allowedSymbols: ["ES"] }) }),
      ["cancel: NQ is not among the follower's allowed symbols"],
    ],
    [
      "ends, as an exit, once nothing is held",
      standing(
        { side: "SELL" },
        { side: "SELL" },
        { leader: having([order("1", { side: "SELL" })], [[NQ, 1]]) },
      ),
      ["cancel: There is nothing left that it could bring closer (if seen again)"],
    ],
    [
      "shrinks, as an exit, with what is held",
      standing(
        {},
        { side: "SELL", orderQty: 3 },
        {
          leader: having([order("1", { side: "SELL", orderQty: 3 })], [[NQ, 3]]),
          own: having([], [[NQ, 2]]),
        },
      ),
      ['change {"orderQty":2} (if seen again)'],
    ],
    [
      "shrinks by what came to be held without it",
      standing(
        {},
        { orderQty: 3 },
        {
          leader: having([order("1", { orderQty: 3, cumQty: 1 })], [[NQ, 1]]),
          own: having([], [[NQ, 1]]),
        },
      ),
      ['change {"orderQty":2} (if seen again)'],
    ],
  ])("%s", (_, steps, expected) => {
    expect(steps).toEqual(expected);
  });

  const ended = (leaderCumQty: number, endedForMs: number | undefined, more: Partial<MirrorView>) =>
    plan({
      own: having([own({ orderQty: 3 })]),
      mirrors: [
        found("1", own({ orderQty: 3 }), {
          leaderCumQty,
          ...(endedForMs !== undefined && { endedForMs }),
        }),
      ],
      ...more,
    });
  const leads = { leader: having([], [[NQ, 3]]) };

  test.each<[string, readonly string[], readonly string[]]>([
    [
      "ends with an order that filled nothing",
      ended(0, 0, {}),
      ["cancel: The leader's order works no more"],
    ],
    ["waits for the last word of it", ended(0, undefined, {}), []],
    ["stays to fill what the leader's filled", ended(3, 9_999, leads), []],
    [
      "shrinks to what the leader's filled",
      ended(1, 0, { leader: having([], [[NQ, 1]]) }),
      ['change {"orderQty":1}'],
    ],
    [
      "ends when it did not fill in time",
      ended(3, 10_000, leads),
      ["cancel: The leader's order has filled, and this one did not in time"],
    ],
    [
      "ends when the leader is out again",
      ended(3, 0, {}),
      ["cancel: It leads away from what the follower is to hold (if seen again)"],
    ],
    [
      "is cancelled again if it was to be before",
      plan({ mirrors: [found("1", own(), { mirror: mirrorOf("1", { isEnded: true }) })] }),
      ["cancel: It was to be cancelled before"],
    ],
    [
      "ends when its follower leaves",
      planLeaving([found("1", own()), found("2", undefined)]).map(inWords),
      ["cancel: The follower follows this leader's orders no more"],
    ],
  ])("%s", (_, steps, expected) => {
    expect(steps).toEqual(expected);
  });

  test("is cancelled where it is not understood, and never without need", () => {
    const odd = { orderId: orderId("77"), problem: "Its status is not known here" };
    const oddOne = (change: Partial<FoundMirror> = {}) =>
      found("1", undefined, { odd, isPending: true, ...change });
    const endedAs = (change: Partial<FoundMirror>) => plan({ mirrors: [oddOne(change)] });
    const leader = having([order("1")]);
    expect(plan({ leader, mirrors: [oddOne()] })).toEqual([]);
    expect(endedAs({})).toEqual([]);
    expect(endedAs({ endedForMs: 0 })).toEqual(["cancel: The leader's order works no more"]);
    expect(endedAs({ endedForMs: 0, leaderCumQty: 1 })).toEqual([]);
    expect(endedAs({ endedForMs: 10_000, leaderCumQty: 1 })).toEqual([
      "cancel: The leader's order has filled, and this one did not in time",
    ]);
    const rests = { rest: "The group is paused", leader, mirrors: [oddOne()] };
    expect(plan(rests)).toEqual(["cancel: The group is paused"]);
    expect(planLeaving([oddOne()]).map(inWords)).toEqual([
      "cancel: The follower follows this leader's orders no more",
    ]);
  });

  test("leaves room for what the leader is to get of one that filled ahead", () => {
    const steps = plan({
      leader: having([order("1"), order("2")]),
      own: having([], [[NQ, 1]]),
      mirrors: [found("1", undefined, { ownCumQty: 1 })],
    });
    expect(steps).toEqual(["place BUY 1 NQZ2026 100000"]);
  });
});

describe("a price", () => {
  test.each([
    ["0.25", "0.25", 100_001, 100_001],
    ["0.01", "0.025", 7_512, 3_005],
    ["0.01", "0.025", 7_513, 3_005],
    ["0.01", "0.025", 7_514, 3_006],
    ["0.025", "0.01", 3_005, 7_513],
    ["0.01", "0.025", -3_763, -1_505],
    ["0.00005", "0.0001", 21_601, 10_801],
  ])("in ticks of %s is, in ticks of %s, of %d: %d", (from, to, price, expected) => {
    const sizes = { from: tickSize(from), to: tickSize(to) };
    expect(inTicksOf(ticks(price), sizes)).toBe(expected);
  });

  test("a distance is a tick at least", () => {
    const sizes = { from: tickSize("0.01"), to: tickSize("0.025") };
    expect(distanceInTicksOf(ticks(1), sizes)).toBe(1);
    expect(distanceInTicksOf(ticks(10), sizes)).toBe(4);
  });

  test.each([
    [NQ, NQ, true],
    [NQ, MNQ, true],
    [CL, QM, true],
    [NQ, ES, false],
  ])("of %s is one of %s: %s", (one, other, expected) => {
    expect(isOnePrice(view(), one, other)).toBe(expected);
  });
});
