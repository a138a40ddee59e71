// The goal: an exit that is not done goes on until it is, and costs the position none of its protection. The
// method: the lane with a scripted broker, which refuses closes, and a clock in our hand.
import { beforeEach, describe, expect, test } from "vitest";
import { execId, intentId, orderId } from "../../../../src/domain/ids.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  NQ,
  openLane,
  place,
  position,
  REJECTED,
  showPair,
  UNKNOWN,
} from "../lane-kit.ts";
import { adjustIntent as adjust } from "./adjust-kit.ts";
import { FLATTEN, HOUR_MS, runIn, settleIn, workingIn } from "./going-on-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  lane.broker.held = [position(2)];
  showPair(lane.broker);
});

const EXITS: readonly (readonly [string, Intent])[] = [
  ["a flatten", FLATTEN],
  ["a flatten that cancels what rests", { kind: "FLATTEN", cancelResting: true }],
  ["a close", adjust({ to: "close", percent: 100 })],
  ["a flat target", adjust({ to: "position", netQty: 0 })],
  ["a reversal", adjust({ to: "position", netQty: -1 })],
];

const names = () => lane.broker.commands.map(([name]) => name);
const working = () => workingIn(lane);
const stops = () => working().filter(({ role }) => role === "STOP_LOSS");
const settle = async (inMs = 0) => await settleIn(lane, inMs);

const run = async (intent: Intent, change: Parameters<Lane["accept"]>[1] = {}) =>
  await runIn(lane, intent, change);

describe.each(EXITS)("%s whose close is refused", (_, intent) => {
  test("gives the exits back as they were, and is tried again ever more slowly", async () => {
    const before = stops().map(({ stopPx, leavesQty }) => [stopPx, leavesQty]);
    lane.broker.next.close.push(...Array.from({ length: 3 }, () => REJECTED));
    const id = await run(intent);
    expect(names()).toEqual(["cancel", "cancel", "close", "protect"]);
    expect(lane.record(id).outcome).toMatchObject({ kind: "unfinished", soFar: { closed: [] } });
    expect(lane.record(id).outcome).not.toHaveProperty("soFar.unprotected");
    expect(stops().map(({ stopPx, leavesQty }) => [stopPx, leavesQty])).toEqual(before);

    const triedAt: number[] = [];
    const began = lane.intents.clock;
    for (let second = 0; second < 20 && lane.broker.held.length > 0; second += 1) {
      const { length } = names();
      expect(await settle(1_000)).toBe(lane.broker.held.length > 0);
      if (names().length > length) triedAt.push(lane.intents.clock - began);
    }
    // It is closed before its exits are cancelled now: they may fill meanwhile, and are never missing.
    expect([triedAt, lane.record(id).state]).toEqual([[1_000, 3_000, 7_000], "DONE"]);
    expect(names().slice(-3)).toEqual(["close", "cancel", "cancel"]);
    expect([lane.broker.held, working()]).toEqual([[], []]);
  });

  test("says that exits are missing which are refused, too", async () => {
    lane.broker.next.close.push(REJECTED, REJECTED);
    lane.broker.next.protect.push(REJECTED);
    const id = await run(intent);
    expect(lane.record(id).outcome).toMatchObject({
      kind: "unfinished",
      soFar: { unprotected: [{ contract: ES, exits: ["TAKE_PROFIT", "STOP_LOSS"] }] },
    });
  });

  test("puts nothing back while a close is unknown", async () => {
    lane.broker.next.close.push(UNKNOWN);
    const id = await run(intent);
    await settle();
    expect([lane.record(id).state, names()]).toEqual(["UNKNOWN", ["cancel", "cancel", "close"]]);
  });

  test("gives them back once an unknown close is proven absent, and the next one is refused", async () => {
    lane.broker.next.close.push(UNKNOWN, REJECTED);
    const id = await run(intent);
    await settle();
    await settle(5_000);
    expect([lane.record(id).state, stops().length]).toEqual(["UNFINISHED", 1]);
    await settle(1_000);
    expect([lane.record(id).state, lane.broker.held, working()]).toEqual(["DONE", [], []]);
  });

  test("looks for an unknown close once a second, and then at once when it may be proven absent", async () => {
    lane.broker.next.close.push(UNKNOWN);
    const id = await run(intent);
    let looks = 0;
    const findOrder = lane.broker.findOrder.bind(lane.broker);
    lane.broker.findOrder = async (...asked) => {
      if (asked[1] === closeId) looks += 1;
      return await findOrder(...asked);
    };
    const closeId = lane.broker.commands.find(([name]) => name === "close")?.[2];
    const lookedAt: number[] = [];
    for (let ms = 0; lane.broker.held.length > 0 && ms < 10_000; ms += 100) {
      const before = looks;
      await settle(100);
      if (looks > before) lookedAt.push(ms);
    }
    expect(lookedAt).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000]);
    expect(lane.record(id).state).toBe("DONE");
  });

  test("holds up nothing else, and ends after seven days", async () => {
    lane.broker.next.close.push(...Array.from({ length: 2_000 }, () => REJECTED));
    const id = await run(intent);
    const entry = await run(place({ contract: NQ }));
    expect(lane.record(entry).state).toBe("DONE");
    for (let hours = 1; hours <= 7 * 24; hours += 1) {
      expect(await settle(HOUR_MS)).toBe(hours < 7 * 24);
    }
    expect(lane.record(id)).toMatchObject({ state: "EXPIRED", outcome: { kind: "expired" } });
    expect(stops()).toHaveLength(1);
  });
});

