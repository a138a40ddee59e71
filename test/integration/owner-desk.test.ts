// The goal: any process can ask a connection's owner now, and silence is never an answer.
// The method: two desks on a real Redis, one that asks and one that attends.
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { openChannels } from "../../queues/channels.ts";
import { openOwnerDesk } from "../../queues/owner-desk.ts";
import {
  answerQuestion,
  createBrokerDesk,
  type OwnedWorks,
} from "../../src/trading/connections/broker-desk.ts";
import { waitFor } from "../../src/app/wait-for.ts";
import type { BrokerAdapter } from "../../src/brokers/broker-adapter.ts";
import { ConnectionPool } from "../../src/brokers/connection-pool.ts";
import { createPaperAdapter } from "../../src/brokers/paper/adapter.ts";
import { createSeededFeed } from "../../src/brokers/paper/feed/seeded-feed.ts";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { type AccountId, accountId, connectionId } from "../../src/domain/ids.ts";
import { minor } from "../../src/domain/money.ts";
import type { GuardAlarm } from "../../src/trading/alarms/guard-alarms.ts";
import type { PlanAlarm } from "../../src/trading/alarms/plan-alarms.ts";
import { AccountDirectory } from "../../src/trading/connections/account-directory.ts";
import { UnknownSettler } from "../../src/trading/lane/settle/settle-unknown.ts";
import { BrokerReadError, type OwnerDesk } from "../../src/trading/ports.ts";
import { MemoryStateStore } from "../support/memory-state-store.ts";
import { ScriptedAdapter } from "../unit/brokers/connection-kit.ts";
import { LeaseTable } from "../unit/brokers/memory-leases.ts";
import { StopTable } from "../unit/brokers/memory-stops.ts";
import { PRODUCT, WEDNESDAY } from "../unit/brokers/paper/test-exchange.ts";
import { MemoryViews, USER } from "../unit/trading/lane-kit.ts";
import { MemoryIntents } from "../unit/trading/memory-intents.ts";
import { NO_FEES } from "../support/paper-money.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import { eventually } from "../support/wait.ts";

const CONNECTION = connectionId("one");
const QUESTION = { kind: "positions", account: accountId("one-1") } as const;

let corner: RedisCorner;
let asking: OwnerDesk;
let attending: OwnerDesk;
let failures: unknown[];

beforeEach(async () => {
  corner = await openCorner();
  failures = [];
  [asking, attending] = [await open("ingress"), await open("worker")];
});
afterEach(() => corner.close());

/** `pace` is how much longer than the gateway this desk waits for an answer: a busy machine is slow. */
async function open(processId: string, pace = 20): Promise<OwnerDesk> {
  return await openOwnerDesk({
    redis: await corner.open("worker"),
    channels: openChannels(await corner.open("worker")),
    processId,
    questionsOf: corner.keys.questions,
    answersOf: corner.keys.answers,
    waitFor: (ms, onWake) => waitFor(pace * ms, onWake),
    isOwned: async () => await Promise.resolve(true),
    onError: (error) => failures.push(error),
  });
}

test("a question is answered by the owner, and each asker gets its own answer", async () => {
  await attending.attend(CONNECTION, async (question) => [question]);
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const question = { ...QUESTION, account: accountId(`one-${index}`) };
      return [question, await asking.ask(CONNECTION, question)];
    }),
  );
  for (const [question, answer] of answers) expect(answer).toEqual([question]);
});

test("without an owner it is refused at once", async () => {
  await expect(asking.ask(CONNECTION, QUESTION)).rejects.toThrow(BrokerReadError);
});

test("an owner that has left is no owner", async () => {
  const leave = await attending.attend(CONNECTION, async () => []);
  expect(await asking.ask(CONNECTION, QUESTION)).toEqual([]);
  leave();
  await expect(asking.ask(CONNECTION, QUESTION)).rejects.toThrow(BrokerReadError);
});

test("a broker that cannot be read is refused, never empty", async () => {
  await attending.attend(CONNECTION, async () => {
    throw new BrokerReadError("The link is down");
  });
  await expect(asking.ask(CONNECTION, QUESTION)).rejects.toThrow(BrokerReadError);
  expect(failures).toEqual([]);
});

test("a mistake in the owner is refused too, and told to its log", async () => {
  await attending.attend(CONNECTION, async () => {
    throw new TypeError("a mistake");
  });
  await expect(asking.ask(CONNECTION, QUESTION)).rejects.toThrow(BrokerReadError);
  expect(failures.map(String)).toEqual(["TypeError: a mistake"]);
});

test("an owner that does not answer in time is refused", async () => {
  await attending.attend(CONNECTION, async () => await new Promise(() => undefined));
  const hasty = await open("hasty", 0.01);
  await expect(hasty.ask(CONNECTION, QUESTION)).rejects.toThrow("in time");
});

const ACCOUNT = accountId("one-1");
const BARS = { contract: "ESZ2026" as ContractCode, minutes: 5, count: 500 };

const locked = (account: string): GuardAlarm => ({
  kind: "accountLocked",
  accountId: accountId(account),
  reason: "A loss",
});
const GUARD_ALARMS = [locked("one-1"), locked("another-1")];

const blind = (account: string): PlanAlarm => ({
  kind: "exitPlanHeld",
  accountId: accountId(account),
  contract: BARS.contract,
  what: "blind",
  reason: "No price",
});
const PLAN_ALARMS = [blind("one-1"), blind("another-1")];

