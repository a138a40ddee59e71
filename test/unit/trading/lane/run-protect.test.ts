import { beforeEach, describe, expect, test } from "vitest";
import { orderId } from "../../../../src/domain/ids.ts";
import type { Bracket } from "../../../../src/domain/order.ts";
import { ticks } from "../../../../src/domain/price.ts";
import { BrokerReadError, type SubmitOutcome } from "../../../../src/trading/ports.ts";
import {
  ES,
  type Lane,
  NOT_SENT,
  NQ,
  openLane,
  position,
  REJECTED,
  showPair,
  UNKNOWN,
} from "../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  lane.broker.held = [position(2)];
});

const at = (price: number) => ({ by: "price", price: ticks(price) }) as const;
const away = (distance: number) => ({ by: "distance", distance: ticks(distance) }) as const;
const protect = (levels: Bracket) => lane.run({ kind: "PROTECT", contract: ES, levels });
const levels = () =>
  lane.broker.protections.map(({ takeProfit, stopLoss }) => [takeProfit?.price, stopLoss?.stopPx]);

describe("a position without legs", () => {
  test("gets both for its full size, linked", async () => {
    const { outcome } = await protect({ takeProfit: at(4_100), stopLoss: at(3_900) });
    expect(outcome).toEqual({
      kind: "done",
      result: {
        kind: "PROTECT",
        contract: ES,
        orderQty: 2,
        takeProfitOrderId: "101",
        stopLossOrderId: "102",
      },
    });
    expect(lane.broker.protections).toEqual([
      {
        contract: ES,
        side: "SELL",
        orderQty: 2,
        takeProfit: {
          clOrdId: "i1-2-TP",
          price: 4100,
        },
        stopLoss: {
          clOrdId: "i1-2-SL",
          stopPx: 3900,
        },
      },
    ]);
  });

  test("a short one is protected by buys, its distances count the other way", async () => {
    lane.broker.held = [position(-3)];
    await protect({ takeProfit: away(10), stopLoss: away(4) });
    expect(lane.broker.protections).toMatchObject([{ side: "BUY", orderQty: 3 }]);
    expect(levels()).toEqual([[3_990, 4_004]]);
  });

  test.each([
    [{ numerator: 8_001, denominator: 2 }, 4_011],
    [{ numerator: 12_001, denominator: 3 }, 4_010],
  ])("a distance counts from the average %j, to the nearest tick", async (avgPx, expected) => {
    lane.broker.held = [{ ...position(2), avgPx }];
    await protect({ takeProfit: away(10) });
    expect(levels()).toEqual([[expected, undefined]]);
  });

  test.each<[SubmitOutcome, string]>([
    [REJECTED, "REJECTED"],
    [NOT_SENT, "NOTSENT"],
    [UNKNOWN, "UNKNOWN"],
  ])("%j ends the intent as %s", async (answer, state) => {
    lane.broker.next.protect.push(answer);
    expect((await protect({ stopLoss: at(3_900) })).state).toBe(state);
    expect(lane.broker.protections).toHaveLength(1);
  });
});

test("a position that is gone by now is NO_POSITION, and nothing is sent", async () => {
  lane.broker.held = [position(2, NQ)];
  const record = await protect({ stopLoss: at(3_900) });
  expect(record).toMatchObject({ state: "DENIED", outcome: { code: "NO_POSITION" } });
  expect(lane.broker.commands).toEqual([]);
});

