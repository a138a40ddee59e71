import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { type ClOrdId, intentId, legIdOf, orderId, sentIdOf } from "../../../src/domain/ids.ts";
import { clOrdIdOf } from "../../../src/domain/intent.ts";
import { areOnePair, isLiveLeg, legCuts, type LegView } from "../../../src/domain/legs.ts";
import { type OrderReport, sign } from "../../../src/domain/order.ts";
import { exposuresOf } from "../../../src/domain/exposure.ts";

const ES = "ESZ2026" as ContractCode;
const NQ = "NQZ2026" as ContractCode;

type Change = Partial<OrderReport>;

function order(id: string, change: Change = {}): OrderReport {
  const { cumQty = 0, leavesQty = 1 } = change;
  return {
    orderId: orderId(id),
    contract: ES,
    side: "SELL",
    ordType: "LIMIT",
    timeInForce: "GTC",
    ordStatus: "NEW",
    orderQty: cumQty + leavesQty,
    cumQty,
    leavesQty,
    role: "ORDER",
    transactTimeAt: 0,
    ...change,
  };
}

/** The identifier that the nth intent's order, or its pair of legs, was written ahead with. */
const sentId = (nth: number): ClOrdId =>
  clOrdIdOf(intentId(`i${nth.toString(16).padStart(28, "0")}`), 1);

const profit = (nth: number, leavesQty: number, change: Change = {}): OrderReport => {
  const clOrdId = legIdOf(sentId(nth), "TAKE_PROFIT");
  return order(`${nth}1`, { clOrdId, role: "TAKE_PROFIT", leavesQty, ...change });
};
const loss = (nth: number, leavesQty: number, change: Change = {}): OrderReport => {
  const clOrdId = legIdOf(sentId(nth), "STOP_LOSS");
  return order(`${nth}2`, { clOrdId, role: "STOP_LOSS", leavesQty, ...change });
};
/** As a broker shows it that knows of pairs. */
const linked = (nth: number, leavesQty: number, change: Change = {}): OrderReport[] => [
  profit(nth, leavesQty, { linkedOrderId: orderId(`${nth}2`), ...change }),
  loss(nth, leavesQty, { linkedOrderId: orderId(`${nth}1`), ...change }),
];
const pair = (nth: number, leavesQty: number, change: Change = {}): OrderReport[] => [
  profit(nth, leavesQty, change),
  loss(nth, leavesQty, change),
];

function cuts(working: OrderReport[], netQty: number, view: Partial<LegView> = {}): string[] {
  const positions = exposuresOf({
    positions: [{ contract: ES, netQty }],
    working,
    opaque: [],
    opaquePositions: [],
  });
  const found = legCuts({ working, positions, filled: [], nativeOco: true, ...view });
  return found.map(({ leg, leavesQty, why }) => `${leg.orderId} ${leavesQty} ${why}`);
}

test("what a plan's new pair takes over is the plan's to take, and no more than that", () => {
  const takenOver = new Map([[ES, 1]]);
  expect(cuts([...pair(1, 1), ...pair(2, 2)], 2, { takenOver })).toEqual([]);
  const two = cuts([...pair(1, 2), ...pair(2, 2)], 2, { takenOver });
  expect(two).toEqual(["11 1 positionIsSmaller", "12 1 positionIsSmaller"]);
  expect(cuts(pair(1, 1), 0, { takenOver })).toHaveLength(2);
});

describe("legs without a position that they reduce", () => {
  test("end when nothing is held", () => {
    expect(cuts(linked(1, 2), 0)).toEqual(["11 0 noPosition", "12 0 noPosition"]);
  });

  test("end when the position has turned around", () => {
    expect(cuts(pair(1, 2), -3)).toEqual(["11 0 opposesPosition", "12 0 opposesPosition"]);
    expect(cuts(pair(1, 2, { side: "BUY" }), 3)).toEqual([
      "11 0 opposesPosition",
      "12 0 opposesPosition",
    ]);
  });

  test("end when only another contract is held", () => {
    const positions = [{ contract: NQ, netQty: 5, expectedQty: 5 }];
    expect(cuts([loss(1, 2)], 0, { positions })).toEqual(["12 0 noPosition"]);
  });

  test("end even while their entry works, and that is said", () => {
    const entry = order("9", { side: "BUY", clOrdId: sentId(1), leavesQty: 3 });
    const legs = pair(1, 2, { parentOrderId: entry.orderId });
    expect(cuts([entry, ...legs], 0)).toEqual(["11 0 entryGoesOn", "12 0 entryGoesOn"]);
  });
});

