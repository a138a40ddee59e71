import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, execId, intentId, orderId } from "../../../../src/domain/ids.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { SubmitOutcome } from "../../../../src/trading/ports.ts";
import {
  ACCOUNT,
  ES,
  KEY,
  type Lane,
  NOT_SENT,
  openLane,
  place,
  position,
  REJECTED,
  UNKNOWN,
  USER,
} from "../lane-kit.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const limit = place({ ordType: "LIMIT", price: ticks(4_000) });
const lost = (certainlyNotWritten: boolean) => () => {
  throw new StoreError("Redis is away", { certainlyNotWritten });
};

describe("the write-ahead", () => {
  test("the identifier and SENDING are stored before the broker hears of the order", async () => {
    let seen: unknown;
    lane.broker.next.submit.push(() => {
      const { state, clOrdIds } = lane.intents.record(ACCOUNT, intentId("i1"));
      seen = { state, clOrdIds };
      return undefined;
    });
    const record = await lane.run(limit);
    expect(seen).toEqual({ state: "SENDING", clOrdIds: ["i1-1"] });
    expect(record).toMatchObject({ state: "DONE", clOrdIds: ["i1-1"] });
    expect(lane.broker.sent[0]).toMatchObject({ clOrdId: "i1-1", price: 4_000 });
  });

  test.each([
    [0, 30_000, { perAccount: 60, inAll: 600, guardVersion: "" }],
    [-5, 600_000, undefined],
  ])("holding %i it asks for the age and the counts of its kind", async (held, age, counts) => {
    if (held !== 0) lane.broker.held = [position(held)];
    const { acceptedAt } = await lane.run(place());
    const [permit] = lane.intents.permits;
    expect(permit?.expiresAt).toBe(acceptedAt + age);
    expect(permit?.entry).toEqual(counts);
    expect(permit).toMatchObject({ epoch: 1, owner: { userId: USER, credentialId: KEY } });
  });

  test.each(["account", "all"] as const)("a full minute of %s denies it", async (which) => {
    lane.intents.left[which] = 0;
    const record = await lane.run(place());
    expect(record).toMatchObject({ state: "DENIED", outcome: { code: "LIMIT_EXCEEDED" } });
    expect(lane.broker.commands).toEqual([]);
  });

  test("an exit leaves in a full minute", async () => {
    lane.broker.held = [position(-1)];
    lane.intents.left = { account: 0, all: 0 };
    expect((await lane.run(place())).state).toBe("DONE");
  });

  test("what became too old in the last moment is not sent", async () => {
    lane.intents.before.beginSending = () => {
      lane.intents.clock += 30_000;
    };
    expect((await lane.run(place())).state).toBe("EXPIRED");
    expect(lane.broker.commands).toEqual([]);
  });

  test("what was withdrawn in the last moment is not sent", async () => {
    lane.intents.before.beginSending = async () => {
      await lane.intents.withdraw(ACCOUNT, intentId("i1"), { kind: "withdrawn", reason: "late" });
    };
    expect((await lane.run(place())).state).toBe("WITHDRAWN");
    expect(lane.broker.commands).toEqual([]);
  });

  test.each([true, false])(
    "a store that fails here sends nothing (certain: %s)",
    async (certain) => {
      const id = await lane.accept(place());
      lane.intents.before.beginSending = lost(certain);
      await expect(lane.work(id)).rejects.toBeInstanceOf(StoreError);
      expect(lane.broker.commands).toEqual([]);
      expect(lane.announced).toEqual([]);
    },
  );

  test("a kill switch that is thrown in the last moment holds an entry back", async () => {
    lane.intents.before.beginSending = () => {
      lane.intents.accountKillSwitch = { active: true };
    };
    const record = await lane.run(place());
    expect(record).toMatchObject({ state: "DENIED", outcome: { code: "KILL_SWITCH_ON" } });
    expect(lane.broker.commands).toEqual([]);
  });

  test("the user's kill switch holds it back too, with its reason", async () => {
    lane.intents.userKillSwitch = { active: true, reason: "news" };
    const record = await lane.run(place());
    expect(record).toMatchObject({
      state: "DENIED",
      outcome: { code: "KILL_SWITCH_ON", reason: expect.stringContaining("(news)") },
    });
    expect(lane.broker.commands).toEqual([]);
  });

  test("an owner that lost its lanes sends nothing, and ends nothing", async () => {
    const id = await lane.accept(place());
    lane.loseLanes();
    await expect(lane.work(id)).rejects.toBeInstanceOf(StoreError);
    expect(lane.record(id).state).toBe("PREPARED");
    expect(lane.broker.commands).toEqual([]);
  });

  test("a permit whose answer was lost is never used twice", async () => {
    const id = await lane.accept(place());
    lane.intents.after.beginSending = lost(false);
    await expect(lane.work(id)).rejects.toBeInstanceOf(StoreError);
    delete lane.intents.after.beginSending;

    await lane.work(id);
    expect(lane.broker.commands).toEqual([]);
    expect(lane.record(id).state).toBe("UNKNOWN");
  });
});