test("what was opened since is not closed, and keeps its exits", async () => {
  lane.broker.next.close.push(REJECTED);
  const id = await run(FLATTEN);
  lane.intents.clock += 500;
  const entry = intentId(`i${"1".repeat(28)}`);
  await run(place(), { intentId: entry });
  lane.broker.held = [position(3)];
  const bought = (order: string, qty: number) =>
    ({ execId: execId(order), order, side: "BUY", qty, at: 1, heardAt: 0 }) as const;
  lane.trips.set(ES, { fills: [bought("older", 2), bought(`${entry}-1`, 1)], unexplained: 0 });
  lane.broker.show({
    orderId: orderId("own"),
    clOrdId: `${entry}-1-SL` as never,
    side: "SELL",
    role: "STOP_LOSS",
  });
  lane.broker.next.submit.push(() => {
    lane.broker.held = [position(1)];
    return undefined;
  });
  await settle(1_000);
  expect(lane.broker.sent.at(-1)).toMatchObject({ side: "SELL", orderQty: 2, ordType: "MARKET" });
  expect(lane.record(id).state).toBe("DONE");
  expect([lane.broker.held, stops().map((one) => one.orderId)]).toEqual([[position(1)], ["own"]]);
});

test("a newer target takes its place", async () => {
  lane.broker.next.close.push(REJECTED);
  const id = await run(FLATTEN);
  await run(adjust({ to: "position", netQty: 2 }));
  await settle(1_000);
  expect([lane.record(id).state, lane.broker.held]).toEqual(["OVERTAKEN", [position(2)]]);
  expect(stops()).toHaveLength(1);
});

describe.each(EXITS)("%s of a market that is closed", (_, intent) => {
  beforeEach(() => {
    const opensAt = lane.intents.clock + 49 * HOUR_MS;
    lane.markets.set(ES, { kind: "closed", opensAt });
  });

  test("waits for the opening with its exits, and is closed then", async () => {
    const id = await run(intent);
    const opensAt = lane.intents.clock + 49 * HOUR_MS;
    expect(lane.record(id).outcome).toMatchObject({ kind: "held", opensAt });
    expect([names(), working().length]).toEqual([[], 2]);
    expect(await settle(49 * HOUR_MS)).toBe(true);
    expect(names()).toEqual([]);

    lane.markets.set(ES, { kind: "unsure" });
    expect(await settle(2_000)).toBe(false);
    expect([lane.record(id).state, lane.broker.held, working()]).toEqual(["DONE", [], []]);
    expect(names()[0]).toBe("close");
  });

  test("closes nothing that a person has closed by then", async () => {
    const id = await run(intent);
    lane.broker.held = [];
    lane.markets.clear();
    expect(await settle(50 * HOUR_MS)).toBe(false);
    expect([lane.record(id).state, names().includes("close")]).toEqual(["DONE", false]);
  });

  test("is refused where it is not to wait, with nothing touched", async () => {
    const id = await run({ ...intent, whenClosed: "refuse" } as Intent);
    expect(lane.record(id).outcome).toMatchObject({ kind: "denied", code: "MARKET_CLOSED" });
    expect([names(), working().length]).toEqual([[], 2]);
  });

  test("of a guard or a plan is tried all the same, as they ask again themselves", async () => {
    lane.broker.next.close.push(REJECTED);
    const id = await run(intent, { source: { kind: "guard" } });
    expect([lane.record(id).state, working().length]).toEqual(["REJECTED", 2]);
  });
});

