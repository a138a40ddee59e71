// The goal: position = base + sum of fills = broker position, whatever was missed or done by hand.
// The method: the paper broker and a real Redis, with an account's reports told, lost or repeated.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import fc from "fast-check";
import type { Redis } from "ioredis";
import { createPaperAdapter, type PaperBroker } from "../../src/brokers/paper/adapter.ts";
import { createManualFeed, type ManualFeed } from "../../src/brokers/paper/feed/manual-feed.ts";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { positionGaps } from "../../src/domain/holdings.ts";
import {
  type AccountId,
  accountId,
  clOrdId,
  connectionId,
  type IntentId,
  intentId,
  userId,
} from "../../src/domain/ids.ts";
import { clOrdIdOf } from "../../src/domain/intent.ts";
import type { NewOrderSingle, Side } from "../../src/domain/order.ts";
import { tickSize, ticks } from "../../src/domain/contracts/price.ts";
import {
  accountViewScripts,
  createRedisAccountViews,
} from "../../src/store/accounts/redis-account-views.ts";
import {
  brokerStateScripts,
  createRedisBrokerState,
} from "../../src/store/accounts/redis-broker-state.ts";
import { intentScripts, openIntentStore } from "../support/intent-store.ts";
import { AccountProjector } from "../../src/trading/lane/reconcile/account-projector.ts";
import {
  AccountReconciler,
  type Difference,
} from "../../src/trading/lane/reconcile/reconcile-account.ts";
import { Reconciler } from "../../src/trading/lane/reconcile/reconciler.ts";
import type { WaitFor } from "../../src/trading/ports.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import { NO_FEES } from "../support/paper-money.ts";
import type { AccountViews } from "../../src/trading/reads/ports.ts";

const ACCOUNT = accountId("paper-1");
const ES = "ESZ2026" as ContractCode;
const INTENT = intentId(`i${"b".repeat(28)}`);
const DAY_MS = 86_400_000;

const PRODUCT = {
  tickSize: tickSize("0.25"),
  tickValue: "12.50",
  currency: "USD",
  isExpired: () => false,
};

let corner: RedisCorner;
let feed: ManualFeed;
let paper: PaperBroker;
/** What everything of the newest start uses. */
let redis: Redis;
let views: AccountViews;
let projector: AccountProjector;
let reconciler: AccountReconciler;
/** Whether the broker's reports reach the read model. */
let isListening: boolean;
let clock: number;
let session: AbortController;
let running: Promise<void>;

const waitFor: WaitFor = (_ms, onWake) => new Promise(onWake);

beforeEach(async () => {
  corner = await openCorner();
  clock = Date.now();
  isListening = true;
  feed = createManualFeed();
  feed.set(ES, { bid: ticks(4_000), ask: ticks(4_001), bidQty: 10_000, askQty: 10_000 });
  await openGateway();
  await startSession();
});
afterEach(async () => {
  session.abort();
  await running;
  await corner.close();
});

async function openGateway(accounts = "1"): Promise<void> {
  const scripts = [...accountViewScripts, ...brokerStateScripts, ...intentScripts];
  redis = await corner.open("worker", scripts);
  const { keys } = corner;
  paper = createPaperAdapter({
    connectionId: connectionId("paper"),
    settings: { accounts, sessionHours: false, startBalance: 50_000 },
    ...NO_FEES,
    feed,
    product: (contract) => (contract === ES ? PRODUCT : undefined),
    state: createRedisBrokerState({ redis, keys }),
    now: Date.now,
  });
  views = createRedisAccountViews({ redis, keys });
  const brokerOf = () => ({ broker: paper, epoch: 1 });
  const unheard = () => undefined;
  projector = new AccountProjector({
    views,
    brokerOf,
    waitFor,
    onNews: unheard,
    onCorrected: unheard,
    onError: unheard,
  });
  const intents = openIntentStore({ redis, keys, retentionMs: 7 * DAY_MS });
  const now = () => clock;
  const deps = { views, intents, amended: unheard, projector, brokerOf, now, elapsed: now };
  reconciler = new AccountReconciler({ ...deps, retentionMs: 7 * DAY_MS });
  paper.onReport((account, report) => {
    if (isListening) projector.onReport(account, report);
  });
}

