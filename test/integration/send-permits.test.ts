// The goal: no byte leaves without a permit, and each permit is given once, to the newest owner alone.
// The method: ask a real Redis side by side, out of turn, and over a connection that breaks.
import { connect, createServer } from "node:net";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { clOrdId, type IntentId, intentId } from "../../src/domain/ids.ts";
import type { Outcome } from "../../src/domain/intent.ts";
import type { LegPlan } from "../../src/domain/carried-plan.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { intentScripts, openIntentStore } from "../support/intent-store.ts";
import { beginSending } from "../../src/store/intents/begin-sending.ts";
import { OrderShares } from "../../src/store/intents/order-shares.ts";
import { createSendPermits } from "../../src/store/intents/redis-send-permits.ts";
import { createRedisLimitStore } from "../../src/store/intents/redis-limit-store.ts";
import { UserGuards } from "../../src/store/intents/user-guards.ts";
import type { SendRequest } from "../../src/trading/lane/send-permit.ts";
import {
  ACCOUNT,
  DONE,
  entry,
  EPOCH,
  IntentKit,
  OTHER,
  OWNER,
  RETENTION_MS,
  sendRequest,
  STRANGER,
  UNKNOWN,
  WITHDRAWN,
} from "../support/intent-kit.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { pausedBefore } from "../unit/store/failing-redis.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import type { IntentStore, NewIntent } from "../../src/trading/orders/ports.ts";

let kit: IntentKit;
let corner: RedisCorner;
let redis: Redis;
let intents: IntentStore;

beforeEach(async () => {
  kit = await IntentKit.open();
  ({ corner, redis, intents } = kit);
});
afterEach(() => kit.corner.close());

const limitStore = () => createRedisLimitStore({ redis, keys: corner.keys });
const revoke = async () =>
  await new UserGuards({ redis, keys: corner.keys }).revoke(OWNER.userId, OWNER.credentialId);
const accept = async (change: Partial<NewIntent> = {}) => await kit.accept(change);
const begin = async (id: IntentId, change: Partial<SendRequest> = {}) =>
  await kit.begin(id, change);
