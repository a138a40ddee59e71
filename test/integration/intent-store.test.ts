// The goal: each step of an intent happens at most once, whoever asks and however often.
// The method: drive the real scripts on a real Redis, side by side and out of turn.
import { connect, createServer } from "node:net";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { ContractCode } from "../../src/domain/contract.ts";
import {
  accountId,
  clOrdId,
  credentialId,
  type IntentId,
  intentId,
  orderId,
  userId,
} from "../../src/domain/ids.ts";
import type { LegPlan, Outcome } from "../../src/domain/intent.ts";
import { ticks } from "../../src/domain/price.ts";
import { createRedisIntentStore, intentScripts } from "../../src/store/redis-intent-store.ts";
import { createRedisLimitStore } from "../../src/store/redis-limit-store.ts";
import {
  type IntentStore,
  type NewIntent,
  type SendRequest,
  StoreError,
} from "../../src/trading/store-ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const ACCOUNT = accountId("paper-1");
const OTHER = accountId("paper-2");
const OWNER = { userId: userId("user_1"), credentialId: credentialId("key_1") };
const RETENTION_MS = 60_000;

const DONE: Outcome = { kind: "done", result: { kind: "CANCEL", orderId: orderId("7") } };
const UNKNOWN: Outcome = { kind: "unknown", reason: "The answer was lost" };
const WITHDRAWN: Outcome = { kind: "withdrawn", reason: "Nobody waits" };

let corner: RedisCorner;
let redis: Redis;
let intents: IntentStore;
let last: number;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("request", intentScripts);
  intents = createRedisIntentStore({ redis, keys: corner.keys, retentionMs: RETENTION_MS });
  last = 0;
});
afterEach(() => corner.close());

async function newIntent(change: Partial<NewIntent> = {}): Promise<NewIntent> {
  last += 1;
  return {
    intentId: intentId(`i${last}`),
    accountId: ACCOUNT,
    userId: OWNER.userId,
    source: {
      kind: "api",
      credentialId: OWNER.credentialId,
    },
    requestId: "r1",
    intent: {
      kind: "CANCEL",
      orderId: orderId("7"),
    },
    entryMaxAgeMs: 30_000,
    exitMaxAgeMs: 600_000,
    receivedAt: await intents.now(),
    ...change,
  };
}

/** Accepts an intent that nothing stands against. */
async function accept(change: Partial<NewIntent> = {}): Promise<IntentId> {
  const intent = await newIntent(change);
  expect(await intents.accept(intent)).toEqual({ kind: "accepted" });
  return intent.intentId;
}

const begin = (id: IntentId, change: Partial<SendRequest> = {}) =>
  intents.beginSending({
    account: ACCOUNT,
    intentId: id,
    clOrdId: clOrdId(`${id}-1`),
    expiresAt: Infinity,
    maxOrders: 5,
    ...change,
  });

const entry = (perAccount: number, inAll = 1_000) => ({
  entry: { perAccount, inAll, owner: OWNER },
});
const keyed = (key: string, fingerprint = "body-1") => ({ idempotency: { key, fingerprint } });
const stateOf = async (id: IntentId) => (await intents.find(ACCOUNT, id))?.state;
const load = async (id: IntentId, account = ACCOUNT) =>
  await intents.loadForLane(account, id, OWNER);

