// The goal: a record that no list can show is deleted, and none before its promises have ended.
// The method: the log is filled to its bound on a real Redis; then one more alert comes.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contractCode } from "../../src/domain/contracts/contract.ts";
import { type IntentId, intentId, orderId } from "../../src/domain/ids.ts";
import { ACCEPTED_ALERTS_KEPT } from "../../src/store/alerts/alert-record.ts";
import {
  DROPPED_AT_ONCE,
  REPEATED_WITHIN_MS,
  SEEN_WITHIN_MS,
} from "../../src/store/alerts/make-room.ts";
import { ACCOUNT, DONE, WITHDRAWN } from "../support/intent-kit.ts";
import { ALERT_RETENTION_MS, AlertKit, same } from "../unit/store/alert-kit.ts";

const DAY_MS = 24 * 3_600_000;
const ES = contractCode({ root: "ES", year: 2026, month: 12 });

let kit: AlertKit;
let now: number;

beforeEach(async () => {
  kit = await AlertKit.open();
  now = await kit.intents.now();
});
afterEach(() => kit.base.corner.close());

const keyOf = (id: IntentId) => kit.base.corner.keys.intent(ACCOUNT, id);
const index = () => kit.base.corner.keys.acceptedAlerts(ACCOUNT);
const ttl = async (id: IntentId) => await kit.base.redis.pttl(keyOf(id));
const isListed = async (id: IntentId) => (await kit.base.redis.zscore(index(), id)) !== null;

/** As if the alert had come in, and had been accepted, so much earlier. */
async function rewind(id: IntentId, byMs: number): Promise<void> {
  const { redis } = kit.base;
  await redis.zincrby(index(), -byMs, id);
  await redis.hincrby(keyOf(id), "acceptedAt", -byMs);
  if ((await redis.hexists(keyOf(id), "neededUntil")) === 1) {
    await redis.hincrby(keyOf(id), "neededUntil", -byMs);
  }
}

/** Fills the log up to its bound with what is newer, and one more. */
async function overflow(by = 1): Promise<void> {
  const size = await kit.base.redis.zcard(index());
  const count = ACCEPTED_ALERTS_KEPT - size - 1 + by;
  const newer = Array.from({ length: count }, (_, nth) => [now - 5, `newer-${nth}`]);
  await kit.base.redis.zadd(index(), ...newer.flat());
  await kit.accept();
}