describe("legs of two entries that both go on", () => {
  test("give way from the older one on, and that it is left without is said", () => {
    const entries = [1, 2].map((nth) =>
      order(`${nth}`, { side: "BUY", clOrdId: sentId(nth), leavesQty: 3 }),
    );
    const legs = [1, 2].flatMap((nth) => pair(nth, 1, { parentOrderId: orderId(`${nth}`) }));
    expect(cuts([...entries, ...legs], 1)).toEqual(["11 0 entryGoesOn", "12 0 entryGoesOn"]);
    const larger = [1, 2].flatMap((nth) => pair(nth, 2, { parentOrderId: orderId(`${nth}`) }));
    const why = "positionIsSmaller";
    expect(cuts([...entries, ...larger], 3)).toEqual([`11 1 ${why}`, `12 1 ${why}`]);
  });
});

describe("legs of which the book says whose contracts they close", () => {
  /** The contracts of the nth entry that are left. */
  const lots = (left: Readonly<Record<string, number>>): LegView["lotsOf"] => {
    return ({ clOrdId = "" }) => {
      const entry = sentIdOf(clOrdId as ClOrdId);
      const nth = Object.keys(left).find((each) => sentId(Number(each)) === entry);
      return nth === undefined ? undefined : { entry, leftQty: left[nth] ?? 0 };
    };
  };
  const why = "positionIsSmaller";

  test("give way where these were closed, and not from the oldest on", () => {
    const lotsOf = lots({ 1: 2, 2: 1 });
    expect(cuts([...pair(1, 2), ...pair(2, 2)], 3, { lotsOf })).toEqual([
      `21 1 ${why}`,
      `22 1 ${why}`,
    ]);
  });

  test("stay for one at least while their entry goes on, and others give way for that", () => {
    const entry = order("9", { side: "BUY", clOrdId: sentId(1), leavesQty: 3 });
    const grows = { parentOrderId: entry.orderId };
    const lotsOf = lots({ 1: 0, 2: 1 });
    const working = (qty: number) => [entry, ...pair(1, qty, grows), ...pair(2, 1)];
    expect(cuts(working(1), 1, { lotsOf })).toEqual([`21 0 ${why}`, `22 0 ${why}`]);
    expect(cuts(working(3), 2, { lotsOf })).toEqual([`11 1 ${why}`, `12 1 ${why}`]);
  });
});

describe("legs of an order that is still being filled at the market", () => {
  const entry = order("9", { ordType: "MARKET", side: "BUY", clOrdId: sentId(1), leavesQty: 3 });
  const legs = (leavesQty: number) => linked(1, leavesQty, { parentOrderId: entry.orderId });

  test("stay while what was held before is closed, for what it opens next", () => {
    expect(cuts([entry, ...legs(3)], 0)).toEqual([]);
    expect(cuts([entry, ...legs(2)], -1)).toEqual([]);
  });

  test("are for no more than that, and then for what is held", () => {
    const why = "positionIsSmaller";
    expect(cuts([entry, ...legs(5)], -1)).toEqual([`11 2 ${why}`, `12 2 ${why}`]);
    expect(cuts([entry, ...legs(5)], 1)).toEqual([`11 1 ${why}`, `12 1 ${why}`]);
  });

  test("leave those of what was held before as they are, for what is left of it", () => {
    const old = linked(2, 3, { side: "BUY" });
    const why = "positionIsSmaller";
    expect(cuts([...old, entry, ...legs(2)], -1)).toEqual([`21 1 ${why}`, `22 1 ${why}`]);
  });

  test("end once it has ended without that", () => {
    const ended = { ...entry, ordStatus: "CANCELED", leavesQty: 0 } as const;
    expect(cuts([ended, ...legs(3)], 0)).toEqual(["11 0 noPosition", "12 0 noPosition"]);
  });
});