const settle = async (id: IntentId, outcome: Outcome) => await kit.settle(id, outcome);
const read = async (id: IntentId) => await kit.read(id);
const stateOf = async (id: IntentId) => await kit.stateOf(id);

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
    await settle(id, outcome);
    expect(await begin(id)).toMatchObject({ kind: "refused" });
    expect((await intents.find(ACCOUNT, id))?.clOrdIds).toEqual([]);
  });

  test("an intent that is not there is refused, and stays away", async () => {
    expect(await begin(intentId("i404"))).toMatchObject({ kind: "refused" });
    expect(await kit.stored()).toEqual([]);
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
    const repeated = openIntentStore({
      redis: worker,
      keys: corner.keys,
      retentionMs: RETENTION_MS,
    });
    repeatLast();
    // It is the last one of its minute, and still counts once.
    const permit = await repeated.beginSending(sendRequest(id, { maxOrders: 1, ...entry(1, 2) }));
    expect(permit).toEqual({ kind: "granted" });
    const next = async (change: Partial<SendRequest>) =>
      await repeated.beginSending(sendRequest(await accept(), change));
    expect(await next(entry(2, 2))).toEqual({ kind: "granted" });
    expect(await next(entry(3, 2))).toMatchObject({ kind: "limited", which: "all" });
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

  test("one that Redis kept waiting counts from when it was begun", async () => {
    let moved = 0;
    const elapsed = () => moved;
    const shares = new OrderShares({ redis, keys: corner.keys, elapsed });
    const [id, next] = [await accept(), await accept()];
    const { sha1 } = beginSending;
    const slow = pausedBefore(redis, (_, [script]) => script === sha1 && moved === 0);
    const ask = async (one: IntentId) =>
      await createSendPermits({ redis: slow.redis, keys: corner.keys, shares })(
        sendRequest(one, entry(10, 1)),
      );
    const begun = ask(id);
    await slow.reached;
    moved = 10_000;
    slow.goOn();
    expect(await begun).toEqual({ kind: "granted" });
    moved = 65_000;
    expect(await ask(next)).toMatchObject({ kind: "limited", which: "all" });
    moved = 71_000;
    expect(await ask(next)).toEqual({ kind: "granted" });
  });

  test("one that Redis keeps waiting until its share may be another's is denied", async () => {
    const counted: string[] = [];
    const until = await intents.now();
    const taken = {
      until,
      begun: () => counted.push("begun"),
      giveBack: () => counted.push("given back"),
    };
    const shares = { take: async () => taken };
    const ask = createSendPermits({ redis, keys: corner.keys, shares });
    const request = sendRequest(await accept(), entry(10, 1));
    expect(await ask(request)).toMatchObject({ kind: "limited", which: "all" });
    expect(counted).toEqual(["given back"]);
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
      const limits = limitStore();
      await limits.setKillSwitch(target, true, "news");
      expect(await begin(await accept(), entry(10))).toEqual({ kind: "killed", reason: "news" });
      expect(await begin(await accept())).toEqual({ kind: "granted" });
      await limits.setKillSwitch(target, false, undefined);
      expect(await begin(await accept(), entry(10))).toEqual({ kind: "granted" });
    },
  );

  test.each([entry(10), {}])("nothing is begun for a key that was revoked: %j", async (kind) => {
    await revoke();
    expect(await begin(await accept(), kind)).toEqual({ kind: "revoked" });
    const operator = { owner: { userId: OWNER.userId } };
    expect(await begin(await accept(), { ...kind, ...operator })).toEqual({ kind: "granted" });
  });

  test("what was begun is carried through when its key is revoked then", async () => {
    const id = await accept();
    await begin(id);
    await revoke();
    expect(await begin(id, { clOrdId: clOrdId(`${id}-2`) })).toEqual({ kind: "granted" });
  });

  test.each<[string, () => Promise<unknown>]>([
    ["a revocation", () => revoke()],
    [
      "the user's kill switch",
      () => limitStore().setKillSwitch({ userId: OWNER.userId }, true, undefined),
    ],
    [
      "the account's kill switch",
      () => limitStore().setKillSwitch({ accountId: ACCOUNT }, true, undefined),
    ],
  ])("%s leaves the intent as it was, and everyone's minute free", async (_, forbid) => {
    const id = await accept();
    await forbid();
    const before = await redis.hgetall(corner.keys.intent(ACCOUNT, id));
    expect((await begin(id, entry(1, 1))).kind).not.toBe("granted");
    expect(await redis.hgetall(corner.keys.intent(ACCOUNT, id))).toEqual(before);
    expect(await redis.zcard(corner.keys.sent(ACCOUNT))).toBe(0);
    expect(await redis.scard(corner.keys.sending(ACCOUNT))).toBe(0);
    const other = await accept({ accountId: OTHER });
    const owner = { userId: STRANGER };
    expect(await begin(other, { account: OTHER, owner, ...entry(9, 1) })).toEqual({
      kind: "granted",
    });
  });

  test("the limit of all leaves the intent as it was, and its account's minute free", async () => {
    const id = await accept();
    await begin(await accept({ accountId: OTHER }), { account: OTHER, ...entry(9, 1) });
    const before = await redis.hgetall(corner.keys.intent(ACCOUNT, id));
    expect(await begin(id, entry(1, 1))).toMatchObject({ kind: "limited", which: "all" });
    expect(await redis.hgetall(corner.keys.intent(ACCOUNT, id))).toEqual(before);
    expect(await redis.zcard(corner.keys.sent(ACCOUNT))).toBe(0);
    expect(await redis.scard(corner.keys.sending(ACCOUNT))).toBe(0);
  });

  test("where nobody knows whether the user's switch is on, entries are held back", async () => {
    await redis.del(corner.keys.userSwitch(ACCOUNT, OWNER.userId));
    expect(await begin(await accept(), entry(10))).toMatchObject({ kind: "killed" });
    expect(await begin(await accept())).toEqual({ kind: "granted" });
  });
});

