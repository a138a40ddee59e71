import { beforeEach, describe, expect, test } from "vitest";
import { missingExits } from "../../../../../src/domain/asked-exits.ts";
import { clOrdId, orderId } from "../../../../../src/domain/ids.ts";
import type { Bracket } from "../../../../../src/domain/order.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { BrokerReadError } from "../../../../../src/trading/ports.ts";
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
} from "../../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  lane.broker.held = [position(2)];
});

const at = (price: number) => ({ by: "price", price: ticks(price) }) as const;
const protect = (levels: Bracket) => lane.run({ kind: "PROTECT", contract: ES, levels });
const levels = () =>
  lane.broker.protections.map(({ takeProfit, stopLoss }) => [takeProfit?.price, stopLoss?.stopPx]);
const canceled = () => lane.broker.commands.filter(([name]) => name === "cancel");

/** The legs of another entry's bracket, beside the pair that `showPair` shows. */
function showOther(qty = 1) {
  const common = {
    orderQty: qty,
    leavesQty: qty,
    parentOrderId: orderId("entry"),
    clOrdId: clOrdId(`i${"1".repeat(28)}-1-SL`),
  };
  lane.broker.show({
    ...common,
    orderId: orderId("sl2"),
    role: "STOP_LOSS",
    ordType: "STOP",
    stopPx: ticks(3_970),
  });
}

describe("legs that one pair must take the place of", () => {
  beforeEach(() => {
    lane.broker.held = [position(3)];
    showPair(lane.broker);
    showOther();
  });

  test("are all cancelled, stops last, and placed as one pair for the full size", async () => {
    const record = await protect({ takeProfit: at(4_060) });
    expect(record).toMatchObject({ state: "DONE", outcome: { result: { orderQty: 3 } } });
    expect(canceled()).toEqual([
      ["cancel", "tp"],
      ["cancel", "sl"],
      ["cancel", "sl2"],
    ]);
    // Of two stops that were not named, the one nearer to the market stays.
    expect(levels()).toEqual([[4_060, 3_970]]);
    expect(lane.broker.protections).toMatchObject([{ orderQty: 3 }]);
  });

  test("one has closed a position that is still shown: nothing is placed", async () => {
    lane.broker.held = [position(2)];
    lane.broker.next.cancel.push(() => {
      lane.broker.change(orderId("tp"), { ordStatus: "FILLED", cumQty: 2, leavesQty: 0 });
      return REJECTED;
    });
    const { outcome } = await protect({ takeProfit: at(4_060) });
    expect(outcome).toMatchObject({ kind: "denied", code: "NO_POSITION" });
    expect(levels()).toEqual([]);
  });

  test("refused, the old levels come back as one pair, and that is said", async () => {
    lane.broker.next.protect.push(REJECTED);
    expect((await protect({ takeProfit: at(4_060) })).outcome).toEqual({
      kind: "unprotected",
      canceled:
        "take-profit of 2 ESZ6 at 1010 and stop-loss of 2 ESZ6 at 990 and stop-loss of 1 ESZ6 at 992.5",
      reason: "Not today; of several old levels the nearest ones now protect all",
      restored: true,
    });
    expect(levels().at(-1)).toEqual([4_040, 3_970]);
  });
});

test("a bracket's leg that cannot grow to the position's size is replaced", async () => {
  lane.broker.held = [position(5)];
  showOther(2);
  expect((await protect({ stopLoss: at(3_980) })).state).toBe("DONE");
  expect(lane.broker.commands).toEqual([
    ["cancel", "sl2"],
    ["protect", 5],
  ]);
});

test("two legs that do not end each other become a pair", async () => {
  const { profit } = showPair(lane.broker);
  const { linkedOrderId: _, ...alone } = profit;
  lane.broker.orders.set("tp", alone);
  lane.broker.orders.delete("sl");
  showOther(2);
  await protect({ stopLoss: at(3_980) });
  expect(levels()).toEqual([[4_040, 3_980]]);
  expect(canceled()).toHaveLength(2);
});

