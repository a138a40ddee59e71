import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, execId, type IntentId, orderId } from "../../../../../src/domain/ids.ts";
import { clOrdIdOf, type Intent } from "../../../../../src/domain/intent.ts";
import type { LegPlan } from "../../../../../src/domain/carried-plan.ts";
import type { OrderReport } from "../../../../../src/domain/order.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import {
  ES,
  type Lane,
  NOT_SENT,
  openLane,
  position,
  REJECTED,
  showPair,
  UNKNOWN,
} from "../../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const cancel = (id: string): Intent => ({ kind: "CANCEL", orderId: orderId(id) });
const settle = async (id: IntentId) => await lane.settler.settle(lane.record(id), lane.broker);
const later = (ms: number) => (lane.intents.clock += ms);

/** Looks it up twice, far enough apart, and answers both states. */
async function settleTwice(id: IntentId): Promise<string[]> {
  const first = await settle(id);
  later(5_000);
  return [first.state, (await settle(id)).state];
}

/** Has a cancel run of which the answer is lost while the broker does that. */
async function loseAnswer(id: string, meanwhile: () => void): Promise<IntentId> {
  lane.broker.next.cancel.push(() => {
    meanwhile();
    return UNKNOWN;
  });
  const record = await lane.run(cancel(id));
  expect(record.state).toBe("UNKNOWN");
  return record.intentId;
}

const end = (id: string, ordStatus: OrderReport["ordStatus"], cumQty = 0) =>
  lane.broker.change(orderId(id), { ordStatus, cumQty, leavesQty: 0 });

function fill(id: string, own: object = {}) {
  lane.broker.executions.push({
    execId: execId(`e-${id}`),
    orderId: orderId(id),
    contract: ES,
    side: "SELL",
    lastQty: 1,
    lastPx: ticks(4_000),
    transactTimeAt: lane.intents.clock,
    ...own,
  });
}

describe("a cancel of one order whose answer was lost", () => {
  beforeEach(() => {
    lane.broker.show({ orderId: orderId("9") });
  });

  test.each(["CANCELED", "EXPIRED"] as const)("is done when the order is %s", async (status) => {
    const id = await loseAnswer("9", () => end("9", status));
    expect(await settle(id)).toMatchObject({
      state: "DONE",
      outcome: { result: { kind: "CANCEL", orderId: "9" } },
    });
  });

  test("is lost when the order still works after a while", async () => {
    const id = await loseAnswer("9", () => undefined);
    expect(await settleTwice(id)).toEqual(["UNKNOWN", "LOST"]);
    expect(lane.broker.commands).toEqual([["cancel", "9"]]);
  });

  test("is rejected when the order has filled: its caller holds a position", async () => {
    const id = await loseAnswer("9", () => end("9", "FILLED", 1));
    expect(await settle(id)).toMatchObject({
      state: "REJECTED",
      outcome: { reason: "It had filled before" },
    });
  });

  test("is done after two looks at which the broker shows it nowhere", async () => {
    const id = await loseAnswer("9", () => lane.broker.orders.delete("9"));
    expect(await settleTwice(id)).toEqual(["UNKNOWN", "DONE"]);
  });

  test("that the broker shows nowhere but in its fills claims neither", async () => {
    const id = await loseAnswer("9", () => {
      lane.broker.orders.delete("9");
      fill("9");
    });
    expect(await settleTwice(id)).toEqual(["UNKNOWN", "LOST"]);
  });

  test("of which another order has filled meanwhile is done", async () => {
    const id = await loseAnswer("9", () => {
      lane.broker.orders.delete("9");
      fill("8");
    });
    expect(await settleTwice(id)).toEqual(["UNKNOWN", "DONE"]);
  });
});

describe("a cancel of an order that the broker did not show, or of an earlier version", () => {
  test("claims nothing when the order is nowhere", async () => {
    const id = await loseAnswer("9", () => undefined);
    expect(await settleTwice(id)).toEqual(["UNKNOWN", "LOST"]);
    expect(lane.record(id).outcome).toMatchObject({
      reason: expect.stringContaining("is not known") as string,
    });
  });

  test("is rejected when its fill leads to an order that has filled", async () => {
    const own = { clOrdId: clOrdId("i7-1") };
    const id = await loseAnswer("9", () => {
      lane.broker.show({ orderId: orderId("9"), ...own, ordStatus: "FILLED", leavesQty: 0 });
      fill("9", own);
    });
    expect((await settle(id)).state).toBe("REJECTED");
  });

  test("of a leg finds the other one by the new identifier", async () => {
    lane.broker.held = [position(2)];
    const id = await loseAnswer("9", () => undefined);
    const plan: LegPlan = { contract: ES, side: "SELL", stopLossPx: ticks(3_960), canceled: "it" };
    const clOrdIds = [clOrdIdOf(id, 1), clOrdIdOf(id, 2)];
    lane.intents.put({ ...lane.record(id), plan, clOrdIds });
    lane.broker.show({ orderId: orderId("new"), clOrdId: clOrdId(`${id}-2-SL`) });
    expect(await settle(id)).toMatchObject({
      state: "DONE",
      outcome: { result: { replacedLeg: { role: "STOP_LOSS", orderId: "new" } } },
    });
  });
});

