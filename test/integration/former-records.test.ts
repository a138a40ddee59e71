// The goal: what an earlier version stored is read as what it says, and goes on.
// The method: records are written as that version wrote them, whole, into a real Redis.
import { hash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contractCode } from "../../src/domain/contracts/contract.ts";
import {
  credentialId,
  execId,
  type IntentId,
  intentId,
  orderId,
  userId,
} from "../../src/domain/ids.ts";
import { clOrdIdOf, type IntentRecord, type Outcome } from "../../src/domain/intent.ts";
import type { Fill } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import {
  accountViewScripts,
  createRedisAccountViews,
} from "../../src/store/accounts/redis-account-views.ts";
import { ACCEPTED_ALERTS_KEPT } from "../../src/store/alerts/alert-record.ts";
import { ACCOUNT, DONE, OWNER } from "../support/intent-kit.ts";
import { AlertKit, idsOf, same, WEBHOOK } from "../unit/store/alert-kit.ts";

const ES = contractCode({ root: "ES", year: 2026, month: 12 });
const ID = intentId("iformer");
const HASH = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";

const WANTED = {
  kind: "PLACE",
  order: { contract: ES, side: "BUY", orderQty: 1, ordType: "MARKET", timeInForce: "DAY" },
  isFrontMonth: true,
} as const satisfies IntentRecord["intent"];
const FILLED = {
  kind: "done",
  result: {
    kind: "PLACE",
    contract: ES,
    order: { orderId: orderId("7"), ordStatus: "FILLED", cumQty: 1, ackMs: 3 },
  },
} as const satisfies Outcome;
const DENIED: Outcome = { kind: "denied", code: "KILL_SWITCH_ON", reason: "It is on" };

let kit: AlertKit;
let now: number;

beforeEach(async () => {
  kit = await AlertKit.open();
  now = await kit.intents.now();
});
afterEach(() => kit.base.corner.close());

const entryOf = (id: IntentId) => ({
  alertId: id,
  accountId: ACCOUNT,
  userId: OWNER.userId,
  webhookId: WEBHOOK,
  requestId: "r1",
  receivedAt: now - 5,
  sender: "52.89.214.238",
  profile: "traderspost" as const,
  body: '{"ticker":"ES1!"}',
  bodyBytes: 99,
  unread: ["time"],
  decisions: [],
  request: {
    kind: "order" as const,
    ticket: { symbol: "ES1!", side: "BUY" as const, ordType: "MARKET" as const, orderQty: 1 },
  },
  contract: ES,
});

/** An accepted alert as it was written: everything in its record, and again in its entry. */
async function write(id: IntentId, fields: Readonly<Record<string, string | number>>) {
  const { redis, corner } = kit.base;
  const { keys } = corner;
  const record = {
    intentId: id,
    userId: OWNER.userId,
    source: { kind: "webhook", credentialId: WEBHOOK },
    requestId: "r1",
    intent: WANTED,
  };
  await redis.hset(keys.intent(ACCOUNT, id), {
    record: JSON.stringify(record),
    seq: 1,
    acceptedAt: now,
    entryExpiresAt: now + 30_000,
    exitExpiresAt: now + 600_000,
    retentionMs: 3_600_000,
    alert: JSON.stringify(entryOf(id)),
    ...fields,
  });
  await redis.zadd(keys.acceptedAlerts(ACCOUNT), now - 5, id);
}

const ended = (outcome: Outcome) => ({
  state: outcome.kind.toUpperCase(),
  outcome: JSON.stringify(outcome),
  settledAt: now + 9,
});

/** One as the version after that wrote it: each fact once, but the body within its entry, and more. */
async function writeBriefly(
  id: IntentId,
  { outcome, request, wanted = WANTED }: { outcome: object; request: object; wanted?: object },
) {
  const { body, sender } = entryOf(id);
  await write(id, {
    record: JSON.stringify({
      userId: OWNER.userId,
      webhookId: WEBHOOK,
      requestId: "r1",
      intent: wanted,
    }),
    state: "DONE",
    clOrdIds: clOrdIdOf(id, 1),
    sentAt: now + 1,
    settledAt: now + 9,
    alert: JSON.stringify({ receivedAt: now - 5, sender, body, request }),
    outcome: JSON.stringify(outcome),
  });
}

