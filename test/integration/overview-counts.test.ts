// The goal: alerts are counted in the minute they came in, and the latency is that of the newest.
// The method: alerts at chosen times in a real Redis, counted by the script and by hand.
import type { Redis } from "ioredis";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { accountId, intentId, orderId, userId } from "../../src/domain/ids.ts";
import type { Outcome } from "../../src/domain/intent.ts";
import { createRedisLimitStore } from "../../src/store/intents/redis-limit-store.ts";
import { createRedisOverview, overviewScripts } from "../../src/store/accounts/redis-overview.ts";
import type { OverviewStore } from "../../src/trading/reads/overview.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const USER = userId("user_1");
const [FIRST, SECOND, THEIRS] = [accountId("a-1"), accountId("a-2"), accountId("b-1")];
const MINUTE_MS = 60_000;
/** Half a minute into a minute. */
const NOW = Date.UTC(2026, 8, 21, 14, 30, 30);
const THIS_MINUTE = NOW - 30_000;

let corner: RedisCorner;
let redis: Redis;
let overview: OverviewStore;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", overviewScripts);
  const alertAccounts = async () => await Promise.resolve([FIRST, SECOND]);
  overview = createRedisOverview({ redis, keys: corner.keys, alertAccounts });
});
afterEach(() => corner.close());

interface Came {
  readonly account: typeof FIRST;
  readonly isAccepted: boolean;
  readonly at: number;
}

async function write(alerts: readonly Came[]): Promise<void> {
  const { keys } = corner;
  for (const account of [FIRST, SECOND, THEIRS]) {
    await redis.del(keys.acceptedAlerts(account), keys.endedAlerts(account));
  }
  for (const [index, { account, isAccepted, at }] of alerts.entries()) {
    const key = isAccepted ? keys.acceptedAlerts(account) : keys.endedAlerts(account);
    await redis.zadd(key, at, `i${index}`);
  }
}

test("each alert is counted in its minute, and those of the hour only", async () => {
  const came: fc.Arbitrary<Came> = fc.record({
    account: fc.constantFrom(FIRST, SECOND, THEIRS),
    isAccepted: fc.boolean(),
    at: fc.oneof(
      fc.integer({ min: NOW - 70 * MINUTE_MS, max: NOW }),
      // Where one minute ends and the next begins.
      fc.nat(61).map((minutes) => THIS_MINUTE - minutes * MINUTE_MS),
      fc.nat(61).map((minutes) => THIS_MINUTE - minutes * MINUTE_MS - 1),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(came, { maxLength: 40 }), async (alerts) => {
      await write(alerts);
      const { minutes } = await overview.alertTraffic(USER, NOW);
      const own = alerts.filter(({ account }) => account !== THEIRS);
      const count = (from: number, isAccepted: boolean) =>
        own.filter(
          (one) => one.isAccepted === isAccepted && one.at >= from && one.at < from + MINUTE_MS,
        ).length;
      const expected = Array.from({ length: 60 }, (_, n) => {
        const at = THIS_MINUTE - (59 - n) * MINUTE_MS;
        return { at, accepted: count(at, true), refused: count(at, false) };
      });
      expect(minutes).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

/** An alert that came so long before now, and what became of it. */
async function accept(id: string, beforeMs: number, outcome?: Outcome): Promise<void> {
  const at = NOW - beforeMs;
  await redis.zadd(corner.keys.acceptedAlerts(FIRST), at, id);
  const key = corner.keys.intent(FIRST, intentId(id));
  await redis.hset(key, "sentAt", at + 5);
  if (outcome !== undefined) await redis.hset(key, "outcome", JSON.stringify(outcome));
}

const placed = (ackMs: number): Outcome => ({
  kind: "done",
  result: {
    kind: "PLACE",
    contract: "ESZ2026" as never,
    order: { orderId: orderId("1"), ordStatus: "FILLED", cumQty: 1, ackMs },
  },
});

test("the latency is from receipt to the broker's word, where there was one", async () => {
  await accept("i1", 1_000, placed(20));
  await accept("i2", 2_000, placed(35));
  await accept("i3", 3_000);
  await accept("i4", 4_000, { kind: "denied", reason: "The kill switch is on" } as Outcome);
  await accept("i5", 61 * MINUTE_MS, placed(900));
  const { latenciesMs } = await overview.alertTraffic(USER, NOW);
  expect([...latenciesMs].sort((a, b) => a - b)).toEqual([25, 40]);
});

test("of many alerts the newest 200 tell the latency", async () => {
  for (let n = 0; n < 230; n += 1) await accept(`i${n}`, n * 100, placed(n));
  const { latenciesMs } = await overview.alertTraffic(USER, NOW);
  expect(latenciesMs).toHaveLength(200);
  expect(Math.max(...latenciesMs)).toBe(204);
});

test("kill switches of others are none of ours", async () => {
  const limits = createRedisLimitStore({ redis, keys: corner.keys });
  await limits.setKillSwitch({ accountId: THEIRS }, true, undefined);
  const none = await overview.killSwitches(USER, [FIRST, SECOND]);
  expect(none).toEqual({ ofUser: false, accounts: [] });
  await limits.setKillSwitch({ accountId: SECOND }, true, undefined);
  const one = await overview.killSwitches(USER, [FIRST, SECOND]);
  expect(one).toEqual({ ofUser: false, accounts: [SECOND] });
});
