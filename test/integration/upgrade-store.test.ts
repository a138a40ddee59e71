// The goal: a gateway of this version goes on with what an earlier one has stored, whatever ends it.
// The method: a store in the earlier form, upgraded at once by many, or by one that dies on the way.
import { closures } from "../../config/holidays.ts";
import { createBusinessCalendar } from "../../src/domain/calendar/business-days.ts";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  accountId,
  connectionId,
  credentialId,
  type CredentialId,
  userId,
} from "../../src/domain/ids.ts";
import {
  readStoreFacts,
  STORE_FORMAT,
  writeIdentity,
} from "../../src/store/trust/store-identity.ts";
import { isFreeToUpgrade, isUpToDate, upgradeStore } from "../../src/store/trust/upgrade-store.ts";
import {
  admissionScripts,
  createRedisAdmissions,
} from "../../src/store/people/redis-admissions.ts";
import { createRedisCredentialStore } from "../../src/store/people/redis-credential-store.ts";
import { hashSecret, newSecret } from "../../src/store/people/secret.ts";
import { OrderShares } from "../../src/store/intents/order-shares.ts";
import { UserGuards } from "../../src/store/intents/user-guards.ts";
import { leaseScripts } from "../../src/store/connections/redis-connection-leases.ts";
import { loadScripts } from "../../src/store/redis/script.ts";
import { redisNow } from "../../src/store/redis/redis-now.ts";
import { dyingAfter, pausedBefore } from "../unit/store/failing-redis.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import { startGateway } from "../support/gateway.ts";
import { HANGS_AFTER_MS } from "../support/wait.ts";
import { loadConfig } from "../../config/index.ts";
import { Lifecycle } from "../../src/app/lifecycle.ts";
import { openForCommand } from "../../src/cli/open-for-command.ts";
import { createLogger } from "../../src/observability/logger.ts";

const TRADE_DATES = createBusinessCalendar(closures.CME);

const USERS = [userId("user_1"), userId("user_2")] as const;
const [FIRST, SECOND, THIRD] = ["hook_1", "hook_2", "hook_3"].map(credentialId) as [
  CredentialId,
  CredentialId,
  CredentialId,
];
const HOOKS = [FIRST, SECOND, THIRD];

let corner: RedisCorner;
let redis: Redis;
let secrets: readonly string[];

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", admissionScripts);
  const { keys } = corner;
  await redis.set(keys.storeIdentity, '{"id":"store-1","format":1}');
  await redis.hset(keys.users, {
    first: JSON.stringify({ userId: USERS[0], name: "owner", createdAt: 1 }),
    [USERS[1]]: JSON.stringify({ userId: USERS[1], name: "other", createdAt: 2 }),
  });
  secrets = await Promise.all(HOOKS.map(async (id, at) => await writeFormer(id, at)));
});
afterEach(() => corner.close());

/** A webhook as forms 1 and 2 have it. */
async function writeFormer(id: string, at: number): Promise<string> {
  const { keys } = corner;
  const secret = newSecret("webhook");
  const hash = hashSecret("webhook", secret) ?? "";
  const owner = USERS[at % 2] ?? USERS[0];
  const fields = { id, userId: owner, accountId: `paper-${at}`, name: id, createdAt: at };
  const options = { paused: at === 2 ? 1 : 0, defaultQty: "3", lastUsedAt: 7 };
  await redis.hset(keys.formerWebhook(hash), { ...fields, ...options });
  await redis.zadd(`${keys.formerWebhook(hash)}:window`, 1, "member");
  await redis.pexpire(`${keys.formerWebhook(hash)}:window`, 60_000);
  await redis.hset(keys.credentialsOf("webhook", owner), id, hash);
  return secret;
}

const admissions = () =>
  createRedisAdmissions({
    redis,
    keys: corner.keys,
    keyLimit: 10,
    webhookLimit: 10,
    requireKnown: async () => undefined,
  });

/** What every token is worth to one process. */
const worth = async () =>
  await Promise.all(secrets.map((secret) => admissions().admitWebhook(secret)));
const upgraded = HOOKS.map((id, at) => ({
  kind: "admitted",
  credential: {
    id,
    userId: USERS[at % 2],
    accountId: `paper-${at}`,
    name: id,
    paused: at === 2,
    createdAt: at,
    lastUsedAt: 7,
    options: { defaultQty: 3 },
  },
}));
const isLeftOver = (key: string) =>
  secrets.some(
    (secret) => key === corner.keys.formerWebhook(hashSecret("webhook", secret) ?? ""),
  ) || key.includes("arrival");