test("what trades is closed, and the rest waits", async () => {
  const opensAt = lane.intents.clock + HOUR_MS;
  lane.markets.set(ES, { kind: "closed", opensAt });
  lane.broker.held = [position(2), position(1, NQ)];
  const id = await run({ ...FLATTEN, whenClosed: "refuse" } as Intent);
  expect(lane.record(id).outcome).toMatchObject({
    kind: "held",
    opensAt,
    soFar: { closed: [{ contract: NQ }], remaining: [{ contract: ES, netQty: 2 }] },
  });
});

test("a part that waits is as many as it was when it was asked for", async () => {
  lane.markets.set(ES, { kind: "closed", opensAt: lane.intents.clock + HOUR_MS });
  lane.broker.held = [position(4)];
  const id = await run(adjust({ to: "close", percent: 50 }));
  expect(lane.record(id).outcome).toMatchObject({ kind: "held" });
  lane.broker.held = [position(3)];
  lane.markets.clear();
  lane.broker.next.submit.push(() => {
    lane.broker.held = [position(1)];
    return undefined;
  });
  await settle(2 * HOUR_MS);
  expect(lane.broker.sent).toMatchObject([{ side: "SELL", orderQty: 2 }]);
  expect(lane.record(id).state).toBe("DONE");
});

test("a cancel that comes too late is not done, and is looked at again", async () => {
  lane.broker.held = [];
  for (const { orderId: id } of working()) lane.broker.change(id, { ordStatus: "CANCELED" });
  lane.broker.show({ orderId: orderId("7"), contract: ES, side: "BUY", ordType: "LIMIT" });
  lane.broker.next.cancel.push(REJECTED, REJECTED, REJECTED);
  const id = await run({ kind: "FLATTEN", cancelResting: true });
  expect(lane.record(id).outcome).toMatchObject({
    kind: "unfinished",
    soFar: { remainingOrderIds: ["7"] },
  });
  lane.broker.change(orderId("7"), { ordStatus: "FILLED", cumQty: 1, leavesQty: 0 });
  lane.broker.held = [position(1)];
  await settle(1_000);
  expect([lane.record(id).state, lane.broker.held]).toEqual(["DONE", []]);
});

describe("taken back by a person", () => {
  test("it ends in its lane's next turn with what it did, and leaves the exits", async () => {
    lane.broker.next.close.push(REJECTED);
    const id = await run(FLATTEN);
    expect(await lane.intents.stopGoingOn(ACCOUNT, id)).toBe(true);
    const { length } = names();
    expect(await settle()).toBe(false);
    expect(lane.record(id).outcome).toMatchObject({ kind: "withdrawn", soFar: { closed: [] } });
    expect([names().length, stops().length]).toEqual([length, 1]);
  });

  test("sends nothing more where its lane has begun to try it again", async () => {
    lane.broker.next.close.push(REJECTED);
    const id = await run(FLATTEN);
    const { length } = names();
    lane.intents.before.beginSending = async () => {
      await lane.intents.stopGoingOn(ACCOUNT, id);
    };
    await settle(1_000);
    await settle();
    expect([lane.record(id).state, names().length]).toEqual(["WITHDRAWN", length]);
  });

  test("only what goes on can be", async () => {
    const id = await run(FLATTEN);
    expect(await lane.intents.stopGoingOn(ACCOUNT, id)).toBe(false);
  });
});
