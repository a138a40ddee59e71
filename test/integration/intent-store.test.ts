// The goal: each step of an intent happens at most once, whoever asks and however often.
// The method: drive the real scripts on a real Redis, side by side and out of turn.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Aim } from "../../src/domain/alert.ts";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { type IntentId, intentId } from "../../src/domain/ids.ts";
import type { Intent, IntentState, Outcome } from "../../src/domain/intent.ts";
import { openChannels } from "../../queues/channels.ts";
import { createRedisLimitStore } from "../../src/store/intents/redis-limit-store.ts";
import type { SendRequest } from "../../src/trading/lane/send-permit.ts";
import {
  ACCOUNT,
  DONE,
  IntentKit,
  OTHER,
  OWNER,
  RETENTION_MS,
  UNKNOWN,
  WITHDRAWN,
} from "../support/intent-kit.ts";
import { waitUntil } from "../support/wait.ts";
import { AlertKit } from "../unit/store/alert-kit.ts";
import type { RedisCorner } from "../unit/store/open-redis.ts";
import { place } from "../unit/trading/lane-kit.ts";
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

const newIntent = async (change: Partial<NewIntent> = {}) => await kit.newIntent(change);
const accept = async (change: Partial<NewIntent> = {}) => await kit.accept(change);
const begin = async (id: IntentId, change: Partial<SendRequest> = {}) =>
  await kit.begin(id, change);
const settle = async (id: IntentId, outcome: Outcome) => await kit.settle(id, outcome);
const read = async (id: IntentId) => await kit.read(id);
const load = async (id: IntentId) => await kit.load(id);
const keyed = (key: string, fingerprint = "body-1") => ({ idempotency: { key, fingerprint } });

describe("accepting", () => {
  test("keeps everything about the intent, with its ages counted by Redis' clock", async () => {
    const intent = await newIntent();
    const before = await intents.now();
    await intents.accept(intent);
    const after = await intents.now();
    const record = await intents.find(ACCOUNT, intent.intentId);
    expect(record).toEqual({
      intentId: intent.intentId,
      accountId: ACCOUNT,
      userId: OWNER.userId,
      source: intent.source,
      requestId: "r1",
      intent: intent.intent,
      state: "PREPARED",
      clOrdIds: [],
      acceptedAt: record?.acceptedAt,
      entryExpiresAt: (record?.acceptedAt ?? 0) + 30_000,
      exitExpiresAt: (record?.acceptedAt ?? 0) + 600_000,
    });
    expect(record?.acceptedAt).toBeGreaterThanOrEqual(before);
    expect(record?.acceptedAt).toBeLessThanOrEqual(after);
  });

  test("keeps whether it is a test, and the side that entries are allowed on", async () => {
    const id = await accept({ test: true, entrySide: "SELL" });
    expect(await read(id)).toMatchObject({ test: true, entrySide: "SELL" });
    expect((await load(id))?.record).toEqual(await read(id));
  });

  test("wakes the lane where it is asked to, with what is new and with nothing else", async () => {
    const heard: string[] = [];
    const channels = openChannels(await corner.open("worker"));
    await channels.listen(corner.keys.doorbell, (lane) => heard.push(lane));
    const alerts = new AlertKit(kit);
    const repeated = { ...(await newIntent()), isDerived: true as const };
    await intents.accept(repeated, { rings: true });
    await intents.accept(repeated, { rings: true });
    await intents.accept(await alerts.newAlert({ accountId: OTHER }), { rings: true });
    await intents.accept(await newIntent(), { rings: false });
    await intents.accept(await newIntent());
    await redis.publish(corner.keys.doorbell, "the last");
    await waitUntil("the last is heard", () => heard.includes("the last"));
    expect(heard).toEqual([`{${ACCOUNT}}`, `{${OTHER}}`, "the last"]);
  });

  test("comes too late for a request of 2 seconds ago, and writes nothing", async () => {
    const receivedAt = (await intents.now()) - 2_100;
    const late = await newIntent({ receivedAt, ...keyed("key-1") });
    expect(await intents.accept(late)).toEqual({ kind: "tooLate" });
    expect(await kit.stored()).toEqual([]);
  });

  test("an intent that is not there is undefined", async () => {
    expect(await intents.find(ACCOUNT, intentId("i404"))).toBeUndefined();
    expect(await load(intentId("i404"))).toBeUndefined();
  });

  test("the unsettled ones are listed in the order of their acceptance", async () => {
    const all = [await accept(), await accept(), await accept(), await accept()];
    const [first, second, third, fourth] = all;
    if (!first || !second || !third || !fourth) throw new Error("four were accepted");
    await settle(second, DONE);
    await settle(third, UNKNOWN);
    await begin(fourth);
    const open = await intents.unsettled(ACCOUNT);
    expect(open.map(({ intentId: id, state }) => [id, state])).toEqual([
      [first, "PREPARED"],
      [third, "UNKNOWN"],
      [fourth, "SENDING"],
    ]);
    expect(await intents.unsettled(OTHER)).toEqual([]);
  });
});

