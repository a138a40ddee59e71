import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, execId, intentId, orderId } from "../../../../../src/domain/ids.ts";
import type { Intent, IntentRecord } from "../../../../../src/domain/intent.ts";
import type { Fill, OrderReport } from "../../../../../src/domain/order.ts";
import type { ContractCode } from "../../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { ACCOUNT, ES, type Lane, openLane, place, position, USER } from "../../lane-kit.ts";
import { entryIdOf } from "../../../../../src/trading/lane/adjust/entry-id.ts";
import { adjustIntent } from "../adjust-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const ID = intentId("i1");
const MARCH = "ESH2027" as ContractCode;

function put(intent: Intent, change: Partial<IntentRecord> = {}): void {
  const now = lane.intents.clock;
  lane.intents.put({
    intentId: ID,
    accountId: ACCOUNT,
    userId: USER,
    requestId: "r1",
    intent,
    source: { kind: "webhook" },
    state: "UNKNOWN",
    clOrdIds: [clOrdId("i1-1")],
    acceptedAt: now,
    sentAt: now,
    entryExpiresAt: now,
    exitExpiresAt: now,
    ...change,
  });
}

/** Looks it up twice, far enough apart. */
async function settle(): Promise<IntentRecord> {
  await lane.settler.settle(lane.record(ID), lane.broker);
  lane.intents.clock += 5_000;
  return await lane.settler.settle(lane.record(ID), lane.broker);
}

/** As the broker shows an order whose name it has not. */
function showNameless(change: Partial<OrderReport> = {}): void {
  const id = orderId("hand");
  const shown = lane.broker.show({
    side: "BUY",
    orderQty: 3,
    leavesQty: 3,
    transactTimeAt: lane.intents.clock,
    ...change,
    orderId: id,
  });
  const { clOrdId: _, ...nameless } = shown;
  lane.broker.orders.set(id, nameless);
}

function fillNameless(change: Partial<Fill> = {}): void {
  lane.broker.executions.push({
    execId: execId(`e${lane.broker.executions.length}`),
    orderId: orderId("gone"),
    contract: ES,
    side: "BUY",
    lastQty: 3,
    lastPx: ticks(4_000),
    transactTimeAt: lane.intents.clock,
    ...change,
  });
}

type Place = Extract<Intent, { kind: "PLACE" }>;
const RESTING = place({ orderQty: 3, ordType: "LIMIT", price: ticks(4_000) }) as Place;
const AT_MARKET = place({ orderQty: 3, ordType: "MARKET" }) as Place;
const NO_CLOSES = { closes: [], cancels: [] } as const;
const LIMIT = { ordType: "LIMIT", price: ticks(4_000) } as const;

