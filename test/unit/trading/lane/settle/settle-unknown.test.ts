import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, execId, intentId, orderId } from "../../../../../src/domain/ids.ts";
import type { Intent, IntentRecord } from "../../../../../src/domain/intent.ts";
import type { OrderReport } from "../../../../../src/domain/order.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { BrokerReadError } from "../../../../../src/trading/ports.ts";
import { ACCOUNT, ES, type Lane, openLane, place, position, USER } from "../../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const ID = intentId("i1");

function putUnknown(intent: Intent, change: Partial<IntentRecord> = {}) {
  const now = lane.intents.clock;
  lane.intents.put({
    intentId: ID,
    accountId: ACCOUNT,
    userId: USER,
    requestId: "r1",
    intent,
    source: { kind: "api" },
    state: "UNKNOWN",
    clOrdIds: [clOrdId("i1-1")],
    acceptedAt: now,
    sentAt: now,
    entryExpiresAt: now,
    exitExpiresAt: now,
    ...change,
  });
}

const settle = async () => await lane.settler.settle(lane.record(ID), lane.broker);
const later = (ms: number) => (lane.intents.clock += ms);
const show = (change: Partial<OrderReport>) =>
  lane.broker.show({ orderId: orderId("7"), clOrdId: clOrdId("i1-1"), ...change });

/** Looks it up twice, far enough apart, and answers both states. */
async function settleTwice(): Promise<string[]> {
  const first = await settle();
  later(5_000);
  return [first.state, (await settle()).state];
}

function fill(id: string, lastQty = 1, lastPx = 4_000) {
  lane.broker.executions.push({
    execId: execId(`e-${id}-${lastPx}`),
    orderId: orderId("7"),
    clOrdId: clOrdId(id),
    contract: ES,
    side: "BUY",
    lastQty,
    lastPx: ticks(lastPx),
    transactTimeAt: lane.intents.clock,
  });
}

