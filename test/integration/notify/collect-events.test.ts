// The goal: whatever ends an intent, refuses an alert or raises an alarm is one event, with one id however
// often it is collected, and nothing of before there was a destination is told. The method: the real outbox
// and queue of notices on a real Redis, and a crash between putting and noting that it was put.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { accountId, execId, orderId, userId } from "../../../src/domain/ids.ts";
import type { DecisionKind } from "../../../src/domain/guards/verdict.ts";
import type { Destination, DestinationId } from "../../../src/domain/notify/destination.ts";
import { EMPTY_BOOK } from "../../../src/domain/ledger/account-book.ts";
import type { Fill } from "../../../src/domain/order.ts";
import { contractCode } from "../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import { eventIdOf } from "../../../src/app/new-ids.ts";
import {
  accountViewScripts,
  createRedisAccountViews,
} from "../../../src/store/accounts/redis-account-views.ts";
import { decisionArgument, noteDecision } from "../../../src/store/notify/note-decision.ts";
import { createRedisOutbox, outboxScripts } from "../../../src/store/notify/redis-outbox.ts";
import {
  createRedisNotices,
  destinationScripts,
} from "../../../src/store/notify/redis-destinations.ts";
import { defineScript, runScript } from "../../../src/store/redis/script.ts";
import { CollectEvents } from "../../../src/trading/notify/collect-events.ts";
import type { NoticeQueue } from "../../../src/trading/notify/destination-store.ts";
import { eventOfDecision } from "../../../src/trading/notify/event-of-decision.ts";
import type { EventDraft, Outbox } from "../../../src/trading/notify/outbox.ts";
import { ACCOUNT, DONE, IntentKit, OWNER } from "../../support/intent-kit.ts";

const ID = "ds_1" as DestinationId;
const ES = contractCode({ root: "ES", year: 2026, month: 12 });
const REJECTED = { kind: "rejected", reason: "No margin" } as const;

let kit: IntentKit;
let outbox: Outbox;
let notices: NoticeQueue;
/** Whether the process dies before it notes what it has put. */
let dies: boolean;

beforeEach(async () => {
  kit = await IntentKit.open();
  const { corner } = kit;
  const scripts = [...outboxScripts, ...destinationScripts, ...accountViewScripts];
  const redis = await corner.open("request", scripts);
  outbox = createRedisOutbox({ redis, keys: corner.keys });
  notices = createRedisNotices({ redis, keys: corner.keys });
  dies = false;
});

afterEach(async () => await kit.corner.close());

const destination = (createdAt: number): Destination => ({
  id: ID,
  userId: OWNER.userId,
  name: "mine",
  kind: "webhook",
  rules: [{ tell: "on" }],
  createdAt,
});