test("a record is kept for longer while its order works, and as long as it was to be kept", async () => {
  const [plain, alerted, open] = [await accept(), await accept(), await accept()];
  const keyOf = (id: IntentId) => corner.keys.intent(ACCOUNT, id);
  await redis.hset(keyOf(alerted), "retentionMs", 5 * RETENTION_MS);
  for (const id of [plain, alerted]) {
    await settle(id, DONE);
    await redis.pexpire(keyOf(id), 1_000);
  }
  await intents.keep(ACCOUNT, [plain, alerted, open, intentId("i404")]);
  expect(await redis.pttl(keyOf(plain))).toBeGreaterThan(RETENTION_MS - 10_000);
  expect(await redis.pttl(keyOf(alerted))).toBeGreaterThan(5 * RETENTION_MS - 10_000);
  expect(await redis.pttl(keyOf(open))).toBe(-1);
  expect(await intents.find(ACCOUNT, intentId("i404"))).toBeUndefined();
});

describe("an Idempotency-Key", () => {
  test("stands for its intent", async () => {
    const first = await accept(keyed("key-1"));
    const again = await newIntent(keyed("key-1"));
    expect(await intents.accept(again)).toEqual({ kind: "known", intentId: first });
    expect(await intents.find(ACCOUNT, again.intentId)).toBeUndefined();
  });

  test("with another body is refused, and still stands for the first one", async () => {
    const first = await accept(keyed("key-1"));
    const other = await newIntent(keyed("key-1", "body-2"));
    expect(await intents.accept(other)).toEqual({ kind: "keyReused" });
    const again = await newIntent(keyed("key-1"));
    expect(await intents.accept(again)).toEqual({ kind: "known", intentId: first });
  });

  test("means nothing on another account, and another key is another intent", async () => {
    await accept(keyed("key-1"));
    await accept({ ...keyed("key-1", "body-2"), accountId: OTHER });
    await accept(keyed("key-2", "body-2"));
    expect(await intents.unsettled(ACCOUNT)).toHaveLength(2);
    expect(await intents.unsettled(OTHER)).toHaveLength(1);
  });

  test.each<[Outcome["kind"], boolean]>([
    ["notSent", true],
    ["expired", true],
    ["withdrawn", true],
    ["lost", true],
    ["overtaken", false],
    ["denied", false],
    ["rejected", false],
    ["unprotected", false],
    ["unknown", false],
  ])("whose intent ended as %s is free again: %s", async (kind, isFree) => {
    const outcome = { kind, reason: "so", code: "NO_POSITION", canceled: "a leg" } as Outcome;
    const first = await accept(keyed("key-1"));
    await settle(first, outcome);
    const again = await newIntent(keyed("key-1"));
    const lookedUp = kind === "lost" ? [first] : [];
    expect(await intents.accept({ ...again, lookedUp })).toEqual(
      isFree ? { kind: "accepted" } : { kind: "known", intentId: first },
    );
    // A body that differs is refused either way.
    const other = await newIntent(keyed("key-1", "body-2"));
    expect(await intents.accept(other)).toEqual({ kind: "keyReused" });
  });

  test("whose intent was lost is free only after that was looked up again", async () => {
    const first = await accept(keyed("key-1"));
    await settle(first, { kind: "lost", reason: "so" });
    const again = await newIntent(keyed("key-1"));
    for (const lookedUp of [[], [intentId("i404")]]) {
      expect(await intents.accept({ ...again, lookedUp })).toEqual({
        kind: "known",
        intentId: first,
      });
    }
    expect(await intents.accept({ ...again, lookedUp: [first] })).toEqual({ kind: "accepted" });
  });

  test("of fifty requests at once, one is accepted and the others know it", async () => {
    const asked = await Promise.all(Array.from({ length: 50 }, () => newIntent(keyed("key-1"))));
    const answers = await Promise.all(asked.map((intent) => intents.accept(intent)));
    const accepted = asked.filter((_, n) => answers[n]?.kind === "accepted");
    expect(accepted).toHaveLength(1);
    const known = answers.filter((answer) => answer.kind === "known");
    expect(known).toHaveLength(49);
    expect(known).toEqual(known.map(() => ({ kind: "known", intentId: accepted[0]?.intentId })));
    expect(await intents.unsettled(ACCOUNT)).toHaveLength(1);
  });

  test("is forgotten after a day", async () => {
    await accept(keyed("key-1"));
    const ttl = await redis.pttl(corner.keys.idempotency(ACCOUNT, "key-1"));
    expect(ttl).toBeGreaterThan(86_400_000 - 60_000);
    expect(ttl).toBeLessThanOrEqual(86_400_000);
  });
});

