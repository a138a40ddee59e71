import { beforeEach, describe, expect, test } from "vitest";
import { orderId } from "../../../../src/domain/ids.ts";
import {
  BrokerReadError,
  type CommandOutcome,
  type SubmitOutcome,
} from "../../../../src/trading/ports.ts";
import {
  type Lane,
  NOT_SENT,
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

const cancel = (id: string) => lane.run({ kind: "CANCEL", orderId: orderId(id) });

describe("one order", () => {
  test("is cancelled, and nothing else is touched", async () => {
    lane.broker.show({ orderId: orderId("7") });
    lane.broker.show({ orderId: orderId("8") });
    expect(await cancel("7")).toMatchObject({
      state: "DONE",
      outcome: { result: { kind: "CANCEL", orderId: "7" } },
    });
    expect(lane.broker.commands).toEqual([["cancel", "7"]]);
  });

  test.each<[CommandOutcome, string]>([
    [REJECTED, "REJECTED"],
    [NOT_SENT, "NOTSENT"],
    [UNKNOWN, "UNKNOWN"],
  ])("%j ends the intent as %s", async (answer, state) => {
    lane.broker.show({ orderId: orderId("7") });
    lane.broker.next.cancel.push(answer);
    expect((await cancel("7")).state).toBe(state);
  });

  test("an order that the broker does not show is asked for all the same", async () => {
    expect((await cancel("404")).state).toBe("REJECTED");
    expect(lane.broker.commands).toEqual([["cancel", "404"]]);
  });

  test("what a person has put aside is cancelled", async () => {
    lane.broker.show({ orderId: orderId("7"), role: "ORDER", ordStatus: "HELD" });
    expect((await cancel("7")).state).toBe("DONE");
  });

  test("a leg that waits for its entry is refused, and nothing is sent", async () => {
    lane.broker.show({ orderId: orderId("7"), role: "STOP_LOSS", ordStatus: "HELD" });
    expect((await cancel("7")).state).toBe("REJECTED");
    expect(lane.broker.commands).toEqual([]);
  });
});

describe("a leg of a pair", () => {
  test("the other one goes back to the broker on its own, under a new id", async () => {
    showPair(lane.broker);
    const { outcome } = await cancel("tp");
    expect(outcome).toMatchObject({
      result: { replacedLeg: { role: "STOP_LOSS", orderId: "101" } },
    });
    expect(lane.broker.commands).toEqual([
      ["cancel", "tp"],
      ["cancel", "sl"],
      ["protect", 2],
    ]);
    expect(lane.broker.protections).toEqual([
      {
        contract: "ESZ2026",
        side: "SELL",
        orderQty: 2,
        stopLoss: { clOrdId: "i1-2-SL", stopPx: 3_960 },
      },
    ]);
  });

  test("a take-profit that is left keeps its price", async () => {
    showPair(lane.broker);
    await cancel("sl");
    expect(lane.broker.protections).toMatchObject([
      { takeProfit: { clOrdId: "i1-2-TP", price: 4_040 } },
    ]);
  });

  test("a broker that ends the other leg by itself is not asked to", async () => {
    showPair(lane.broker);
    lane.setConnection({ cancelEndsLinkedLeg: true });
    lane.broker.next.cancel.push(() => {
      lane.broker.change(orderId("sl"), { ordStatus: "CANCELED", leavesQty: 0 });
      return { kind: "accepted" };
    });
    expect((await cancel("tp")).state).toBe("DONE");
    expect(lane.broker.commands).toEqual([
      ["cancel", "tp"],
      ["protect", 2],
    ]);
  });

  test.each([
    ["has filled meanwhile", 2, 0],
    ["has half filled meanwhile", 1, 1],
  ])("the other one %s: what is left is placed", async (_, cumQty, placed) => {
    showPair(lane.broker);
    lane.setConnection({ cancelEndsLinkedLeg: true });
    lane.broker.next.cancel.push(() => {
      lane.broker.held = cumQty === 2 ? [] : [position(2 - cumQty)];
      lane.broker.change(orderId("sl"), { ordStatus: "CANCELED", cumQty, leavesQty: 0 });
      return { kind: "accepted" };
    });
    expect((await cancel("tp")).state).toBe("DONE");
    expect(lane.broker.protections.map(({ orderQty }) => orderQty)).toEqual(placed ? [placed] : []);
  });

  test("the other one's cancel is refused because it filled: nothing is placed again", async () => {
    showPair(lane.broker);
    lane.broker.held = [position(2)];
    lane.broker.next.cancel.push(
      () => undefined,
      () => {
        lane.broker.held = [];
        lane.broker.change(orderId("sl"), { ordStatus: "FILLED", cumQty: 2, leavesQty: 0 });
        return REJECTED;
      },
    );
    const { outcome } = await cancel("tp");
    expect(outcome).toEqual({ kind: "done", result: { kind: "CANCEL", orderId: "tp" } });
    expect(lane.broker.protections).toEqual([]);
  });

  test("one that filled and that nobody can find by an identifier is not placed again", async () => {
    showPair(lane.broker);
    const { clOrdId: _, ...leg } = lane.broker.orders.get("sl") ?? showPair(lane.broker).loss;
    lane.broker.orders.set("sl", leg);
    lane.broker.held = [position(2)];
    lane.broker.next.cancel.push(
      () => undefined,
      () => {
        lane.broker.held = [];
        lane.broker.change(orderId("sl"), { ordStatus: "FILLED", cumQty: 2, leavesQty: 0 });
        return REJECTED;
      },
    );
    expect((await cancel("tp")).state).toBe("DONE");
    expect(lane.broker.protections).toEqual([]);
  });

  test("the other one has closed a position that is still shown: nothing is placed", async () => {
    showPair(lane.broker);
    lane.setConnection({ cancelEndsLinkedLeg: true });
    lane.broker.next.cancel.push(() => {
      lane.broker.change(orderId("sl"), { ordStatus: "FILLED", cumQty: 2, leavesQty: 0 });
      return { kind: "accepted" };
    });
    expect((await cancel("tp")).state).toBe("DONE");
    expect(lane.broker.commands).toEqual([["cancel", "tp"]]);
  });

  test("the other one is never placed larger than what is held", async () => {
    showPair(lane.broker, 3);
    lane.broker.held = [position(3)];
    lane.setConnection({ cancelEndsLinkedLeg: true });
    lane.broker.next.cancel.push(() => {
      // One contract of the cancelled leg has just filled: the broker shrank the other leg by it.
      lane.broker.held = [position(2)];
      lane.broker.change(orderId("tp"), { cumQty: 1 });
      const shrunk = { orderQty: 2, cumQty: 0, leavesQty: 0, ordStatus: "CANCELED" } as const;
      lane.broker.change(orderId("sl"), shrunk);
      return { kind: "accepted" };
    });
    expect((await cancel("tp")).state).toBe("DONE");
    expect(lane.broker.protections.map(({ orderQty }) => orderQty)).toEqual([2]);
  });

  test("the other one comes back for what of it had not filled, beside other pairs", async () => {
    showPair(lane.broker, 3);
    lane.broker.change(orderId("sl"), { cumQty: 1, leavesQty: 2 });
    lane.broker.held = [position(5)];
    expect((await cancel("tp")).state).toBe("DONE");
    expect(lane.broker.protections.map(({ orderQty }) => orderQty)).toEqual([2]);
  });

  test("the other one that is not cancelled stands as it stood", async () => {
    showPair(lane.broker);
    lane.broker.held = [position(2)];
    lane.broker.next.cancel.push(() => undefined, NOT_SENT);
    const { outcome } = await cancel("tp");
    expect(outcome).toEqual({ kind: "done", result: { kind: "CANCEL", orderId: "tp" } });
    expect(lane.broker.protections).toEqual([]);
  });

  test("one that still works after its cancel was refused stands as it stood", async () => {
    showPair(lane.broker);
    lane.broker.next.cancel.push(() => undefined, REJECTED);
    const { outcome } = await cancel("tp");
    expect(outcome).toEqual({ kind: "done", result: { kind: "CANCEL", orderId: "tp" } });
    expect(lane.broker.protections).toEqual([]);
  });

  test("one that is about to end after its cancel was refused does not stand: it is unknown", async () => {
    showPair(lane.broker);
    lane.broker.next.cancel.push(
      () => undefined,
      () => {
        lane.broker.change(orderId("sl"), { ordStatus: "PENDING_CANCEL" });
        return REJECTED;
      },
    );
    expect((await cancel("tp")).state).toBe("UNKNOWN");
    expect(lane.broker.protections).toEqual([]);
  });

  test("a broker that cannot be read in between leaves it unknown, with what is to stand", async () => {
    const { profit, loss } = showPair(lane.broker);
    lane.setConnection({ cancelEndsLinkedLeg: true });
    lane.broker.next.cancel.push(() => {
      lane.broker.unreadable = new BrokerReadError("The session is gone");
      return { kind: "accepted" };
    });
    expect(await cancel("tp")).toMatchObject({
      state: "UNKNOWN",
      plan: {
        contract: "ESZ2026",
        side: "SELL",
        orderQty: 2,
        stopLossPx: 3_960,
        canceledClOrdId: profit.clOrdId,
        oldOrderIds: ["sl"],
        survivorClOrdId: loss.clOrdId,
      },
    });
  });

  test("the other one's cancel is unknown: so is the outcome", async () => {
    showPair(lane.broker);
    lane.broker.next.cancel.push(() => undefined, UNKNOWN);
    expect((await cancel("tp")).state).toBe("UNKNOWN");
    expect(lane.broker.protections).toEqual([]);
  });

  test.each<[SubmitOutcome, string]>([
    [REJECTED, "UNPROTECTED"],
    [NOT_SENT, "UNPROTECTED"],
    [UNKNOWN, "UNKNOWN"],
  ])("%j to the new leg ends the intent as %s", async (answer, state) => {
    showPair(lane.broker);
    lane.broker.next.protect.push(answer);
    const { outcome } = await cancel("tp");
    expect(outcome?.kind.toUpperCase()).toBe(state);
  });

  test("an unprotected position says which level is gone, as its price is written", async () => {
    showPair(lane.broker);
    lane.broker.next.protect.push(REJECTED);
    const { outcome } = await cancel("tp");
    expect(outcome).toEqual({
      kind: "unprotected",
      restored: false,
      canceled: "stop-loss of 2 ESZ6 at 990",
      reason: "Not today",
    });
  });

  test("its own refused cancel leaves the pair alone", async () => {
    showPair(lane.broker);
    lane.broker.next.cancel.push(REJECTED);
    expect((await cancel("tp")).state).toBe("REJECTED");
    expect(lane.broker.commands).toEqual([["cancel", "tp"]]);
  });
});
