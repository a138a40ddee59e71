// The goal: a schedule is kept slot by slot: each is evaluated once or told as missed, and a change of it
// holds from then on.
// The method: gateways with a slot each ten seconds; they are stopped, changed and held up at slots.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, type TestContext } from "vitest";
import { startGateway, frontMonth } from "../../support/gateway.ts";
import { HANGS_AFTER_MS, waitUntil } from "../../support/wait.ts";
import {
  type Answered,
  barsAround,
  EVERY_TEN_SECONDS,
  IN_AND_OUT,
  openStrategyDesk,
  type StrategyDesk,
  termsOf,
} from "./strategy-desk.ts";

const SLOT_MS = 10_000;
const SECOND_MS = 1_000;
/** Before the only slot of a day: a busy machine sets its strategy up in that time. */
const SET_UP_MS = 8_000;
/** Longer than anything that is late may be, and shorter than until another slot would tell of it. */
const TOLD_WITHIN_MS = 30_000;

async function open(atEnd: TestContext["onTestFinished"]) {
  const gateway = await startGateway();
  atEnd(gateway.stop);
  const { code } = frontMonth("MNQ");
  gateway.feed.setBars(code, 1, barsAround(100_000));
  const schedule = async (terms: object = {}): Promise<StrategyDesk> =>
    await openStrategyDesk(() => gateway.api, {
      ...termsOf("paper-1"),
      conditions: IN_AND_OUT,
      schedule: EVERY_TEN_SECONDS,
      ...terms,
    });
  return { gateway, schedule };
}

const at = (time: string): number => Date.parse(time);
const slotsOf = (logs: readonly Answered[]): number[] => logs.map(({ slotAt }) => at(slotAt));
const isMissed = ({ decision }: Answered): boolean => decision === "missed";

const untilTime = async (time: number): Promise<void> => {
  await sleep(Math.max(0, time - Date.now()));
};

/** A schedule with one slot a day, at this instant. */
function dailyAt(time: number) {
  const date = new Date(time);
  const cron = `${date.getUTCSeconds()} ${date.getUTCMinutes()} ${date.getUTCHours()} * * *`;
  return { schedule: { cron, timeZone: "UTC" } };
}

const wholeSecondIn = (ms: number): number => Math.ceil((Date.now() + ms) / SECOND_MS) * SECOND_MS;

/** What was logged of the only slot of a day, which is told before another one comes. */
const toldOf = async ({ ended }: StrategyDesk): Promise<Answered> =>
  (await ended(1, TOLD_WITHIN_MS))[0];

test.concurrent("each slot is evaluated once, and a change holds from then on", async ({
  onTestFinished: atEnd,
}) => {
  const { gateway, schedule } = await open(atEnd);
  const steady = await schedule({ mode: "trade" });
  const [moved, off, cleared] = [await schedule(), await schedule(), await schedule()];
  const deleted = await Promise.all(Array.from({ length: 6 }, async () => await schedule()));

  const first = await steady.ended(2, HANGS_AFTER_MS);
  const newestAt = slotsOf(first).at(-1) ?? 0;
  const isCalm = async ({ log }: StrategyDesk) => slotsOf(await log()).includes(newestAt);
  for (const one of [moved, off, cleared]) {
    await waitUntil("its slot has ended too", async () => await isCalm(one));
  }
  const everyFive = { cron: "5,15,25,35,45,55 * * * * *", timeZone: "UTC" };
  const change = await moved.change({ schedule: everyFive });
  expect(at(change.nextEvaluationAt) % SLOT_MS).toBe(5_000);
  expect((await off.change({ enabled: false })).nextEvaluationAt).toBeNull();
  expect((await cleared.change({ schedule: null })).state).toBe("onRequest");
  const before = {
    moved: (await moved.log()).length,
    off: (await off.log()).length,
    cleared: (await cleared.log()).length,
  };
  // Some before a slot comes, some while it is evaluated.
  const slotAt = Math.ceil((Date.now() + 500) / SLOT_MS) * SLOT_MS;
  await Promise.all(
    deleted.map(async ({ path }, n) => {
      await untilTime(slotAt - 20 + n * 20);
      expect((await gateway.api.delete(path)).status).toBe(204);
    }),
  );

  const logs = await steady.ended(first.length + 2, HANGS_AFTER_MS);
  const slots = slotsOf(logs);
  expect(slots).toEqual(slots.map((_, n) => (slots[0] ?? 0) + n * SLOT_MS));
  expect(logs.map(({ decision }) => decision)).toEqual(
    logs.map((_, n) => (n % 2 === 0 ? "enterLong" : "exit")),
  );
  expect(new Set(logs.map(({ outcome }) => outcome))).toEqual(new Set(["done"]));
  for (const one of logs) expect(at(one.startedAt) - at(one.slotAt)).toBeLessThan(SLOT_MS);
  expect((await gateway.broker.filled("paper-1")).orders).toBe(logs.length);

  const after = (await moved.log()).slice(0, -before.moved);
  expect(after.length).toBeGreaterThan(0);
  for (const slot of slotsOf(after)) expect(slot % SLOT_MS).toBe(5_000);
  expect(after.some(isMissed)).toBe(false);
  expect(await off.log()).toHaveLength(before.off);
  expect(await cleared.log()).toHaveLength(before.cleared);

  const { redis, keys } = gateway;
  const gone = deleted.map(({ id }) => id);
  const isLeft = async () => {
    const open = await redis.hvals(keys.openEvaluations);
    return open.some((text) => gone.some((id) => text.includes(id)));
  };
  await waitUntil("no open evaluation is left", async () => !(await isLeft()));
  expect(await redis.zcard(keys.openEvaluationTimes)).toBe(await redis.hlen(keys.openEvaluations));
  expect((await redis.hkeys(keys.nextSlots)).toSorted()).toEqual([moved.id, steady.id].toSorted());
  for (const id of gone) {
    expect(await redis.hexists(keys.strategies, id)).toBe(0);
    expect((await redis.keys(`*${id}*`)).length).toBe(0);
  }
});

