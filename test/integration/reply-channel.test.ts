// The goal: whoever waits for an outcome gets it, from whichever process, even if a message is lost.
// The method: two reply channels on a real Redis, as two processes have them.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openChannels } from "../../queues/channels.ts";
import { createReplyChannel } from "../../queues/reply-channel.ts";
import { accountId, clOrdId, intentId, type IntentId, userId } from "../../src/domain/ids.ts";
import type { IntentRecord, Outcome } from "../../src/domain/intent.ts";
import { decodeTold } from "../../src/store/intents/intent-record.ts";
import { intentScripts, openIntentStore, openLaneStore } from "../support/intent-store.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import type { IntentStore, Outcomes } from "../../src/trading/orders/ports.ts";
import { StoreError } from "../../src/trading/store-error.ts";

const ACCOUNT = accountId("paper-1");
const DONE: Outcome = { kind: "done", result: { kind: "CANCEL_ENTRIES", canceledOrderIds: [] } };

let corner: RedisCorner;
let intents: IntentStore;
let ingress: Outcomes;
let worker: Outcomes;
let errors: unknown[];

beforeEach(async () => {
  corner = await openCorner();
  errors = [];
  const redis = await corner.open("worker", intentScripts);
  intents = openIntentStore({ redis, keys: corner.keys, retentionMs: 60_000 });
  [ingress, worker] = [await openChannel("ingress"), await openChannel("worker")];
});
afterEach(() => corner.close());