describe("the account's guards", () => {
  const LOCK = { id: "l1", at: 1, lock: "hard", then: "exitsOnly", reason: "The day's loss" };
  const WRITTEN = { lock: JSON.stringify(LOCK), version: "2" };
  const judgedBy = (guardVersion: string) => ({
    entry: { perAccount: 10, inAll: 1_000, guardVersion },
  });

  test.each([
    ["a lock", { lock: WRITTEN.lock }, "", { kind: "locked", lock: LOCK }],
    ["a lock of the same guards", WRITTEN, "2", { kind: "locked", lock: LOCK }],
    ["a lock that cannot be read", { lock: "{" }, "", { kind: "locked" }],
    ["guards that were set since", { version: "2" }, "", { kind: "guardsChanged" }],
    ["guards that were changed since", { version: "2" }, "1", { kind: "guardsChanged" }],
  ])("%s: an entry is not begun, takes nothing, and an exit passes", async (...row) => {
    const [, stored, guardVersion, answer] = row;
    const id = await accept();
    await redis.hset(corner.keys.guards(ACCOUNT), stored);
    const before = await redis.hgetall(corner.keys.intent(ACCOUNT, id));
    expect(await begin(id, judgedBy(guardVersion))).toMatchObject(answer);
    expect(await redis.hgetall(corner.keys.intent(ACCOUNT, id))).toEqual(before);
    expect(await redis.zcard(corner.keys.sent(ACCOUNT))).toBe(0);
    expect(await begin(id)).toEqual({ kind: "granted" });
  });

  test("an entry that was judged by the guards of now is begun", async () => {
    await redis.hset(corner.keys.guards(ACCOUNT), { version: "2" });
    expect(await begin(await accept(), judgedBy("2"))).toEqual({ kind: "granted" });
  });
});

describe("the owner's epoch", () => {
  test.each([EPOCH - 1, EPOCH + 1, 0, 70])("%i is not the newest one's: fenced", async (epoch) => {
    const id = await accept();
    const before = await redis.hgetall(corner.keys.intent(ACCOUNT, id));
    expect(await begin(id, { epoch, ...entry(10) })).toEqual({ kind: "fenced" });
    expect(await redis.hgetall(corner.keys.intent(ACCOUNT, id))).toEqual(before);
    // It took nothing from the others.
    expect(await begin(id, entry(10, 1))).toEqual({ kind: "granted" });
  });

  test("without an owner nobody sends", async () => {
    await redis.del(corner.keys.epoch(ACCOUNT));
    expect(await begin(await accept())).toEqual({ kind: "fenced" });
  });

  test("an owner that was replaced sends nothing more, not even of what it began", async () => {
    const id = await accept();
    expect(await begin(id)).toEqual({ kind: "granted" });
    await redis.incr(corner.keys.epoch(ACCOUNT));
    expect(await begin(id, { clOrdId: clOrdId(`${id}-2`) })).toEqual({ kind: "fenced" });
    expect((await read(id)).clOrdIds).toEqual([`${id}-1`]);
    const next = { epoch: EPOCH + 1, clOrdId: clOrdId(`${id}-2`) };
    expect(await begin(id, next)).toEqual({ kind: "granted" });
  });

  test("of an old and a new owner who ask at once for the same order, one gets it", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => accept()));
    const granted = await Promise.all(
      ids.map(async (id, n) => {
        if (n === 10) void redis.set(corner.keys.epoch(ACCOUNT), EPOCH + 1);
        const permits = await Promise.all([begin(id), begin(id, { epoch: EPOCH + 1 })]);
        return permits.map(({ kind }) => kind === "granted");
      }),
    );
    const [before, after] = [granted.slice(0, 10), granted.slice(10)];
    expect(before).toEqual(before.map(() => [true, false]));
    expect(after).toEqual(after.map(() => [false, true]));
  });
});
