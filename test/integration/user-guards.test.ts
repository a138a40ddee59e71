// The goal: what stops a user's orders holds on every account for the very next order, in every process.
// The method: several accounts, two processes, and one that dies before each of its commands in turn.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accountId, clOrdId, credentialId, intentId, userId } from "../../src/domain/ids.ts";
import { createRedisOverview } from "../../src/store/accounts/redis-overview.ts";
import { leaseScripts } from "../../src/store/connections/redis-connection-leases.ts";
import {
  createRedisLimitStore,
  readActiveKillSwitches,
} from "../../src/store/intents/redis-limit-store.ts";
import { UserGuards } from "../../src/store/intents/user-guards.ts";
import { createRedisCredentialStore } from "../../src/store/people/redis-credential-store.ts";
import { StoreError } from "../../src/trading/store-error.ts";
import { entry, sendRequest } from "../support/intent-kit.ts";
import { intentScripts, openIntentStore } from "../support/intent-store.ts";
import { atEachCommand, dyingAfter, pausedBefore } from "../unit/store/failing-redis.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const USER = userId("user_1");
const OTHER = userId("user_2");
const ACCOUNTS = ["paper-1", "paper-2", "paper-3", "paper-4"].map(accountId);
const LATER = accountId("paper-5");

let corner: RedisCorner;
/** The connection of the process that owns the accounts, and of the one that is asked. */
let owner: Redis;
let asked: Redis;
let intents: ReturnType<typeof openIntentStore>;
let orders = 0;

beforeEach(async () => {
  corner = await openCorner();
  owner = await corner.open("worker", [...intentScripts, ...leaseScripts]);
  asked = await corner.open("worker");
  intents = openIntentStore({ redis: owner, keys: corner.keys, retentionMs: 60_000 });
  await guards(owner).fence(USER, ACCOUNTS, 1);
});
afterEach(() => corner.close());

const guards = (redis = asked) => new UserGuards({ redis, keys: corner.keys });
const limits = (redis = asked) => createRedisLimitStore({ redis, keys: corner.keys });
const overview = () =>
  createRedisOverview({ redis: asked, keys: corner.keys, alertAccounts: async () => [] });
const KEY = credentialId("key_1");

/** What the owner is told when it is about to send the next order of each account. */
async function next(accounts = ACCOUNTS, order = entry(1_000), user = USER): Promise<string[]> {
  return await Promise.all(
    accounts.map(async (account) => {
      orders += 1;
      const id = intentId(`i${orders}`);
      await intents.accept({
        intentId: id,
        accountId: account,
        userId: user,
        source: { kind: "api", credentialId: KEY },
        requestId: "r1",
        intent: { kind: "CANCEL_ENTRIES" },
        entryMaxAgeMs: 30_000,
        exitMaxAgeMs: 600_000,
        receivedAt: await intents.now(),
      });
      const from = { owner: { userId: user, credentialId: KEY }, epoch: 1 };
      const clOrd = clOrdId(`${id}-1`);
      const request = sendRequest(id, { account, clOrdId: clOrd, ...from, ...order });
      return (await intents.beginSending(request)).kind;
    }),
  );
}
const all = (kind: string) => ACCOUNTS.map(() => kind);