async function openChannel(processId: string, change: Partial<IntentStore> = {}) {
  return await createReplyChannel({
    processId,
    intents: { ...intents, ...change },
    decodeTold,
    redis: await corner.open("worker"),
    channels: openChannels(await corner.open("worker")),
    channelOf: corner.keys.replies,
    waitFor: (ms, onWake) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        onWake(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
    confirm: async () => await Promise.resolve(),
    onError: (error) => errors.push(error),
  });
}

async function accept(name: string) {
  const id = intentId(name);
  await intents.accept({
    intentId: id,
    accountId: ACCOUNT,
    userId: userId("user_1"),
    requestId: "r1",
    source: { kind: "operator" },
    intent: { kind: "CANCEL_ENTRIES" },
    entryMaxAgeMs: 30_000,
    exitMaxAgeMs: 30_000,
    receivedAt: await intents.now(),
  });
  return id;
}

async function settle(id: IntentId, outcome: Outcome): Promise<IntentRecord> {
  const record = await intents.find(ACCOUNT, id);
  if (record === undefined) throw new Error(`There is no intent ${id}`);
  return await intents.settle(record, outcome);
}

async function beginSending(id: IntentId): Promise<void> {
  const redis = await corner.open("request");
  await redis.set(corner.keys.epoch(ACCOUNT), "1");
  await intents.beginSending({
    epoch: 1,
    owner: { userId: userId("user_1") },
    account: ACCOUNT,
    intentId: id,
    clOrdId: clOrdId(`${id}-1`),
    expiresAt: Infinity,
    maxOrders: 1,
  });
}

test("an outcome travels between two processes at once", async () => {
  const id = await accept("i1");
  const expected = ingress.expect(ACCOUNT, id);
  const answered = expected.within(15_000);
  worker.announce(await settle(id, DONE), "ingress");
  const begin = performance.now();
  expect(await answered).toMatchObject({ state: "DONE", outcome: DONE });
  expect(performance.now() - begin).toBeLessThan(14_000);
  expected.stop();
});

test("an outcome that was told before it is waited for is not missed", async () => {
  const id = await accept("i1");
  const expected = ingress.expect(ACCOUNT, id);
  ingress.announce(await settle(id, DONE), "ingress");
  expect(await expected.within(15_000)).toMatchObject({ state: "DONE" });
  expected.stop();
});

test("everyone who waits for one intent is told, and only of that one", async () => {
  const [first, second] = [await accept("i1"), await accept("i2")];
  const waiting = [ingress.expect(ACCOUNT, first), ingress.expect(ACCOUNT, first)];
  const other = ingress.expect(ACCOUNT, second);
  const answers = Promise.all(waiting.map((one) => one.within(15_000)));
  worker.announce(await settle(first, DONE), "ingress");
  expect((await answers).map((record) => record?.intentId)).toEqual(["i1", "i1"]);
  expect(await other.within(0)).toBeUndefined();
  for (const one of [...waiting, other]) one.stop();
});

test("a message that is lost costs time, never the outcome", async () => {
  const id = await accept("i1");
  const expected = ingress.expect(ACCOUNT, id);
  await settle(id, DONE);
  expect(await expected.within(100)).toMatchObject({ state: "DONE", outcome: DONE });
  expected.stop();
});

test("a repeat reads what another process was told, but waits longer for what is unknown", async () => {
  const [done, unknown] = [await accept("i1"), await accept("i2")];
  const repeats = [worker.expect(ACCOUNT, done, true), worker.expect(ACCOUNT, unknown, true)];
  const [first, second] = repeats.map((one) => one.within(15_000));
  await settle(unknown, { kind: "unknown", reason: "The answer was lost" });
  ingress.announce(await settle(done, DONE), "ingress");
  const begin = performance.now();
  expect(await first).toMatchObject({ state: "DONE" });
  expect(performance.now() - begin).toBeLessThan(14_000);
  const isOpen = "open";
  expect(await Promise.race([second, Promise.resolve(isOpen)])).toBe(isOpen);
  worker.announce(await settle(unknown, DONE), "worker");
  expect(await second).toMatchObject({ state: "DONE" });
  for (const one of repeats) one.stop();
});

test("an unknown outcome is an answer at the deadline, an unsettled intent is none", async () => {
  const [unknown, open] = [await accept("i1"), await accept("i2")];
  await settle(unknown, { kind: "unknown", reason: "The answer was lost" });
  await beginSending(open);
  const both = [ingress.expect(ACCOUNT, unknown), ingress.expect(ACCOUNT, open)];
  const answers = await Promise.all(both.map((one) => one.within(10)));
  expect(answers.map((record) => record?.state)).toEqual(["UNKNOWN", undefined]);
  for (const one of both) one.stop();
});

test("an intent that does not exist is no answer", async () => {
  const expected = ingress.expect(ACCOUNT, intentId("i404"));
  expect(await expected.within(10)).toBeUndefined();
  expected.stop();
});

test("a store that is away at the deadline leaves the outcome open, and is no error", async () => {
  const away = new StoreError("Redis is away", { certainlyNotWritten: true });
  const channel = await openChannel("third", { find: () => Promise.reject(away) });
  const expected = channel.expect(ACCOUNT, await accept("i1"));
  expect(await expected.within(10)).toBeUndefined();
  expected.stop();
});

test("nothing is read for intents that nobody waits for", async () => {
  let reads = 0;
  const channel = await openChannel("third", {
    find: async (account, id) => {
      reads += 1;
      return await intents.find(account, id);
    },
  });
  const [first, second] = [await accept("i1"), await accept("i2")];
  const gone = channel.expect(ACCOUNT, first);
  gone.stop();
  const waits = channel.expect(ACCOUNT, second);
  worker.announce(await settle(first, DONE), "third");
  worker.announce(await settle(second, DONE), "third");
  expect(await waits.within(15_000)).toMatchObject({ intentId: "i2" });
  expect(reads).toBe(1);
  waits.stop();
});

describe("an outcome that its message tells", () => {
  const unread = async () => expect.unreachable();

  async function tell(id: IntentId, settled: IntentRecord | undefined): Promise<void> {
    const lane = openLaneStore({ redis: await corner.open("worker"), keys: corner.keys });
    await lane.take(ACCOUNT);
    const record = settled ?? (await intents.find(ACCOUNT, id));
    if (record === undefined) throw new Error(`There is no intent ${id}`);
    const settlement = { record, outcome: DONE, onlyUnsent: settled === undefined };
    await lane.finish(ACCOUNT, id, { settlement, takesNext: false, tells: "third" });
  }

  test("is the answer, and nothing is read for it", async () => {
    const channel = await openChannel("third", { find: unread });
    const id = await accept("i1");
    const expected = channel.expect(ACCOUNT, id);
    const answered = expected.within(15_000);
    await tell(id, await intents.find(ACCOUNT, id));
    expect(await answered).toEqual(await intents.find(ACCOUNT, id));
    expect(await answered).toMatchObject({ state: "DONE", outcome: DONE });
    expected.stop();
  });

  test("is none while the intent is open", async () => {
    const channel = await openChannel("third");
    const id = await accept("i1");
    const expected = channel.expect(ACCOUNT, id);
    await beginSending(id);
    await tell(id, undefined);
    expect(await expected.within(50)).toBeUndefined();
    expected.stop();
  });
});

test("a message that makes no sense is told, and the channel goes on", async () => {
  const redis = await corner.open("request");
  await redis.publish(corner.keys.replies("ingress"), "nonsense");
  const id = await accept("i1");
  const expected = ingress.expect(ACCOUNT, id);
  const answered = expected.within(15_000);
  worker.announce(await settle(id, DONE), "ingress");
  expect(await answered).toMatchObject({ state: "DONE" });
  expect(errors).toHaveLength(1);
  expected.stop();
});