describe("the broker's answer", () => {
  test.each<[SubmitOutcome, string]>([
    [{ kind: "accepted", orderId: orderId("7") }, "DONE"],
    [REJECTED, "REJECTED"],
    [NOT_SENT, "NOTSENT"],
    [UNKNOWN, "UNKNOWN"],
  ])("%j ends the intent as %s, after one try", async (answer, state) => {
    lane.broker.next.submit.push(answer);
    const record = await lane.run(limit);
    expect(record.state).toBe(state);
    expect(lane.broker.commands).toEqual([["submit", "i1-1"]]);
    expect(lane.announced).toEqual([{ state, replyTo: "process-1" }]);
    expect(lane.observed).toEqual([state]);
  });

  test("a command that throws all the same is an unknown outcome", async () => {
    lane.broker.next.submit.push(new TypeError("Cannot read properties of undefined"));
    const record = await lane.run(limit);
    expect(record.state).toBe("UNKNOWN");
    expect(lane.errors).toHaveLength(1);
  });

  test.each([
    [{}, true],
    [{ takeProfitOrderId: orderId("8") }, true],
    [{ takeProfitOrderId: orderId("8"), stopLossOrderId: orderId("9") }, undefined],
  ])("legs that were asked for and not confirmed are said: %j", async (legs, isSaid) => {
    lane.broker.next.submit.push({ kind: "accepted", orderId: orderId("7"), ...legs });
    const leg = { by: "distance", distance: ticks(8) } as const;
    const { outcome } = await lane.run(place({ bracket: { takeProfit: leg, stopLoss: leg } }));
    if (outcome?.kind !== "done" || outcome.result.kind !== "PLACE") throw new Error("not placed");
    expect(outcome.result.order.legsUnconfirmed).toBe(isSaid);
  });

  test("the legs' ids are part of the result", async () => {
    const legs = { takeProfitOrderId: orderId("8"), stopLossOrderId: orderId("9") };
    lane.broker.next.submit.push({ kind: "accepted", orderId: orderId("7"), ...legs });
    const { outcome } = await lane.run(limit);
    expect(outcome).toMatchObject({ result: { order: { orderId: "7", ...legs } } });
  });

  test("an order refused right after it was taken is a rejection in the broker's words", async () => {
    lane.broker.next.submit.push(() => {
      const report = { ordStatus: "REJECTED", text: "No margin", leavesQty: 0 } as const;
      const refused = { orderId: orderId("7"), clOrdId: "i1-1" as never, ...report };
      lane.broker.report(ACCOUNT, lane.broker.show(refused));
      return { kind: "accepted", orderId: orderId("7") };
    });
    const { outcome } = await lane.run(limit);
    expect(outcome).toEqual({ kind: "rejected", reason: "No margin" });
  });
});

describe("waiting for the end", () => {
  const accepted: SubmitOutcome = { kind: "accepted", orderId: orderId("7") };

  test.each([
    ["a market order", place(), true],
    ["an ioc order", place({ ordType: "LIMIT", price: ticks(1), timeInForce: "IOC" }), true],
    ["a fok order", place({ ordType: "LIMIT", price: ticks(1), timeInForce: "FOK" }), true],
    ["a resting order", limit, false],
  ])("%s: %s", async (_, intent, waits) => {
    lane.broker.next.submit.push(accepted);
    const { outcome } = await lane.run(intent);
    expect(lane.waits.length > 0).toBe(waits);
    // Nothing was reported within the time: it is answered as it was taken.
    expect(outcome).toMatchObject({ result: { order: { ordStatus: "NEW", cumQty: 0 } } });
  });

  test("a fill that was reported before the answer is in the result", async () => {
    const { outcome } = await lane.run(place({ orderQty: 3 }));
    expect(outcome).toMatchObject({ result: { order: { ordStatus: "FILLED", cumQty: 3 } } });
    expect(lane.waits).toEqual([]);
  });

  test("a fill that is reported while it waits wakes it", async () => {
    lane.broker.next.submit.push(() => {
      queueMicrotask(() => {
        const filled = { ordStatus: "FILLED", cumQty: 1, leavesQty: 0 } as const;
        const report = { orderId: orderId("7"), clOrdId: "i1-1" as never, ...filled };
        lane.broker.report(ACCOUNT, lane.broker.show(report));
      });
      return accepted;
    });
    const { outcome } = await lane.run(place());
    expect(outcome).toMatchObject({ result: { order: { ordStatus: "FILLED" } } });
  });
});

