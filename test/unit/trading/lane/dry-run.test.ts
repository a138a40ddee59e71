import { beforeEach, describe, expect, test } from "vitest";
import type { Aim } from "../../../../src/domain/alert.ts";
import { clOrdId, intentId, orderId } from "../../../../src/domain/ids.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import type { DryRunStep } from "../../../../src/domain/intent-result.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  NQ,
  openLane,
  order,
  place,
  position,
  showPair,
  USER,
} from "../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const dryRun = (intent: Intent) =>
  lane.run(intent, { test: true, source: { kind: "webhook" }, entrySide: "BUY" });
const adjust = (aim: Aim, cancelFirst = false): Intent => ({
  kind: "ADJUST",
  contract: ES,
  isFrontMonth: true,
  aim,
  terms: { ordType: "MARKET", timeInForce: "DAY" },
  ...(cancelFirst && { cancelFirst }),
});
const close = (netQty: number, contract = ES): DryRunStep => ({ kind: "close", contract, netQty });
const cancel = (id: string, contract = ES): DryRunStep => ({
  kind: "cancel",
  orderId: orderId(id),
  contract,
});
const buy = (orderQty: number, adds = true): DryRunStep => ({
  kind: "order",
  order: order({ orderQty }),
  adds,
});
const sell = (orderQty: number, adds = true): DryRunStep => ({
  kind: "order",
  order: order({ side: "SELL", orderQty }),
  adds,
});
const WAIT = expect.objectContaining({ kind: "wait" });
const WITHHOLD = expect.objectContaining({ kind: "withhold" });

function putUnknown(): void {
  const now = lane.intents.clock;
  lane.intents.put({
    intentId: intentId("before"),
    accountId: ACCOUNT,
    userId: USER,
    requestId: "r0",
    intent: place(),
    source: { kind: "api" },
    state: "UNKNOWN",
    clOrdIds: [clOrdId("before-1")],
    acceptedAt: now,
    entryExpiresAt: now,
    exitExpiresAt: now,
  });
}

const flatten: Intent = { kind: "FLATTEN", cancelResting: true };
const price = ticks(4_100);
const levels = { takeProfit: { by: "price", price } } as const;
const protect: Intent = { kind: "PROTECT", contract: ES, levels };

describe("everything but the sending", () => {
  test.each<[string, Intent, held: number, readonly unknown[]]>([
    ["an entry", place(), 0, [buy(1)]],
    ["an exit", place(), -1, [buy(1, false)]],
    ["a flatten", flatten, 2, [cancel("rests"), cancel("nq", NQ), close(2)]],
    ["a flatten of nothing", { kind: "FLATTEN", cancelResting: false }, 0, []],
    ["a cancel of entries", { kind: "CANCEL_ENTRIES", root: "NQ" }, 0, [cancel("nq", NQ)]],
    ["a protection", protect, 1, [{ kind: "protect", contract: ES, levels }]],
    ["growing", adjust({ to: "position", netQty: 3 }), 1, [buy(2)]],
    ["a part", adjust({ to: "close", qty: 1 }), 3, [sell(1, false)]],
    ["through zero", adjust({ to: "position", netQty: 1 }), -2, [close(-2), buy(1)]],
    ["cancelling first", adjust({ to: "position", netQty: 1 }, true), 0, [cancel("rests"), buy(1)]],
    ["nothing to do", adjust({ to: "position", netQty: 1 }), 1, []],
    ["a side that is not allowed", adjust({ to: "position", netQty: -1 }), 2, [close(2), WITHHOLD]],
    ["no position", adjust({ to: "close", percent: 50 }, true), 0, [cancel("rests"), WITHHOLD]],
  ])("%s", async (_, intent, held, steps) => {
    lane.broker.show({ orderId: orderId("rests"), side: "BUY" });
    lane.broker.show({ orderId: orderId("nq"), side: "BUY", contract: NQ });
    if (held !== 0) lane.broker.held = [position(held)];
    const { outcome, clOrdIds } = await dryRun(intent);
    expect(outcome).toEqual({ kind: "done", result: { kind: "TEST", steps } });
    expect([lane.broker.commands, lane.intents.permits, clOrdIds]).toEqual([[], [], []]);
  });

  test("the legs of what would be closed are among it", async () => {
    lane.broker.held = [position(2)];
    showPair(lane.broker);
    const { outcome } = await dryRun(adjust({ to: "position", netQty: 0 }));
    expect(outcome).toMatchObject({ result: { steps: [cancel("tp"), cancel("sl"), close(2)] } });
  });
});