describe("an id that follows from an event", () => {
  const copy = { leader: OTHER, seq: 12 };
  const derived = async (change: Partial<NewIntent> = {}) =>
    await newIntent({ intentId: intentId("i-event"), isDerived: true, copy, ...change });

  test("is accepted once, whatever came of it, and a repeat writes nothing", async () => {
    const intent = await derived({ source: { kind: "copy" } });
    expect(await intents.accept(intent)).toEqual({ kind: "accepted" });
    const first = await read(intent.intentId);
    expect(first).toMatchObject({ source: { kind: "copy" }, copy });
    expect((await load(intent.intentId))?.record).toEqual(first);
    const known = { kind: "known", intentId: intent.intentId };
    // One that comes too late is known all the same.
    for (const change of [{ requestId: "r2", copy: { ...copy, seq: 13 } }, { receivedAt: 0 }]) {
      expect(await intents.accept(await derived(change))).toEqual(known);
    }
    expect(await read(intent.intentId)).toEqual(first);
    const settled = await settle(intent.intentId, { kind: "expired", reason: "Too old" });
    expect(await intents.accept(await derived())).toEqual(known);
    expect(await read(intent.intentId)).toEqual(settled);
    expect(await intents.unsettled(ACCOUNT)).toEqual([]);
    expect(await redis.hget(corner.keys.counters(ACCOUNT), "accepted")).toBe("1");
  });

  test("of fifty repeats at once one is accepted, and another account's is its own", async () => {
    const asked = await Promise.all(Array.from({ length: 50 }, () => derived()));
    const answers = await Promise.all(asked.map((intent) => intents.accept(intent)));
    expect(answers.filter(({ kind }) => kind === "accepted")).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === "known")).toHaveLength(49);
    const other = await derived({ accountId: OTHER });
    expect(await intents.accept(other)).toEqual({ kind: "accepted" });
  });

  test("comes too late like any other when it is new", async () => {
    const late = await derived({ receivedAt: (await intents.now()) - 2_100 });
    expect(await intents.accept(late)).toEqual({ kind: "tooLate" });
    expect(await kit.stored()).toEqual([]);
  });

  test("is of copies alone: other intents say nothing of one", async () => {
    expect(await read(await accept())).not.toHaveProperty("copy");
  });
});