describe.each([1, 2])("webhooks of form %i", (form) => {
  beforeEach(async () => {
    await redis.set(corner.keys.storeIdentity, JSON.stringify({ id: "store-1", format: form }));
  });

  test("lie under their accounts after it, as they were, and nothing of them where they lay", async () => {
    expect(await isUpToDate(redis, corner.keys)).toBe(false);
    await upgradeStore(redis, corner.keys, TRADE_DATES);
    expect(await isUpToDate(redis, corner.keys)).toBe(true);
    const { identity } = await readStoreFacts(redis, corner.keys);
    expect(identity).toEqual({ id: "store-1", format: STORE_FORMAT });
    expect((await corner.stored()).filter(isLeftOver)).toEqual([]);
    expect(await worth()).toMatchObject(upgraded);
    const store = createRedisCredentialStore({ redis, keys: corner.keys });
    expect((await store.webhooks(USERS[0])).map(({ id }) => id)).toEqual(["hook_1", "hook_3"]);
    const change = { accountId: accountId("paper-9") };
    expect(await store.changeWebhook(USERS[0], FIRST, change)).toMatchObject(change);
    expect(await store.deleteWebhook(USERS[1], SECOND)).toBe(true);
    expect((await worth()).map(({ kind }) => kind)).toEqual(["admitted", "unknown", "admitted"]);
  });

  test("are upgraded once by many at once", async () => {
    const connections = await Promise.all([1, 2, 3, 4].map(() => corner.open("worker")));
    await Promise.all(
      connections.map((connection) => upgradeStore(connection, corner.keys, TRADE_DATES)),
    );
    expect(await worth()).toMatchObject(upgraded);
    expect((await corner.stored()).filter(isLeftOver)).toEqual([]);
  });

  test("survive the death of their process before any of its commands", async () => {
    const kept = await Promise.all(
      (await corner.stored()).map(async (key) => [key, await redis.dumpBuffer(key)] as const),
    );
    let isThrough = false;
    let deaths = 0;
    for (; !isThrough; deaths += 1) {
      await redis.del(...(await corner.stored()));
      for (const [key, dump] of kept) await redis.restore(key, 0, dump);
      const dying = dyingAfter(redis, deaths);
      isThrough = await upgradeStore(dying.redis, corner.keys, TRADE_DATES).then(
        () => true,
        () => false,
      );
      // The next start goes on, and a process that died has let nobody in yet.
      expect(await isUpToDate(redis, corner.keys)).toBe(isThrough);
      await upgradeStore(redis, corner.keys, TRADE_DATES);
      expect(await worth()).toMatchObject(upgraded);
      expect(await redis.exists(corner.keys.endingsSince)).toBe(form === 1 ? 1 : 0);
      expect((await corner.stored()).filter((key) => !key.includes("-arrival:"))).not.toContain(
        expect.stringContaining(":webhook:{"),
      );
    }
    expect(deaths).toBeGreaterThan(15);
  });

  test("are not lost where an earlier gateway points one elsewhere meanwhile", async () => {
    const late = pausedBefore(redis, (command) => command === "evalsha");
    const upgrading = upgradeStore(late.redis, corner.keys, TRADE_DATES);
    await late.reached;
    for (const secret of secrets) {
      const former = corner.keys.formerWebhook(hashSecret("webhook", secret) ?? "");
      await redis.hset(former, "accountId", "paper-9");
    }
    late.goOn();
    await upgrading;
    const there = { kind: "admitted", credential: { accountId: "paper-9" } };
    expect(await worth()).toMatchObject([there, there, there]);
    expect((await corner.stored()).filter(isLeftOver)).toEqual([]);
  });

  test("that another process has upgraded and deleted are not brought back", async () => {
    let writes = 0;
    const late = pausedBefore(redis, (command) => {
      writes += command === "evalsha" ? 1 : 0;
      return writes === HOOKS.length + 1;
    });
    const upgrading = upgradeStore(late.redis, corner.keys, TRADE_DATES);
    await late.reached;
    await upgradeStore(redis, corner.keys, TRADE_DATES);
    const store = createRedisCredentialStore({ redis, keys: corner.keys });
    for (const user of USERS) {
      for (const { id } of await store.webhooks(user)) await store.deleteWebhook(user, id);
    }
    late.goOn();
    await upgrading;
    expect((await worth()).map(({ kind }) => kind)).toEqual(["unknown", "unknown", "unknown"]);
  });
});

