// The goal: a receiver that refuses, throttles, hangs or goes away loses nothing that it could still be
// told, delays nothing of any other, and is given up with the reason. The method: the real queue of
// notices on a real Redis, a channel that answers as it is told to, and a clock that the test moves.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Redis } from "ioredis";
import { userId } from "../../../src/domain/ids.ts";
import type { Destination, DestinationId } from "../../../src/domain/notify/destination.ts";
import type { GatewayEvent } from "../../../src/domain/notify/event.ts";
import { MOST_FOLDS } from "../../../src/store/notify/end-notices.ts";
import {
  createRedisDestinations,
  createRedisNotices,
  destinationScripts,
} from "../../../src/store/notify/redis-destinations.ts";
import { DeliverNotices } from "../../../src/trading/notify/deliver-notices.ts";
import type {
  DestinationStore,
  DueNotice,
  NoticeQueue,
} from "../../../src/trading/notify/destination-store.ts";
import type { Channels, Delivery, Notice } from "../../../src/trading/notify/ports.ts";
import { openCorner, type RedisCorner } from "../../unit/store/open-redis.ts";

const ID = "ds_1" as DestinationId;
const START = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

let corner: RedisCorner;
let destinations: DestinationStore;
let notices: NoticeQueue;
let now: number;
let sent: Notice[];
/** What the channel answers next; the last one stays. */
let answers: Delivery[];
let noted: string[];
const running = new AbortController();

beforeEach(async () => {
  corner = await openCorner();
  const redis: Redis = await corner.open("request", destinationScripts);
  destinations = createRedisDestinations({ redis, keys: corner.keys });
  notices = createRedisNotices({ redis, keys: corner.keys });
  [now, sent, answers, noted] = [START, [], [{ kind: "delivered", status: 200 }], []];
});

afterEach(async () => await corner.close());

async function add(change: Partial<Destination> = {}): Promise<void> {
  const destination = {
    id: ID,
    userId: userId("user_1"),
    name: "mine",
    kind: "discord",
    rules: [],
    createdAt: START,
    ...change,
  } as Destination;
  await destinations.add({ destination, settings: {}, secrets: [] });
}

const event = (n: number, change: Partial<GatewayEvent> = {}): GatewayEvent =>
  ({
    id: `ev_${n}`,
    type: "order.filled",
    userId: userId("user_1"),
    at: START + n,
    severity: "info",
    message: `event ${n}`,
    facts: {},
    ...change,
  }) as GatewayEvent;

const put = async (of: readonly GatewayEvent[], change: Partial<DueNotice> = {}) =>
  await notices.put(
    { id: ID, kind: "webhook" },
    of.map((one) => ({
      event: one,
      attempts: 0,
      isSilent: false,
      dueAt: now,
      firstDueAt: now,
      ...change,
    })),
    now,
  );

async function turn(): Promise<number | undefined> {
  const channel = {
    kind: "discord",
    gapMs: 0,
    send: async (notice: Notice) => {
      sent.push(notice);
      return (answers.length > 1 ? answers.shift() : answers[0]) as Delivery;
    },
  } as const;
  const deliver = new DeliverNotices({
    destinations,
    notices,
    channels: { discord: channel, webhook: channel, telegram: channel } as unknown as Channels,
    secrets: { open: async () => "" },
    now: async () => now,
    pause: async () => undefined,
    chance: () => 0,
    noteUser: async (_, draft) => void noted.push(draft.type),
    observer: {
      attempted: () => undefined,
      failed: () => undefined,
      givenUp: () => undefined,
      disabled: () => undefined,
    },
  });
  const waitMs = await deliver.turn(ID, running.signal);
  return waitMs === undefined ? undefined : now + waitMs;
}

const ids = () => sent.map((notice) => notice.event.id);
const FAILED: Delivery = { kind: "failed", reason: "It did not answer" };