async function startSession(): Promise<void> {
  session = new AbortController();
  await new Promise<void>((resolve, reject) => {
    running = paper.runSession({ signal: session.signal, onReady: resolve });
    running.catch(reject);
  });
}

let last = 0;
async function trade(side: Side, orderQty: number, change: Partial<NewOrderSingle> = {}) {
  last += 1;
  const order = { contract: ES, side, orderQty, ordType: "MARKET", timeInForce: "DAY" } as const;
  const id = clOrdId(`by-hand-${last}`);
  const answer = await paper.submitOrder(ACCOUNT, { ...order, clOrdId: id, ...change });
  expect(answer.kind).toBe("accepted");
}

const confirm = async (account = ACCOUNT) => {
  clock += 3_000;
  return await reconciler.reconcile(account);
};

async function gaps(account: AccountId = ACCOUNT) {
  await projector.upToDate(account);
  return positionGaps(await views.holdings(account), await paper.positions(account));
}

test("fills of a time in which nobody listened are adopted once, and nothing is told", async () => {
  await reconciler.reconcile(ACCOUNT);
  await trade("BUY", 3);
  isListening = false;
  await trade("SELL", 1);
  await trade("SELL", 5);
  expect(await confirm()).toMatchObject({ adoptedFills: 2, differences: [], isSuspected: false });
  expect(await confirm()).toMatchObject({ adoptedFills: 0, differences: [] });
  expect(await gaps()).toEqual([]);
  expect((await views.positions(ACCOUNT)).value).toMatchObject([{ contract: ES, netQty: -3 }]);
});

test("a base that does not fit any more is told once and set right", async () => {
  await reconciler.reconcile(ACCOUNT);
  await trade("BUY", 2);
  await confirm();
  // As if the broker had booked a contract without a fill.
  await views.saveBase(ACCOUNT, { epoch: 1, base: new Map([[ES, -1]]) });
  expect(await confirm()).toMatchObject({ differences: [], isSuspected: true });
  expect((await confirm()).differences).toEqual([
    { kind: "position", contract: ES, expectedQty: 1, foundQty: 2 },
  ]);
  expect(await gaps()).toEqual([]);
  expect((await confirm()).differences).toEqual([]);
});

test("an order of ours whose intent nobody knows is told", async () => {
  await reconciler.reconcile(ACCOUNT);
  await trade("BUY", 1, {
    clOrdId: clOrdIdOf(INTENT, 1),
    ordType: "LIMIT",
    price: ticks(3_000),
  });
  expect((await confirm()).differences).toMatchObject([
    { kind: "orderWithoutIntent", intentId: INTENT },
  ]);
  expect((await confirm()).differences).toEqual([]);
});

async function giveUp(id: IntentId): Promise<void> {
  const redis = await corner.open("worker", intentScripts);
  const intents = openIntentStore({ redis, keys: corner.keys, retentionMs: DAY_MS });
  const prepared = { contract: ES, side: "BUY", orderQty: 1, ordType: "MARKET" } as const;
  await intents.accept({
    intentId: id,
    accountId: ACCOUNT,
    userId: userId("user_1"),
    source: { kind: "api" },
    requestId: "r1",
    intent: { kind: "PLACE", order: { ...prepared, timeInForce: "DAY" } },
    entryMaxAgeMs: 30_000,
    exitMaxAgeMs: 600_000,
    receivedAt: await intents.now(),
  });
  await intents.withdraw(ACCOUNT, id, { kind: "withdrawn", reason: "Nobody waits" });
}

test("an order that was given up and filled after all is told, and believed", async () => {
  await reconciler.reconcile(ACCOUNT);
  await giveUp(INTENT);
  await trade("BUY", 1, { clOrdId: clOrdIdOf(INTENT, 1) });
  expect((await confirm()).differences).toMatchObject([
    { kind: "lateOrder", intentId: INTENT, state: "WITHDRAWN" },
  ]);
  expect(await gaps()).toEqual([]);
});

