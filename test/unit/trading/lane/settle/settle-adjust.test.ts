import { beforeEach, describe, expect, test } from "vitest";
import type { AdjustIntent } from "../../../../../src/domain/adjust.ts";
import type { Aim } from "../../../../../src/domain/alert.ts";
import { missingExits } from "../../../../../src/domain/asked-exits.ts";
import { clOrdId, execId, intentId, orderId } from "../../../../../src/domain/ids.ts";
import { clOrdIdOf } from "../../../../../src/domain/intent.ts";
import type { OrderReport, Side } from "../../../../../src/domain/order.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { ACCOUNT, ES, type Lane, openLane, position, showPair, USER } from "../../lane-kit.ts";
import { adjustIntent } from "../adjust-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const ID = intentId("i1");

/** An adjustment of whose orders these were written ahead before it was interrupted. */
function interrupted(aim: Aim, nths: readonly number[], change: Partial<AdjustIntent> = {}): void {
  const now = lane.intents.clock;
  lane.intents.put({
    intentId: ID,
    accountId: ACCOUNT,
    userId: USER,
    requestId: "r1",
    intent: adjustIntent(aim, change),
    source: { kind: "webhook" },
    state: "SENDING",
    clOrdIds: nths.map((nth) => clOrdId(`i1-${nth}`)),
    acceptedAt: now,
    sentAt: now,
    entryExpiresAt: now,
    exitExpiresAt: now,
  });
}

const filled = (nth: number, side: Side, cumQty: number, change: Partial<OrderReport> = {}) =>
  lane.broker.show({
    orderId: orderId(`o${nth}`),
    clOrdId: clOrdId(`i1-${nth}`),
    side,
    ordType: "MARKET",
    ordStatus: "FILLED",
    orderQty: cumQty,
    cumQty,
    leavesQty: 0,
    ...change,
  });

/** Looks it up twice, far enough apart; answers both states, and what it ended as. */
async function settled() {
  const first = await lane.settler.settle(lane.record(ID), lane.broker);
  lane.intents.clock += 5_000;
  const { state, outcome } = await lane.settler.settle(lane.record(ID), lane.broker);
  expect(lane.broker.commands).toEqual([]);
  return { states: [first.state, state], outcome };
}

const INTERRUPTED = "It was interrupted, and nothing more of it is sent";

describe("interrupted while it placed exits for what stood", () => {
  const stopLossPx = ticks(3_950);
  const bracket = { stopLoss: { by: "price", price: stopLossPx } } as const;
  const terms = { ordType: "MARKET", timeInForce: "DAY", bracket } as const;
  const to3: Aim = { to: "position", netQty: 3 };

  /** Before its entry; what it was to place stood written ahead. */
  function interruptedAtExits(): void {
    lane.broker.held = [position(2)];
    interrupted(to3, [52], { terms });
    const record = lane.record(ID);
    const plan = { contract: ES, side: "SELL", orderQty: 2, stopLossPx, canceled: "" } as const;
    lane.intents.put({ ...record, plan });
  }

  test("they stand: that is what it did, and nothing is added to it any more", async () => {
    interruptedAtExits();
    const leg = { role: "STOP_LOSS", stopPx: stopLossPx, leavesQty: 2, orderQty: 2 } as const;
    lane.broker.show({ ...leg, orderId: orderId("s") });
    const { states, outcome } = await settled();
    expect(states).toEqual(["UNKNOWN", "DONE"]);
    expect(outcome).toMatchObject({
      result: {
        exits: { kind: "standing", contract: ES, orderQty: 2, stopLossOrderId: "s" },
        problems: [INTERRUPTED],
      },
    });
  });

  test("they do not: the position is without what was asked for", async () => {
    interruptedAtExits();
    const { states } = await settled();
    expect(states).toEqual(["UNKNOWN", "LOST"]);
    expect(missingExits(lane.record(ID))).toEqual([{ contract: ES, exits: ["STOP_LOSS"] }]);
  });

  test("what it closed before is told, with the exits that are missing", async () => {
    interruptedAtExits();
    filled(1, "SELL", 2);
    lane.intents.put({
      ...lane.record(ID),
      clOrdIds: [1, 52].map((nth) => clOrdIdOf(ID, nth)),
    });
    const { outcome } = await settled();
    expect(outcome).toMatchObject({
      result: { closed: [{ netQty: 2 }], exits: { kind: "missing", exits: ["STOP_LOSS"] } },
    });
  });
});

