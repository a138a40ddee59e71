import { beforeEach, describe, expect, test } from "vitest";
import type { AdjustIntent } from "../../../../src/domain/adjust.ts";
import type { Aim } from "../../../../src/domain/alert.ts";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import { ADJUST_ENTRY_NTH } from "../../../../src/domain/superseded-orders.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { ES, type Lane, NOT_SENT, openLane, position, REJECTED, UNKNOWN } from "../lane-kit.ts";
import { adjustIntent, namesIn, nextFillsTo, resultOf, to } from "./adjust-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const adjust = (aim: Aim, change: Partial<AdjustIntent> = {}) =>
  lane.run(adjustIntent(aim, change));
const names = () => namesIn(lane);
const fillsTo = (...held: number[]) => nextFillsTo(lane, ...held);
const rest = (id: string) => lane.broker.show({ orderId: orderId(id), side: "BUY" });

describe("cancelling first", () => {
  test("then the position is read again: what has filled meanwhile is counted", async () => {
    rest("rests");
    lane.broker.next.cancel.push(() => {
      lane.broker.change(orderId("rests"), { ordStatus: "FILLED", cumQty: 1, leavesQty: 0 });
      lane.broker.held = [position(1)];
      return REJECTED;
    });
    await adjust(to(3), { cancelFirst: true });
    expect(lane.broker.sent).toMatchObject([{ side: "BUY", orderQty: 2 }]);
  });

  test("what fills where nothing was to be closed is closed too", async () => {
    rest("rests");
    lane.broker.next.cancel.push(() => {
      lane.broker.change(orderId("rests"), { ordStatus: "FILLED", cumQty: 1, leavesQty: 0 });
      lane.broker.held = [position(1)];
      return REJECTED;
    });
    await adjust({ to: "close", percent: 100 }, { cancelFirst: true });
    expect(names()).toEqual(["cancel rests", `close ${ES}`]);
  });

  test("an order that cannot be cancelled keeps the entry back, and is told", async () => {
    rest("rests");
    lane.broker.next.cancel.push(REJECTED);
    const other = rest("other");
    const record = await adjust(to(1), { cancelFirst: true });
    expect(names()).toEqual(["cancel rests", "cancel other"]);
    expect(resultOf(record)).toMatchObject({
      canceledOrderIds: [other.orderId],
      problems: ["Not today", expect.stringContaining("The order was not placed")],
    });
  });

  test.each([REJECTED, UNKNOWN, NOT_SENT])("a way out goes all the same: %j", async (answer) => {
    lane.broker.held = [position(2)];
    rest("rests");
    lane.broker.next.cancel.push(answer);
    await adjust({ to: "order", side: "SELL", qty: 2 }, { cancelFirst: true });
    expect(lane.broker.sent).toMatchObject([{ side: "SELL", orderQty: 2 }]);
  });

  test.each<[string, Partial<OrderReport>, number]>([
    ["one that turns the position around", {}, 3],
    ["what still fills and may end", { ordType: "MARKET", clOrdId: clOrdId("manual-1") }, 4],
  ])("%s waits for what would not be cancelled", async (_, change, qty) => {
    lane.broker.held = [position(2)];
    rest("rests");
    lane.broker.show({ orderId: orderId("other"), side: "BUY", leavesQty: 2, ...change });
    lane.broker.next.cancel.push(REJECTED);
    await adjust({ to: "order", side: "SELL", qty }, { cancelFirst: true });
    expect(lane.broker.sent).toEqual([]);
  });

  test("one that limits refuse closes what is held, whose stop it has cancelled", async () => {
    lane.broker.held = [position(2)];
    lane.broker.show({ orderId: orderId("stop"), side: "SELL", ordType: "STOP", leavesQty: 2 });
    const record = await adjust({ to: "order", side: "SELL", qty: 90 }, { cancelFirst: true });
    expect(names()).toEqual(["cancel stop", "submit i1-100"]);
    expect(lane.broker.sent).toMatchObject([{ side: "SELL", orderQty: 2 }]);
    expect(record.state).toBe("DONE");
    expect(resultOf(record).problems.join()).toContain("over the account's limit");
  });

  test("a stop that has begun to fill goes on: it closes what is held", async () => {
    lane.broker.held = [position(-3)];
    const stop = { ordType: "STOP", side: "BUY", orderQty: 6, cumQty: 3, leavesQty: 3 } as const;
    lane.broker.show({ ...stop, orderId: orderId("stop") });
    const limit = { ordType: "LIMIT", timeInForce: "DAY", price: ticks(3_990) } as const;
    await adjust({ to: "order", side: "BUY", qty: 3 }, { cancelFirst: true, terms: limit });
    expect(names()).toEqual(["submit i1-100"]);
  });

  test("while a close fills, the stop of what is held stays until it has", async () => {
    lane.broker.held = [position(5)];
    const sell = { side: "SELL", contract: ES } as const;
    const close = { ordType: "MARKET", orderQty: 6, cumQty: 1, leavesQty: 5 } as const;
    lane.broker.show({ ...sell, ...close, orderId: orderId("close") });
    lane.broker.show({ ...sell, ordType: "STOP", orderId: orderId("stop") });
    rest("rests");
    const limit = { ordType: "LIMIT", timeInForce: "DAY", price: ticks(4_010) } as const;
    await adjust({ to: "order", side: "SELL", qty: 6 }, { cancelFirst: true, terms: limit });
    expect(names()).toEqual(["cancel rests", "submit i1-100"]);
  });

  test("cancels that never left end it as not sent", async () => {
    rest("rests");
    lane.broker.next.cancel.push(NOT_SENT);
    expect((await adjust(to(1), { cancelFirst: true })).state).toBe("NOTSENT");
    expect(lane.broker.sent).toEqual([]);
  });
});