describe("the user's kill switch", () => {
  test("holds on every account for the next order, once it is answered, and off again", async () => {
    for (let round = 0; round < 5; round += 1) {
      await limits().setKillSwitch({ userId: USER }, true, "news");
      expect(await next()).toEqual(all("killed"));
      expect(await next(ACCOUNTS, {} as never)).toEqual(all("granted"));
      await limits().setKillSwitch({ userId: USER }, false, undefined);
      expect(await next()).toEqual(all("granted"));
    }
  });

  test("is of its user alone", async () => {
    await guards().fence(OTHER, [LATER], 1);
    await limits().setKillSwitch({ userId: OTHER }, true, undefined);
    expect(await next()).toEqual(all("granted"));
    expect(await next([LATER], entry(9), OTHER)).toEqual(["killed"]);
  });

  test("holds for an account that comes later, and for one that gets another user", async () => {
    await limits().setKillSwitch({ userId: USER }, true, undefined);
    await guards(owner).fence(USER, [LATER], 1);
    expect(await next([LATER])).toEqual(["killed"]);
    expect(await next([LATER], entry(9), OTHER)).toEqual(["killed"]);
    await guards(owner).fence(OTHER, [LATER], 1);
    expect(await next([LATER], entry(9), OTHER)).toEqual(["granted"]);
    expect(await next([LATER])).toEqual(["killed"]);
  });

  test("that breaks off while it goes on is an error, stays on where it is, and is mended", async () => {
    const steps = await atEachCommand(
      asked,
      async (redis) => await limits(redis).setKillSwitch({ userId: USER }, true, undefined),
      async (error) => {
        const isAnswered = error === undefined;
        expect((await next()).every((kind) => !isAnswered || kind === "killed")).toBe(true);
        // Whoever is told that it is on, is told so of every account: first who only counts them.
        const counted = await readActiveKillSwitches(asked, corner.keys);
        const isCounted = counted.length > 0;
        expect((await next()).every((kind) => !isCounted || kind === "killed")).toBe(true);
        const { ofUser } = await overview().killSwitches(USER, ACCOUNTS);
        expect(await next()).toEqual(all(ofUser ? "killed" : "granted"));
        const { active } = await limits().settledKillSwitch(USER);
        expect(await next()).toEqual(all(active ? "killed" : "granted"));
        await limits().setKillSwitch({ userId: USER }, false, undefined);
        expect(await next()).toEqual(all("granted"));
      },
    );
    expect(steps).toBeGreaterThan(ACCOUNTS.length);
  });

  test("that breaks off while it goes off lets nothing through where it was not", async () => {
    await limits().setKillSwitch({ userId: USER }, true, undefined);
    const steps = await atEachCommand(
      asked,
      async (redis) => await limits(redis).setKillSwitch({ userId: USER }, false, undefined),
      async (error) => {
        const isAnswered = error === undefined;
        const { active } = await limits().killSwitch({ userId: USER });
        const states = await next();
        expect(states.every((kind) => !active || kind === "killed")).toBe(true);
        expect(states.every((kind) => !isAnswered || kind === "granted")).toBe(true);
        expect((await limits().settledKillSwitch(USER)).active).toBe(active);
        expect(await next()).toEqual(all(active ? "killed" : "granted"));
        await limits().setKillSwitch({ userId: USER }, true, undefined);
        expect(await next()).toEqual(all("killed"));
      },
    );
    expect(steps).toBeGreaterThan(ACCOUNTS.length);
  });

  test("never says that nothing was written once something was", async () => {
    const { redis } = dyingAfter(asked, 2);
    const failed = await limits(redis)
      .setKillSwitch({ userId: USER }, true, undefined)
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StoreError);
    expect(failed).toMatchObject({ certainlyNotWritten: false });
  });

  test("set by many at once ends the same on every account as for the user", async () => {
    const other = await corner.open("worker");
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          limits(n % 2 === 0 ? asked : other).setKillSwitch({ userId: USER }, n % 3 === 0, "x"),
        ),
      );
      const { active } = await limits().settledKillSwitch(USER);
      expect(await next()).toEqual(all(active ? "killed" : "granted"));
    }
  });

  test.each(["sadd", "hgetall", "evalsha"])(
    "is not missed by an account that is fenced while it goes on, held before %s",
    async (held) => {
      const late = pausedBefore(owner, (command) => command === held);
      const fencing = guards(late.redis).fence(USER, [LATER], 1);
      await late.reached;
      await limits().setKillSwitch({ userId: USER }, true, undefined);
      late.goOn();
      await fencing;
      expect(await next([LATER])).toEqual(["killed"]);
    },
  );
});

describe("a key or token that dies", () => {
  const credentials = (redis = asked) => createRedisCredentialStore({ redis, keys: corner.keys });

  test("begins nothing any more on any account, once it is answered", async () => {
    expect(await next()).toEqual(all("granted"));
    await guards().revoke(USER, KEY);
    expect(await next()).toEqual(all("revoked"));
    expect(await next(ACCOUNTS, {} as never)).toEqual(all("revoked"));
  });

  test("is known to an account that comes later, also in the middle of it", async () => {
    const late = pausedBefore(owner, (command) => command === "evalsha");
    const fencing = guards(late.redis).fence(USER, [LATER], 1);
    await late.reached;
    await guards().revoke(USER, KEY);
    late.goOn();
    await fencing;
    expect(await next([LATER])).toEqual(["revoked"]);
    await guards(owner).fence(USER, [accountId("paper-6")], 1);
    expect(await next([accountId("paper-6")])).toEqual(["revoked"]);
  });

  test("is remembered by each account for as long as by its user, and then forgotten", async () => {
    await guards().revoke(USER, KEY);
    const kept = [corner.keys.revokedOf(USER), ...ACCOUNTS.map(corner.keys.revokedHere)];
    for (const key of kept) {
      expect(await asked.pttl(key)).toBeGreaterThan(6 * 24 * 3_600_000);
      await asked.zadd(key, 1, KEY);
    }
    expect(await next()).toEqual(all("granted"));
    await guards().revoke(USER, credentialId("key_2"));
    for (const key of kept) expect(await asked.zrange(key, "0", "-1")).toEqual(["key_2"]);
  });

  test("whose revocation breaks off can be revoked again, and is dead everywhere then", async () => {
    const { key } = await credentials().createKey({ userId: USER, name: "k", scopes: ["trade"] });
    const steps = await atEachCommand(
      asked,
      async (redis) => await credentials(redis).revokeKey(USER, key.id),
      async () => undefined,
    );
    expect(steps).toBeGreaterThan(ACCOUNTS.length);
    for (const account of ACCOUNTS) {
      expect(await asked.zscore(corner.keys.revokedHere(account), key.id)).not.toBeNull();
    }
  });
});