describe("an accepted alert of an earlier version", () => {
  test.each([
    ["ES1!", { symbol: "ES1!" }],
    [ES, {}],
  ])("that named each fact once is read as it was, of %s", async (symbol, ticket) => {
    const avgPx = { numerator: 54_801, denominator: 2 };
    const order = { orderId: "7", ordStatus: "FILLED", cumQty: 1, avgPx, ackMs: 3 };
    await writeBriefly(ID, { outcome: { result: { order } }, request: { ticket } });
    expect(await kit.log.find([ACCOUNT], ID)).toMatchObject({
      entry: {
        body: entryOf(ID).body,
        receivedAt: now - 5,
        request: {
          kind: "order",
          ticket: { symbol, side: "BUY", orderQty: 1, ordType: "MARKET", timeInForce: "DAY" },
        },
      },
      intent: {
        source: { kind: "webhook", credentialId: WEBHOOK },
        requestId: "r1",
        intent: WANTED,
        clOrdIds: [clOrdIdOf(ID, 1)],
        entryExpiresAt: now + 30_000,
        exitExpiresAt: now + 600_000,
        outcome: { kind: "done", result: { kind: "PLACE", contract: ES, order } },
      },
    });
  });

  test.each([
    { orderId: "7", ordStatus: "NEW", cumQty: 0 },
    { orderId: "7", ordStatus: "FILLED", cumQty: 1 },
  ])("whose order stood as %j is read as it was", async (order) => {
    const wanted = { kind: "PLACE", order: { ...WANTED.order, ordType: "LIMIT", price: 9 } };
    await writeBriefly(ID, { outcome: { result: { order } }, request: {}, wanted });
    const { intent, outcome } = await kit.base.read(ID);
    expect(intent).toEqual(wanted);
    expect(outcome).toEqual({ kind: "done", result: { kind: "PLACE", contract: ES, order } });
  });

  test.each([
    ["was carried out", FILLED],
    ["was denied", DENIED],
  ])("that %s is read as it was", async (_, outcome) => {
    await write(ID, { ...ended(outcome), clOrdIds: clOrdIdOf(ID, 1), sentAt: now + 1 });
    const found = await kit.log.find([ACCOUNT], ID);
    expect(found).toEqual({
      entry: entryOf(ID),
      intent: {
        intentId: ID,
        accountId: ACCOUNT,
        userId: OWNER.userId,
        source: { kind: "webhook", credentialId: WEBHOOK },
        requestId: "r1",
        intent: WANTED,
        state: outcome.kind.toUpperCase(),
        clOrdIds: [clOrdIdOf(ID, 1)],
        acceptedAt: now,
        entryExpiresAt: now + 30_000,
        exitExpiresAt: now + 600_000,
        sentAt: now + 1,
        settledAt: now + 9,
        outcome,
      },
    });
    expect(await kit.log.list([ACCOUNT], { limit: 5 })).toEqual({ items: [found] });
    expect(await kit.intents.progress(ACCOUNT, [ID])).toEqual([
      { state: outcome.kind.toUpperCase(), clOrdIds: [clOrdIdOf(ID, 1)] },
    ]);
  });

  test("that is on its way is worked and settled", async () => {
    const { redis, corner } = kit.base;
    await write(ID, { state: "PREPARED" });
    await redis.zadd(corner.keys.open(ACCOUNT), 1, ID);
    const context = await kit.base.load(ID);
    expect(context?.record).toMatchObject({ intentId: ID, intent: WANTED, state: "PREPARED" });
    const settled = await kit.base.settle(ID, FILLED);
    expect(settled).toMatchObject({ state: "DONE", outcome: FILLED });
    expect(await kit.log.find([ACCOUNT], ID)).toEqual({ entry: entryOf(ID), intent: settled });
  });

  test("stands for its repeat", async () => {
    const { redis, corner } = kit.base;
    await write(ID, ended(FILLED));
    const id = HASH;
    await redis.set(corner.keys.formerSameAlert(ACCOUNT, WEBHOOK, id), ID);
    const sameAs = same("body", { id });
    for (const repeat of [sameAs, { ...sameAs, replayOf: intentId("ireplayed") }]) {
      expect(await kit.send({ sameAs: repeat })).toMatchObject({ kind: "known", intentId: ID });
      expect(await kit.intents.findSameAlert(ACCOUNT, WEBHOOK, repeat)).toBe(ID);
    }
    await redis.hset(corner.keys.intent(ACCOUNT, ID), ended({ kind: "lost", reason: "Lost" }));
    expect(await kit.send({ sameAs })).toMatchObject({ kind: "known", intentId: ID });
    const anew = await kit.send({ sameAs, lookedUp: [ID] });
    expect(anew).toMatchObject({ kind: "accepted" });
    expect(await kit.send({ sameAs })).toMatchObject({ kind: "known", intentId: anew.id });
    expect(await kit.intents.findSameAlert(ACCOUNT, WEBHOOK, sameAs)).toBe(anew.id);
  });

  test("stands for its repeat by the hash that had no position after the fill", async () => {
    const { redis, corner } = kit.base;
    await write(ID, ended(FILLED));
    await redis.set(corner.keys.sameAlert(ACCOUNT, WEBHOOK, HASH.slice(0, 22)), ID);
    const sameAs = { ...same("body", { id: "with the position" }), formerId: HASH };
    for (const repeat of [sameAs, { ...sameAs, replayOf: intentId("ireplayed") }]) {
      expect(await kit.send({ sameAs: repeat })).toMatchObject({ kind: "known", intentId: ID });
      expect(await kit.intents.findSameAlert(ACCOUNT, WEBHOOK, repeat)).toBe(ID);
    }
    const { formerId: _, ...other } = sameAs;
    expect(await kit.send({ sameAs: other })).toMatchObject({ kind: "accepted" });
  });

  test("stands for its repeat for a day, also where the log has no room for it", async () => {
    const { redis, corner } = kit.base;
    const HOUR_MS = 3_600_000;
    const [recent, old] = [intentId("irecent"), intentId("iold")];
    await write(recent, { ...ended(FILLED), acceptedAt: now - HOUR_MS });
    await write(old, { ...ended(FILLED), acceptedAt: now - 25 * HOUR_MS });
    await redis.set(corner.keys.formerSameAlert(ACCOUNT, WEBHOOK, "mine"), recent);
    const newer = Array.from({ length: ACCEPTED_ALERTS_KEPT }, (_, nth) => [now, `newer-${nth}`]);
    await redis.zadd(corner.keys.acceptedAlerts(ACCOUNT), ...newer.flat());
    await kit.accept();
    expect(await redis.zscore(corner.keys.acceptedAlerts(ACCOUNT), recent)).toBeNull();
    expect(await redis.exists(corner.keys.intent(ACCOUNT, old))).toBe(0);
    const again = await kit.send({ sameAs: same("body", { id: "mine" }) });
    expect(again).toMatchObject({ kind: "known", intentId: recent });
  });

  test("that was thought lost is corrected", async () => {
    await write(ID, ended({ kind: "lost", reason: "Not there" }));
    await kit.intents.amend(await kit.base.read(ID), clOrdIdOf(ID, 1), FILLED);
    expect((await kit.base.read(ID)).outcome).toEqual(FILLED);
  });
});