describe("what is due", () => {
  test("is told in its order, each once, and is remembered", async () => {
    await add();
    await put([event(1), event(2), event(3)]);
    expect(await turn()).toBeUndefined();
    expect(ids()).toEqual(["ev_1", "ev_2", "ev_3"]);
    await put([event(2)]);
    await turn();
    expect(sent).toHaveLength(3);
    expect(await notices.state(ID)).toMatchObject({ waiting: 0, failures: 0, deliveredAt: now });
  });

  test("later is not told now, and the answer says when", async () => {
    await add();
    await put([event(1)], { dueAt: START + 60_000 });
    expect(await turn()).toBe(START + 60_000);
    expect(sent).toEqual([]);
  });

  test("is told as one where it is equal, at once and then after a minute", async () => {
    await add();
    const fold = { foldKey: "order.refused paper-1 LIMIT" };
    await put([event(1), event(2), event(3)], fold);
    await turn();
    expect(sent.map(({ count }) => count)).toEqual([3]);
    await put([event(4), event(5)], fold);
    expect(await turn()).toBe(START + 60_000);
    now += 60_000;
    await turn();
    expect(sent.map(({ count }) => count)).toEqual([3, 2]);
  });
});

describe("a receiver that fails", () => {
  test("is left alone for a while, with everything that waits for it", async () => {
    await add();
    answers = [FAILED];
    await put([event(1), event(2)]);
    expect(await turn()).toBe(START + 2_000);
    expect(await turn()).toBe(START + 2_000);
    expect(sent).toHaveLength(1);
    expect(await notices.state(ID)).toMatchObject({
      waiting: 2,
      failures: 1,
      failure: { reason: "It did not answer" },
    });
  });

  test("and takes the next one loses none of them", async () => {
    await add();
    answers = [FAILED, { kind: "delivered" }];
    await put([event(1), event(2)]);
    await turn();
    now += 2_000;
    expect(await turn()).toBe(START + 5_000);
    now += 3_000;
    expect(await turn()).toBeUndefined();
    expect(ids()).toEqual(["ev_1", "ev_2", "ev_1"]);
  });

  test("is asked when it said, and not before", async () => {
    await add();
    answers = [{ ...FAILED, status: 429, retryAfterMs: 90_000 }];
    await put([event(1)]);
    expect(await turn()).toBe(START + 90_000);
  });

  test("keeps their order where that is asked", async () => {
    await add({ kind: "webhook", inOrder: true });
    answers = [FAILED, FAILED, { kind: "delivered" }];
    await put([event(1), event(2)]);
    let waited = 0;
    for (let next = await turn(); next !== undefined; next = await turn()) {
      waited += next - now;
      now = next;
    }
    expect(ids()).toEqual(["ev_1", "ev_1", "ev_1", "ev_2"]);
    expect(waited).toBe(5_000 + 5 * 60_000);
  });

  test("is given up by a chat after its attempts, and the reason is kept", async () => {
    await add();
    answers = [{ ...FAILED, status: 503 }];
    await put([event(1)]);
    for (let next = await turn(); next !== undefined; next = await turn()) now = next;
    expect(sent).toHaveLength(6);
    const { items } = await notices.undelivered(ID, { limit: 10 });
    expect(items).toEqual([
      expect.objectContaining({ attempts: 6, reason: "It did not answer", status: 503 }),
    ]);
  });

  test("is not told an hour later what was meant for then", async () => {
    await add();
    answers = [{ ...FAILED, retryAfterMs: 2 * HOUR_MS }, { kind: "delivered" }];
    await put([event(1)]);
    now = (await turn()) ?? now;
    await put([event(2, { severity: "critical" })], { firstDueAt: START });
    await turn();
    expect(ids()).toEqual(["ev_1", "ev_2"]);
    expect(await notices.state(ID)).toMatchObject({ waiting: 0, undelivered: 1 });
  });

  test("for a day is switched off, which the others are told", async () => {
    await add({ kind: "webhook" });
    answers = [FAILED];
    await put([event(1), event(2), event(3)]);
    for (let n = 0; n < 400 && noted.length === 0; n += 1) now = (await turn()) ?? now;
    expect(noted).toEqual(["destination.disabled"]);
    expect(now - START).toBeGreaterThanOrEqual(24 * HOUR_MS);
    expect((await destinations.find(ID))?.destination.disabled?.reason).toContain("for a day");
    await turn();
    expect(await notices.state(ID)).toMatchObject({ waiting: 0, undelivered: 3 });
  });
});

test("what is critical comes before all that waits, also once it has failed", async () => {
  await add();
  await put(Array.from({ length: 300 }, (_, n) => event(n)));
  await put([event(300, { severity: "critical" })]);
  answers = [FAILED, { kind: "delivered" }];
  await turn();
  expect(ids()).toEqual(["ev_300"]);
  now += 5_000;
  await turn();
  expect(ids().slice(0, 3)).toEqual(["ev_300", "ev_300", "ev_0"]);
});

