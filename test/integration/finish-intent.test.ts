// The goal: an intent ends, its job goes and the next one begins in one step, whoever ended it before.
// The method: real intents on a real lane, taken and finished as their owner does, and as one that was frozen.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contractCode } from "../../src/domain/contracts/contract.ts";
import type { IntentId } from "../../src/domain/ids.ts";
import type { Intent } from "../../src/domain/intent.ts";
import type { LaneStore, Settlement } from "../../src/trading/lane/ports.ts";
import { ACCOUNT, DONE, IntentKit, UNKNOWN, WITHDRAWN } from "../support/intent-kit.ts";
import { openLaneStore } from "../support/intent-store.ts";
import { AlertKit } from "../unit/store/alert-kit.ts";

const ES = contractCode({ root: "ES", year: 2026, month: 12 });
const BUY: Intent = {
  kind: "PLACE",
  order: { contract: ES, side: "BUY", orderQty: 1, ordType: "MARKET", timeInForce: "DAY" },
  isFrontMonth: true,
};

let kit: IntentKit;
let lane: LaneStore;

beforeEach(async () => {
  kit = await IntentKit.open();
  lane = openLaneStore({ redis: kit.redis, keys: kit.corner.keys });
});
afterEach(() => kit.corner.close());

async function settlement(id: IntentId, change: Partial<Settlement> = {}): Promise<Settlement> {
  return { record: await kit.read(id), outcome: DONE, onlyUnsent: false, ...change };
}

async function waiting(): Promise<readonly string[]> {
  return await kit.redis.lrange(`${kit.corner.keys.lane(ACCOUNT)}:wait`, 0, -1);
}

test("it takes the next one, and what that begins with knows how this one ended", async () => {
  const [first, second] = [await kit.accept(), await kit.accept()];
  expect(await lane.take(ACCOUNT)).toMatchObject({
    intentId: first,
    context: { record: { intentId: first, state: "PREPARED" }, unknown: [] },
  });
  await kit.begin(first);
  const finished = await lane.finish(ACCOUNT, first, {
    settlement: await settlement(first, { outcome: UNKNOWN }),
    takesNext: true,
  });
  expect(finished).toMatchObject({
    wasActive: true,
    record: { intentId: first, state: "UNKNOWN", outcome: UNKNOWN, clOrdIds: [`${first}-1`] },
    next: { intentId: second, context: { record: { intentId: second } } },
  });
  expect(finished.next?.context?.unknown).toMatchObject([{ isEarlier: true }]);
});

test("an alert that ends so is found by its ending, and keeps nothing that led to it", async () => {
  const alerts = new AlertKit(kit);
  const id = await alerts.accept({ intent: BUY });
  await lane.take(ACCOUNT);
  await kit.begin(id);
  const fields = async () => await kit.redis.hkeys(kit.corner.keys.intent(ACCOUNT, id));
  expect(await fields()).toEqual(expect.arrayContaining(["opens", `permit:${id}-1`]));
  const ended = await settlement(id, { outcome: { kind: "rejected", reason: "No margin" } });
  await lane.finish(ACCOUNT, id, { settlement: ended, takesNext: false });
  const spent = (await fields()).filter((name) => /^(opens|mayEmpty|permit:)/.test(name));
  expect(spent).toEqual([]);
  const query = { limit: 5, outcome: "rejected", matches: () => true } as const;
  expect((await alerts.readAll(query)).ids).toEqual([id]);
});

test("it takes nothing where it is not asked to, and nothing from an empty lane", async () => {
  const [first, second] = [await kit.accept(), await kit.accept()];
  await lane.take(ACCOUNT);
  const ended = await settlement(first);
  expect(await lane.finish(ACCOUNT, first, { settlement: ended, takesNext: false })).toEqual({
    wasActive: true,
    record: expect.objectContaining({ state: "DONE" }),
  });
  expect(await waiting()).toEqual([second]);
  await lane.take(ACCOUNT);
  expect(await lane.finish(ACCOUNT, second, { takesNext: true })).toEqual({ wasActive: true });
  expect(await kit.stateOf(second)).toBe("PREPARED");
});

describe("an intent that somebody else has ended", () => {
  test("stays as it is, and its job goes all the same", async () => {
    const [first, second] = [await kit.accept(), await kit.accept()];
    await lane.take(ACCOUNT);
    const before = await settlement(first);
    await kit.intents.withdraw(ACCOUNT, first, WITHDRAWN);
    expect(
      await lane.finish(ACCOUNT, first, { settlement: before, takesNext: true }),
    ).toMatchObject({
      wasActive: true,
      record: { state: "WITHDRAWN", outcome: WITHDRAWN },
      next: { intentId: second },
    });
  });

  test("or has begun to send is not ended by who has not", async () => {
    const id = await kit.accept();
    await lane.take(ACCOUNT);
    const before = await settlement(id, { outcome: WITHDRAWN, onlyUnsent: true });
    await kit.begin(id);
    expect(await lane.finish(ACCOUNT, id, { settlement: before, takesNext: true })).toMatchObject({
      wasActive: true,
      record: { state: "SENDING" },
    });
  });
});

describe("an owner that was frozen", () => {
  test("takes nothing from the next one, which has its job by now", async () => {
    const [first, second] = [await kit.accept(), await kit.accept()];
    await lane.take(ACCOUNT);
    const next = openLaneStore({ redis: kit.redis, keys: kit.corner.keys }, "process-2");
    await next.putBack(ACCOUNT);
    expect(await next.take(ACCOUNT)).toMatchObject({ intentId: first });
    const ended = await settlement(first);
    // The outcome is true all the same.
    expect(await lane.finish(ACCOUNT, first, { settlement: ended, takesNext: true })).toEqual({
      wasActive: false,
      record: expect.objectContaining({ state: "DONE" }),
    });
    await lane.giveBack(ACCOUNT, first);
    expect(await waiting()).toEqual([second]);
    expect(await next.finish(ACCOUNT, first, { takesNext: true })).toMatchObject({
      wasActive: true,
      next: { intentId: second },
    });
  });

  test("whose command came twice is told so, and what it took stays in hand", async () => {
    const [first, second, third] = [await kit.accept(), await kit.accept(), await kit.accept()];
    await lane.take(ACCOUNT);
    const how = { settlement: await settlement(first), takesNext: true };
    expect(await lane.finish(ACCOUNT, first, how)).toMatchObject({ next: { intentId: second } });
    expect(await lane.finish(ACCOUNT, first, how)).toEqual({
      wasActive: false,
      record: expect.objectContaining({ state: "DONE" }),
    });
    await lane.putBack(ACCOUNT);
    expect(await waiting()).toEqual([third, second]);
  });
});
