// Goal: the numbers that are read from Redis are right. Method: intents in every state in a real Redis.
import { afterEach, beforeEach, expect, test } from "vitest";
import { laneName } from "../../queues/lane.ts";
import { type LaneFigureDeps, readLaneFigures, totalFigures } from "../../queues/lane-figures.ts";
import { ACCOUNT, DONE, IntentKit, OTHER, UNKNOWN } from "../support/intent-kit.ts";
import { openLaneStore } from "../support/intent-store.ts";

let kit: IntentKit;
let deps: LaneFigureDeps;

beforeEach(async () => {
  kit = await IntentKit.open();
  const { keys } = kit.corner;
  const { lanes: prefix, laneNames: laneNamesKey } = keys;
  deps = { redis: kit.redis, prefix, laneNamesKey, keysOf: keys };
  await kit.redis.sadd(laneNamesKey, laneName(ACCOUNT), laneName(OTHER));
});

afterEach(async () => await kit.corner.close());

/** As if it had been accepted so long ago. */
async function age(id: Awaited<ReturnType<IntentKit["accept"]>>, seconds: number): Promise<void> {
  const acceptedAt = (await kit.intents.now()) - seconds * 1_000;
  await kit.redis.hset(kit.corner.keys.intent(ACCOUNT, id), "acceptedAt", acceptedAt);
}

test("of accounts at rest nothing is told", async () => {
  const id = await kit.accept();
  await kit.begin(id);
  await kit.settle(id, DONE);
  expect(await readLaneFigures(deps)).toEqual([]);
  expect(totalFigures([])).toMatchObject({ waiting: 0, unknown: 0, oldestMs: 0 });
});

test("every state is counted, by account and in all", async () => {
  const [unknown, sending, held] = [await kit.accept(), await kit.accept(), await kit.accept()];
  await kit.accept({ accountId: OTHER });
  for (const id of [unknown, sending]) await kit.begin(id);
  await kit.settle(unknown, UNKNOWN);
  expect(await kit.intents.park(ACCOUNT, held, "process-1")).toBe(true);
  await kit.redis.hset(kit.corner.keys.unprotected(ACCOUNT), "ES-2026-12", "STOP_LOSS");
  // The other account's job waits; these were worked.
  const lane = openLaneStore({ redis: kit.redis, keys: kit.corner.keys });
  let job = await lane.take(ACCOUNT);
  while (job !== undefined) {
    job = (await lane.finish(ACCOUNT, job.intentId, { takesNext: true })).next;
  }

  const figures = await readLaneFigures(deps);
  expect(figures.find(({ accountId }) => accountId === ACCOUNT)).toMatchObject({
    waiting: 0,
    held: 1,
    sending: 1,
    unknown: 1,
    unprotected: 1,
  });
  expect(totalFigures(figures)).toMatchObject({ waiting: 1, held: 1, sending: 1, unknown: 1 });
});

test("the oldest is the oldest that is not unknown", async () => {
  const [first, second, third] = [await kit.accept(), await kit.accept(), await kit.accept()];
  for (const id of [first, second]) {
    await kit.begin(id);
    await kit.settle(id, UNKNOWN);
  }
  await age(first, 300);
  await age(second, 200);
  await age(third, 100);
  const oldest = async () => totalFigures(await readLaneFigures(deps)).oldestMs;
  // The third is a little older by now, and nowhere near as old as the second.
  const ms = await oldest();
  expect(ms).toBeGreaterThanOrEqual(100_000);
  expect(ms).toBeLessThan(200_000);
  await kit.intents.withdraw(ACCOUNT, third, { kind: "withdrawn", reason: "Nobody waits" });
  expect(await oldest()).toBe(0);
});

test("a position without its exits is told of an account with nothing open", async () => {
  await kit.redis.hset(kit.corner.keys.unprotected(OTHER), "ES-2026-12", "STOP_LOSS");
  expect(await readLaneFigures(deps)).toMatchObject([{ accountId: OTHER, unprotected: 1 }]);
});