test.concurrent("slots that come while nobody is there are told as one", async ({
  onTestFinished: atEnd,
}) => {
  const { gateway, schedule } = await open(atEnd);
  const desk = await schedule({ mode: "trade" });
  const before = await desk.ended(1, HANGS_AFTER_MS);
  const lastAt = slotsOf(before).at(-1) ?? 0;
  await gateway.halt();
  await untilTime(lastAt + 32_000);
  const startedAt = Date.now();
  await gateway.restart();

  let logs: readonly Answered[] = [];
  const goesOn = async () => {
    logs = (await desk.log()).toReversed();
    return logs.filter((one) => !isMissed(one)).length > before.length;
  };
  await waitUntil("a slot is evaluated again", goesOn);
  const [missed, ...more] = logs.filter(isMissed);
  expect(more).toEqual([]);
  expect(missed).toMatchObject({
    outcome: "none",
    reason: expect.stringMatching(/^No process of the gateway /) as string,
    intentId: null,
    missed: { fromAt: new Date(lastAt + SLOT_MS).toISOString() },
  });
  const { fromAt, slots } = missed.missed;
  expect(at(missed.slotAt)).toBe(at(fromAt) + (slots - 1) * SLOT_MS);
  expect(slots).toBeGreaterThanOrEqual(2);
  const evaluated = slotsOf(logs.filter((one) => !isMissed(one)));
  expect(evaluated.at(-1)).toBe(at(missed.slotAt) + SLOT_MS);
  // Nothing is sent for what is long over.
  for (const one of logs.slice(before.length).filter((one) => !isMissed(one))) {
    expect(at(one.slotAt)).toBeGreaterThan(startedAt - SLOT_MS);
  }
  expect((await gateway.broker.filled("paper-1")).orders).toBe(before.length + 1);
});

test.concurrent("the only slot of a day, while the gateway starts anew, is told of", async ({
  onTestFinished: atEnd,
}) => {
  const { gateway, schedule } = await open(atEnd);
  const slotAt = wholeSecondIn(SET_UP_MS);
  const desk = await schedule(dailyAt(slotAt));
  await untilTime(slotAt - 1_000);
  await gateway.halt();
  await untilTime(slotAt + 100);
  await gateway.restart();
  expect(at((await toldOf(desk)).slotAt)).toBe(slotAt);
});

test.each([
  [2, "enterLong"],
  [12, "missed"],
])("the only slot of a day, while the process hangs for %d seconds, is %s", async (...given) => {
  const [seconds, decision] = given;
  const { schedule } = await open(onTestFinished);
  const slotAt = wholeSecondIn(SET_UP_MS);
  const desk = await schedule(dailyAt(slotAt));
  await untilTime(slotAt - 200);
  // The gateway is in this process, and stands still with it.
  const forMs = slotAt + seconds * SECOND_MS - Date.now();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
  const told = await toldOf(desk);
  expect([at(told.slotAt), told.decision]).toEqual([slotAt, decision]);
});