describe("legs for more than is held", () => {
  test("shrink to what is left of it, whichever side", () => {
    expect(cuts(linked(1, 5), 2)).toEqual(["11 2 positionIsSmaller", "12 2 positionIsSmaller"]);
    expect(cuts(pair(1, 5, { side: "BUY" }), -2)).toEqual([
      "11 2 positionIsSmaller",
      "12 2 positionIsSmaller",
    ]);
  });

  test("give way from the oldest pair on", () => {
    const working = [...linked(10, 2), ...linked(2, 2), ...linked(1, 2)];
    expect(cuts(working, 3)).toEqual([
      "21 1 positionIsSmaller",
      "22 1 positionIsSmaller",
      "11 0 positionIsSmaller",
      "12 0 positionIsSmaller",
    ]);
  });

  test("give way first where the other leg of their pair is gone", () => {
    const survivor = loss(2, 2, { linkedOrderId: orderId("21") });
    expect(cuts([...linked(1, 2), survivor], 2)).toEqual(["22 0 positionIsSmaller"]);
    const filled = [profit(2, 0, { ordStatus: "FILLED", orderQty: 2, cumQty: 2 })];
    expect(cuts([...pair(1, 2), loss(2, 2)], 2, { filled })).toEqual(["22 0 positionIsSmaller"]);
  });

  test("give way first by what the other leg has filled", () => {
    const [most, least] = [loss(2, 3), profit(2, 1, { cumQty: 2 })];
    expect(cuts([...pair(1, 3), most, least], 4)).toEqual(["22 1 positionIsSmaller"]);
  });

  test("that grow with their entry give way last", () => {
    const entry = order("9", { side: "BUY", clOrdId: sentId(2), leavesQty: 3 });
    const growing = linked(2, 2, { parentOrderId: entry.orderId });
    expect(cuts([entry, ...growing], 1)).toEqual([
      "21 1 positionIsSmaller",
      "22 1 positionIsSmaller",
    ]);
    expect(cuts([...linked(1, 2), entry, ...growing], 3)).toEqual([
      "11 1 positionIsSmaller",
      "12 1 positionIsSmaller",
    ]);
  });

  test("a leg that stands alone counts for itself, and one without the other's link is its pair", () => {
    expect(cuts([loss(1, 2)], 2)).toEqual([]);
    expect(cuts([loss(1, 2)], 1)).toEqual(["12 1 positionIsSmaller"]);
    expect(cuts(pair(1, 2), 2)).toEqual([]);
  });
});

describe("a fill of one leg where the broker does not link them", () => {
  const apart = { nativeOco: false };

  test("in part takes as much from the other", () => {
    const working = [profit(1, 1, { cumQty: 2 }), loss(1, 3)];
    // Something else was bought meanwhile, so nothing is too large.
    expect(cuts(working, 3, apart)).toEqual(["12 1 siblingFilled"]);
    expect(cuts(working, 3)).toEqual([]);
  });

  test("again and again takes as much each time", () => {
    const working = [profit(1, 1, { cumQty: 2 }), loss(1, 2)];
    expect(cuts(working, 9, apart)).toEqual(["12 1 siblingFilled"]);
  });

  test("in full ends the other", () => {
    const filled = [profit(1, 0, { ordStatus: "FILLED", orderQty: 3, cumQty: 3 })];
    expect(cuts([loss(1, 3)], 3, { ...apart, filled })).toEqual(["12 0 siblingFilled"]);
    expect(cuts([loss(1, 3)], 3, { filled })).toEqual([]);
  });

  test("leaves what the other one was larger by from the start", () => {
    expect(cuts([profit(1, 1, { cumQty: 1 }), loss(1, 3)], 3, apart)).toEqual([]);
    const filled = [profit(1, 0, { ordStatus: "FILLED", orderQty: 1, cumQty: 1 })];
    expect(cuts([loss(1, 3)], 3, { ...apart, filled })).toEqual([]);
  });

  test("changes nothing while only their sizes differ, or their entry works", () => {
    expect(cuts([profit(1, 1), loss(1, 3)], 3, apart)).toEqual([]);
    const entry = order("9", { side: "BUY", leavesQty: 3 });
    const parent = { parentOrderId: entry.orderId };
    const legs = [profit(1, 1, { cumQty: 2, ...parent }), loss(1, 3, parent)];
    expect(cuts([entry, ...legs], 3, apart)).toEqual([]);
  });
});

test.each<[string, Change]>([
  ["was placed by hand", { clOrdId: "by hand" as ClOrdId }],
  ["waits for its entry", { ordStatus: "HELD" }],
  ["is being cancelled", { ordStatus: "PENDING_CANCEL" }],
  ["has ended", { ordStatus: "FILLED", leavesQty: 0 }],
  ["is a plain order", { role: "ORDER" }],
])("a leg that %s is left alone", (_, change) => {
  expect(cuts([loss(1, 2, change)], 0)).toEqual([]);
});

