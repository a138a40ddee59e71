// The goal: entries that wait behind an unknown outcome survive their owner, and leave in order.
// The method: the lane's own steps on a real Redis, with an owner that is replaced at each crash point.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clOrdId, type IntentId, intentId, orderId } from "../../src/domain/ids.ts";
import type { Intent } from "../../src/domain/intent.ts";
import { createRunIntent, storeStep } from "../../src/trading/lane/run-intent.ts";
import { UnknownSettler } from "../../src/trading/lane/settle/settle-unknown.ts";
import { createSettlePending } from "../../src/trading/lane/settle-pending.ts";
import { intentScripts, openIntentStore } from "../support/intent-store.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import {
  ACCOUNT,
  KEY,
  type Lane,
  openLane,
  place,
  position,
  showPair,
  UNKNOWN,
  USER,
} from "../unit/trading/lane-kit.ts";
import { UserGuards } from "../../src/store/intents/user-guards.ts";
import type { IntentStore } from "../../src/trading/orders/ports.ts";
import { StoreError } from "../../src/trading/store-error.ts";

let corner: RedisCorner;
let redis: Redis;
let lane: Lane;
let intents: IntentStore;
let clock: number;
let last: number;
let epoch: number;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", intentScripts);
  intents = openIntentStore({ redis, keys: corner.keys, retentionMs: 60_000 });
  lane = await openLane();
  [clock, last, epoch] = [0, 0, 0];
});
afterEach(() => corner.close());

/** A process that has just become the account's owner, and remembers nothing. */
async function takeOver(change: Partial<IntentStore> = {}) {
  const own = (epoch += 1);
  await new UserGuards({ redis, keys: corner.keys }).fence(USER, [ACCOUNT], own);
  const store: IntentStore = { ...intents, ...change };
  const session = { beganAt: 0 };
  const sessionOf = () => session;
  const settler = new UnknownSettler({
    intents: store,
    alarms: { raise: () => undefined },
    sessionOf,
    elapsed: () => clock,
  });
  lane.setConnection({ ownership: { epoch: own, isOwned: () => true } });
  const deps = { ...lane.deps, intents: store, settler, sessionOf };
  const runIntent = createRunIntent(deps);
  const settlePending = createSettlePending({ ...deps, runIntent });
  return {
    work: async (id: IntentId) => {
      const step = await runIntent(ACCOUNT, id, { replyTo: "process-1" });
      await storeStep(store, step);
      return step.kind;
    },
    settlePending: () => settlePending(ACCOUNT),
  };
}

async function accept(entryMaxAgeMs = 60_000, intent: Intent = place()): Promise<IntentId> {
  const id = intentId(`i${(last += 1)}`);
  const accepted = await intents.accept({
    intentId: id,
    accountId: ACCOUNT,
    userId: USER,
    source: { kind: "webhook", credentialId: KEY },
    requestId: "r1",
    intent,
    entryMaxAgeMs,
    exitMaxAgeMs: 600_000,
    receivedAt: await intents.now(),
  });
  expect(accepted).toEqual({ kind: "accepted" });
  return id;
}

const FLATTEN: Intent = { kind: "FLATTEN", cancelResting: true };
const stateOf = async (id: IntentId) => (await intents.find(ACCOUNT, id))?.state;
const sent = () => lane.broker.sent.map((order) => order.clOrdId);
const dies = async () => {
  throw new StoreError("The process is gone", { certainlyNotWritten: true });
};

test("they wait, and the next owner sends them in order once the outcome is known", async () => {
  const first = await takeOver();
  lane.broker.next.submit.push(UNKNOWN);
  const ids = [await accept(), await accept(), await accept()];
  for (const id of ids) expect(await first.work(id)).toBe("unsettled");
  expect(sent()).toEqual(["i1-1"]);

  const second = await takeOver();
  expect(await second.settlePending()).toBe(true);
  clock += 5_000;
  expect(await second.settlePending()).toBe(false);
  expect(await stateOf(intentId("i1"))).toBe("LOST");
  expect(sent()).toEqual(["i1-1", "i2-1", "i3-1"]);
  expect(await second.work(await accept())).toBe("done");
  expect(await redis.keys(`*{${ACCOUNT}}:held`)).toEqual([]);
});

test.each<[string, object]>([
  ["the whole account", {}],
  ["their root", { root: "ES" }],
])("an exit that passes them overtakes them, also for the next owner: %s", async (_, scope) => {
  const first = await takeOver();
  lane.broker.next.submit.push(UNKNOWN);
  const [unknown, held] = [await accept(), await accept()];
  for (const id of [unknown, held]) expect(await first.work(id)).toBe("unsettled");
  const exit = await accept(60_000, { kind: "FLATTEN", cancelResting: true, ...scope });
  expect(await first.work(exit)).toBe("unsettled");

  const second = await takeOver();
  await second.settlePending();
  clock += 5_000;
  expect(await second.settlePending()).toBe(false);
  const states = await Promise.all([unknown, held, exit].map(stateOf));
  expect(states).toEqual(["LOST", "OVERTAKEN", "DONE"]);
  expect(sent()).toEqual([`${unknown}-1`]);
});