/** A process that owns the connection, with this broker on it, and the desk it reads through. */
async function own(adapter: BrokerAdapter, session: { beganAt: number } | undefined) {
  const views = new MemoryViews();
  const { broker, environment } = adapter;
  const account = { accountId: ACCOUNT, connectionId: CONNECTION, name: "One", currency: "USD" };
  views.stored = [{ ...account, broker, environment, active: true, userId: USER }];
  const accounts = new AccountDirectory({ views, now: Date.now });
  await accounts.load();
  const intents = new MemoryIntents();
  const sessionOf = () => session;
  const kept: Omit<OwnedWorks, "connections"> = {
    settler: new UnknownSettler({
      intents,
      alarms: { raise: () => undefined },
      sessionOf,
      elapsed: () => performance.now(),
    }),
    intents,
    sessionOf,
    observer: { intentSettled: () => undefined, intentStillOpen: () => undefined },
    drifted: () => [],
    guardAlarms: () => GUARD_ALARMS,
    planAlarms: () => PLAN_ALARMS,
  };
  const pool: ConnectionPool = new ConnectionPool({
    leases: new LeaseTable().of("worker"),
    records: new StopTable(),
    plans: [{ connectionId: CONNECTION, open: () => adapter }],
    onOwned: async (connection) =>
      await attending.attend(connection, async (question) =>
        answerQuestion(question, { ...kept, connections: pool, accounts }),
      ),
    onOpened: async () => undefined,
    onSession: async () => undefined,
    onStatus: () => undefined,
    onReport: () => undefined,
    onError: (_, error) => failures.push(error),
  });
  pool.start();
  onTestFinished(() => pool.stop());
  await eventually(() => expect(pool.find(CONNECTION)?.status).toBe("CONNECTED"));
  return {
    there: createBrokerDesk({ desk: asking, works: undefined, accounts }),
    here: createBrokerDesk({ desk: attending, works: { ...kept, connections: pool }, accounts }),
  };
}

function paper(): BrokerAdapter {
  const now = () => WEDNESDAY;
  return createPaperAdapter({
    connectionId: CONNECTION,
    settings: { accounts: "1-2", sessionHours: false, startBalance: 50_000 },
    ...NO_FEES,
    feed: createSeededFeed({
      seed: 1,
      now,
      productOf: (root) => ({ root, tickSize: PRODUCT.tickSize }),
    }),
    product: () => PRODUCT,
    state: new MemoryStateStore(),
    now,
  });
}

test("bars are the same for the process that holds the broker and for another one", async () => {
  const adapter = paper();
  const { here, there } = await own(adapter, { beganAt: 0 });
  const bars = await adapter.prices?.bars(BARS);
  expect(bars).toHaveLength(500);
  expect(await here.bars(CONNECTION, ACCOUNT, BARS)).toEqual(bars);
  expect(await there.bars(CONNECTION, ACCOUNT, BARS)).toEqual(bars);
  expect(await there.bars(CONNECTION, ACCOUNT, { ...BARS, count: 2 })).toEqual(bars?.slice(-2));
});

test("of a broker that tells none there are no bars, which is not an empty list", async () => {
  const { here, there } = await own(new ScriptedAdapter(), { beganAt: 0 });
  expect(await here.bars(CONNECTION, ACCOUNT, BARS)).toBeUndefined();
  expect(await there.bars(CONNECTION, ACCOUNT, BARS)).toBeUndefined();
  // Over the wire it is said, not left out.
  const question = { kind: "bars", account: ACCOUNT, ...BARS } as const;
  expect(await asking.ask(CONNECTION, question)).toBeNull();
});

test("a broker's own guards are told here and there, and where it has none nothing is", async () => {
  const told = {
    currency: "USD",
    at: WEDNESDAY,
    rules: [{ kind: "dailyLoss", grade: "liquidate", limit: minor(100_000) }],
    refusesEntries: "It takes exits only",
  } as const;
  const adapter = Object.assign(new ScriptedAdapter(), {
    brokerGuards: async (account: AccountId) =>
      await Promise.resolve(account === ACCOUNT ? told : undefined),
  });
  const { here, there } = await own(adapter, { beganAt: 0 });
  expect(await here.brokerGuards(CONNECTION, ACCOUNT)).toEqual(told);
  expect(await there.brokerGuards(CONNECTION, ACCOUNT)).toEqual(told);
});

test("of a broker without guards of its own none are told", async () => {
  const { here, there } = await own(new ScriptedAdapter(), { beganAt: 0 });
  expect(await here.brokerGuards(CONNECTION, ACCOUNT)).toBeUndefined();
  expect(await there.brokerGuards(CONNECTION, ACCOUNT)).toBeUndefined();
  expect(await asking.ask(CONNECTION, { kind: "brokerGuards", account: ACCOUNT })).toBeNull();
});

test("while the account cannot be read its bars are refused too", async () => {
  const { here, there } = await own(paper(), undefined);
  await expect(here.bars(CONNECTION, ACCOUNT, BARS)).rejects.toThrow(BrokerReadError);
  await expect(there.bars(CONNECTION, ACCOUNT, BARS)).rejects.toThrow(BrokerReadError);
  expect(failures).toEqual([]);
});

test("what guards and exit plans have come to is told of the connection's accounts, and of no other", async () => {
  const { here, there } = await own(paper(), { beganAt: 0 });
  const expected = { outOfStep: [], guards: [locked("one-1")], plans: [blind("one-1")] };
  expect(await here.troublesOf(CONNECTION)).toMatchObject(expected);
  expect(await there.troublesOf(CONNECTION)).toMatchObject(expected);
});