describe("a level that is added to the other one", () => {
  beforeEach(() => {
    showPair(lane.broker);
    lane.broker.orders.delete("tp");
  });

  test("makes them a pair", async () => {
    await protect({ takeProfit: at(4_060) });
    expect(levels()).toEqual([[4_060, 3_960]]);
    expect(canceled()).toEqual([["cancel", "sl"]]);
  });

  test("entries, the legs of other contracts and legs that wait stay", async () => {
    lane.broker.show({ orderId: orderId("entry"), side: "SELL" });
    lane.broker.show({ orderId: orderId("nq"), role: "STOP_LOSS", contract: NQ });
    lane.broker.show({ orderId: orderId("held"), role: "STOP_LOSS", ordStatus: "HELD" });
    lane.broker.show({ orderId: orderId("short"), role: "STOP_LOSS", side: "BUY" });
    await protect({ takeProfit: at(4_060) });
    expect(canceled()).toEqual([["cancel", "sl"]]);
  });

  test.each([
    [1, "DONE", [1]],
    [0, "DENIED", []],
  ])("the old one fills meanwhile, %i is left: %s", async (left, state, placed) => {
    lane.broker.next.cancel.push(() => {
      lane.broker.held = left === 0 ? [] : [position(left)];
      lane.broker.change(orderId("sl"), { ordStatus: "FILLED", leavesQty: 0 });
      return REJECTED;
    });
    const record = await protect({ takeProfit: at(4_060) });
    expect(record.state).toBe(state);
    expect(lane.broker.protections.map(({ orderQty }) => orderQty)).toEqual(placed);
  });

  test("an old one that is about to end may still fill: nothing is placed beside it", async () => {
    lane.broker.next.cancel.push(() => {
      lane.broker.change(orderId("sl"), { ordStatus: "PENDING_CANCEL" });
      return REJECTED;
    });
    expect((await protect({ takeProfit: at(4_060) })).state).toBe("REJECTED");
    expect(lane.broker.protections).toEqual([]);
  });

  test("an old one that the broker will not cancel stays alone", async () => {
    lane.broker.next.cancel.push(REJECTED);
    expect(await protect({ takeProfit: at(4_060) })).toMatchObject({
      state: "REJECTED",
      outcome: { reason: "an old level could not be cancelled: Not today" },
    });
    expect(lane.broker.protections).toEqual([]);
  });

  test.each([
    [NOT_SENT, "NOTSENT"],
    [UNKNOWN, "UNKNOWN"],
  ])("%j to the cancel places nothing", async (answer, state) => {
    lane.broker.next.cancel.push(answer);
    expect((await protect({ takeProfit: at(4_060) })).state).toBe(state);
    expect(lane.broker.protections).toEqual([]);
  });

  test.each([REJECTED, NOT_SENT])("after %j the old level is put back, and said", async (no) => {
    lane.broker.next.protect.push(no);
    const { outcome, clOrdIds } = await protect({ takeProfit: at(4_060) });
    expect(levels()).toEqual([
      [4_060, 3_960],
      [undefined, 3_960],
    ]);
    expect(outcome).toEqual({
      kind: "unprotected",
      canceled: "stop-loss of 2 ESZ6 at 990",
      reason: no.reason,
      restored: true,
    });
    expect(clOrdIds).toEqual(["i1-1", "i1-2", "i1-3"]);
  });

  test.each([
    [1, [2, 1]],
    [0, [2]],
  ])("%i are held when it is put back", async (left, placed) => {
    lane.broker.next.protect.push(() => {
      lane.broker.held = left === 0 ? [] : [position(left)];
      return REJECTED;
    });
    const { outcome } = await protect({ takeProfit: at(4_060) });
    expect(outcome).toMatchObject(left === 0 ? { code: "NO_POSITION" } : { restored: true });
    expect(lane.broker.protections.map(({ orderQty }) => orderQty)).toEqual(placed);
  });

  test.each([REJECTED, NOT_SENT, UNKNOWN])("putting back fails with %j: said once", async (no) => {
    lane.broker.next.protect.push(REJECTED, no);
    const { outcome } = await protect({ takeProfit: at(4_060) });
    expect(outcome).toMatchObject({
      kind: "unprotected",
      restored: false,
      reason: `Not today; putting the old levels back failed too: ${no.reason}`,
    });
    expect(lane.broker.protections).toHaveLength(2);
  });

  test("new legs whose answer is lost are not sent again", async () => {
    lane.broker.next.protect.push(UNKNOWN);
    expect((await protect({ takeProfit: at(4_060) })).state).toBe("UNKNOWN");
    expect(lane.broker.protections).toHaveLength(1);
  });

  test("a broker that cannot be read after the cancels leaves an unknown outcome", async () => {
    lane.broker.next.cancel.push(() => {
      lane.broker.unreadable = new BrokerReadError("The session is gone");
      return { kind: "accepted" };
    });
    expect((await protect({ takeProfit: at(4_060) })).state).toBe("UNKNOWN");
  });

  test("a broker that cannot be read after the refusal gets its old levels back all the same", async () => {
    lane.broker.next.protect.push(() => {
      lane.broker.unreadable = new BrokerReadError("The session is gone");
      return REJECTED;
    });
    const { outcome } = await protect({ takeProfit: at(4_060) });
    expect(outcome).toMatchObject({ kind: "unprotected", restored: true });
  });
});

describe("several legs of which not all can be cancelled", () => {
  beforeEach(() => {
    lane.broker.held = [position(3)];
    showPair(lane.broker);
    showOther();
  });

  test("what is gone and what is still there are both named, and nothing is placed", async () => {
    lane.broker.next.cancel.push(() => undefined, REJECTED, REJECTED);
    expect((await protect({ takeProfit: at(4_060) })).outcome).toEqual({
      kind: "unprotected",
      canceled: "take-profit of 2 ESZ6 at 1010",
      reason: "an old level could not be cancelled: Not today",
      restored: false,
      standing: "stop-loss of 2 ESZ6 at 990 and stop-loss of 1 ESZ6 at 992.5",
    });
    expect(lane.broker.protections).toEqual([]);
  });

  test("the link that fails halfway leaves an unknown outcome", async () => {
    lane.broker.next.cancel.push(() => undefined, NOT_SENT);
    expect((await protect({ takeProfit: at(4_060) })).state).toBe("UNKNOWN");
    expect(lane.broker.protections).toEqual([]);
  });

  test("one cancel is enough for a pair where it ends the other leg", async () => {
    lane.setConnection({ cancelEndsLinkedLeg: true });
    await protect({ takeProfit: at(4_060) });
    expect(canceled()).toEqual([
      ["cancel", "tp"],
      ["cancel", "sl2"],
    ]);
  });
});