test("alerts of form 1 are in no sets of their endings, and those of form 2 are", async () => {
  const { keys } = corner;
  const before = await redisNow(redis);
  // A start that died has noted it, and a gateway of form 1 went on.
  await redis.set(keys.endingsSince, before - 60_000);
  await upgradeStore(redis, keys, TRADE_DATES);
  expect(Number(await redis.get(keys.endingsSince))).toBeGreaterThanOrEqual(before);
  await redis.del(keys.endingsSince);
  await redis.set(keys.storeIdentity, '{"id":"store-1","format":2}');
  await upgradeStore(redis, keys, TRADE_DATES);
  expect(await redis.exists(keys.endingsSince)).toBe(0);
});

describe.each([1, 2])("what else form %i keeps", (form) => {
  beforeEach(async () => {
    await redis.set(corner.keys.storeIdentity, JSON.stringify({ id: "store-1", format: form }));
  });

  test("keys that were revoked begin nothing, on any account that is fenced", async () => {
    const { keys } = corner;
    await redis.set(keys.revoked(credentialId("key_dead")), "1", "PX", 90_000);
    await upgradeStore(redis, keys, TRADE_DATES);
    await upgradeStore(redis, keys, TRADE_DATES);
    for (const user of USERS) {
      const account = accountId(`of-${user}`);
      await new UserGuards({ redis, keys }).fence(user, [account], 1);
      const until = Number(await redis.zscore(keys.revokedHere(account), "key_dead"));
      expect(until - (await redisNow(redis))).toBeGreaterThan(60_000);
      expect(await redis.pttl(keys.revokedOf(user))).toBeGreaterThan(0);
    }
  });

  test("a kill switch that is on holds on every account that is fenced", async () => {
    const { keys } = corner;
    const former = { active: 1, reason: "news", changedAt: 1 };
    await redis.hset(keys.killSwitch({ userId: USERS[0] }), former);
    await upgradeStore(redis, keys, TRADE_DATES);
    const guards = new UserGuards({ redis, keys });
    const account = accountId("paper-1");
    await guards.fence(USERS[0], [account], 1);
    expect(await redis.hget(keys.userSwitch(account, USERS[0]), "active")).toBe("1");
    await guards.setSwitch(USERS[0], false);
    expect(await redis.hget(keys.userSwitch(account, USERS[0]), "active")).toBe("0");
  });

  test("orders of the last minute count among those of all", async () => {
    const { keys } = corner;
    const now = await redisNow(redis);
    await redis.zadd(keys.formerSentByAll, now, "a", now - 1_000, "b", now - 90_000, "c");
    await upgradeStore(redis, keys, TRADE_DATES);
    const shares = new OrderShares({ redis, keys });
    expect(await shares.take(2)).toBeUndefined();
    expect(await shares.take(3)).toBeDefined();
    expect(await shares.take(3)).toBeUndefined();
  });
});

test("a store from before stores had identities is taken for one of the first form", async () => {
  await redis.del(corner.keys.storeIdentity);
  await writeIdentity(redis, corner.keys, await readStoreFacts(redis, corner.keys));
  expect(await isUpToDate(redis, corner.keys)).toBe(false);
  await upgradeStore(redis, corner.keys, TRADE_DATES);
  expect(await worth()).toMatchObject(upgraded);
});

test("a store that was never used is of today's form", async () => {
  const empty = await openCorner();
  onTestFinished(empty.close);
  await writeIdentity(redis, empty.keys, await readStoreFacts(redis, empty.keys));
  expect(await isUpToDate(redis, empty.keys)).toBe(true);
});

describe("beside a gateway of an earlier version", () => {
  const lease = async (ms: number) => {
    const { keys } = corner;
    await loadScripts(redis, leaseScripts);
    await redis.sadd(keys.connections, "paper");
    const expiresAt = (await redisNow(redis)) + ms;
    await redis.hset(keys.connection(connectionId("paper")), {
      owner: "it",
      status: "x",
      expiresAt,
    });
  };

  test("that owns a connection it is not begun", async () => {
    await lease(60_000);
    expect(await isFreeToUpgrade(redis, corner.keys, 300)).toBe(false);
  });

  test("that died it is begun once its lease has ended", async () => {
    await lease(300);
    expect(await isFreeToUpgrade(redis, corner.keys, HANGS_AFTER_MS)).toBe(true);
  });

  test("that has stopped it is begun at once", async () => {
    await lease(0);
    expect(await isFreeToUpgrade(redis, corner.keys, 0)).toBe(true);
  });

  test("an owner of this version is no reason to wait", async () => {
    const { keys } = corner;
    await lease(60_000);
    const identity = { id: "store-1", format: STORE_FORMAT, isUpgrading: true };
    await redis.set(keys.storeIdentity, JSON.stringify(identity));
    expect(await isFreeToUpgrade(redis, keys, 0)).toBe(true);
  });
});