describe("accepting", () => {
  test("keeps everything about the intent, with its ages counted by Redis' clock", async () => {
    const intent = await newIntent();
    const before = await intents.now();
    await intents.accept(intent);
    const after = await intents.now();
    const record = await intents.find(ACCOUNT, intent.intentId);
    expect(record).toEqual({
      intentId: intent.intentId,
      accountId: ACCOUNT,
      userId: OWNER.userId,
      source: intent.source,
      requestId: "r1",
      intent: intent.intent,
      state: "PREPARED",
      clOrdIds: [],
      acceptedAt: record?.acceptedAt,
      entryExpiresAt: (record?.acceptedAt ?? 0) + 30_000,
      exitExpiresAt: (record?.acceptedAt ?? 0) + 600_000,
    });
    expect(record?.acceptedAt).toBeGreaterThanOrEqual(before);
    expect(record?.acceptedAt).toBeLessThanOrEqual(after);
  });

  test("comes too late for a request of 2 seconds ago, and writes nothing", async () => {
    const receivedAt = (await intents.now()) - 2_100;
    const late = await newIntent({ receivedAt, ...keyed("key-1") });
    expect(await intents.accept(late)).toEqual({ kind: "tooLate" });
    expect(await corner.stored()).toEqual([]);
  });

  test("an intent that is not there is undefined", async () => {
    expect(await intents.find(ACCOUNT, intentId("i404"))).toBeUndefined();
    expect(await load(intentId("i404"))).toBeUndefined();
  });

  test("the unsettled ones are listed in the order of their acceptance", async () => {
    const all = [await accept(), await accept(), await accept(), await accept()];
    const [first, second, third, fourth] = all;
    if (!first || !second || !third || !fourth) throw new Error("four were accepted");
    await intents.settle(ACCOUNT, second, DONE);
    await intents.settle(ACCOUNT, third, UNKNOWN);
    await begin(fourth);
    const open = await intents.unsettled(ACCOUNT);
    expect(open.map(({ intentId: id, state }) => [id, state])).toEqual([
      [first, "PREPARED"],
      [third, "UNKNOWN"],
      [fourth, "SENDING"],
    ]);
    expect(await intents.unsettled(OTHER)).toEqual([]);
  });
});

describe("an Idempotency-Key", () => {
  test("stands for its intent", async () => {
    const first = await accept(keyed("key-1"));
    const again = await newIntent(keyed("key-1"));
    expect(await intents.accept(again)).toEqual({ kind: "known", intentId: first });
    expect(await intents.find(ACCOUNT, again.intentId)).toBeUndefined();
  });

  test("with another body is refused, and still stands for the first one", async () => {
    const first = await accept(keyed("key-1"));
    const other = await newIntent(keyed("key-1", "body-2"));
    expect(await intents.accept(other)).toEqual({ kind: "keyReused" });
    const again = await newIntent(keyed("key-1"));
    expect(await intents.accept(again)).toEqual({ kind: "known", intentId: first });
  });

  test("means nothing on another account, and another key is another intent", async () => {
    await accept(keyed("key-1"));
    await accept({ ...keyed("key-1", "body-2"), accountId: OTHER });
    await accept(keyed("key-2", "body-2"));
    expect(await intents.unsettled(ACCOUNT)).toHaveLength(2);
    expect(await intents.unsettled(OTHER)).toHaveLength(1);
  });

  test.each<[Outcome["kind"], boolean]>([
    ["notSent", true],
    ["expired", true],
    ["withdrawn", true],
    ["lost", true],
    ["denied", false],
    ["rejected", false],
    ["unprotected", false],
    ["unknown", false],
  ])("whose intent ended as %s is free again: %s", async (kind, isFree) => {
    const outcome = { kind, reason: "so", code: "NO_POSITION", canceled: "a leg" } as Outcome;
    const first = await accept(keyed("key-1"));
    await intents.settle(ACCOUNT, first, outcome);
    const again = await newIntent(keyed("key-1"));
    expect(await intents.accept(again)).toEqual(
      isFree ? { kind: "accepted" } : { kind: "known", intentId: first },
    );
    // A body that differs is refused either way.
    const other = await newIntent(keyed("key-1", "body-2"));
    expect(await intents.accept(other)).toEqual({ kind: "keyReused" });
  });

  test("of fifty requests at once, one is accepted and the others know it", async () => {
    const asked = await Promise.all(Array.from({ length: 50 }, () => newIntent(keyed("key-1"))));
    const answers = await Promise.all(asked.map((intent) => intents.accept(intent)));
    const accepted = asked.filter((_, n) => answers[n]?.kind === "accepted");
    expect(accepted).toHaveLength(1);
    const known = answers.filter((answer) => answer.kind === "known");
    expect(known).toHaveLength(49);
    expect(known).toEqual(known.map(() => ({ kind: "known", intentId: accepted[0]?.intentId })));
    expect(await intents.unsettled(ACCOUNT)).toHaveLength(1);
  });

  test("is forgotten after a day", async () => {
    await accept(keyed("key-1"));
    const ttl = await redis.pttl(corner.keys.idempotency(ACCOUNT, "key-1"));
    expect(ttl).toBeGreaterThan(86_400_000 - 60_000);
    expect(ttl).toBeLessThanOrEqual(86_400_000);
  });
});