test("an alert without an intent of an earlier version is read as it was", async () => {
  const { redis, corner } = kit.base;
  const { contract: _, ...entry } = entryOf(ID);
  const logged = { entry, ending: { kind: "duplicate", of: intentId("i0") } as const };
  await redis.set(corner.keys.endedAlert(ACCOUNT, ID), JSON.stringify(logged));
  await redis.zadd(corner.keys.endedAlerts(ACCOUNT), now - 5, ID);
  expect(await kit.log.find([ACCOUNT], ID)).toEqual(logged);
  expect(idsOf((await kit.log.list([ACCOUNT], { limit: 5 })).items)).toEqual([ID]);
});

test("fills of an earlier version stand among new ones", async () => {
  const { corner } = kit.base;
  const redis = await corner.open("worker", accountViewScripts);
  const views = createRedisAccountViews({ redis, keys: corner.keys });
  const fill = (id: string, transactTimeAt: number): Fill => ({
    execId: execId(id),
    orderId: orderId("7"),
    contract: ES,
    side: "BUY",
    lastQty: 1,
    lastPx: ticks(27_400),
    transactTimeAt,
  });
  const former = fill("e1", 1_000);
  await redis.hset(corner.keys.fills(ACCOUNT), "e1", JSON.stringify(former));
  await redis.zadd(corner.keys.fillTimes(ACCOUNT), 1_000, "e1");
  await views.recordFills(ACCOUNT, [fill("e2", 2_000)], undefined);
  const { items } = await views.fills(ACCOUNT, { limit: 5 });
  expect(items).toEqual([fill("e2", 2_000), former]);
});

