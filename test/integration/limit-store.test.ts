// The goal: limits and kill switches hold for exactly whom they are set, and survive a restart.
// The method: set them on a real Redis and read them through another connection.
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { accountId, userId } from "../../src/domain/ids.ts";
import {
  createRedisLimitStore,
  readActiveKillSwitches,
} from "../../src/store/intents/redis-limit-store.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import type { KillTarget, LimitStore } from "../../src/trading/guards/ports.ts";

const ACCOUNT = accountId("paper-1");
const OTHER = accountId("paper-2");
const USER = userId("user_1");

let corner: RedisCorner;
let limits: LimitStore;
let elsewhere: LimitStore;

beforeEach(async () => {
  corner = await openCorner();
  const open = async () =>
    createRedisLimitStore({ redis: await corner.open("worker"), keys: corner.keys });
  [limits, elsewhere] = [await open(), await open()];
});
afterEach(() => corner.close());

describe("limits", () => {
  test("are only what was set: the rest is left to the defaults", async () => {
    expect(await limits.limits(ACCOUNT)).toEqual({});
    await limits.changeLimits(ACCOUNT, { maxOrderQty: 3 });
    await limits.changeLimits(ACCOUNT, { maxOrdersPerMinute: 0 });
    expect(await elsewhere.limits(ACCOUNT)).toEqual({ maxOrderQty: 3, maxOrdersPerMinute: 0 });
    expect(await elsewhere.limits(OTHER)).toEqual({});
  });

  test("a field that is not given stays as it is", async () => {
    await limits.changeLimits(ACCOUNT, { maxOrderQty: 3, maxPositionQty: 5 });
    await limits.changeLimits(ACCOUNT, { maxOrderQty: undefined as never });
    await limits.changeLimits(ACCOUNT, {});
    await limits.changeLimits(ACCOUNT, { maxPositionQty: 6 });
    expect(await limits.limits(ACCOUNT)).toEqual({ maxOrderQty: 3, maxPositionQty: 6 });
  });
});

describe("tightening", () => {
  const DEFAULTS = { maxOrderQty: 50, maxPositionQty: 100, maxOrdersPerMinute: 60 };
  const tighten = async (change: object) => await limits.tightenLimits(ACCOUNT, change, DEFAULTS);

  test.each([
    [{ maxOrderQty: 50 }, true],
    [{ maxOrderQty: 7, maxOrdersPerMinute: 0 }, true],
    [{ maxOrderQty: 51 }, false],
    [{ maxOrderQty: 1, maxPositionQty: 101 }, false],
    [{ unheardOf: 1 }, false],
    [{ entriesWithoutCancel: false }, true],
    [{ entriesWithoutCancel: true }, false],
  ])("by %j from the defaults is let through: %s", async (change, isTighter) => {
    expect(await tighten(change)).toBe(isTighter);
    expect(await limits.limits(ACCOUNT)).toEqual(isTighter ? change : {});
  });

  test("is compared with what was set, all of it or none", async () => {
    await limits.changeLimits(ACCOUNT, { maxOrderQty: 5, maxPositionQty: 500 });
    expect(await tighten({ maxOrderQty: 6 })).toBe(false);
    expect(await tighten({ maxOrderQty: 4, maxPositionQty: 501 })).toBe(false);
    expect(await tighten({ maxOrderQty: 4, maxPositionQty: 499 })).toBe(true);
    expect(await limits.limits(ACCOUNT)).toEqual({ maxOrderQty: 4, maxPositionQty: 499 });
  });

  test("of many at once only ever goes down", async () => {
    const wanted = Array.from({ length: 40 }, (_, n) => ((n * 17) % 40) + 1);
    await Promise.all(wanted.map((maxOrderQty) => tighten({ maxOrderQty })));
    expect(await limits.limits(ACCOUNT)).toEqual({ maxOrderQty: 1 });
  });
});

describe("kill switches", () => {
  test.each<KillTarget>([{ accountId: ACCOUNT }, { userId: USER }])(
    "of %j is on for it alone, seen at once by everyone, and off again",
    async (target) => {
      expect(await limits.killSwitch(target)).toEqual({ active: false });
      const before = Date.now();
      await limits.setKillSwitch(target, true, "news");
      const on = await elsewhere.killSwitch(target);
      expect(on).toMatchObject({ active: true, reason: "news" });
      expect(on.changedAt).toBeGreaterThanOrEqual(before);
      for (const other of [{ accountId: OTHER }, { userId: userId("user_2") }]) {
        expect(await elsewhere.killSwitch(other)).toEqual({ active: false });
      }
      await limits.setKillSwitch(target, false, undefined);
      const off = await elsewhere.killSwitch(target);
      expect(off.active).toBe(false);
      expect(off.reason).toBeUndefined();
    },
  );

  test("of an account and of a user with the same name are two", async () => {
    await limits.setKillSwitch({ accountId: accountId("same") }, true, undefined);
    expect(await limits.killSwitch({ userId: userId("same") })).toEqual({ active: false });
  });

  test("of accounts are read in their order, thousands of them", async () => {
    const accounts = Array.from({ length: 2_001 }, (_, n) => accountId(`paper-${n}`));
    const on = accounts.filter((_, n) => n % 1_000 === 0);
    for (const account of on) await limits.setKillSwitch({ accountId: account }, true, "news");
    const switches = await elsewhere.killSwitches(accounts);
    expect(switches.map((one) => one.accountId)).toEqual(accounts);
    expect(switches.filter(({ active }) => active).map((one) => one.accountId)).toEqual(on);
  });

  test("those that are on are listed, each once", async () => {
    const redis = await corner.open("request");
    const listed = async () => (await readActiveKillSwitches(redis, corner.keys)).length;
    await limits.setKillSwitch({ accountId: ACCOUNT }, true, undefined);
    await limits.setKillSwitch({ accountId: ACCOUNT }, true, "again");
    await limits.setKillSwitch({ userId: USER }, true, undefined);
    expect(await listed()).toBe(2);
    await limits.setKillSwitch({ accountId: ACCOUNT }, false, undefined);
    expect(await listed()).toBe(1);
  });

  test("those that are on are listed, whoever changes them at once", async () => {
    const redis = await corner.open("request");
    const targets = Array.from({ length: 100 }, (_, n) => ({ accountId: accountId(`a-${n}`) }));
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(
        targets.flatMap((target) => [
          limits.setKillSwitch(target, true, undefined),
          elsewhere.setKillSwitch(target, false, undefined),
        ]),
      );
      const switches = await Promise.all(targets.map((target) => limits.killSwitch(target)));
      const on = targets.filter((_, at) => switches[at]?.active === true);
      const listed = await readActiveKillSwitches(redis, corner.keys);
      expect([...listed].sort()).toEqual(on.map(corner.keys.killSwitch).sort());
    }
  });
});

test("limits and a kill switch outlive a Redis that is killed", async () => {
  const { server, signal, exits } = await startTestRedis(await temporaryFolder());
  const own = await openCorner(server.path);
  onTestFinished(() => own.close());
  const store = createRedisLimitStore({ redis: await own.open("worker"), keys: own.keys });
  await store.changeLimits(ACCOUNT, { maxOrderQty: 3 });
  await store.setKillSwitch({ userId: USER }, true, "news");
  signal("SIGKILL");
  await waitUntil("the server is gone", () => exits.length === 1);
  expect(await store.limits(ACCOUNT)).toEqual({ maxOrderQty: 3 });
  expect(await store.killSwitch({ userId: USER })).toMatchObject({ active: true, reason: "news" });
});