async function collect(createdAt = 1_000): Promise<void> {
  const one = new CollectEvents({
    outbox: {
      ...outbox,
      advance: async (account, upTo) => {
        if (dies) throw new Error("killed");
        await outbox.advance(account, upTo);
      },
      advanceUser: async (user, line) => {
        if (dies) throw new Error("killed");
        await outbox.advanceUser(user, line);
      },
    },
    notices,
    intents: kit.intents,
    alerts: { find: async () => undefined },
    ledger: { book: async () => EMPTY_BOOK },
    accounts: { find: () => undefined, of: () => [] },
    describe: () => ({ symbol: "ESZ6", tickSize: "0.25", tickValue: "12.5", currency: "USD" }),
    dayOf: () => "2026-11-26",
    dayFigures: () => [],
    eventId: eventIdOf,
    ring: async () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  const audience = { userId: OWNER.userId, destinations: [destination(createdAt)] };
  const failed = (error: Error) => {
    if (!dies) throw error;
    return false;
  };
  while (await one.ofAccount(ACCOUNT, audience).catch(failed)) continue;
  await one.ofUser(audience).catch(failed);
}

async function waiting(): Promise<readonly { type: string; id: string; message: string }[]> {
  const due = await notices.due(ID, { by: Number.MAX_SAFE_INTEGER, limit: 500 });
  return due.map(({ event: { type, id, message } }) => ({ type, id, message }));
}
const types = async () => (await waiting()).map(({ type }) => type);

async function end(outcome: Parameters<typeof kit.intents.settle>[1]): Promise<void> {
  const intent = await kit.newIntent();
  await kit.intents.accept(intent);
  const record = await kit.intents.find(ACCOUNT, intent.intentId);
  if (record === undefined) throw new Error("It was not accepted");
  await kit.intents.settle(record, outcome);
}

const fill = (n: number, order: number, lastQty: number): Fill => ({
  execId: execId(`e${n}`),
  orderId: orderId(`o${order}`),
  contract: ES,
  side: "BUY",
  lastQty,
  lastPx: ticks(20_000 + n),
  transactTimeAt: 1_000 + n,
});

/** The account was compared with its broker before. */
async function redisKnows(): Promise<void> {
  const views = createRedisAccountViews({ redis: kit.redis, keys: kit.corner.keys });
  await views.saveBase(ACCOUNT, { epoch: 1_000, base: new Map(), reconciledUpTo: 1 });
}

async function record(...fills: readonly Fill[]): Promise<void> {
  const views = createRedisAccountViews({ redis: kit.redis, keys: kit.corner.keys });
  await views.recordFills(ACCOUNT, fills, undefined);
}

const alarm = (message: string): EventDraft => ({
  type: "attention.needed",
  severity: "critical",
  message,
  facts: { cause: "legStuck", since: "2026-11-26T12:00:00.000Z" },
});

test("how an intent ended is one event, and is collected once", async () => {
  await end(REJECTED);
  await end(DONE);
  await collect();
  expect(await types()).toEqual(["order.rejected", "order.canceled"]);
  await collect();
  expect(await types()).toHaveLength(2);
});

test("fills of one order are one event, with their sum and their average", async () => {
  await record(fill(1, 1, 1), fill(2, 1, 2), fill(3, 2, 1));
  await collect();
  expect(await waiting()).toEqual([
    expect.objectContaining({
      type: "order.filled",
      message: expect.stringContaining("bought 3 ESZ6 at 5000.4166666667"),
    }),
    expect.objectContaining({ message: expect.stringContaining("bought 1 ESZ6 at 5000.75") }),
  ]);
});

test("a fill that is taken back or corrected is one event, with the day whose figures it changes", async () => {
  await redisKnows();
  const [first, second] = [fill(1, 1, 2), fill(2, 2, 1)];
  await record(first, second);
  await collect();
  await record({ ...first, takenBack: true }, { ...second, lastPx: ticks(20_010) });
  await record({ ...first, takenBack: true }, { ...fill(3, 3, 1), takenBack: true });
  await collect();
  await collect();
  const told = (await waiting()).filter(({ type }) => type === "order.fill_corrected");
  expect(told.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /took back a fill: bought 2 at 5000.25 ESZ6. The figures of 2026-11-26 are/,
    ),
    expect.stringMatching(/corrected a fill: bought 1 at 5000.5, now bought 1 at 5002.5 ESZ6/),
    expect.stringMatching(/took back a fill: bought 1 at 5000.75 ESZ6. It had not been counted/),
  ]);
});

test("alarms of an account and of a user are told both", async () => {
  await outbox.note(ACCOUNT, alarm("of the account"));
  await outbox.noteUser(OWNER.userId, alarm("of the user"));
  await outbox.noteUser(userId("user_2"), alarm("of another user"));
  await outbox.note(accountId("paper-2"), alarm("of another account"));
  await collect();
  const messages = (await waiting()).map(({ message }) => message);
  expect(messages.toSorted()).toEqual(["of the account", "of the user"]);
});