test("what is stored says nothing twice, and nothing that is usual", async () => {
  const { redis, corner } = kit.base;
  await redis.set(corner.keys.epoch(ACCOUNT), 7);
  const { side, orderQty, ordType, timeInForce } = WANTED.order;
  const ticket = { symbol: "ES1!", side, orderQty, ordType, timeInForce } as const;
  const request = { kind: "order", ticket } as const;
  const body = '{"action":"buy","symbol":"ES1!","alertId":"mine"}';
  const senderAlertId = "mine";
  const alert = { body, bodyBytes: body.length, request, contract: ES, senderAlertId };
  const id = await kit.accept({ intent: WANTED, entry: { ...alert, receivedAt: now } });
  await kit.base.begin(id);
  await kit.base.settle(id, FILLED);
  const stored = await redis.hgetall(corner.keys.intent(ACCOUNT, id));
  const { requestId, acceptedAt } = await kit.base.read(id);
  expect(JSON.parse(stored["record"] ?? "")).toEqual({
    from: [OWNER.userId, WEBHOOK, requestId],
    intent: { order: { contract: ES, side: "BUY" } },
  });
  expect(stored).toMatchObject({ body, maxAges: "30000 600000", clOrdIds: "1" });
  expect(stored["age"]).toBe(String(acceptedAt - now));
  expect(JSON.parse(stored["alert"] ?? "")).toEqual({
    fingerprint: null,
    sender: "52.89.214.238",
    request: {},
  });
  expect(JSON.parse(stored["outcome"] ?? "")).toEqual({
    result: { order: { orderId: "7", avgPx: null, ackMs: 3 } },
  });
  expect(await kit.log.find([ACCOUNT], id)).toMatchObject({
    entry: { body, request, contract: ES, senderAlertId },
    intent: { intent: WANTED, outcome: FILLED, clOrdIds: [clOrdIdOf(id, 1)] },
  });
  expect(await kit.intents.progress(ACCOUNT, [id])).toEqual([
    { state: "DONE", clOrdIds: [clOrdIdOf(id, 1)] },
  ]);
});

// Beside it lie an entry in each of two sorted sets and its fill, about 350 bytes.
test("of an entry with a bracket, an id and a long body little more than 1.1 KB is kept", async () => {
  const { redis, corner } = kit.base;
  await redis.set(corner.keys.epoch(ACCOUNT), 7);
  const bracket = {
    takeProfit: { by: "distance", distance: ticks(40) },
    stopLoss: { by: "distance", distance: ticks(20) },
  } as const;
  const { side, orderQty, ordType, timeInForce } = WANTED.order;
  const legs = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 20 } };
  const ticket = { symbol: "ES1!", side, orderQty, ordType, timeInForce, bracket: legs } as const;
  const sent = { alertId: "Breakout-2026-11-23T15:01", action: "buy", symbol: "ES1!", qty: 1 };
  const body = JSON.stringify({ ...sent, ...legs, comment: "Long entry".padEnd(109, ".") });
  expect(body).toHaveLength(250);
  const webhook = credentialId("hook_HoQajeBFlJwj");
  const id = await kit.accept({
    intent: { ...WANTED, order: { ...WANTED.order, bracket } },
    userId: userId("user_nJsAsEPKLJ05"),
    webhook,
    requestId: "ac7f69fb-08fb-4abd-b49d-c3fd675b844b",
    entry: {
      userId: userId("user_nJsAsEPKLJ05"),
      requestId: "ac7f69fb-08fb-4abd-b49d-c3fd675b844b",
      body,
      bodyBytes: body.length,
      fingerprint: hash("sha256", body, "base64url"),
      senderAlertId: sent.alertId,
      request: { kind: "order", ticket },
      contract: ES,
      unread: ["comment"],
    },
    sameAs: same(HASH, { id: HASH }),
  });
  await kit.base.begin(id);
  const placed = { ...FILLED.result.order, avgPx: { numerator: 27_401, denominator: 1 } };
  const exits = { takeProfitOrderId: orderId("8"), stopLossOrderId: orderId("9") };
  const result = { ...FILLED.result, order: { ...placed, ...exits } };
  await kit.base.settle(id, { kind: "done", result });
  const sizeOf = async (key: string) => Number(await redis.memory("USAGE", key, "SAMPLES", 0));
  expect(await sizeOf(corner.keys.intent(ACCOUNT, id))).toBeLessThanOrEqual(1_024);
  const sameKey = corner.keys.sameAlert(ACCOUNT, webhook, HASH.slice(0, 22));
  expect(await sizeOf(sameKey)).toBeLessThanOrEqual(160);
});

test("a settled intent keeps nothing that was needed to settle it", async () => {
  const { redis, corner } = kit.base;
  await redis.set(corner.keys.epoch(ACCOUNT), 7);
  const id = await kit.accept({ intent: WANTED });
  expect((await kit.base.begin(id)).kind).toBe("granted");
  const names = async () => await redis.hkeys(corner.keys.intent(ACCOUNT, id));
  expect(await names()).toEqual(expect.arrayContaining(["opens", `permit:${clOrdIdOf(id, 1)}`]));
  await kit.base.settle(id, DONE);
  expect((await names()).toSorted()).toEqual([
    "acceptedAt",
    "age",
    "alert",
    "body",
    "clOrdIds",
    "maxAges",
    "outcome",
    "record",
    "retentionMs",
    "sentAt",
    "seq",
    "settledAt",
    "state",
  ]);
});