describe("holding", () => {
  test("keeps the order of acceptance, and says who waits", async () => {
    const [first, second, third] = [await accept(), await accept(), await accept()];
    for (const id of [third, first]) expect(await intents.park(ACCOUNT, id, "p1")).toBe(true);
    const held = await intents.parked(ACCOUNT);
    expect(held.map(({ record, replyTo }) => [record.intentId, replyTo])).toEqual([
      [first, "p1"],
      [third, "p1"],
    ]);
    expect(held[0]?.record).toEqual(await read(first));
    expect(await intents.parked(OTHER)).toEqual([]);
    const loaded = await Promise.all([first, second, third].map(async (id) => await load(id)));
    expect(loaded.map((context) => context?.parkedBefore)).toEqual([false, true, true]);
  });

  test("is for what was not sent: anything else is left alone", async () => {
    const [sending, unknown, done] = [await accept(), await accept(), await accept()];
    await begin(sending);
    await settle(unknown, UNKNOWN);
    await settle(done, DONE);
    for (const id of [sending, unknown, done, intentId("i404")]) {
      expect(await intents.park(ACCOUNT, id, "p1")).toBe(false);
    }
    expect(await redis.exists(corner.keys.parked(ACCOUNT))).toBe(0);
  });

  test("ends with the intent, however it ends, and twice is once", async () => {
    const [withdrawn, done, unknown] = [await accept(), await accept(), await accept()];
    for (const id of [withdrawn, done, unknown, done]) await intents.park(ACCOUNT, id, "p1");
    expect(await intents.parked(ACCOUNT)).toHaveLength(3);
    await intents.withdraw(ACCOUNT, withdrawn, WITHDRAWN);
    await settle(done, DONE);
    await settle(unknown, UNKNOWN);
    expect(await redis.exists(corner.keys.parked(ACCOUNT))).toBe(0);
    // Later ones may have been sent before it: that it waited explains that.
    expect(await redis.hget(corner.keys.intent(ACCOUNT, done), "replyTo")).toBe("p1");
  });

  test("one that its owner had begun to send when it died is an ordinary unknown", async () => {
    const id = await accept();
    await intents.park(ACCOUNT, id, "p1");
    await begin(id);
    expect(await intents.parked(ACCOUNT)).toEqual([]);
    const next = await accept();
    expect(await load(next)).toMatchObject({ unknown: [{}], parkedBefore: true });
    await settle(id, UNKNOWN);
    expect(await load(next)).toMatchObject({ unknown: [{}], parkedBefore: false });
    await settle(id, DONE);
    expect(await load(next)).toMatchObject({ unknown: [], parkedBefore: false });
  });
});