test("an event that is not there any more hides no other", async () => {
  await add();
  await put([event(1), event(2)]);
  const redis = await corner.open("request");
  await redis.hdel(corner.keys.notices(ID), "ev_1");
  expect(await turn()).toBeUndefined();
  expect(ids()).toEqual(["ev_2"]);
});

describe("a receiver", () => {
  test("that will never take a message is not asked again, and takes the next one", async () => {
    await add();
    answers = [{ kind: "unacceptable", reason: "It is too long" }, { kind: "delivered" }];
    await put([event(1), event(2)]);
    expect(await turn()).toBeUndefined();
    expect(ids()).toEqual(["ev_1", "ev_2"]);
    expect((await notices.state(ID)).undelivered).toBe(1);
  });

  test("that was down for hours is not switched off for one message that it refuses", async () => {
    await add();
    answers = [FAILED];
    for (let n = 0; n < 24; n += 1) {
      await put([event(n, { severity: "critical" })]);
      await turn();
      now += 5 * 60_001;
    }
    answers = [{ kind: "unacceptable", reason: "It is too long" }, { kind: "delivered" }];
    now += 24 * 60_000;
    await turn();
    expect((await notices.state(ID)).undelivered).toBe(1);
    expect((await destinations.find(ID))?.destination.disabled).toBeUndefined();
  });

  test("that two turns told at once waits for nothing that one of them had told", async () => {
    await add();
    await put([event(1)]);
    const due = await notices.due(ID, { by: now, limit: 10 });
    await notices.told(ID, due, now, 0);
    await notices.failed(ID, due, { at: now, reason: "It did not answer", pausedUntil: now });
    expect((await notices.state(ID)).waiting).toBe(0);
  });

  test("that is gone is switched off at once, and all that waits is kept", async () => {
    await add();
    answers = [{ kind: "gone", reason: "The webhook was deleted", status: 404 }];
    await put([event(1), event(2), event(3)]);
    expect(await turn()).toBeUndefined();
    expect(sent).toHaveLength(1);
    expect(noted).toEqual(["destination.disabled"]);
    const { items, next } = await notices.undelivered(ID, { limit: 2 });
    expect(items).toHaveLength(2);
    expect((await notices.undelivered(ID, { limit: 2, after: next ?? "" })).items).toHaveLength(1);
  });
});

describe("what was given up", () => {
  test("is sent again when a person asks for it, and then once", async () => {
    await add();
    answers = [{ kind: "unacceptable", reason: "no" }, { kind: "delivered" }];
    await put([event(1)]);
    await turn();
    expect(await notices.replay(ID, now)).toBe(1);
    await turn();
    expect(ids()).toEqual(["ev_1", "ev_1"]);
    expect(await notices.state(ID)).toMatchObject({ waiting: 0, undelivered: 0 });
  });

  test("can be thrown away", async () => {
    await add();
    answers = [{ kind: "unacceptable", reason: "no" }];
    await put([event(1), event(2)]);
    await turn();
    expect(await notices.discard(ID, ["ev_1"])).toBe(1);
    expect(await notices.discard(ID)).toBe(1);
    expect(await notices.replay(ID, now)).toBe(0);
  });
});

test("a destination that is removed leaves nothing behind", async () => {
  await add();
  answers = [FAILED];
  await put([event(1), event(2)], { foldKey: "a" });
  await turn();
  await destinations.remove(ID);
  expect(await turn()).toBeUndefined();
  expect(await corner.stored()).toEqual([]);
});

test("folds that are over make room for others, and never are more than may wait", async () => {
  const redis = await corner.open("request");
  const told = async (foldKey: string, at: number) =>
    await notices.told(ID, [{ foldKey, event: event(at) } as DueNotice], at, 60_000);
  const count = async () => await redis.hlen(corner.keys.folds(ID));
  for (let n = 0; n < MOST_FOLDS; n += 1) await told(`old ${n}`, 0);
  await told("first", 60_000);
  expect(await count()).toBe(1);
  for (let n = 1; n < MOST_FOLDS; n += 1) await told(`live ${n}`, 60_000);
  expect(await count()).toBe(MOST_FOLDS);
  await told("one more", 60_001);
  expect(await redis.hkeys(corner.keys.folds(ID))).toEqual(["one more"]);
});