describe("a broker that links no orders", () => {
  beforeEach(() => lane.setConnection({ nativeOco: false }));

  const both = { takeProfit: at(4_060), stopLoss: at(3_980) };

  test("gets two plain orders, the stop first, marked by their identifiers", async () => {
    const { outcome, clOrdIds } = await protect(both);
    const common = { contract: ES, side: "SELL", orderQty: 2, timeInForce: "GTC" };
    expect(lane.broker.sent).toEqual([
      { ...common, clOrdId: "i1-2-SL", ordType: "STOP", stopPx: 3_980 },
      { ...common, clOrdId: "i1-2-TP", ordType: "LIMIT", price: 4_060 },
    ]);
    expect(outcome).toMatchObject({
      kind: "done",
      result: { takeProfitOrderId: "102", stopLossOrderId: "101" },
    });
    expect(clOrdIds).toEqual(["i1-2"]);
    expect(lane.broker.protections).toEqual([]);
  });

  test.each([
    ["stopLoss", "i1-2-SL"],
    ["takeProfit", "i1-2-TP"],
  ] as const)("gets a %s alone", async (leg, id) => {
    expect((await protect({ [leg]: both[leg] })).state).toBe("DONE");
    expect(lane.broker.sent.map(({ clOrdId: sent }) => sent)).toEqual([id]);
  });

  test.each([
    [REJECTED, "REJECTED"],
    [NOT_SENT, "NOTSENT"],
    [UNKNOWN, "UNKNOWN"],
  ])("%j to the stop ends the intent as %s, without a take-profit", async (answer, state) => {
    lane.broker.next.submit.push(answer);
    expect((await protect(both)).state).toBe(state);
    expect(lane.broker.sent).toHaveLength(1);
  });

  test("a take-profit whose answer is lost leaves the stop, and the outcome is unknown", async () => {
    lane.broker.next.submit.push(() => undefined, UNKNOWN);
    expect((await protect(both)).state).toBe("UNKNOWN");
    expect(canceled()).toEqual([]);
  });

  test.each([REJECTED, NOT_SENT])(
    "a take-profit that is %j leaves the stop, and it is said",
    async (no) => {
      lane.broker.next.submit.push(() => undefined, no);
      const record = await protect(both);
      expect(record.outcome).toEqual({
        kind: "unprotected",
        canceled: "",
        reason: `the take-profit was not placed: ${no.reason}`,
        restored: false,
        missing: ["TAKE_PROFIT"],
        standing: "stop-loss of 2 ESZ6 at 995",
      });
      expect(canceled()).toEqual([]);
      expect(missingExits(record)).toEqual([{ contract: ES, exits: ["TAKE_PROFIT"] }]);
    },
  );

  test("a stop that has filled by then leaves nothing to protect", async () => {
    lane.broker.next.submit.push(
      () => undefined,
      () => {
        lane.broker.held = [];
        return REJECTED;
      },
    );
    expect(await protect(both)).toMatchObject({ outcome: { code: "NO_POSITION" } });
  });

  describe("with a pair of plain orders", () => {
    beforeEach(() => {
      const pair = `i${"2".repeat(28)}-2`;
      const common = { orderQty: 2, leavesQty: 2 };
      lane.broker.show({
        ...common,
        orderId: orderId("tp"),
        clOrdId: clOrdId(`${pair}-TP`),
        role: "TAKE_PROFIT",
        price: ticks(4_040),
      });
      lane.broker.show({
        ...common,
        orderId: orderId("sl"),
        clOrdId: clOrdId(`${pair}-SL`),
        role: "STOP_LOSS",
        ordType: "STOP",
        stopPx: ticks(3_960),
      });
    });

    test("moves them in place: their identifiers say that they are a pair", async () => {
      const { outcome } = await protect(both);
      expect(lane.broker.commands.map(([name]) => name)).toEqual(["modify", "modify"]);
      expect(outcome).toMatchObject({
        result: { takeProfitOrderId: "tp", stopLossOrderId: "sl" },
      });
    });

    test("cancels one and places the other one again, as a plain order", async () => {
      const { outcome } = await lane.run({ kind: "CANCEL", orderId: orderId("tp") });
      expect(lane.broker.commands).toEqual([
        ["cancel", "tp"],
        ["cancel", "sl"],
        ["submit", "i1-2-SL"],
      ]);
      expect(outcome).toMatchObject({
        result: { replacedLeg: { role: "STOP_LOSS", orderId: "101" } },
      });
    });
  });
});