describe("beginning to send", () => {
  test("stores the identifier and SENDING, and keeps the time of the first one", async () => {
    const id = await accept();
    expect(await begin(id)).toEqual({ kind: "granted" });
    const first = await intents.find(ACCOUNT, id);
    expect(first).toMatchObject({ state: "SENDING", clOrdIds: [`${id}-1`] });
    await begin(id, { clOrdId: clOrdId(`${id}-2`) });
    expect(await intents.find(ACCOUNT, id)).toMatchObject({
      clOrdIds: [`${id}-1`, `${id}-2`],
      sentAt: first?.sentAt,
    });
  });

  test("an identifier is given out once, to one of fifty who ask at once", async () => {
    const id = await accept();
    const permits = await Promise.all(Array.from({ length: 50 }, () => begin(id)));
    expect(permits.filter(({ kind }) => kind === "granted")).toHaveLength(1);
    expect(permits.filter(({ kind }) => kind === "refused")).toHaveLength(49);
    expect((await intents.find(ACCOUNT, id))?.clOrdIds).toEqual([`${id}-1`]);
  });

  test("an identifier that begins like another one is its own", async () => {
    const id = await accept();
    await begin(id, { clOrdId: clOrdId(`${id}-11`) });
    expect(await begin(id, { clOrdId: clOrdId(`${id}-1`) })).toEqual({ kind: "granted" });
  });

  test("an intent sends no more orders than it is for", async () => {
    const id = await accept();
    const ask = (n: number) => begin(id, { clOrdId: clOrdId(`${id}-${n}`), maxOrders: 2 });
    expect([(await ask(1)).kind, (await ask(2)).kind]).toEqual(["granted", "granted"]);
    expect(await ask(3)).toMatchObject({ kind: "refused" });
  });

  test("one that is too old expires; one that was begun is carried through", async () => {
    const id = await accept();
    const now = await intents.now();
    expect(await begin(id, { expiresAt: now - 1 })).toEqual({ kind: "expired" });
    expect(await stateOf(id)).toBe("PREPARED");
    expect(await begin(id, { expiresAt: now + 60_000 })).toEqual({ kind: "granted" });
    const next = { clOrdId: clOrdId(`${id}-2`), expiresAt: now - 1 };
    expect(await begin(id, next)).toEqual({ kind: "granted" });
  });

  test.each<Outcome>([
    DONE,
    UNKNOWN,
    WITHDRAWN,
    { kind: "expired", reason: "Too old" },
    { kind: "lost", reason: "Never there" },
  ])("after %j nothing is sent any more", async (outcome) => {
    const id = await accept();
    await intents.settle(ACCOUNT, id, outcome);
    expect(await begin(id)).toMatchObject({ kind: "refused" });
    expect((await intents.find(ACCOUNT, id))?.clOrdIds).toEqual([]);
  });

  test("an intent that is not there is refused, and stays away", async () => {
    expect(await begin(intentId("i404"))).toMatchObject({ kind: "refused" });
    expect(await corner.stored()).toEqual([]);
  });

  test("what is to stand afterwards is kept with it", async () => {
    const id = await accept();
    const plan: LegPlan = {
      contract: "ESZ2026" as ContractCode,
      side: "SELL",
      stopLossPx: ticks(3900),
      canceled: "the stop-loss",
    };
    await begin(id, { plan });
    await begin(id, { clOrdId: clOrdId(`${id}-2`) });
    expect((await intents.find(ACCOUNT, id))?.plan).toEqual(plan);
  });

  test("a command that Redis gets twice over a broken connection is granted twice", async () => {
    const id = await accept();
    const { worker, repeatLast } = await throughRepeater();
    const repeated = createRedisIntentStore({
      redis: worker,
      keys: corner.keys,
      retentionMs: RETENTION_MS,
    });
    repeatLast();
    const permit = await repeated.beginSending({
      account: ACCOUNT,
      intentId: id,
      clOrdId: clOrdId(`${id}-1`),
      expiresAt: Infinity,
      maxOrders: 1,
    });
    expect(permit).toEqual({ kind: "granted" });
    expect(await begin(id, { maxOrders: 5 })).toMatchObject({ kind: "refused" });
  });

  /** A worker's connection that can be cut right before an answer, so that it asks again. */
  async function throughRepeater() {
    const { path, host = "127.0.0.1", port = 6_379 } = redis.options;
    let cutNext = false;
    const proxy = createServer((client) => {
      const server = path === undefined ? connect(port, host) : connect(path);
      client.pipe(server);
      server.on("data", (chunk) => {
        if (cutNext) {
          cutNext = false;
          client.destroy();
          server.destroy();
        } else client.write(chunk);
      });
      for (const socket of [client, server]) socket.on("error", () => undefined);
      client.on("close", () => server.destroy());
      server.on("close", () => client.destroy());
    });
    const socket = `${await temporaryFolder()}/proxy.sock`;
    await new Promise<void>((resolve) => proxy.listen(socket, resolve));
    onTestFinished(() => void proxy.close());
    const behind = await openCorner(socket);
    onTestFinished(() => behind.close());
    const worker = await behind.open("worker", intentScripts);
    return { worker, repeatLast: () => (cutNext = true) };
  }
});