test.each([0, 2, -2])(
  "a target of nothing, holding %i, leaves no earlier target its order",
  async (held) => {
    lane.broker.held = held === 0 ? [] : [position(held)];
    const resting = { ordType: "LIMIT", leavesQty: 3, orderQty: 3 } as const;
    const ofTarget = `i${"f".repeat(28)}-${ADJUST_ENTRY_NTH}` as never;
    lane.broker.show({ ...resting, orderId: orderId("target"), clOrdId: ofTarget, side: "BUY" });
    lane.broker.show({ ...resting, orderId: orderId("plain"), side: "BUY" });
    const { outcome } = await adjust(to(0));
    expect(outcome).toMatchObject({ kind: "done", result: { canceledOrderIds: ["target"] } });
    expect(lane.broker.held).toEqual([]);
    expect(lane.broker.orders.get("plain")?.ordStatus).toBe("NEW");
  },
);

describe("beside what is still being filled", () => {
  const filling = (change: Partial<OrderReport> = {}) =>
    lane.broker.show({
      orderId: orderId("buy"),
      side: "BUY",
      ordType: "MARKET",
      ordStatus: "PARTIALLY_FILLED",
      orderQty: 10,
      cumQty: 3,
      leavesQty: 7,
      ...change,
    });
  beforeEach(() => {
    lane.broker.held = [position(3)];
    filling();
  });

  test("the same target again sends nothing, and says what is missing yet", async () => {
    expect(resultOf(await adjust(to(10)))).toMatchObject({
      netQty: 3,
      problems: ["Of 10 ESZ6 3 are held yet, and the rest is being filled"],
    });
    expect(lane.broker.commands).toEqual([]);
  });

  test("another target cancels it, and counts what it filled until then", async () => {
    lane.broker.next.cancel.push(() => {
      lane.broker.held = [position(5)];
      return undefined;
    });
    fillsTo(12);
    expect(resultOf(await adjust(to(12)))).toMatchObject({ netQty: 12, problems: [] });
    expect(names()).toEqual(["cancel buy", expect.stringContaining("submit")]);
    expect(lane.broker.sent).toMatchObject([{ side: "BUY", orderQty: 7 }]);
  });

  test("flat cancels it, and closes what it has filled", async () => {
    expect(resultOf(await adjust(to(0)))).toMatchObject({
      closed: [{ netQty: 3 }],
      canceledOrderIds: ["buy"],
      netQty: 0,
      problems: [],
    });
    expect(names()).toEqual(["cancel buy", `close ${ES}`]);
  });

  test("one that will not be cancelled lets nothing be sent beside it", async () => {
    lane.broker.next.cancel.push(REJECTED);
    const { outcome } = await adjust({ to: "close", qty: 2 });
    expect(outcome).toMatchObject({
      kind: "notSent",
      reason: expect.stringContaining("ask again"),
    });
    lane.broker.next.cancel.push(REJECTED);
    const { problems } = resultOf(await adjust(to(12), {}));
    expect(problems).toContainEqual(expect.stringContaining("was not placed"));
    expect(lane.broker.sent).toEqual([]);
  });
});

test("a target that rests takes the place of the one before it", async () => {
  rest("earlier");
  const terms = { ordType: "LIMIT", timeInForce: "DAY", price: ticks(3_980) } as const;
  await adjust(to(2), { terms });
  expect(names()).toEqual(["cancel earlier", expect.stringContaining("submit")]);
  expect(lane.broker.sent).toMatchObject([{ side: "BUY", orderQty: 2, price: 3_980 }]);
});

test("a target that rests is not placed beside one that will not be cancelled", async () => {
  rest("earlier");
  lane.broker.next.cancel.push(REJECTED);
  const terms = { ordType: "LIMIT", timeInForce: "DAY", price: ticks(3_980) } as const;
  const { problems } = resultOf(await adjust(to(2), { terms }));
  expect(problems).toContainEqual(expect.stringContaining("was not placed"));
  expect(lane.broker.sent).toEqual([]);
});

test("a part of a position that goes with what rests leaves its stop, cut to the rest", async () => {
  lane.broker.held = [position(5)];
  const stop = { side: "SELL", ordType: "STOP", orderQty: 5, leavesQty: 5 } as const;
  lane.broker.show({ orderId: orderId("stop"), ...stop });
  rest("entry");
  fillsTo(2);
  const done = resultOf(await adjust({ to: "close", qty: 3 }, { cancelFirst: true }));
  expect(done).toMatchObject({ canceledOrderIds: ["entry"], netQty: 2, problems: [] });
  expect(lane.broker.commands.at(-1)).toEqual(["modify", "stop", { orderQty: 2 }]);
});
