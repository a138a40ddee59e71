import { beforeEach, expect, test } from "vitest";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { missingExits } from "../../../../src/domain/asked-exits.ts";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import type { CommandOutcome } from "../../../../src/trading/ports.ts";
import {
  ACCOUNT,
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
});

const cancelEntries = () => lane.run({ kind: "CANCEL_ENTRIES" });

test("entries go, exits and legs stay", async () => {
  lane.broker.held = [position(2)];
  showPair(lane.broker);
  lane.broker.show({ orderId: orderId("grows"), side: "BUY" });
  lane.broker.show({ orderId: orderId("reduces"), side: "SELL", leavesQty: 2 });
  lane.broker.show({ orderId: orderId("turns"), side: "SELL", leavesQty: 3 });
  lane.broker.show({ orderId: orderId("opens"), side: "SELL", contract: NQ });
  const { outcome } = await cancelEntries();
  expect(outcome).toEqual({
    kind: "done",
    result: { kind: "CANCEL_ENTRIES", canceledOrderIds: ["grows", "turns", "opens"] },
  });
});

test("without entries nothing is sent", async () => {
  expect((await cancelEntries()).state).toBe("DONE");
  expect(lane.broker.commands).toEqual([]);
});

test("the kill switch that is on does not stop it", async () => {
  lane.intents.accountKillSwitch = { active: true };
  lane.broker.show({ orderId: orderId("entry"), side: "BUY" });
  expect((await cancelEntries()).state).toBe("DONE");
  expect(lane.broker.commands).toEqual([["cancel", "entry"]]);
});

test("an entry that has just filled is left out, the others still go", async () => {
  lane.broker.show({ orderId: orderId("1"), side: "BUY" });
  lane.broker.show({ orderId: orderId("2"), side: "BUY" });
  lane.broker.next.cancel.push(() => {
    lane.broker.change(orderId("1"), { ordStatus: "FILLED", leavesQty: 0 });
    return REJECTED;
  });
  const { outcome } = await cancelEntries();
  expect(outcome).toMatchObject({ result: { canceledOrderIds: ["2"] } });
});

test("an entry that rests on although its cancel was refused is never answered as gone", async () => {
  lane.broker.show({ orderId: orderId("1"), side: "BUY" });
  lane.broker.show({ orderId: orderId("2"), side: "BUY" });
  lane.broker.next.cancel.push(REJECTED);
  const { intentId: id, outcome } = await cancelEntries();
  expect(outcome).toMatchObject({
    kind: "unknown",
    reason: expect.stringContaining(REJECTED.reason),
    soFar: { canceledOrderIds: ["2"] },
  });
  await lane.settlePending(ACCOUNT);
  const result = { canceledOrderIds: ["2", "1"] };
  expect(lane.record(id)).toMatchObject({ state: "DONE", outcome: { result } });
});

test("of two exits that could both fill, the older one stays", async () => {
  lane.broker.held = [position(2)];
  lane.broker.show({ orderId: orderId("older"), side: "SELL", leavesQty: 2 });
  lane.broker.show({ orderId: orderId("newer"), side: "SELL", leavesQty: 1 });
  const { outcome } = await cancelEntries();
  expect(outcome).toMatchObject({ result: { canceledOrderIds: ["newer"] } });
});

test("of a limit and a stop that could both fill, the stop stays", async () => {
  lane.broker.held = [position(2)];
  lane.broker.show({ orderId: orderId("limit"), side: "SELL", leavesQty: 2 });
  lane.broker.show({ orderId: orderId("stop"), side: "SELL", leavesQty: 2, ordType: "STOP" });
  const { outcome } = await cancelEntries();
  expect(outcome).toMatchObject({ result: { canceledOrderIds: ["limit"] } });
});

test("a stop that is larger than the position is cut to it, or goes where it cannot be", async () => {
  lane.broker.held = [position(2)];
  const stop = {
    side: "SELL",
    ordType: "STOP_LIMIT",
    orderQty: 6,
    cumQty: 1,
    leavesQty: 5,
  } as const;

  lane.broker.show({ ...stop, orderId: orderId("stop") });
  expect((await cancelEntries()).outcome).toMatchObject({ result: { canceledOrderIds: [] } });
  expect(lane.broker.commands).toEqual([["modify", "stop", { orderQty: 3 }]]);

  lane.broker.change(orderId("stop"), { leavesQty: 5 });
  lane.broker.next.modify.push(REJECTED);
  const record = await cancelEntries();
  expect(record.outcome).toMatchObject({ result: { canceledOrderIds: ["stop"] } });
  // What is held has lost it, and is told of.
  expect(missingExits(record)).toEqual([{ contract: ES, exits: ["STOP_LOSS"] }]);
});