describe("orders per minute", () => {
  test("an entry over the account's limit is denied, and sends nothing", async () => {
    const ids = [await accept(), await accept(), await accept()];
    const permits = await Promise.all(ids.map((id) => begin(id, entry(2))));
    expect(permits.map(({ kind }) => kind)).toEqual(["granted", "granted", "limited"]);
    expect(permits[2]).toEqual({ kind: "limited", which: "account", limit: 2 });
    expect(await stateOf(ids[2] ?? intentId(""))).toBe("PREPARED");
  });

  test("one over the appliance's limit is denied, whichever its account", async () => {
    const first = await accept();
    const second = await accept({ accountId: OTHER });
    expect(await begin(first, entry(10, 1))).toEqual({ kind: "granted" });
    expect(await begin(second, { account: OTHER, ...entry(10, 1) })).toEqual({
      kind: "limited",
      which: "all",
      limit: 1,
    });
    expect((await intents.find(OTHER, second))?.state).toBe("PREPARED");
  });

  test("what the account itself refuses takes nothing from the others", async () => {
    await begin(await accept(), entry(1, 3));
    for (let n = 0; n < 5; n += 1) {
      expect(await begin(await accept(), entry(1, 3))).toMatchObject({ which: "account" });
    }
    const other = await accept({ accountId: OTHER });
    expect(await begin(other, { account: OTHER, ...entry(1, 3) })).toEqual({ kind: "granted" });
  });

  test("an exit is not counted, and passes when the minute is full", async () => {
    await begin(await accept());
    await begin(await accept(), entry(1, 1));
    expect(await begin(await accept(), entry(1, 1))).toMatchObject({ kind: "limited" });
    expect(await begin(await accept())).toEqual({ kind: "granted" });
  });

  test("exactly so many of fifty at once pass", async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => accept()));
    const permits = await Promise.all(ids.map((id) => begin(id, entry(20))));
    expect(permits.filter(({ kind }) => kind === "granted")).toHaveLength(20);
    expect(permits.filter(({ kind }) => kind === "limited")).toHaveLength(30);
  });

  test("what left a minute ago counts no more", async () => {
    await begin(await accept(), entry(1));
    const sent = corner.keys.sent(ACCOUNT);
    const [member = ""] = await redis.zrange(sent, "0", "-1");
    await redis.zadd(sent, String((await intents.now()) - 60_000), member);
    expect(await begin(await accept(), entry(1))).toEqual({ kind: "granted" });
    expect(await redis.zcard(sent)).toBe(1);
  });
});