test("a process that dies before it noted what it put repeats it, and nothing is told twice", async () => {
  await end(REJECTED);
  await record(fill(1, 1, 1));
  await outbox.noteUser(OWNER.userId, alarm("of the user"));
  dies = true;
  await collect();
  const before = await waiting();
  expect(before).toHaveLength(3);
  dies = false;
  await record(fill(2, 2, 1));
  await collect();
  const after = await waiting();
  expect(after).toEqual(expect.arrayContaining([...before]));
  expect(after).toHaveLength(4);
  expect(new Set(after.map(({ id }) => id)).size).toBe(4);
  const ofOrders = after.filter(({ type }) => type !== "attention.needed").map(({ id }) => id);
  expect(ofOrders).toEqual(ofOrders.toSorted());
});

test("an order that fills on between putting and noting is told in full, in two events", async () => {
  await record(fill(1, 1, 1));
  dies = true;
  await collect();
  await record(fill(2, 1, 2));
  dies = false;
  await collect();
  expect((await waiting()).map(({ message }) => /bought \d/.exec(message)?.[0])).toEqual([
    "bought 1",
    "bought 2",
  ]);
});

test("a backlog of two streams is told in the order of time", async () => {
  for (let n = 0; n < 130; n += 1) await record(fill(n, n, 1));
  // Within a millisecond nobody knows which stream was first.
  await sleep(2);
  await end(REJECTED);
  await sleep(2);
  await record(fill(200, 200, 1));
  await collect();
  const all = await types();
  expect(all).toHaveLength(132);
  expect(all.indexOf("order.rejected")).toBe(130);
});

test("what was bound before, and more came in front of, is told all the same", async () => {
  await record(fill(1, 1, 1));
  await sleep(2);
  for (let n = 0; n < 100; n += 1) await outbox.note(ACCOUNT, alarm(`${n}`));
  await sleep(2);
  await record(fill(2, 2, 1));
  const [last] = await kit.redis.xrevrange(kit.corner.keys.ledger(ACCOUNT), "+", "-", "COUNT", 1);
  // As by a look that died, and had not read what came in front.
  await outbox.bindLedger(ACCOUNT, { from: undefined, to: last?.[0] ?? "" });
  await collect();
  expect((await types()).filter((type) => type === "order.filled")).toHaveLength(2);
});

/** As a guard's lock is stored: once, with the line that tells of it. */
const lockOnce = defineScript(`
${noteDecision}
if not redis.call('SET', KEYS[1] .. ':lock-of-this-test', '1', 'NX') then return 0 end
noteDecision(ARGV[1])
return 1
`);

const lockFor = async (what: DecisionKind) => {
  const decision = { at: 1_000, what, reason: "the day's loss is 962.40 USD" };
  const settings = { currency: "USD", rules: [] };
  const event = decisionArgument(eventOfDecision(ACCOUNT, decision, { settings }));
  return await runScript(kit.redis, lockOnce, [kit.corner.keys.account(ACCOUNT)], [event]);
};

test("a guard's decision is one event with one id, however often it is stored and collected", async () => {
  expect(await lockFor("locked")).toBe(1);
  // As by an owner that died before it had an answer, and by the next one.
  expect(await lockFor("locked")).toBe(0);
  dies = true;
  await collect();
  const before = await waiting();
  expect(before).toEqual([
    {
      id: expect.any(String),
      type: "guard.locked",
      message: `${ACCOUNT}: Locked until a person ends it: the day's loss is 962.40 USD`,
    },
  ]);
  dies = false;
  await collect();
  expect(await waiting()).toEqual(before);
});

test("what nobody is told of leaves no line", async () => {
  expect(await lockFor("sees")).toBe(1);
  expect(await kit.redis.xlen(kit.corner.keys.outbox(ACCOUNT))).toBe(0);
});

test("nothing is told of before there was a destination", async () => {
  await end(REJECTED);
  await record(fill(1, 1, 1));
  await collect((await kit.intents.now()) + 60_000);
  expect(await types()).toEqual([]);
});