test.each<CommandOutcome>([NOT_SENT, UNKNOWN])(
  "%j to one cancel is never answered as nothing: it is looked at again",
  async (answer) => {
    lane.broker.show({ orderId: orderId("1"), side: "BUY" });
    lane.broker.show({ orderId: orderId("2"), side: "BUY" });
    lane.broker.next.cancel.push(() => undefined, answer);
    const { intentId: id, state } = await cancelEntries();
    expect(state).toBe("UNKNOWN");
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).state).toBe("DONE");
  },
);

test.each<CommandOutcome>([NOT_SENT, UNKNOWN])(
  "%j to a cut leaves the stop where it is, and it is tried again",
  async (answer) => {
    lane.broker.held = [position(2)];
    const stop = { side: "SELL", ordType: "STOP", orderQty: 5, leavesQty: 5 } as const;
    lane.broker.show({ ...stop, orderId: orderId("stop") });
    lane.broker.next.modify.push(answer);
    const { intentId: id, state } = await cancelEntries();
    expect(state).toBe("UNKNOWN");
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id)).toMatchObject({
      state: "DONE",
      outcome: { result: { canceledOrderIds: [] } },
    });
    expect(lane.broker.orders.get("stop")).toMatchObject({ ordStatus: "NEW", leavesQty: 2 });
  },
);

test.each([
  ["a stop", { ordType: "STOP" } as const],
  ["a close", { ordType: "MARKET" } as const],
])("%s that fills while the account is read stays as large as it is", async (_, terms) => {
  lane.broker.held = [position(5)];
  const exit = { ...terms, side: "SELL", orderQty: 5, leavesQty: 5 } as const;
  lane.broker.show({ ...exit, orderId: orderId("exit") });
  const working = lane.broker.workingOrders.bind(lane.broker);
  lane.broker.workingOrders = async () => {
    const shown = await working();
    lane.broker.change(orderId("exit"), { cumQty: 3, leavesQty: 2 });
    lane.broker.held = [position(2)];
    return shown;
  };
  expect((await cancelEntries()).outcome).toMatchObject({ result: { canceledOrderIds: [] } });
  expect(lane.broker.commands).toEqual([]);
});

test("what was placed by hand is left alone", async () => {
  lane.broker.show({ orderId: orderId("ours"), side: "BUY" });
  lane.broker.show({ orderId: orderId("by hand"), side: "BUY", clOrdId: clOrdId("manual-7") });
  const { outcome } = await cancelEntries();
  expect(outcome).toMatchObject({ result: { canceledOrderIds: ["ours"] } });
});

/** As they would be shown beside a long position of two. */
const BY_HAND: Readonly<Record<string, object>> = {
  grows: { side: "BUY" },
  stop: { side: "SELL", ordType: "STOP", stopPx: ticks(90), orderQty: 2, leavesQty: 2 },
  target: { side: "SELL", price: ticks(110), orderQty: 2, leavesQty: 2 },
  turns: { side: "SELL", price: ticks(120), orderQty: 3, leavesQty: 3 },
  "in another contract": { side: "SELL", contract: NQ },
  "one of two that end each other": { side: "BUY", contract: NQ, role: "STOP_LOSS" },
};

test("where a guard asks for it, what was placed by hand goes as far as it could enter", async () => {
  lane.broker.held = [position(2)];
  for (const [id, change] of Object.entries(BY_HAND)) {
    lane.broker.show({ orderId: orderId(id), clOrdId: clOrdId(`manual ${id}`), ...change });
  }
  const { outcome } = await lane.run({ kind: "CANCEL_ENTRIES", includesForeign: true });
  expect(outcome).toMatchObject({
    result: {
      canceledOrderIds: ["grows", "in another contract", "one of two that end each other"],
    },
  });
  expect(lane.broker.orders.get(orderId("turns"))?.leavesQty).toBe(2);
});

test.each([
  [{ root: "ES" }, ["es", "later"]],
  [{ root: "ES", contract: ES }, ["es"]],
  [{}, ["es", "later", "nq"]],
])("of %j only those go, on the lane and after an interruption", async (scope, canceled) => {
  const showAll = () => {
    lane.broker.show({ orderId: orderId("es"), side: "BUY" });
    const later = "ESH2027" as ContractCode;
    lane.broker.show({ orderId: orderId("later"), side: "BUY", contract: later });
    lane.broker.show({ orderId: orderId("nq"), side: "BUY", contract: NQ });
  };
  showAll();
  const record = await lane.run({ kind: "CANCEL_ENTRIES", ...scope });
  expect(record.outcome).toMatchObject({ result: { canceledOrderIds: canceled } });
  showAll();
  lane.intents.put({ ...record, state: "UNKNOWN" });
  await lane.settlePending(ACCOUNT);
  expect(lane.record(record.intentId).outcome).toMatchObject({
    result: { canceledOrderIds: canceled },
  });
});