describe("what is decided in the last moment", () => {
  test.each([{ accountId: ACCOUNT }, { userId: OWNER.userId }])(
    "the kill switch of %j holds entries back, and lets exits through",
    async (target) => {
      const limits = createRedisLimitStore({ redis, keys: corner.keys });
      await limits.setKillSwitch(target, true, "news");
      expect(await begin(await accept(), entry(10))).toEqual({ kind: "killed" });
      expect(await begin(await accept())).toEqual({ kind: "granted" });
      await limits.setKillSwitch(target, false, undefined);
      expect(await begin(await accept(), entry(10))).toEqual({ kind: "granted" });
    },
  );

  test("an entry whose key was revoked is refused", async () => {
    await redis.set(corner.keys.revoked(OWNER.credentialId), "1");
    expect(await begin(await accept(), entry(10))).toMatchObject({ kind: "refused" });
  });
});

describe("settling", () => {
  test("the first final outcome stands", async () => {
    const id = await accept();
    const first = await intents.settle(ACCOUNT, id, DONE);
    expect(first).toMatchObject({ state: "DONE", outcome: DONE });
    const second = await intents.settle(ACCOUNT, id, { kind: "rejected", reason: "No" });
    expect(second).toEqual(first);
  });

  test("of fifty different outcomes at once, all hear the same one", async () => {
    const id = await accept();
    const settled = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        intents.settle(ACCOUNT, id, { kind: "rejected", reason: `reason ${n}` }),
      ),
    );
    expect(new Set(settled.map(({ outcome }) => JSON.stringify(outcome))).size).toBe(1);
  });

  test("an unknown one can still be settled, once", async () => {
    const id = await accept();
    await begin(id);
    const unknown = await intents.settle(ACCOUNT, id, UNKNOWN);
    expect(unknown).toMatchObject({ state: "UNKNOWN", outcome: UNKNOWN });
    expect(unknown.settledAt).toBeUndefined();
    expect(await redis.pttl(corner.keys.intent(ACCOUNT, id))).toBe(-1);

    expect(await intents.settle(ACCOUNT, id, DONE)).toMatchObject({ state: "DONE" });
    expect(await intents.settle(ACCOUNT, id, UNKNOWN)).toMatchObject({ state: "DONE" });
    expect(await redis.scard(corner.keys.unknown(ACCOUNT))).toBe(0);
    expect(await intents.unsettled(ACCOUNT)).toEqual([]);
  });

  test("a settled one is kept for its retention and then forgotten", async () => {
    const id = await accept();
    expect(await redis.pttl(corner.keys.intent(ACCOUNT, id))).toBe(-1);
    await intents.settle(ACCOUNT, id, DONE);
    const ttl = await redis.pttl(corner.keys.intent(ACCOUNT, id));
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(RETENTION_MS);
  });

  test("an intent that is not there cannot be settled, and is not made", async () => {
    await expect(intents.settle(ACCOUNT, intentId("i404"), DONE)).rejects.toThrow("gone");
    expect(await corner.stored()).toEqual([]);
  });
});

describe("withdrawing", () => {
  test("ends an intent that was not sent", async () => {
    const id = await accept();
    expect(await intents.withdraw(ACCOUNT, id, WITHDRAWN)).toBe(true);
    expect(await stateOf(id)).toBe("WITHDRAWN");
  });

  test("comes too late for one that is being sent, unknown or settled", async () => {
    const [sending, unknown, done] = [await accept(), await accept(), await accept()];
    await begin(sending);
    await intents.settle(ACCOUNT, unknown, UNKNOWN);
    await intents.settle(ACCOUNT, done, DONE);
    for (const id of [sending, unknown, done]) {
      expect(await intents.withdraw(ACCOUNT, id, WITHDRAWN)).toBe(false);
    }
    expect([await stateOf(sending), await stateOf(unknown), await stateOf(done)]).toEqual([
      "SENDING",
      "UNKNOWN",
      "DONE",
    ]);
  });

  test("against the lane, exactly one of the two wins", async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => accept()));
    const results = await Promise.all(
      ids.map(async (id, n) => {
        const ask = [() => intents.withdraw(ACCOUNT, id, WITHDRAWN), () => begin(id)];
        if (n % 2 === 1) ask.reverse();
        const answers = await Promise.all(ask.map((one) => one()));
        return answers.map((answer) =>
          answer === true || answer === false ? answer : answer.kind === "granted",
        );
      }),
    );
    expect(results.every((pair) => pair.filter(Boolean).length === 1)).toBe(true);
  });
});