describe("what would be denied is denied", () => {
  test.each<[Intent, string]>([
    [place({ orderQty: 11 }), "LIMIT_EXCEEDED"],
    [place({ side: "SELL" }), "SIDE_NOT_ALLOWED"],
    [adjust({ to: "reverse" }), "NO_POSITION"],
    [protect, "NO_POSITION"],
  ])("%j: %s", async (intent, code) => {
    expect(await dryRun(intent)).toMatchObject({ state: "DENIED", outcome: { code } });
  });
});

test("the user's kill switch holds for what would add, and for nothing else", async () => {
  lane.intents.userKillSwitch = { active: true, reason: "news" };
  expect(await dryRun(place())).toMatchObject({ outcome: { code: "KILL_SWITCH_ON" } });
  lane.broker.held = [position(-2)];
  expect(await dryRun(place())).toMatchObject({ outcome: { result: { steps: [buy(1, false)] } } });
  const through = await dryRun(adjust({ to: "position", netQty: 1 }));
  expect(through).toMatchObject({ outcome: { result: { steps: [close(-2), WITHHOLD] } } });
});

describe("it never waits", () => {
  test.each<[Intent, readonly unknown[]]>([
    [place(), [WAIT, buy(1)]],
    [adjust({ to: "position", netQty: 1 }), [WAIT, buy(1)]],
    [adjust({ to: "reverse" }), [WAIT]],
  ])("for an unknown outcome: %j says that it would", async (intent, steps) => {
    putUnknown();
    const { outcome } = await dryRun(intent);
    expect(outcome).toEqual({ kind: "done", result: { kind: "TEST", steps } });
  });

  test("for a connection, or for a broker that cannot be read", async () => {
    lane.setConnection(undefined);
    expect((await dryRun(place())).state).toBe("NOTSENT");
    lane.setConnection({});
    lane.broker.unreadable = new BrokerReadError("The session is gone");
    expect((await dryRun(place())).state).toBe("NOTSENT");
  });

  test("and it keeps nothing back", async () => {
    await dryRun(place());
    expect((await lane.run(place())).state).toBe("DONE");
    expect(lane.broker.commands).toHaveLength(1);
  });
});

test("a kind that knows no test sends nothing either", async () => {
  lane.broker.show({ orderId: orderId("rests"), side: "BUY" });
  const { state } = await dryRun({ kind: "CANCEL", orderId: orderId("rests") });
  expect(state).toBe("NOTSENT");
  expect(lane.broker.commands).toEqual([]);
  expect(lane.errors).toHaveLength(1);
});

describe("while the market is closed", () => {
  beforeEach(() => {
    lane.broker.held = [position(2)];
    lane.markets.set(ES, { kind: "closed", opensAt: lane.intents.clock + 3_600_000 });
  });

  test.each<[string, Intent, DryRunStep]>([
    ["a flatten", { kind: "FLATTEN", cancelResting: false }, close(2)],
    ["a close", adjust({ to: "close", percent: 100 }), close(2)],
    ["a part", adjust({ to: "close", percent: 50 }), sell(1, false)],
  ])("%s says that it waits, and for how long", async (_, intent, last) => {
    expect((await dryRun(intent)).outcome).toMatchObject({
      kind: "done",
      result: { steps: [{ kind: "wait", reason: expect.stringContaining("opens, at") }, last] },
    });
  });

  test.each<[string, Intent]>([
    ["a flatten", { kind: "FLATTEN", cancelResting: false, whenClosed: "refuse" }],
    ["a close", { ...adjust({ to: "close", percent: 100 }), whenClosed: "refuse" } as Intent],
  ])("%s that is not to wait is refused", async (_, intent) => {
    expect((await dryRun(intent)).outcome).toMatchObject({ kind: "denied", code: "MARKET_CLOSED" });
  });
});