describe("always", () => {
  const qty = fc.integer({ min: 1, max: 6 });
  const leg = fc.record({
    leavesQty: qty,
    cumQty: fc.integer({ min: 0, max: 3 }),
    ordStatus: fc.constantFrom("NEW" as const, "PARTIALLY_FILLED" as const, "HELD" as const),
  });
  const somePair = fc.record({
    takeProfit: fc.option(leg, { nil: undefined }),
    stopLoss: fc.option(leg, { nil: undefined }),
    common: fc.record({
      side: fc.constantFrom("BUY" as const, "SELL" as const),
      contract: fc.constantFrom(ES, NQ),
    }),
    isForeign: fc.boolean(),
    isLinked: fc.boolean(),
  });
  const working = fc.array(somePair, { maxLength: 5 }).map((pairs) =>
    pairs.flatMap(({ takeProfit, stopLoss, common, isForeign, isLinked }, nth): OrderReport[] => {
      const link = (id: string) => (isLinked ? { linkedOrderId: orderId(id) } : {});
      const legs = [
        takeProfit && profit(nth, 0, { ...takeProfit, ...common, ...link(`${nth}2`) }),
        stopLoss && loss(nth, 0, { ...stopLoss, ...common, ...link(`${nth}1`) }),
      ].filter((one) => one !== undefined);
      return isForeign ? legs.map((one) => ({ ...one, clOrdId: "by hand" as ClOrdId })) : legs;
    }),
  );
  const held = fc.integer({ min: -8, max: 8 });
  const view = fc
    .record({ working, es: held, nq: held, nativeOco: fc.boolean(), gone: working })
    .map(({ gone, es, nq, ...rest }): LegView => ({
      ...rest,
      filled: gone.map((one) => ({ ...one, ordStatus: "FILLED", leavesQty: 0 })),
      positions: [
        { contract: ES, netQty: es, expectedQty: es },
        { contract: NQ, netQty: nq, expectedQty: nq },
      ].filter(({ netQty }) => netQty !== 0),
    }));

  /** The orders once the broker has done what was asked of it. */
  function carriedOut(before: LegView): LegView {
    const left = new Map(legCuts(before).map((cut) => [cut.leg.orderId, cut.leavesQty]));
    const after = before.working.map((one) => {
      const leavesQty = left.get(one.orderId) ?? one.leavesQty;
      return { ...one, leavesQty, orderQty: one.cumQty + leavesQty };
    });
    return { ...before, working: after.filter(({ leavesQty }) => leavesQty > 0) };
  }

  /** Of any choice of legs in which no two are of one pair and kind, the most that can fill. */
  function protectedQty({ working: orders }: LegView, contract: ContractCode): number {
    const groups: OrderReport[][] = [];
    for (const one of orders.filter(isLiveLeg).filter((each) => each.contract === contract)) {
      const group = groups.find((known) => known.some((other) => areOnePair(one, other)));
      if (group === undefined) groups.push([one]);
      else group.push(one);
    }
    const sizeOf = (group: OrderReport[], role: string) =>
      group.filter((one) => one.role === role).reduce((sum, { leavesQty }) => sum + leavesQty, 0);
    return groups
      .map((group) => Math.max(sizeOf(group, "TAKE_PROFIT"), sizeOf(group, "STOP_LOSS")))
      .reduce((sum, size) => sum + size, 0);
  }

  test("no leg is left that opens or grows a position, nor more of them than is held", () => {
    fc.assert(
      fc.property(view, (before) => {
        const after = carriedOut(before);
        for (const contract of [ES, NQ]) {
          const netQty = after.positions.find((one) => one.contract === contract)?.netQty ?? 0;
          const legs = after.working.filter(isLiveLeg).filter((one) => one.contract === contract);
          expect(legs.every(({ side }) => netQty * sign(side) < 0)).toBe(true);
          expect(protectedQty(after, contract)).toBeLessThanOrEqual(Math.abs(netQty));
        }
      }),
    );
  });

  test("legs are ours and live, and each is only ever made smaller", () => {
    fc.assert(
      fc.property(view, (before) => {
        for (const { leg: cut, leavesQty } of legCuts(before)) {
          expect(isLiveLeg(cut)).toBe(true);
          expect(leavesQty).toBeGreaterThanOrEqual(0);
          expect(leavesQty).toBeLessThan(cut.leavesQty);
        }
      }),
    );
  });

  test("what fits is left as it is where the broker links them", () => {
    fc.assert(
      fc.property(view, (before) => {
        const after = { ...carriedOut(before), nativeOco: true };
        expect(legCuts(after)).toEqual([]);
      }),
    );
  });

  test("a position keeps all the protection that fits it", () => {
    fc.assert(
      fc.property(fc.array(qty, { minLength: 1, maxLength: 5 }), qty, (sizes, netQty) => {
        const before: LegView = {
          working: sizes.flatMap((size, index) => linked(index + 1, size)),
          positions: [{ contract: ES, netQty, expectedQty: netQty }],
          filled: [],
          nativeOco: true,
        };
        const total = sizes.reduce((sum, size) => sum + size, 0);
        expect(protectedQty(carriedOut(before), ES)).toBe(Math.min(total, netQty));
      }),
    );
  });
});