describe("a cancel of a leg whose answer was lost", () => {
  beforeEach(() => {
    lane.broker.held = [position(2)];
    showPair(lane.broker);
    lane.setConnection({ cancelEndsLinkedLeg: true });
  });

  const endBoth = () => {
    end("tp", "CANCELED");
    end("sl", "CANCELED");
  };
  const showOther = (stopPx: number) =>
    lane.broker.show({ orderId: orderId("sl2"), role: "STOP_LOSS", stopPx: ticks(stopPx) });

  test("leaves an open position unprotected: it is said, not done", async () => {
    const id = await loseAnswer("tp", endBoth);
    expect(await settleTwice(id)).toEqual(["UNKNOWN", "UNPROTECTED"]);
    expect(lane.record(id).outcome).toMatchObject({ canceled: "stop-loss of 2 ESZ6 at 990" });
    expect(lane.broker.commands).toEqual([["cancel", "tp"]]);
  });

  test.each([3_960, 3_920])(
    "another pair's stop at %i is no replacement; that it stands is said",
    async (stopPx) => {
      lane.broker.held = [position(4)];
      showOther(stopPx);
      const id = await loseAnswer("tp", endBoth);
      expect(await settleTwice(id)).toEqual(["UNKNOWN", "UNPROTECTED"]);
      expect(lane.record(id).outcome).toMatchObject({ standing: "a stop-loss" });
    },
  );

  test("that worked at first is unprotected only after two looks at that", async () => {
    const id = await loseAnswer("tp", () => undefined);
    await settle(id);
    later(6_000);
    endBoth();
    expect((await settle(id)).state).toBe("UNKNOWN");
    later(4_999);
    expect((await settle(id)).state).toBe("UNKNOWN");
    later(1);
    expect((await settle(id)).state).toBe("UNPROTECTED");
  });

  test("is done after two looks at which the other one stands as it stood", async () => {
    const id = await loseAnswer("tp", () => end("tp", "CANCELED"));
    expect(await settleTwice(id)).toEqual(["UNKNOWN", "DONE"]);
  });

  test("is not done while the other one is about to end", async () => {
    const id = await loseAnswer("tp", () => {
      end("tp", "CANCELED");
      lane.broker.change(orderId("sl"), { ordStatus: "PENDING_CANCEL" });
    });
    expect(await settleTwice(id)).toEqual(["UNKNOWN", "UNPROTECTED"]);
  });

  test("the other one that goes between two looks was not seen twice", async () => {
    const id = await loseAnswer("tp", () => end("tp", "CANCELED"));
    await settle(id);
    later(6_000);
    end("sl", "CANCELED");
    expect(await settleTwice(id)).toEqual(["UNKNOWN", "UNPROTECTED"]);
  });

  test("is done when the other one has filled, whatever else is held", async () => {
    const id = await loseAnswer("tp", () => {
      end("tp", "CANCELED");
      end("sl", "FILLED", 2);
    });
    expect((await settle(id)).state).toBe("DONE");
  });

  test("is done when its position is closed: nothing is left to protect", async () => {
    const id = await loseAnswer("tp", () => {
      endBoth();
      lane.broker.held = [];
    });
    expect((await settle(id)).state).toBe("DONE");
  });

  test("is rejected when the leg has filled", async () => {
    const id = await loseAnswer("tp", () => {
      end("tp", "FILLED", 2);
      end("sl", "CANCELED");
    });
    expect((await settle(id)).state).toBe("REJECTED");
  });
});

describe("the new order for the other leg, whose answer was lost", () => {
  beforeEach(() => {
    lane.broker.held = [position(4)];
    showPair(lane.broker);
  });

  async function losePlaced(change: Partial<OrderReport> | undefined): Promise<IntentId> {
    lane.broker.next.protect.push(() => {
      const own = {
        orderId: orderId("new"),
        clOrdId: clOrdId("i1-2-SL"),
        role: "STOP_LOSS",
      } as const;
      if (change !== undefined) lane.broker.show({ ...own, ...change });
      return UNKNOWN;
    });
    const { intentId, state } = await lane.run(cancel("tp"));
    expect(state).toBe("UNKNOWN");
    return intentId;
  }

  test.each(["NEW", "FILLED"] as const)("is %s: it was done", async (ordStatus) => {
    const id = await losePlaced({ ordStatus });
    expect(await settle(id)).toMatchObject({
      state: "DONE",
      outcome: { result: { replacedLeg: { role: "STOP_LOSS", orderId: "new" } } },
    });
  });

  test.each<[string, Partial<OrderReport> | undefined]>([
    ["is nowhere", undefined],
    ["was refused", { ordStatus: "REJECTED" }],
    ["is about to end", { ordStatus: "PENDING_CANCEL" }],
  ])("%s: the position is unprotected", async (_, change) => {
    const id = await losePlaced(change);
    expect(await settleTwice(id)).toEqual(["UNKNOWN", "UNPROTECTED"]);
  });

  test("is not asked for when the leg itself was refused or not sent", async () => {
    lane.broker.next.cancel.push(REJECTED, NOT_SENT);
    expect((await lane.run(cancel("tp"))).state).toBe("REJECTED");
    expect((await lane.run(cancel("tp"))).state).toBe("NOTSENT");
    expect(lane.broker.protections).toEqual([]);
  });
});
