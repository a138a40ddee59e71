import { describe, expect, test } from "vitest";
import { planExits } from "../../../../src/domain/copying/copy-exits.ts";
import type { MirrorView } from "../../../../src/domain/copying/copy-mirror.ts";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { follower, having, MNQ, NOW, NQ, order, view } from "./mirror-world.ts";

type Change = Partial<OrderReport>;

/** Placed by hand, unless it has an identifier. */
const profit = (price: number, change: Change = {}) =>
  order(`TP-${price}`, { role: "TAKE_PROFIT", side: "SELL", price: ticks(price), ...change });

function loss(stopPx: number, change: Change = {}): OrderReport {
  const { price: _, ...stop } = order(`SL-${stopPx}`, {
    role: "STOP_LOSS",
    side: "SELL",
    ...change,
  });
  return { ...stop, ordType: "STOP", stopPx: ticks(stopPx) };
}

/** Legs of the follower are ours. */
const ours = (leg: OrderReport): OrderReport => ({
  ...leg,
  clOrdId: clOrdId(`i${"0".repeat(28)}-1-${leg.role === "STOP_LOSS" ? "SL" : "TP"}`),
});

/** Leader and follower hold one contract, unless said otherwise. */
function exits(
  leaders: readonly OrderReport[],
  own: readonly OrderReport[],
  more: Partial<MirrorView> = {},
) {
  const held = [[NQ, 1]] as const;
  const steps = planExits(
    view({ leader: having(leaders, held), own: having(own.map(ours), held), ...more }),
  );
  return steps.map((step) => {
    if (step.kind !== "protect") throw new Error("Exits are only ever protected");
    const { takeProfit, stopLoss } = step.levels;
    const at = (level: typeof takeProfit) => (level?.by === "price" ? level.price : "as it is");
    const levels = `${step.contract} ${at(takeProfit)} ${at(stopLoss)}`;
    return step.isSure ? levels : `${levels} if seen again`;
  });
}

const BOTH = [profit(100_040), loss(99_960)];
const code = (text: string) => text as ContractCode;

describe("exits", () => {
  test.each([
    ["NGZ2026", "MNGZ2026"],
    ["FESXZ2026", "FSXEZ2026"],
    ["GCZ2026", "1OZZ2026"],
    ["SIZ2026", "QIZ2026"],
    ["UBZ2026", "MWNZ2026"],
    ["6CZ2026", "MCDZ2026"],
    ["SOLZ2026", "MSLZ2026"],
    ["VXZ2026", "VXMZ2026"],
  ])("of %s are put on %s", (leaders, own) => {
    const [contract] = [code(leaders)];
    const map = { [leaders.slice(0, -5)]: own.slice(0, -5) };
    const placed = exits([loss(99_960, { contract })], [], {
      follower: follower({ symbolMap: map }),
      leader: having([loss(99_960, { contract })], [[contract, 1]]),
      own: having([], [[code(own), 1]]),
    });
    expect(placed).toEqual([`${own} as it is 99960 if seen again`]);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["are put where none are", exits(BOTH, []), ["NQZ2026 100040 99960 if seen again"]],
    ["stay where they stand already", exits(BOTH, BOTH), []],
    ["follow the leader's", exits(BOTH, [profit(100_040), loss(99_900)]), ["NQZ2026 100040 99960"]],
    ["stay where the leader takes one away", exits([profit(100_040)], BOTH), []],
    ["stay where the leader takes all away", exits([], BOTH), []],
    [
      "are none where the leader's are being cancelled",
      exits([loss(99_960, { ordStatus: "PENDING_CANCEL" })], []),
      [],
    ],
    [
      "stay as they are with one kind, where the leader moves the other",
      exits([loss(99_970)], BOTH),
      ["NQZ2026 as it is 99970"],
    ],
    [
      "go where most contracts of the leader leave",
      exits([profit(100_040), profit(100_080, { orderQty: 2, leavesQty: 2 })], []),
      ["NQZ2026 100080 as it is if seen again"],
    ],
    [
      "go to the newest of several that are as large",
      exits([profit(100_040), profit(100_080, { transactTimeAt: NOW + 1 })], []),
      ["NQZ2026 100080 as it is if seen again"],
    ],
    [
      "stay at several levels of the leader",
      exits([profit(100_040), profit(100_080)], [profit(100_080), profit(100_040)]),
      [],
    ],
    [
      "stay where the leader's wait for an entry",
      exits([profit(100_040), profit(100_080, { ordStatus: "HELD" })], [profit(100_080)]),
      [],
    ],
    ["are none where the leader's wait", exits([loss(99_960, { ordStatus: "HELD" })], []), []],
    ["wait while the group rests", exits(BOTH, [], { rest: "The group is paused" }), []],
    ["wait while something is on its way", exits(BOTH, [], { isBusy: () => true }), []],
    ["are none where nothing is held", exits(BOTH, [], { own: having() }), []],
    ["are none on the other side", exits(BOTH, [], { own: having([], [[NQ, -1]]) }), []],
    [
      "are in the follower's contract",
      exits(BOTH, [], {
        follower: follower({ symbolMap: { NQ: "MNQ" } }),
        own: having([], [[MNQ, 10]]),
      }),
      ["MNQZ2026 100040 99960 if seen again"],
    ],
    [
      "are none where a price means nothing",
      exits(BOTH, [], {
        follower: follower({ symbolMap: { NQ: "ES" } }),
        own: having([], [["ESZ2026" as typeof NQ, 1]]),
      }),
      [],
    ],
    [
      "grow with what is held",
      exits(BOTH, BOTH, { own: having(BOTH.map(ours), [[NQ, 2]]) }),
      ["NQZ2026 100040 99960 if seen again"],
    ],
    [
      "cover a part where the leader's do",
      exits(BOTH, BOTH, {
        leader: having(BOTH, [[NQ, 2]]),
        own: having(BOTH.map(ours), [[NQ, 2]]),
      }),
      [],
    ],
  ])("%s", (_, found, expected) => {
    expect(found).toEqual(expected);
  });

  test("of an entry that still fills are moved as one pair, and not placed anew", () => {
    const entry = order("7", { orderQty: 3, cumQty: 1 });
    const parentOrderId = orderId("7");
    const legs = BOTH.map((leg) => ({ ...ours(leg), parentOrderId }));
    const moved = [profit(100_040), loss(99_980)];
    const growing = (own: readonly OrderReport[]) =>
      exits(moved, [], { own: having([entry, ...own], [[NQ, 1]]) });
    expect(growing(legs)).toEqual(["NQZ2026 100040 99980"]);
    expect(growing(legs.slice(0, 1))).toEqual([]);
  });

  test("are as new as the leader's newest exit, whatever else works for the leader", () => {
    const leaders = [
      profit(100_040, { transactTimeAt: NOW + 1 }),
      loss(99_960, { transactTimeAt: NOW + 2 }),
      order("8", { side: "SELL", transactTimeAt: NOW + 3 }),
    ];
    const held = [[NQ, 1]] as const;
    const steps = planExits(view({ leader: having(leaders, held), own: having([], held) }));
    expect(steps).toMatchObject([{ leaderAt: NOW + 2 }]);
  });
});