describe("settling", () => {
  test("the first final outcome stands", async () => {
    const id = await accept();
    await begin(id);
    const first = await settle(id, DONE);
    expect(first).toMatchObject({ state: "DONE", outcome: DONE, clOrdIds: [`${id}-1`] });
    expect(await read(id)).toEqual(first);
    const second = await settle(id, { kind: "rejected", reason: "No" });
    expect(second).toEqual(first);
  });

  test("tells what sending added since the record was read", async () => {
    const id = await accept();
    const before = await read(id);
    const plan = { contract: "ESZ2026" as ContractCode, side: "SELL", canceled: "" } as const;
    await begin(id, { plan });
    const unknown = await intents.settle(before, UNKNOWN);
    expect(unknown).toMatchObject({ state: "UNKNOWN", clOrdIds: [`${id}-1`], plan });
    expect(await read(id)).toEqual(unknown);
    const done = await intents.settle(before, DONE);
    expect(await read(id)).toEqual(done);
  });

  test("of fifty different outcomes at once, all hear the same one", async () => {
    const id = await accept();
    const settled = await Promise.all(
      Array.from({ length: 50 }, (_, n) => settle(id, { kind: "rejected", reason: `reason ${n}` })),
    );
    expect(new Set(settled.map(({ outcome }) => JSON.stringify(outcome))).size).toBe(1);
  });

  test("an unknown one can still be settled, once", async () => {
    const id = await accept();
    await begin(id);
    const unknown = await settle(id, UNKNOWN);
    expect(unknown).toMatchObject({ state: "UNKNOWN", outcome: UNKNOWN });
    expect(unknown.settledAt).toBeUndefined();
    expect(await redis.pttl(corner.keys.intent(ACCOUNT, id))).toBe(-1);

    expect(await settle(id, DONE)).toMatchObject({ state: "DONE" });
    expect(await settle(id, UNKNOWN)).toMatchObject({ state: "DONE" });
    expect(await redis.scard(corner.keys.unknown(ACCOUNT))).toBe(0);
    expect(await intents.unsettled(ACCOUNT)).toEqual([]);
  });

  test("a settled one is kept for its retention and then forgotten", async () => {
    const id = await accept();
    expect(await redis.pttl(corner.keys.intent(ACCOUNT, id))).toBe(-1);
    await settle(id, DONE);
    const ttl = await redis.pttl(corner.keys.intent(ACCOUNT, id));
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(RETENTION_MS);
  });

  test("an intent that is not there cannot be settled, and is not made", async () => {
    const known = await read(await accept());
    await intents.withdraw(ACCOUNT, known.intentId, WITHDRAWN);
    await redis.del(corner.keys.intent(ACCOUNT, known.intentId), corner.keys.counters(ACCOUNT));
    await expect(intents.settle(known, DONE)).rejects.toThrow("gone");
    await expect(intents.withdraw(ACCOUNT, known.intentId, DONE)).rejects.toThrow("gone");
    // That it was withdrawn is to be told.
    expect(await kit.stored()).toEqual([corner.keys.outbox(ACCOUNT)]);
  });
});

describe("withdrawing", () => {
  test("ends an intent that was not sent", async () => {
    const id = await accept();
    const withdrawn = await intents.withdraw(ACCOUNT, id, WITHDRAWN);
    expect(withdrawn).toMatchObject({ state: "WITHDRAWN", outcome: WITHDRAWN });
    expect(await read(id)).toEqual(withdrawn);
  });

  test("comes too late for one that is being sent, unknown or settled", async () => {
    const [sending, unknown, done] = [await accept(), await accept(), await accept()];
    await begin(sending);
    await settle(unknown, UNKNOWN);
    await settle(done, DONE);
    const states = [sending, unknown, done].map(
      async (id) => (await intents.withdraw(ACCOUNT, id, WITHDRAWN)).state,
    );
    expect(await Promise.all(states)).toEqual(["SENDING", "UNKNOWN", "DONE"]);
  });

  test("against the lane, exactly one of the two wins", async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => accept()));
    const results = await Promise.all(
      ids.map(async (id, n) => {
        const ask = [() => intents.withdraw(ACCOUNT, id, WITHDRAWN), () => begin(id)];
        if (n % 2 === 1) ask.reverse();
        const answers = await Promise.all(ask.map((one) => one()));
        return answers.map((answer) =>
          "state" in answer ? answer.state === "WITHDRAWN" : answer.kind === "granted",
        );
      }),
    );
    expect(results.every((pair) => pair.filter(Boolean).length === 1)).toBe(true);
  });
});