test("a start looks up the orders of a busy time together, and the late one is found", async () => {
  await reconciler.reconcile(ACCOUNT);
  const ids = Array.from({ length: 1_100 }, (_, n) => intentId(`i${String(n).padStart(28, "0")}`));
  for (const late of [ids[0], ids[700], ids.at(-1)]) if (late) await giveUp(late);
  await Promise.all(ids.map((id) => trade("BUY", 1, { clOrdId: clOrdIdOf(id, 1) })));
  await projector.upToDate(ACCOUNT);
  session.abort();
  await running;

  await openGateway();
  await startSession();
  const commands = vi.spyOn(redis, "sendCommand");
  const { differences } = await confirm();
  const found = differences.map((one) => "intentId" in one && one.intentId);
  expect(new Set(found)).toEqual(new Set([ids[0], ids[700], ids.at(-1)]));
  expect(commands.mock.calls.length).toBeLessThan(40);
});

test("while the session is down nothing is concluded", async () => {
  await reconciler.reconcile(ACCOUNT);
  await trade("BUY", 2);
  await projector.upToDate(ACCOUNT);
  session.abort();
  await running;
  await expect(confirm()).rejects.toThrow("not running");
  expect((await views.positions(ACCOUNT)).value).toMatchObject([{ netQty: 2 }]);
  await startSession();
  expect(await confirm()).toMatchObject({ adoptedFills: 0, differences: [], isSuspected: false });
});

test("holds at rest after any trading, listening or not, with restarts between", async () => {
  await reconciler.reconcile(ACCOUNT);
  const step = fc.oneof(
    fc.record({
      side: fc.constantFrom("BUY" as const, "SELL" as const),
      qty: fc.integer({ min: 1, max: 9 }),
    }),
    fc.constantFrom("listen" as const, "deaf" as const, "restart" as const, "reconcile" as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const told: Difference[] = [];
      for (const one of steps) {
        if (typeof one === "object") await trade(one.side, one.qty);
        else if (one === "reconcile") told.push(...(await confirm()).differences);
        else if (one === "restart") {
          session.abort();
          await running;
          await openGateway();
          await startSession();
        } else isListening = one === "listen";
      }
      told.push(...(await confirm()).differences);
      expect([told, await gaps()]).toEqual([[], []]);
      // Nothing was ever held that no fill explains.
      expect((await views.holdings(ACCOUNT)).base.size).toBe(0);
    }),
    { numRuns: 15 },
  );
});

describe("at the start of a session", () => {
  const COUNT = 2_000;
  const accounts = Array.from({ length: COUNT }, (_, n) => accountId(`paper-${n + 1}`));
  let observed: AccountId[];
  let onObserved: () => void;

  beforeEach(async () => {
    observed = [];
    onObserved = () => undefined;
    session.abort();
    await running;
    await openGateway(`1-${COUNT}`);
    await startSession();
  });
  const open = () =>
    new Reconciler({
      reconcile: async (account) => await reconciler.reconcile(account),
      observer: {
        reconciled: (account) => {
          observed.push(account);
          onObserved();
        },
        reconcileFailed: () => undefined,
      },
      alarms: { raise: () => undefined, clear: () => undefined },
      onInStep: () => undefined,
      elapsed: () => clock,
      waitFor,
    });
  const start = {
    session: { beganAt: 0 },
    accounts,
    requireSession: () => paper.accounts(),
  };

  test("accounts that were never used are each marked once, and only read after that", async () => {
    await open().reconcileAll(connectionId("paper"), start);
    expect(observed).toHaveLength(COUNT);
    expect(await corner.stored()).toHaveLength(2 * COUNT);
    const redis = await corner.open("request");
    const marks = () => redis.hget(corner.keys.positionBase(ACCOUNT), "upTo");
    expect(await marks()).toBe("0");
    await open().reconcileAll(connectionId("paper"), start);
    expect(await corner.stored()).toHaveLength(2 * COUNT);
  });

  test("it fails as a whole when the broker goes away meanwhile", async () => {
    onObserved = () => session.abort();
    const all = open().reconcileAll(connectionId("paper"), start);
    await expect(all).rejects.toThrow("not running");
    await running;
  });
});