describe("an order whose answer was lost", () => {
  beforeEach(() => putUnknown(place({ orderQty: 3 })));

  test.each<[Partial<OrderReport>, string]>([
    [{ ordStatus: "NEW" }, "DONE"],
    [{ ordStatus: "FILLED", cumQty: 1, leavesQty: 0 }, "DONE"],
    [{ ordStatus: "CANCELED", leavesQty: 0 }, "DONE"],
    [{ ordStatus: "REJECTED", leavesQty: 0, text: "No margin" }, "REJECTED"],
  ])("is adopted as the broker shows it: %j", async (change, state) => {
    show(change);
    expect((await settle()).state).toBe(state);
    expect(lane.broker.commands).toEqual([]);
  });

  test("its legs are found by their entry", async () => {
    show({ ordStatus: "FILLED", cumQty: 1, leavesQty: 0 });
    const parentOrderId = orderId("7");
    lane.broker.show({ orderId: orderId("8"), role: "TAKE_PROFIT", parentOrderId });
    lane.broker.show({ orderId: orderId("9"), role: "STOP_LOSS", parentOrderId });
    lane.broker.show({ orderId: orderId("10"), role: "STOP_LOSS" });
    expect(await settle()).toMatchObject({
      outcome: { result: { order: { takeProfitOrderId: "8", stopLossOrderId: "9" } } },
    });
  });

  test("is lost only after two look-ups at least 5 seconds apart", async () => {
    expect((await settle()).state).toBe("UNKNOWN");
    later(4_999);
    expect((await settle()).state).toBe("UNKNOWN");
    later(1);
    expect((await settle()).state).toBe("LOST");
    expect(lane.broker.commands).toEqual([]);
  });

  test("one look-up proves nothing, however long it was sent before", async () => {
    later(3_600_000);
    expect((await settle()).state).toBe("UNKNOWN");
  });

  test("its fills prove that it was there, though the order is not shown", async () => {
    fill("i1-1", 1, 4_000);
    fill("i1-1", 2, 4_001);
    expect(await settle()).toMatchObject({
      state: "DONE",
      outcome: {
        result: {
          order: {
            orderId: "7",
            ordStatus: "FILLED",
            cumQty: 3,
            avgPx: {
              numerator: 12002,
              denominator: 3,
            },
          },
        },
      },
    });
  });

  test("another order's fill proves nothing", async () => {
    fill("i2-1");
    expect(await settleTwice()).toEqual(["UNKNOWN", "LOST"]);
  });

  test("an order that shows up between two look-ups is adopted", async () => {
    await settle();
    later(5_000);
    show({ ordStatus: "NEW" });
    expect((await settle()).state).toBe("DONE");
  });

  test("a broker that cannot be read settles nothing", async () => {
    lane.broker.unreadable = new BrokerReadError("The session is gone");
    await expect(settle()).rejects.toBeInstanceOf(BrokerReadError);
    expect(lane.record(ID).state).toBe("UNKNOWN");
  });

  /** Makes every look-up take that long, each of its two reads half of it. */
  function answerIn(ms: () => number): void {
    const findOrder = lane.broker.findOrder.bind(lane.broker);
    const fills = lane.broker.fills.bind(lane.broker);
    lane.broker.findOrder = async (...asked) => {
      later(ms() / 2);
      return await findOrder(...asked);
    };
    lane.broker.fills = async (...asked) => {
      later(ms() / 2);
      return await fills(...asked);
    };
  }

  test("slow answers make no time pass between two look-ups", async () => {
    answerIn(() => 8_000);
    expect((await settle()).state).toBe("UNKNOWN");
    later(4_999);
    expect((await settle()).state).toBe("UNKNOWN");
    later(5_000);
    expect((await settle()).state).toBe("LOST");
  });

  test("is lost exactly when a look-up began 5 s after the end of the first, however long all took", async () => {
    const ms = fc.integer({ min: 0, max: 7_000 });
    const look = fc.record({ before: ms, takes: ms.map((n) => n * 2) });
    await fc.assert(
      fc.asyncProperty(fc.array(look, { minLength: 1, maxLength: 8 }), async (looks) => {
        lane = await openLane();
        putUnknown(place({ orderQty: 3 }));
        let takes = 0;
        answerIn(() => takes);
        let firstEndedAt: number | undefined;
        for (const { before, ...one } of looks) {
          later(before);
          takes = one.takes;
          const beganAt = lane.intents.clock;
          const isProof = firstEndedAt !== undefined && beganAt - firstEndedAt >= 5_000;
          expect((await settle()).state).toBe(isProof ? "LOST" : "UNKNOWN");
          if (isProof) return;
          firstEndedAt ??= lane.intents.clock;
        }
      }),
      { numRuns: 100 },
    );
  });

  test("what an earlier session did not show counts for nothing", async () => {
    await settle();
    later(5_000);
    lane.setSession({ beganAt: 0 });
    expect((await settle()).state).toBe("UNKNOWN");
    later(5_000);
    expect((await settle()).state).toBe("LOST");
  });

  test.each([{ beganAt: 0 }, undefined])(
    "a look-up that outlives its session counts for nothing: then %j",
    async (next) => {
      const session = { beganAt: 1 };
      const fills = lane.broker.fills.bind(lane.broker);
      lane.setSession(session);
      lane.broker.fills = async (...asked) => {
        lane.setSession(next);
        return await fills(...asked);
      };
      await settle();
      lane.broker.fills = fills;
      // Even if the same session were there again: nothing is remembered of it.
      for (const now of [session, next]) {
        lane.setSession(now);
        later(5_000);
        expect((await settle()).state).toBe("UNKNOWN");
      }
    },
  );

  test("two look-ups at the same time are one", async () => {
    later(60_000);
    await Promise.all([settle(), settle(), settle()]);
    expect(lane.record(ID).state).toBe("UNKNOWN");
  });

  test("after a restart it is looked up twice again", async () => {
    await settle();
    later(5_000);
    const restarted = await openLane();
    restarted.intents.put(lane.record(ID));
    restarted.intents.clock = lane.intents.clock;
    const record = await restarted.settler.settle(restarted.record(ID), restarted.broker);
    expect(record.state).toBe("UNKNOWN");
  });
});

test.each<Intent>([{ kind: "FLATTEN", cancelResting: true }, { kind: "CANCEL_ENTRIES" }])(
  "%j goes on in its lane's turn, and not where it is looked up besides",
  async (intent) => {
    putUnknown(intent);
    lane.broker.held = [position(1)];
    lane.broker.show({ orderId: orderId("entry"), side: "BUY" });
    expect(await settleTwice()).toEqual(["UNKNOWN", "UNKNOWN"]);
    expect(lane.broker.commands).toEqual([]);
  },
);