test("an intent hears what the others of unknown outcome asked for", async () => {
  const first = await takeOver();
  lane.broker.next.submit.push(UNKNOWN);
  const entry = await accept();
  await first.work(entry);
  await first.work(await accept(60_000, FLATTEN));
  const one = await accept();
  const context = await intents.loadForLane(ACCOUNT, one);
  const asked = [place(), FLATTEN].map((intent) => ({ intent, isEarlier: true }));
  expect(context?.unknown).toHaveLength(2);
  expect(context?.unknown).toEqual(expect.arrayContaining(asked));
  const unknown = [{ intent: FLATTEN, isEarlier: false }];
  expect(await intents.loadForLane(ACCOUNT, entry)).toMatchObject({ unknown });
});

test("an exit that waits is finished by the next owner, once the entry before it is known", async () => {
  const first = await takeOver();
  lane.broker.next.submit.push(UNKNOWN);
  const entry = await accept();
  await first.work(entry);
  const exit = await accept(60_000, { kind: "FLATTEN", cancelResting: true });
  expect(await first.work(exit)).toBe("unsettled");
  expect(await stateOf(exit)).toBe("UNKNOWN");

  const filled = { ordStatus: "FILLED", cumQty: 1, leavesQty: 0 } as const;
  lane.broker.show({ orderId: orderId("7"), clOrdId: clOrdId(`${entry}-1`), ...filled });
  lane.broker.held = [position(1)];
  const second = await takeOver();
  expect(await second.settlePending()).toBe(false);
  expect(lane.broker.held).toEqual([]);
  expect(await intents.find(ACCOUNT, exit)).toMatchObject({
    state: "DONE",
    clOrdIds: [`${exit}-1`],
    exitPlan: { closes: [{ clOrdId: `${exit}-1` }], cancels: [] },
  });
});

test("an exit whose owner died after its cancels is finished by the next one at once", async () => {
  let sends = 0;
  const first = await takeOver({
    beginSending: async (request) => ((sends += 1) === 2 ? dies() : intents.beginSending(request)),
  });
  lane.broker.held = [position(2)];
  showPair(lane.broker);
  const exit = await accept(60_000, { kind: "FLATTEN", cancelResting: false });
  await expect(first.work(exit)).rejects.toBeInstanceOf(StoreError);

  const second = await takeOver();
  expect(await second.work(exit)).toBe("done");
  expect(lane.broker.commands.map(([name]) => name)).toEqual(["cancel", "cancel", "close"]);
  expect(await intents.find(ACCOUNT, exit)).toMatchObject({
    state: "DONE",
    outcome: { result: { closed: [{ netQty: 2 }], canceledOrderIds: ["tp", "sl"] } },
  });
});

test("one whose owner died right after its write-ahead is looked up, and those behind it wait", async () => {
  const first = await takeOver({
    beginSending: async (request) => {
      await intents.beginSending(request);
      return await dies();
    },
  });
  const [begun, next] = [await accept(), await accept()];
  await expect(first.work(begun)).rejects.toBeInstanceOf(StoreError);

  // Its job may be gone or not: either way it is not sent again.
  const second = await takeOver();
  expect(await second.work(next)).toBe("unsettled");
  expect(await second.work(begun)).toBe("unsettled");
  clock += 5_000;
  expect(await second.settlePending()).toBe(false);
  expect([await stateOf(begun), await stateOf(next)]).toEqual(["LOST", "DONE"]);
  expect(sent()).toEqual([`${next}-1`]);
});

test("one whose outcome was never stored is settled by the next owner, before those behind it", async () => {
  const first = await takeOver({ settle: dies });
  const [done, next] = [await accept(), await accept()];
  await expect(first.work(done)).rejects.toBeInstanceOf(StoreError);
  expect(await stateOf(done)).toBe("SENDING");

  const second = await takeOver();
  expect(await second.work(next)).toBe("unsettled");
  expect(await second.settlePending()).toBe(false);
  expect([await stateOf(done), await stateOf(next)]).toEqual(["DONE", "DONE"]);
  expect(sent()).toEqual([`${done}-1`, `${next}-1`]);
});

test("a former owner that wakes up after all that sends nothing and ends nothing", async () => {
  const id = await accept();
  const first = await takeOver({
    beginSending: async (request) => {
      // Another process takes over while this one is frozen; nobody told it.
      await redis.incr(corner.keys.epoch(ACCOUNT));
      return await intents.beginSending(request);
    },
  });
  await expect(first.work(id)).rejects.toBeInstanceOf(StoreError);
  expect(await stateOf(id)).toBe("PREPARED");
  expect(sent()).toEqual([]);
});

test("one that is too old expires while it waits, and is never sent", async () => {
  const owner = await takeOver();
  lane.broker.next.submit.push(UNKNOWN);
  const unknown = await accept();
  await owner.work(unknown);
  const held = await accept(600_000);
  expect(await owner.work(held)).toBe("unsettled");
  await redis.hset(corner.keys.intent(ACCOUNT, held), "maxAges", "0 600000");
  lane.broker.show({ orderId: orderId("7"), clOrdId: clOrdId(`${unknown}-1`) });
  expect(await owner.settlePending()).toBe(false);
  expect([await stateOf(unknown), await stateOf(held)]).toEqual(["DONE", "EXPIRED"]);
  expect(sent()).toEqual([`${unknown}-1`]);
});