describe("an order that was accepted before this session", () => {
  /** The store has fallen back to a time at which the order was not sent yet. */
  async function acceptEarlier(intent = place({ orderQty: 2 })) {
    const id = await lane.accept(intent);
    lane.setSession({ beganAt: lane.intents.clock + 1_000 });
    return id;
  }
  const OWN = { orderId: orderId("7"), clOrdId: clOrdId("i1-1"), side: "BUY" } as const;
  const isSent = () => lane.broker.commands.some(([name]) => name === "submit");

  test.each([
    [{ ordStatus: "NEW" } as const, "DONE"],
    [{ ordStatus: "FILLED", cumQty: 2, leavesQty: 0 } as const, "DONE"],
    [{ ordStatus: "REJECTED", leavesQty: 0 } as const, "REJECTED"],
  ])("is adopted when the broker has it, and not sent again: %j", async (change, state) => {
    const id = await acceptEarlier();
    lane.broker.show({ ...OWN, ...change });
    await lane.work(id);
    expect(lane.record(id)).toMatchObject({ state, clOrdIds: ["i1-1"] });
    expect(isSent()).toBe(false);
    expect(lane.announced).toEqual([{ state, replyTo: "process-1" }]);
  });

  test("is adopted by its fills, when the broker has forgotten it", async () => {
    const id = await acceptEarlier();
    lane.broker.executions.push({
      ...OWN,
      execId: execId("e1"),
      contract: ES,
      lastQty: 2,
      lastPx: ticks(4_000),
      transactTimeAt: lane.intents.clock,
    });
    await lane.work(id);
    expect(lane.record(id)).toMatchObject({
      state: "DONE",
      outcome: { result: { order: { orderId: "7", ordStatus: "FILLED", cumQty: 2 } } },
    });
    expect(isSent()).toBe(false);
  });

  test("is adopted whatever forbids an entry by now", async () => {
    const id = await acceptEarlier();
    lane.broker.show({ ...OWN, ordStatus: "FILLED", cumQty: 2, leavesQty: 0 });
    lane.broker.held = [position(2)];
    lane.intents.accountKillSwitch = { active: true };
    lane.intents.limits = { maxPositionQty: 1 };
    lane.intents.left = { account: 0, all: 0 };
    lane.intents.clock += 60_000;
    await lane.work(id);
    expect(lane.record(id).state).toBe("DONE");
  });

  test("is adopted even if its key was revoked since", async () => {
    const id = await acceptEarlier();
    lane.broker.show(OWN);
    lane.intents.sourceAlive = false;
    await lane.work(id);
    expect(lane.record(id).state).toBe("DONE");
  });

  test("is sent when the broker has neither it nor a fill of it", async () => {
    const id = await acceptEarlier();
    await lane.work(id);
    expect(lane.record(id).state).toBe("DONE");
    expect(lane.broker.sent).toHaveLength(1);
  });

  test.each(["find", "fills"])("is not sent while the broker cannot show its %s", async (read) => {
    const id = await acceptEarlier();
    lane.broker.failingRead = read;
    await lane.work(id);
    expect(isSent()).toBe(false);
  });

  test("by a former owner is left to the newest", async () => {
    const id = await acceptEarlier();
    lane.broker.show(OWN);
    lane.intents.epoch = 2;
    await expect(lane.work(id)).rejects.toBeInstanceOf(StoreError);
    expect(lane.record(id).state).toBe("PREPARED");
  });

  test("is looked for within what two clocks may differ, and costs nothing after that", async () => {
    const id = await lane.accept(place());
    lane.setSession({ beganAt: lane.record(id).acceptedAt - 1_999 });
    lane.broker.failingRead = "find";
    await lane.work(id);
    expect(isSent()).toBe(false);
    lane.setSession({ beganAt: lane.record(id).acceptedAt - 2_000 });
    expect((await lane.run(place())).state).toBe("DONE");
  });
});

test("how long the broker took to take it is told, the wait for its end is not", async () => {
  lane.broker.next.submit.push(() => {
    lane.intents.clock += 37;
    return { kind: "accepted", orderId: orderId("7") };
  });
  lane.intents.before.settle = () => {
    lane.intents.clock += 1_000;
  };
  const { outcome } = await lane.run(place());
  expect(outcome).toMatchObject({ result: { order: { orderId: "7", ackMs: 37 } } });
});