describe("an order that works without a name", () => {
  test.each<readonly [string, Partial<OrderReport>]>([
    ["of the same contract, side and size", LIMIT],
    ["whose time is a little before, by another clock", { ...LIMIT, transactTimeAt: -59_000 }],
  ])("%s proves no absence", async (_, change) => {
    put(RESTING);
    const { transactTimeAt = 0 } = change;
    showNameless({ ...change, transactTimeAt: lane.intents.clock + transactTimeAt });
    const { state, outcome } = await settle();
    expect(state).toBe("UNKNOWN");
    expect(outcome).toMatchObject({ reason: expect.stringContaining("without a name") });
    expect(lane.broker.commands).toEqual([]);
  });

  test.each<readonly [string, Partial<OrderReport>]>([
    ["another contract", { ...LIMIT, contract: MARCH }],
    ["the other side", { ...LIMIT, side: "SELL" }],
    ["another size", { ...LIMIT, orderQty: 2 }],
    ["another type", { ordType: "MARKET" }],
    ["a time long before", { ...LIMIT, transactTimeAt: -61_000 }],
  ])("of %s is another one", async (_, change) => {
    put(RESTING);
    const { transactTimeAt = 0 } = change;
    showNameless({ ...change, transactTimeAt: lane.intents.clock + transactTimeAt });
    expect((await settle()).state).toBe("LOST");
  });

  test("with a name of another program is another one", async () => {
    put(RESTING);
    lane.broker.show({ ...LIMIT, orderId: orderId("7"), orderQty: 3, clOrdId: clOrdId("theirs") });
    expect((await settle()).state).toBe("LOST");
  });

  test("in another month may be one that named its root only", async () => {
    put({ ...RESTING, isFrontMonth: true });
    showNameless({ ...LIMIT, contract: MARCH });
    expect((await settle()).state).toBe("UNKNOWN");
  });

  test("that is not understood may be any, unless what it says is against it", async () => {
    put(RESTING);
    lane.broker.opaque = [{ orderId: orderId("x"), problem: "its size is missing", side: "SELL" }];
    expect((await settle()).state).toBe("LOST");
    put(RESTING);
    lane.broker.opaque = [{ orderId: orderId("x"), problem: "its size is missing" }];
    expect((await settle()).state).toBe("UNKNOWN");
  });

  test("is told to a person once, and lets go of it when it is gone", async () => {
    put(RESTING);
    showNameless(LIMIT);
    await settle();
    await settle();
    expect(lane.alarms).toMatchObject([
      {
        kind: "orderNameless",
        accountId: ACCOUNT,
        intentId: ID,
        reason: expect.stringContaining("hand"),
      },
    ]);
    lane.broker.orders.clear();
    expect((await settle()).state).toBe("LOST");
  });

  test("is adopted once its name is shown", async () => {
    put(RESTING);
    showNameless(LIMIT);
    await settle();
    lane.broker.show({ ...LIMIT, orderId: orderId("hand"), clOrdId: clOrdId("i1-1") });
    expect((await settle()).state).toBe("DONE");
  });
});

describe("fills without a name", () => {
  test.each<readonly [string, readonly Partial<Fill>[]]>([
    ["of all of it", [{}]],
    ["of a part of it, since the rest may have been cancelled", [{ lastQty: 2 }]],
    ["of all of it together", [{ lastQty: 1 }, { lastQty: 2 }]],
  ])("%s prove no absence", async (_, fills) => {
    put(AT_MARKET);
    fills.forEach(fillNameless);
    expect((await settle()).state).toBe("UNKNOWN");
  });

  test.each<readonly [string, Partial<Fill>]>([
    ["another contract", { contract: MARCH }],
    ["the other side", { side: "SELL" }],
    ["more than it", { lastQty: 4 }],
    ["a name", { clOrdId: clOrdId("i2-1") }],
  ])("of %s are another's", async (_, fill) => {
    put(AT_MARKET);
    fillNameless(fill);
    expect((await settle()).state).toBe("LOST");
  });

  test("long after are none of what may not rest, and may be of what rested or met a halt", async () => {
    put({ ...AT_MARKET, order: { ...AT_MARKET.order, timeInForce: "IOC" } });
    fillNameless({ transactTimeAt: lane.intents.clock + 120_001 });
    expect((await settle()).state).toBe("LOST");
    put(AT_MARKET);
    expect((await settle()).state).toBe("UNKNOWN");
    lane.broker.executions.length = 0;
    put(RESTING, { sentAt: lane.intents.clock - 120_001 });
    fillNameless();
    expect((await settle()).state).toBe("UNKNOWN");
  });

  test("of any size may be of an order that was sized on its lane", async () => {
    const handling = { size: { by: "risk", percent: "1" } } as never;
    put({ ...AT_MARKET, handling });
    fillNameless({ lastQty: 9 });
    expect((await settle()).state).toBe("UNKNOWN");
  });
});

describe("after ten minutes", () => {
  const TEN_MINUTES_MS = 10 * 60_000;

  test("fills alone end it as lost, and name themselves", async () => {
    put(AT_MARKET);
    fillNameless();
    lane.intents.clock += TEN_MINUTES_MS - 5_000;
    expect((await settle()).state).toBe("UNKNOWN");
    lane.intents.clock += 1;
    const { state, outcome } = await settle();
    expect([state, outcome]).toMatchObject(["LOST", { reason: expect.stringContaining("(gone)") }]);
  });

  test("an order that works still proves no absence", async () => {
    put(RESTING);
    showNameless(LIMIT);
    lane.intents.clock += 2 * TEN_MINUTES_MS;
    expect((await settle()).state).toBe("UNKNOWN");
  });
});

