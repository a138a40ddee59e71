// The goal: a store that falls back to an earlier state makes nobody send an order a second time.
// The method: what Redis holds of an account is saved before an order is sent, and restored after it.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { intentId } from "../../src/domain/ids.ts";
import type { Outcome } from "../../src/domain/intent.ts";
import { intentScripts, openIntentStore } from "../support/intent-store.ts";
import { createRunIntent, type RunIntent, storeStep } from "../../src/trading/lane/run-intent.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import { ACCOUNT, KEY, type Lane, openLane, place, USER } from "../unit/trading/lane-kit.ts";
import { UserGuards } from "../../src/store/intents/user-guards.ts";
import type { IntentStore } from "../../src/trading/orders/ports.ts";

const ID = intentId(`i${"c".repeat(28)}`);

let corner: RedisCorner;
let redis: Redis;
let intents: IntentStore;
let lane: Lane;
let runIntent: RunIntent;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", intentScripts);
  intents = openIntentStore({ redis, keys: corner.keys, retentionMs: 60_000 });
  lane = await openLane();
  runIntent = createRunIntent({ ...lane.deps, intents });
  await new UserGuards({ redis, keys: corner.keys }).fence(USER, [ACCOUNT], 1);
  await intents.accept({
    intentId: ID,
    accountId: ACCOUNT,
    userId: USER,
    source: { kind: "webhook", credentialId: KEY },
    requestId: "r1",
    intent: place(),
    entryMaxAgeMs: 60_000,
    exitMaxAgeMs: 600_000,
    receivedAt: await intents.now(),
  });
});
afterEach(() => corner.close());

/** Answers what brings everything back as it is now. */
async function save(): Promise<() => Promise<void>> {
  const names = await corner.stored();
  const saved = await Promise.all(names.map((name) => redis.dumpBuffer(name)));
  return async () => {
    await redis.del(...(await corner.stored()));
    for (const [index, name] of names.entries()) {
      await redis.restore(name, 0, saved[index] ?? Buffer.alloc(0));
    }
  };
}

async function work(): Promise<void> {
  await storeStep(intents, await runIntent(ACCOUNT, ID, { replyTo: "process-1" }));
}
const beginSession = async () => lane.setSession({ beganAt: await intents.now() });
const sent = () => lane.broker.sent.map(({ clOrdId }) => clOrdId);

test("an order that it shows as unsent, and the broker has, is adopted", async () => {
  const restore = await save();
  await work();
  const before = await intents.find(ACCOUNT, ID);
  await restore();
  expect((await intents.find(ACCOUNT, ID))?.state).toBe("PREPARED");

  await beginSession();
  await work();
  expect(sent()).toEqual([`${ID}-1`]);
  const after = await intents.find(ACCOUNT, ID);
  expect([after?.state, after?.clOrdIds]).toEqual(["DONE", before?.clOrdIds]);
  expect(after?.outcome).toEqual(withoutAck(before?.outcome));
  // Nothing of it is left to be settled.
  expect(await intents.unsettled(ACCOUNT)).toEqual([]);
  expect(await redis.exists(corner.keys.sending(ACCOUNT))).toBe(0);
});

/** How long the broker took to answer is known to who has sent it, and to nobody after. */
function withoutAck(outcome: Outcome | undefined): Outcome | undefined {
  if (outcome?.kind !== "done" || outcome.result.kind !== "PLACE") return outcome;
  const { ackMs: _, ...order } = outcome.result.order;
  return { kind: "done", result: { ...outcome.result, order } };
}

test("an order that was not sent yet is sent", async () => {
  const restore = await save();
  await restore();
  await beginSession();
  await work();
  expect(sent()).toEqual([`${ID}-1`]);
  expect((await intents.find(ACCOUNT, ID))?.state).toBe("DONE");
});