describe("what the lane reads", () => {
  test("a flatten of the whole account follows every intent accepted before it", async () => {
    const before = await accept();
    const flatten = await accept({ intent: { kind: "FLATTEN", cancelResting: true } });
    const after = await accept();
    const follows = await Promise.all(
      [before, flatten, after].map(async (id) => (await load(id))?.flattenFollows),
    );
    expect(follows).toEqual([true, false, false]);
  });

  test("a flatten of one root, or of another account, follows nothing", async () => {
    const id = await accept();
    await accept({ intent: { kind: "FLATTEN", root: "ES", cancelResting: false } });
    await accept({ accountId: OTHER, intent: { kind: "FLATTEN", cancelResting: true } });
    expect((await load(id))?.flattenFollows).toBe(false);
  });

  test("counts the other intents whose outcome is unknown", async () => {
    const [first, second, third] = [await accept(), await accept(), await accept()];
    await intents.settle(ACCOUNT, first, UNKNOWN);
    await intents.settle(ACCOUNT, second, UNKNOWN);
    expect((await load(first))?.unknownIntents).toBe(1);
    expect((await load(third))?.unknownIntents).toBe(2);
  });

  test("limits, kill switches and whether its key lives", async () => {
    const id = await accept();
    expect(await load(id)).toMatchObject({
      limits: {},
      sourceAlive: true,
      accountKillSwitch: { active: false },
      userKillSwitch: { active: false },
    });
    const limits = createRedisLimitStore({ redis, keys: corner.keys });
    await limits.changeLimits(ACCOUNT, { maxOrderQty: 3 });
    await limits.setKillSwitch({ accountId: ACCOUNT }, true, "news");
    await limits.setKillSwitch({ userId: OWNER.userId }, true, undefined);
    await redis.set(corner.keys.revoked(OWNER.credentialId), "1");
    expect(await load(id)).toMatchObject({
      limits: { maxOrderQty: 3 },
      sourceAlive: false,
      accountKillSwitch: {
        active: true,
        reason: "news",
      },
      userKillSwitch: { active: true },
    });
    expect(await intents.loadForLane(ACCOUNT, id, { userId: OWNER.userId })).toMatchObject({
      sourceAlive: true,
    });
  });
});

describe("a Redis that has forgotten the scripts", () => {
  test("every step but accepting goes on by itself; accepting says that nothing was written", async () => {
    const { server } = await startTestRedis(await temporaryFolder());
    const own = await openCorner(server.path);
    onTestFinished(() => own.close());
    const client = await own.open("request", intentScripts);
    const store = createRedisIntentStore({ redis: client, keys: own.keys, retentionMs: 60_000 });
    const first = await newIntent();
    await store.accept(first);

    await client.script("FLUSH");
    const { intentId: id } = first;
    expect(await store.loadForLane(ACCOUNT, id, OWNER)).toMatchObject({
      record: { state: "PREPARED" },
    });
    await client.script("FLUSH");
    expect(await store.settle(ACCOUNT, id, DONE)).toMatchObject({ state: "DONE" });
    await client.script("FLUSH");
    const refused: unknown = await store.accept(await newIntent()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreError);
    expect(refused).toHaveProperty("certainlyNotWritten", true);
  });

  test("after a restart they are loaded again with the connection", async () => {
    const { server, signal, exits } = await startTestRedis(await temporaryFolder());
    const own = await openCorner(server.path);
    onTestFinished(() => own.close());
    const client = await own.open("request", intentScripts);
    const store = createRedisIntentStore({ redis: client, keys: own.keys, retentionMs: 60_000 });
    const kept = await newIntent();
    await store.accept(kept);

    signal("SIGKILL");
    await waitUntil("the server is gone", () => exits.length === 1);
    await waitUntil("intents are accepted again", () =>
      newIntent()
        .then((intent) => store.accept(intent))
        .then(
          ({ kind }) => kind === "accepted",
          () => false,
        ),
    );
    expect(await store.find(ACCOUNT, kept.intentId)).toMatchObject({ state: "PREPARED" });
  });
});