describe("what the lane reads", () => {
  test("a flatten of the whole account follows every intent accepted before it", async () => {
    const before = await accept();
    const flatten = await accept({ intent: { kind: "FLATTEN", cancelResting: true } });
    const after = await accept();
    const follows = await Promise.all(
      [before, flatten, after].map(async (id) => (await load(id))?.exitFollows),
    );
    expect(follows).toEqual([true, false, false]);
  });

  test("a flatten follows the request that is tried anew after it", async () => {
    const first = await accept(keyed("key-1"));
    await settle(first, { kind: "notSent", reason: "The connection is down" });
    await accept({ intent: { kind: "FLATTEN", cancelResting: true } });
    const second = await accept(keyed("key-1"));
    expect((await load(second))?.exitFollows).toBe(true);
    await settle(second, { kind: "notSent", reason: "The connection is down" });
    expect((await load(await accept(keyed("key-1"))))?.exitFollows).toBe(true);
    expect((await load(await accept(keyed("key-2"))))?.exitFollows).toBe(false);
  });

  test.each<[Outcome["kind"], IntentState]>([
    ["withdrawn", "OVERTAKEN"],
    ["expired", "OVERTAKEN"],
    ["notSent", "OVERTAKEN"],
    ["denied", "DENIED"],
  ])("what a flatten follows does not end as one that may be tried again: %s", async (kind, to) => {
    const outcome = { kind, reason: "so", code: "KILL_SWITCH_ON" } as Outcome;
    const intent = place();
    const [entry, cancel] = [await accept({ intent }), await accept()];
    const copy = await accept({ intent, copy: { leader: OTHER, seq: 1 } });
    await accept({ intent: { kind: "FLATTEN", cancelResting: true } });
    const after = await accept({ intent });
    expect((await intents.withdraw(ACCOUNT, entry, outcome)).state).toBe(to);
    for (const other of [cancel, copy, after]) {
      expect((await intents.withdraw(ACCOUNT, other, outcome)).state).toBe(kind.toUpperCase());
    }
  });

  const adjust = (aim: Aim, more: object = {}): Intent => ({
    kind: "ADJUST",
    contract: "ESZ2026" as ContractCode,
    isFrontMonth: true,
    aim,
    terms: { ordType: "MARKET", timeInForce: "DAY" },
    ...more,
  });
  const flattenOf = (mustHold: string): Intent => ({
    kind: "FLATTEN",
    mustHold,
    cancelResting: true,
  });
  const FLAT: Aim = { to: "position", netQty: 0 };
  const ALL: Aim = { to: "close", percent: 100 };

  test.each<[string, Intent]>([
    ["its root's flatten", { kind: "FLATTEN", root: "ES", cancelResting: false }],
    [
      "its contract's flatten",
      { kind: "FLATTEN", root: "ES", contract: "ESZ2026" as ContractCode, cancelResting: false },
    ],
    ["a target of nothing", adjust(FLAT)],
    ["a close of all of it", adjust(ALL)],
    ["a close of its side", adjust({ ...ALL, holding: "LONG" })],
    [
      "a close of its side in its month",
      adjust({ ...ALL, holding: "LONG" }, { isFrontMonth: undefined }),
    ],
    ["a cancel of its root", { kind: "CANCEL_ENTRIES", root: "ES" }],
  ])("what empties its symbol follows an entry: %s", async (_, exit) => {
    const [entry, other] = [
      await accept({ intent: adjust({ to: "position", netQty: 1 }) }),
      await accept({ intent: adjust({ to: "add", qty: 1 }, { contract: "NQZ2026" }) }),
    ];
    await accept({ intent: exit });
    expect((await load(entry))?.exitFollows).toBe(true);
    expect((await load(other))?.exitFollows).toBe(false);
  });

  test("a newer target replaces an entry, and is ended by an exit itself", async () => {
    const target = { intent: adjust({ to: "position", netQty: 2 }) };
    const entry = await accept({ intent: place() });
    const other = await accept({ intent: adjust({ to: "add", qty: 1 }, { contract: "NQZ2026" }) });
    const first = await accept(target);
    const second = await accept({ ...keyed("key-t"), ...target });
    expect(await load(entry)).toMatchObject({ exitFollows: false, targetFollows: true });
    expect(await load(first)).toMatchObject({ exitFollows: false, targetFollows: true });
    for (const id of [other, second]) {
      expect(await load(id)).toMatchObject({ exitFollows: false, targetFollows: false });
    }
    await settle(second, { kind: "notSent", reason: "The connection is down" });
    const third = await accept({ intent: adjust({ to: "position", netQty: 3 }) });
    const repeated = await accept({ ...keyed("key-t"), ...target });
    expect((await load(third))?.targetFollows).toBe(false);
    expect((await load(repeated))?.targetFollows).toBe(true);
    await accept({ intent: adjust(FLAT) });
    expect(await load(third)).toMatchObject({ exitFollows: true });
  });

  test.each<[string, Partial<NewIntent>]>([
    ["of another root", { intent: { kind: "FLATTEN", root: "NQ", cancelResting: false } }],
    [
      "of another month",
      { intent: adjust(FLAT, { contract: "ESH2027", isFrontMonth: undefined }) },
    ],
    ["of a part", { intent: adjust({ to: "close", percent: 50 }) }],
    ["of the other side", { intent: adjust({ ...ALL, holding: "SHORT" }) }],
    ["under a condition", { intent: adjust(ALL, { onlyWhen: ["LONG"] }) }],
    ["of a copy", { intent: adjust(FLAT), copy: { leader: OTHER, seq: 1 } }],
    ["of a test", { intent: { kind: "FLATTEN", cancelResting: true }, test: true }],
    ["of another account", { accountId: OTHER, intent: { kind: "FLATTEN", cancelResting: true } }],
  ])("an exit %s follows nothing", async (_, exit) => {
    const entry = await accept({ intent: adjust({ to: "position", netQty: 1 }) });
    await accept(exit);
    expect((await load(entry))?.exitFollows).toBe(false);
  });

  test.each<[string, Intent]>([
    ["of the account where only that may be held", flattenOf("ES")],
    ["of what is held so", adjust(ALL, { onlyWhen: ["LONG"] })],
    ["of one side that is held so", adjust({ ...ALL, holding: "LONG" }, { onlyWhen: ["LONG"] })],
  ])(
    "an exit %s follows an entry once it is carried out, and not where it is denied",
    async (_, intent) => {
      const entry = await accept({ intent: adjust({ to: "position", netQty: 1 }) });
      const [denied, done] = [await accept({ intent }), await accept({ intent })];
      expect(await load(entry)).toMatchObject({ exitFollows: false, mayFollow: intent });
      await settle(denied, { kind: "denied", code: "SYMBOL_MISMATCH", reason: "so" });
      expect(await load(entry)).toMatchObject({ exitFollows: false, mayFollow: intent });
      await settle(done, DONE);
      expect(await load(entry)).toMatchObject({ exitFollows: true });
      const last = await accept({ intent });
      await settle(last, { kind: "denied", code: "SYMBOL_MISMATCH", reason: "so" });
      expect((await load(entry))?.exitFollows).toBe(true);
      expect(await load(await accept({ intent: adjust(FLAT) }))).not.toHaveProperty("mayFollow");
    },
  );

  test("counts what was begun and never settled as unknown, but never itself", async () => {
    const [begun, other] = [await accept(), await accept()];
    await begin(begun);
    expect((await load(begun))?.unknown).toHaveLength(0);
    expect((await load(other))?.unknown).toHaveLength(1);
    await settle(begun, DONE);
    expect((await load(other))?.unknown).toHaveLength(0);
  });

  test("limits and the account's kill switch", async () => {
    const id = await accept();
    expect(await load(id)).toMatchObject({ limits: {}, accountKillSwitch: { active: false } });
    const limits = createRedisLimitStore({ redis, keys: corner.keys });
    await limits.changeLimits(ACCOUNT, { maxOrderQty: 3 });
    await limits.setKillSwitch({ accountId: ACCOUNT }, true, "news");
    expect(await load(id)).toMatchObject({
      record: { intentId: id, state: "PREPARED" },
      limits: { maxOrderQty: 3 },
      accountKillSwitch: { active: true, reason: "news" },
    });
  });
});