describe("an alert for which the log has no room any more", () => {
  test("goes with its record, and leaves the set of its ending", async () => {
    const { redis, corner } = kit.base;
    const [oldest, second] = [await kit.accept(), await kit.accept()];
    for (const id of [oldest, second]) await kit.base.settle(id, WITHDRAWN);
    await rewind(oldest, 2 * REPEATED_WITHIN_MS);
    await rewind(second, REPEATED_WITHIN_MS + 5_000);
    await overflow();
    expect(await redis.exists(keyOf(oldest))).toBe(0);
    expect(await redis.exists(keyOf(second))).toBe(1);
    expect([await isListed(oldest), await isListed(second)]).toEqual([false, true]);
    const ended = corner.keys.alertsEndedAs(ACCOUNT, "WITHDRAWN");
    expect(await redis.zrange(ended, "0", "-1")).toEqual([second]);
    expect(await redis.zcard(index())).toBe(ACCEPTED_ALERTS_KEPT);
  });

  test("stands for its repeats until its time is over", async () => {
    const plain = await kit.accept({ sameAs: same("A") });
    const windowed = await kit.accept({ sameAs: same("B", { windowMs: 600_000 }) });
    const named = await kit.accept({ sameAs: same("C", { id: "id-1" }) });
    const over = await kit.accept({ sameAs: same("D", { id: "id-2" }) });
    for (const id of [plain, windowed, named, over]) await kit.base.settle(id, DONE);
    await rewind(plain, 1_000);
    await rewind(windowed, REPEATED_WITHIN_MS);
    await rewind(named, DAY_MS - 60_000);
    await rewind(over, DAY_MS + 60_000);
    await overflow(4);
    expect(await kit.base.redis.exists(keyOf(over))).toBe(0);
    const left = { [plain]: 59_000, [windowed]: 540_000, [named]: 60_000 };
    for (const id of [plain, windowed, named]) {
      expect(await isListed(id)).toBe(false);
      expect(await ttl(id)).toBeLessThanOrEqual(left[id] ?? 0);
      expect(await ttl(id)).toBeGreaterThan((left[id] ?? 0) - 20_000);
    }
    const again = await kit.send({ sameAs: same("C", { id: "id-1" }) });
    expect(again).toMatchObject({ kind: "known", intentId: named });
  });

  test("stands for a replay under its sender's id as long as that id is kept", async () => {
    const sameAs = same("A", { id: "id-1" });
    const sent = await kit.accept({ sameAs });
    await kit.base.settle(sent, DONE);
    await rewind(sent, DAY_MS);
    await overflow();
    expect(await kit.base.redis.exists(keyOf(sent))).toBe(0);
    const replay = { ...sameAs, replayOf: intentId("i-refused") };
    expect(await kit.send({ sameAs: replay })).toMatchObject({ kind: "known", intentId: sent });
    expect(await kit.send({ sameAs })).toMatchObject({ kind: "accepted" });
  });

  test("is kept until it is settled, and a day after that", async () => {
    const oldest = await kit.accept();
    await rewind(oldest, DAY_MS);
    await overflow();
    expect([await isListed(oldest), await ttl(oldest)]).toEqual([false, -1]);
    await kit.base.settle(oldest, WITHDRAWN);
    expect(await ttl(oldest)).toBeGreaterThan(DAY_MS - 60_000);
    expect(await ttl(oldest)).toBeLessThanOrEqual(DAY_MS);
    const ended = kit.base.corner.keys.alertsEndedAs(ACCOUNT, "WITHDRAWN");
    expect(await kit.base.redis.exists(ended)).toBe(0);
  });

  test("is kept until it would have been seen that its order works", async () => {
    const order = { orderId: orderId("7"), cumQty: 0, ordStatus: "NEW" } as const;
    const filled = { ...order, cumQty: 1, ordStatus: "FILLED" } as const;
    const exits = { stopLossOrderId: orderId("8") };
    const results = [
      order,
      { ...filled, ...exits },
      { ...filled, legsUnconfirmed: true } as const,
      filled,
      order,
    ];
    const ids = [];
    for (const [nth, result] of results.entries()) {
      const id = await kit.accept();
      const placed = { kind: "PLACE", contract: ES, order: result } as const;
      await kit.base.settle(id, { kind: "done", result: placed });
      await rewind(id, nth < 4 ? SEEN_WITHIN_MS - 60_000 : SEEN_WITHIN_MS + 60_000);
      ids.push(id);
    }
    await overflow(ids.length);
    const left = await Promise.all(ids.map((id) => kit.base.redis.exists(keyOf(id))));
    expect(left).toEqual([1, 1, 1, 0, 0]);
    for (const id of ids) expect(await isListed(id)).toBe(false);
    const [working = intentId("none")] = ids;
    await kit.intents.keep(ACCOUNT, [working]);
    expect(await ttl(working)).toBeGreaterThan(ALERT_RETENTION_MS - 20_000);
  });

  test("is kept while its order works", async () => {
    const [working, idle] = [await kit.accept(), await kit.accept()];
    for (const id of [working, idle]) {
      await kit.base.settle(id, DONE);
      await rewind(id, DAY_MS);
    }
    await kit.intents.keep(ACCOUNT, [working]);
    await overflow(2);
    expect([await isListed(working), await isListed(idle)]).toEqual([false, false]);
    expect(await kit.base.redis.exists(keyOf(idle))).toBe(0);
    expect(await ttl(working)).toBeGreaterThan(ALERT_RETENTION_MS - 20_000);
  });
});

test("one step drops a few, and the next ones the rest", async () => {
  const over = 3 * DROPPED_AT_ONCE - 5;
  await overflow(over);
  const sizes = [await kit.base.redis.zcard(index())];
  for (let nth = 0; nth < 3; nth += 1) {
    await kit.accept();
    sizes.push(await kit.base.redis.zcard(index()));
  }
  const dropped = sizes.map((size) => size - ACCEPTED_ALERTS_KEPT);
  expect(dropped).toEqual([over - DROPPED_AT_ONCE, 6, 0, 0]);
});

test("what is older than the retention goes with its record", async () => {
  const old = await kit.accept();
  await kit.base.settle(old, DONE);
  await rewind(old, ALERT_RETENTION_MS + 1_000);
  await kit.accept();
  expect(await isListed(old)).toBe(false);
  expect(await kit.base.redis.exists(keyOf(old))).toBe(0);
});

test("what was never in a list of endings is dropped as well", async () => {
  await kit.base.redis.zadd(index(), now - ALERT_RETENTION_MS - 1_000, "gone");
  await kit.accept();
  expect(await kit.base.redis.zcard(index())).toBe(1);
});