describe("of other intents, what may be there without its name is not lost either", () => {
  test("the order of an adjustment, however many it was for", async () => {
    const entryId = entryIdOf(ID);
    put(adjustIntent({ to: "position", netQty: 3 }), { clOrdIds: [entryId], exitPlan: NO_CLOSES });
    fillNameless({ lastQty: 7, side: "SELL" });
    expect((await settle()).state).toBe("LOST");
    lane.broker.executions.length = 0;
    put(adjustIntent({ to: "position", netQty: 3 }), { clOrdIds: [entryId], exitPlan: NO_CLOSES });
    fillNameless({ lastQty: 7 });
    expect((await settle()).state).toBe("UNKNOWN");
  });

  test("the close that an adjustment began with", async () => {
    const closes = [{ contract: ES, clOrdId: clOrdId("i1-1"), direction: 1 }];
    const adjusted = {
      clOrdIds: [clOrdId("i1-1"), entryIdOf(ID)],
      exitPlan: { ...NO_CLOSES, closes },
    };
    put(adjustIntent({ to: "reverse" }), adjusted);
    lane.broker.show({ orderId: orderId("7"), clOrdId: entryIdOf(ID), side: "SELL" });
    fillNameless({ side: "SELL" });
    expect((await settle()).state).toBe("UNKNOWN");
  });

  test("the exits of a protection, by where they stand", async () => {
    lane.broker.held = [position(3)];
    const plan = {
      contract: ES,
      side: "SELL",
      stopLossPx: ticks(3_900),
      canceled: "",
      orderQty: 3,
    } as const;
    const protect = { kind: "PROTECT", levels: {} } as const;
    put(protect, { plan });
    showNameless({ side: "SELL", ordType: "STOP", stopPx: ticks(3_901) });
    expect((await settle()).state).toBe("LOST");
    put(protect, { plan });
    showNameless({ side: "SELL", ordType: "STOP", stopPx: ticks(3_900) });
    expect((await settle()).state).toBe("UNKNOWN");
  });
});

describe("one that is lost, before it is tried anew", () => {
  const lookAgain = async () => await lane.settler.lookAgain(lane.record(ID), lane.broker);
  beforeEach(() => put(AT_MARKET, { state: "LOST", outcome: { kind: "lost", reason: "so" } }));

  test("is looked up once more: absent, it is lost", async () => {
    expect(await lookAgain()).toMatchObject({ state: "LOST" });
    expect(lane.alarms).toEqual([]);
  });

  test("found by its name, that is what became of it from then on", async () => {
    lane.broker.show({ orderId: orderId("7"), clOrdId: clOrdId("i1-1"), ordStatus: "FILLED" });
    expect(await lookAgain()).toMatchObject({ state: "DONE", outcome: { kind: "done" } });
    expect(lane.record(ID).state).toBe("DONE");
  });

  test("of an adjustment, an order of it that is there by its name is what it came to", async () => {
    const entryId = entryIdOf(ID);
    const adjusted = { clOrdIds: [entryId], exitPlan: NO_CLOSES };
    put(adjustIntent({ to: "position", netQty: 3 }), { ...adjusted, state: "LOST" });
    lane.broker.show({ orderId: orderId("7"), clOrdId: entryId, ordStatus: "FILLED", cumQty: 3 });
    expect(await lookAgain()).toMatchObject({ state: "DONE", outcome: { kind: "done" } });
  });

  test("however long ago, fills without a name hold back its resend", async () => {
    fillNameless();
    lane.intents.clock += 48 * 3_600_000;
    expect(await lookAgain()).toMatchObject({ state: "UNKNOWN" });
  });

  test("perhaps there without its name, it is answered as unknown, and a person is told", async () => {
    fillNameless();
    expect(await lookAgain()).toMatchObject({ state: "UNKNOWN", outcome: { kind: "unknown" } });
    expect(lane.record(ID).state).toBe("LOST");
    expect(lane.alarms).toMatchObject([{ kind: "orderNameless" }]);
  });
});