describe("a position with legs", () => {
  beforeEach(() => {
    showPair(lane.broker);
  });

  test("a level that is not given stays as it is", async () => {
    await protect({ stopLoss: at(3_980) });
    expect(levels()).toEqual([[4_040, 3_980]]);
    expect(lane.broker.commands).toEqual([
      ["cancel", "tp"],
      ["cancel", "sl"],
      ["protect", 2],
    ]);
  });

  test("one cancel is enough where it ends the other leg", async () => {
    lane.setConnection({ cancelEndsLinkedLeg: true });
    await protect({ stopLoss: at(3_980) });
    expect(lane.broker.commands).toEqual([
      ["cancel", "tp"],
      ["protect", 2],
    ]);
  });

  test("entries, the legs of other contracts and legs that wait stay", async () => {
    lane.broker.show({ orderId: orderId("entry"), side: "SELL" });
    lane.broker.show({ orderId: orderId("nq"), role: "STOP_LOSS", contract: NQ });
    lane.broker.show({ orderId: orderId("held"), role: "STOP_LOSS", ordStatus: "HELD" });
    lane.broker.show({ orderId: orderId("short"), role: "STOP_LOSS", side: "BUY" });
    await protect({ stopLoss: at(3_980) });
    const canceled = lane.broker.commands.filter(([name]) => name === "cancel");
    expect(canceled).toEqual([
      ["cancel", "tp"],
      ["cancel", "sl"],
    ]);
  });

  test("a leg that filled meanwhile decides the new size", async () => {
    lane.broker.next.cancel.push(() => {
      lane.broker.held = [position(1)];
      return REJECTED;
    });
    const record = await protect({ stopLoss: at(3_980) });
    expect(record.state).toBe("DONE");
    expect(lane.broker.protections).toMatchObject([{ orderQty: 1 }]);
  });

  test("a leg that closed the position meanwhile leaves nothing to protect", async () => {
    lane.broker.next.cancel.push(() => {
      lane.broker.held = [];
      return REJECTED;
    });
    const record = await protect({ stopLoss: at(3_980) });
    expect(record).toMatchObject({ state: "DENIED", outcome: { code: "NO_POSITION" } });
    expect(lane.broker.protections).toEqual([]);
  });

  test.each([
    [NOT_SENT, "NOTSENT"],
    [UNKNOWN, "UNKNOWN"],
  ])("%j to the first cancel places nothing", async (answer, state) => {
    lane.broker.next.cancel.push(answer);
    expect((await protect({ stopLoss: at(3_980) })).state).toBe(state);
    expect(lane.broker.protections).toEqual([]);
  });

  test.each([REJECTED, NOT_SENT])("after %j the old levels are put back, and said", async (no) => {
    lane.broker.next.protect.push(no);
    const { outcome } = await protect({ stopLoss: at(3_980) });
    expect(levels()).toEqual([
      [4_040, 3_980],
      [4_040, 3_960],
    ]);
    expect(outcome).toEqual({
      kind: "unprotected",
      canceled: "take-profit of 2 ESZ6 at 1010 and stop-loss of 2 ESZ6 at 990",
      reason: no.reason,
      restored: true,
    });
  });

  test.each([REJECTED, NOT_SENT, UNKNOWN])("putting back fails with %j: said once", async (no) => {
    lane.broker.next.protect.push(REJECTED, no);
    const { outcome } = await protect({ stopLoss: at(3_980) });
    expect(outcome).toMatchObject({
      kind: "unprotected",
      restored: false,
      reason: `Not today; putting the old levels back failed too: ${no.reason}`,
    });
    expect(lane.broker.protections).toHaveLength(2);
  });

  test("new legs whose answer is lost are not sent again", async () => {
    lane.broker.next.protect.push(UNKNOWN);
    expect((await protect({ stopLoss: at(3_980) })).state).toBe("UNKNOWN");
    expect(lane.broker.protections).toHaveLength(1);
  });

  test("a broker that cannot be read after the cancels leaves an unknown outcome", async () => {
    lane.broker.next.cancel.push(() => {
      lane.broker.unreadable = new BrokerReadError("The session is gone");
      return { kind: "accepted" };
    });
    expect((await protect({ stopLoss: at(3_980) })).state).toBe("UNKNOWN");
  });

  test("each order that is sent has an identifier of its own, stored beforehand", async () => {
    lane.broker.next.protect.push(REJECTED);
    const { clOrdIds } = await protect({ stopLoss: at(3_980) });
    expect(clOrdIds).toEqual(["i1-1", "i1-2", "i1-3"]);
  });
});