describe("days of form 4", () => {
  const ID = accountId("paper-1");
  const state = { balance: 100, rules: {}, judgedAt: 1 };
  const dayKept = async () =>
    JSON.parse((await redis.hget(corner.keys.guards(ID), "state")) ?? "{}").tradingDay;
  const bookKept = async () => await redis.exists(corner.keys.ledgerBook(ID));

  beforeEach(async () => {
    const { keys } = corner;
    await redis.set(keys.storeIdentity, JSON.stringify({ id: "store-1", format: 4 }));
    await redis.hset(keys.accounts, ID, JSON.stringify({ accountId: ID }));
    await redis.hset(keys.ledgerBook(ID), "upTo", "1-1", "book", "{}");
    await redis.xadd(keys.ledger(ID), "1-1", "c", "ESZ2026", "n", "1", "p", "{}", "t", "1");
  });

  test.each([
    ["Thursday", "2026-12-10", "2026-12-10"],
    ["Monday, with its weekend", "2026-12-14", "2026-12-12"],
    ["the day after Thanksgiving, with it", "2026-11-27", "2026-11-26"],
  ])("are those of time: %s, also when it is done twice", async (_, former, day) => {
    await redis.hset(
      corner.keys.guards(ID),
      "state",
      JSON.stringify({ ...state, tradingDay: former }),
    );
    await upgradeStore(redis, corner.keys, TRADE_DATES);
    expect([await dayKept(), await bookKept()]).toEqual([day, 0]);
    const again = { id: "store-1", format: STORE_FORMAT, isUpgrading: true };
    await redis.set(corner.keys.storeIdentity, JSON.stringify(again));
    await upgradeStore(redis, corner.keys, TRADE_DATES);
    expect(await dayKept()).toBe(day);
  });

  test("of an account that was judged since are left alone", async () => {
    const judged = { ...state, tradingDay: "2026-12-13", judgedAt: Date.now() + 60_000 };
    await redis.hset(corner.keys.guards(ID), "state", JSON.stringify(judged));
    await upgradeStore(redis, corner.keys, TRADE_DATES);
    expect(await dayKept()).toBe("2026-12-13");
  });

  test("stay in the sum of a ledger that lines have left: nothing else has them", async () => {
    await redis.xadd(corner.keys.ledger(ID), "2-1", "c", "ESZ2026", "n", "1", "p", "{}", "t", "1");
    await redis.xtrim(corner.keys.ledger(ID), "MINID", "2-1");
    await upgradeStore(redis, corner.keys, TRADE_DATES);
    expect(await bookKept()).toBe(1);
  });
});

test("a gateway brings a store up to date before it takes alerts, and no command does", async () => {
  const gateway = await startGateway();
  onTestFinished(gateway.stop);
  const { redis: own, keys } = gateway;
  const hash = hashSecret("webhook", gateway.webhook.split("/").at(-1) ?? "") ?? "";
  await own.rename(keys.webhook(accountId("paper-1"), hash), keys.formerWebhook(hash));
  await own.hdel(keys.formerWebhook(hash), "version");
  await own.del(keys.webhookPlace(hash));
  const { id } = JSON.parse((await own.get(keys.storeIdentity)) ?? "");
  await own.set(keys.storeIdentity, JSON.stringify({ id, format: 1 }));

  const lifecycle = new Lifecycle();
  const log = createLogger("error", { write: () => undefined });
  const command = openForCommand(loadConfig({ DATA_DIR: gateway.dataDir }), lifecycle, log);
  await expect(command).rejects.toThrow(/earlier version.*Nothing was changed/);
  await lifecycle.stop(5_000);
  expect(await own.exists(keys.formerWebhook(hash))).toBe(1);

  // It stands still by now: its own store was set back.
  await gateway.halt().catch(() => undefined);
  await gateway.restart();
  const { status } = await gateway.alert({ action: "buy", symbol: "ES1!", qty: 1 });
  expect(status).toBe(200);
  expect(gateway.log.join("\n")).toMatch(/is brought up to date/);
  expect(await gateway.redis.exists(keys.formerWebhook(hash))).toBe(0);
});