describe("interrupted after its cancels", () => {
  test("it is lost, and says that exits may be gone", async () => {
    lane.broker.held = [position(2)];
    interrupted({ to: "reverse" }, [1]);
    const { states, outcome } = await settled();
    expect(states).toEqual(["UNKNOWN", "LOST"]);
    expect(outcome).toMatchObject({ reason: expect.stringContaining("may be cancelled, exits") });
  });
});

describe("interrupted after the close was sent", () => {
  beforeEach(() => interrupted({ to: "reverse" }, [1, 2]));

  test("the close that was done is told, and that the rest is not sent", async () => {
    filled(2, "SELL", 2);
    const { states, outcome } = await settled();
    expect(states).toEqual(["UNKNOWN", "DONE"]);
    expect(outcome).toMatchObject({
      result: {
        kind: "ADJUST",
        contract: ES,
        closed: [{ contract: ES, netQty: 2, orderId: "o2" }],
        netQty: 0,
        problems: [INTERRUPTED],
      },
    });
  });

  test("a close of which only fills are left is found too", async () => {
    lane.broker.executions.push({
      execId: execId("e1"),
      orderId: orderId("7"),
      clOrdId: clOrdId("i1-2"),
      contract: ES,
      side: "BUY",
      lastQty: 2,
      lastPx: ticks(4_000),
      transactTimeAt: lane.intents.clock,
    });
    const { outcome } = await settled();
    expect(outcome).toMatchObject({ result: { closed: [{ netQty: -2, orderId: "7" }] } });
  });

  test("a close that was refused is a rejection", async () => {
    filled(2, "SELL", 0, { ordStatus: "REJECTED", text: "Halted" });
    expect((await settled()).outcome).toEqual({ kind: "rejected", reason: "Halted" });
  });

  test("a close that still fills is told as such", async () => {
    filled(2, "SELL", 1, { ordStatus: "PARTIALLY_FILLED", leavesQty: 1 });
    lane.broker.held = [position(1)];
    expect((await settled()).outcome).toMatchObject({
      result: { netQty: 1, problems: ["A close is still being filled", INTERRUPTED] },
    });
  });

  test("a close that never came makes it lost", async () => {
    lane.broker.held = [position(2)];
    showPair(lane.broker);
    expect((await settled()).states).toEqual(["UNKNOWN", "LOST"]);
  });

  test("one that shows up between two look-ups is looked up once more", async () => {
    expect((await lane.settler.settle(lane.record(ID), lane.broker)).state).toBe("UNKNOWN");
    lane.intents.clock += 5_000;
    filled(2, "SELL", 2);
    expect((await settled()).states).toEqual(["UNKNOWN", "DONE"]);
  });
});

describe("interrupted after the entry was sent", () => {
  beforeEach(() => interrupted({ to: "reverse" }, [1, 100]));

  test("all of it is adopted, and nothing is a problem", async () => {
    filled(1, "SELL", 2);
    filled(100, "SELL", 2);
    lane.broker.held = [position(-2)];
    expect((await settled()).outcome).toMatchObject({
      result: {
        closed: [{ netQty: 2 }],
        order: { orderId: "o100", side: "SELL", orderQty: 2, cumQty: 2, ordStatus: "FILLED" },
        netQty: -2,
        problems: [],
      },
    });
  });

  test("its legs are found by their entry", async () => {
    const level = { by: "price", price: ticks(4_000) } as const;
    const terms = { ordType: "MARKET", timeInForce: "DAY", bracket: { stopLoss: level } } as const;
    interrupted({ to: "reverse" }, [1, 100], { terms });
    filled(1, "SELL", 2);
    const parentOrderId = filled(100, "SELL", 2).orderId;
    expect((await settled()).outcome).toMatchObject({
      result: { order: { legsUnconfirmed: true } },
    });
    interrupted({ to: "reverse" }, [1, 100], { terms });
    lane.broker.show({ orderId: orderId("sl"), role: "STOP_LOSS", parentOrderId });
    const { outcome } = await settled();
    expect(outcome).toMatchObject({ result: { order: { stopLossOrderId: "sl" } } });
    expect(outcome).not.toMatchObject({ result: { order: { legsUnconfirmed: true } } });
  });

  test("an entry that was refused after its close is a problem", async () => {
    filled(1, "SELL", 2);
    filled(100, "SELL", 0, { ordStatus: "REJECTED", text: "No margin" });
    expect((await settled()).outcome).toMatchObject({
      result: {
        closed: [{ netQty: 2 }],
        problems: ["The order was not placed: No margin"],
      },
    });
  });

  test("an entry alone that was refused is a rejection, one that never came is lost", async () => {
    filled(100, "SELL", 0, { ordStatus: "REJECTED", text: "No margin" });
    expect((await settled()).outcome).toEqual({ kind: "rejected", reason: "No margin" });
    lane.broker.orders.clear();
    interrupted({ to: "position", netQty: 1 }, [100]);
    expect((await settled()).states).toEqual(["UNKNOWN", "LOST"]);
  });
});

describe("interrupted with its entry, after what rested was cancelled for it", () => {
  beforeEach(() => {
    const clOrdId = clOrdIdOf(intentId("i2"), 1);
    lane.broker.show({ orderId: orderId("7"), clOrdId, ordStatus: "CANCELED", leavesQty: 0 });
    interrupted({ to: "order", side: "BUY", qty: 2 }, [1, 100], { cancelFirst: true });
    const cancels = [{ orderId: orderId("7"), clOrdId, contract: ES, role: "ORDER" }] as const;
    lane.intents.put({ ...lane.record(ID), exitPlan: { closes: [], cancels, opens: true } });
  });

  test("an entry that never came: what was cancelled is told, and nothing is safe to repeat", async () => {
    const { states, outcome } = await settled();
    expect(states).toEqual(["UNKNOWN", "DONE"]);
    expect(outcome).toMatchObject({
      result: { canceledOrderIds: ["7"], problems: [INTERRUPTED] },
    });
  });

  test("so it is beside an entry that was refused", async () => {
    filled(100, "BUY", 0, { ordStatus: "REJECTED", text: "No margin" });
    expect((await settled()).outcome).toMatchObject({
      result: { canceledOrderIds: ["7"], problems: ["The order was not placed: No margin"] },
    });
  });

  test("what could not be cancelled was not: then it is lost", async () => {
    lane.broker.change(orderId("7"), { ordStatus: "FILLED" });
    expect((await settled()).states).toEqual(["UNKNOWN", "LOST"]);
  });
});

describe("whether the aim was reached", () => {
  test.each<[Aim, held: number, reached: boolean]>([
    [{ to: "position", netQty: 0 }, 0, true],
    [{ to: "position", netQty: 1 }, 1, true],
    [{ to: "position", netQty: -2 }, 0, false],
    [{ to: "close", percent: 100 }, 0, true],
    [{ to: "close", percent: 100 }, 1, false],
    [{ to: "close", percent: 50 }, 2, true],
    [{ to: "close", qty: 2 }, 1, true],
    [{ to: "close", qty: 3 }, 1, false],
    [{ to: "enter", side: "SELL", qty: 2, whenHeld: "add", whenOpposite: "reduceIfLess" }, 1, true],
    [{ to: "enter", side: "SELL", qty: 2, whenHeld: "add", whenOpposite: "close" }, 0, false],
    [{ to: "reverse" }, 0, false],
  ])("of %j with a close of 2 found, holding %i: %s", async (aim, held, reached) => {
    interrupted(aim, [1]);
    filled(1, "SELL", 2);
    if (held !== 0) lane.broker.held = [position(held)];
    expect((await settled()).outcome).toMatchObject({
      result: { problems: reached ? [] : [INTERRUPTED] },
    });
  });
});

test("on the lane, what was begun is looked up and never sent again", async () => {
  interrupted({ to: "position", netQty: 1 }, [100]);
  expect(await lane.work(ID)).toBe("unsettled");
  expect(lane.broker.commands).toEqual([]);
});
