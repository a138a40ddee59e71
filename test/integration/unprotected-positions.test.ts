// Goal: a position without the exits that were asked for is shown until it has them, or is gone.
// Method: the whole gateway on paper, told of protections that were lost; /metrics is what counts.
import { rename } from "node:fs/promises";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { Queue } from "bullmq";
import { UnprotectedPositions } from "../../src/trading/lane/legs/unprotected-positions.ts";
import { createRedisMissingExits } from "../../src/store/accounts/redis-missing-exits.ts";
import { createKeys, type Keys } from "../../src/store/keys.ts";
import { type AccountId, intentId, orderId, userId } from "../../src/domain/ids.ts";
import type { IntentRecord, Outcome } from "../../src/domain/intent.ts";
import { type OrderReport, understood } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import type { Broker } from "../../src/trading/ports.ts";
import { frontMonth } from "../support/gateway.ts";
import { call } from "../support/http-client.ts";
import { shareGateway } from "../support/shared-gateway.ts";

const ES = frontMonth("ES");
const LOST: Outcome = {
  kind: "unprotected",
  canceled: "stop-loss of 1 ES",
  reason: "The broker refused",
  restored: false,
};

const own = shareGateway(7);

/** The number of all accounts is read: none is left to the next test. */
afterEach(async () => {
  await own.gateway.redis.del(own.gateway.keys.unprotected(own.account));
  await untilShown(0);
});

const buy = async () =>
  await own.gateway.api.post(`${own.root}/orders`, {
    symbol: ES.symbol,
    action: "buy",
    qty: 1,
    type: "market",
  });

async function protect(levels: object): Promise<void> {
  const body = { symbol: ES.symbol, ...levels };
  expect((await own.gateway.api.post(`${own.root}/protect`, body)).status).toBe(200);
}

/** The gateway's own, seen from outside. */
function openWatch(
  broker: Pick<Broker, "positions" | "workingOrders"> = own.gateway.paper,
  keys: Keys = own.gateway.keys,
): UnprotectedPositions {
  const failures: unknown[] = [];
  onTestFinished(() => expect([...failures]).toEqual([]));
  return new UnprotectedPositions({
    store: createRedisMissingExits({ redis: own.gateway.redis, keys }),
    brokerOf: () => broker,
    alarms: { raise: () => undefined, clear: () => undefined },
    // It looks when a test says so.
    waitFor: async () => await new Promise(() => undefined),
    onError: (_, error) => failures.push(error),
  });
}

const protection = (outcome: Outcome): IntentRecord => ({
  intentId: intentId("i1"),
  accountId: own.account,
  userId: userId("user_1"),
  source: { kind: "api" },
  requestId: "r1",
  intent: {
    kind: "PROTECT",
    contract: ES.code,
    levels: { stopLoss: { by: "price", price: ticks(27_000) } },
  },
  state: "UNPROTECTED",
  clOrdIds: [],
  acceptedAt: 0,
  entryExpiresAt: 0,
  exitExpiresAt: 0,
  outcome,
});

async function metric(name: string): Promise<number> {
  const { text } = await call(own.gateway.url, "GET", "/metrics");
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

const shown = async () => await metric("gateway_unprotected_positions");
const untilShown = async (count: number) => await expect.poll(shown).toBe(count);

test("it is shown until the broker shows the exit", async () => {
  await buy();
  await expect.poll(shown).toBe(0);
  const watch = openWatch();
  watch.settled(protection(LOST));
  await untilShown(1);
  await protect({ takeProfit: { ticks: 40 } });
  watch.look(own.account);
  watch.settled(protection({ ...LOST, restored: true }));
  // A take-profit is no stop.
  await untilShown(1);
  await protect({ stopLoss: { ticks: 20 } });
  watch.look(own.account);
  await untilShown(0);
});

test("exits that an adjustment did not bring, or took away, are shown too", async () => {
  await buy();
  const order = {
    orderId: orderId("1"),
    ordStatus: "FILLED",
    cumQty: 1,
    side: "BUY",
    orderQty: 1,
    legsUnconfirmed: true,
  } as const;
  const nothing = {
    closed: [],
    canceledOrderIds: [],
    problems: [],
    exits: { kind: "none" as const },
  };
  const stopLoss = { by: "price", price: ticks(27_000) } as const;
  const adjustment = (result: object): IntentRecord => ({
    ...protection(LOST),
    state: "DONE",
    intent: {
      kind: "ADJUST",
      contract: ES.code,
      aim: { to: "position", netQty: 1 },
      terms: { ordType: "MARKET", timeInForce: "DAY", bracket: { stopLoss } },
    },
    outcome: {
      kind: "done",
      result: { kind: "ADJUST", contract: ES.code, ...nothing, ...result },
    },
  });
  const watch = openWatch();
  const noted = async () =>
    await own.gateway.redis.hgetall(own.gateway.keys.unprotected(own.account));
  watch.settled(adjustment({ order }));
  await expect.poll(noted).toEqual({ [ES.code]: "STOP_LOSS" });
  watch.settled(adjustment({ unprotected: [{ contract: ES.code, exits: ["TAKE_PROFIT"] }] }));
  await expect.poll(noted).toEqual({ [ES.code]: "STOP_LOSS TAKE_PROFIT" });
});

test("it is shown through a restart, and no longer once the position is closed", async () => {
  await buy();
  openWatch().settled(protection(LOST));
  await untilShown(1);
  await own.gateway.restart();
  await untilShown(1);
  expect((await own.gateway.api.delete(`${own.root}/positions`)).status).toBe(200);
  await untilShown(0);
});

test("what was put back is not shown", async () => {
  await buy();
  const watch = openWatch();
  const later = frontMonth("NQ").code;
  const lost = protection(LOST);
  watch.settled(protection({ ...LOST, restored: true }));
  // What is told of one account is done in its order, so the first would be there by now.
  watch.settled({ ...lost, intent: { ...lost.intent, contract: later } as IntentRecord["intent"] });
  await untilShown(1);
  expect(await own.gateway.redis.hkeys(own.gateway.keys.unprotected(own.account))).toEqual([later]);
});

test("a job that nobody can read is counted, and the order behind it is worked", async () => {
  await buy();
  const queue = new Queue(`{${own.account}}`, {
    prefix: own.gateway.keys.lanes,
    connection: own.gateway.redis,
  });
  const before = await metric("gateway_dead_letters_total");
  await queue.add("odd", "not a pointer", { jobId: "odd-1" });
  expect((await buy()).status).toBe(201);
  expect(await metric("gateway_dead_letters_total")).toBe(before + 1);
  await queue.close();
});

test("a Redis that is not there is counted", async () => {
  const { redis } = own.gateway;
  const { path: socket = "" } = redis.options;
  const errors = async () => await metric('gateway_store_errors_total\\{kind="connection"\\}');
  // One that ends is back so soon that a slow process never misses it.
  await rename(socket, `${socket}.away`);
  await redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no").catch(() => undefined);
  await expect.poll(errors).toBeGreaterThan(0);
  await rename(`${socket}.away`, socket);
  await expect.poll(async () => (await buy()).status).toBe(201);
});

test("an exit for a part of the position is not enough, and nothing noted is lost", async () => {
  await buy();
  await buy();
  // Notes of its own: the gateway looks at what is noted under its keys whenever it reconciles.
  const keys = createKeys("another");
  const watch = openWatch(own.gateway.paper, keys);
  const noted = async () => await own.gateway.redis.hgetall(keys.unprotected(own.account));
  const losing = (levels: object): IntentRecord => {
    const { intent, ...record } = protection(LOST);
    return { ...record, intent: { ...intent, levels } as IntentRecord["intent"] };
  };
  watch.settled(losing({ stopLoss: { by: "price", price: ticks(27_000) } }));
  watch.settled(losing({ takeProfit: { by: "price", price: ticks(27_800) } }));
  await expect.poll(noted).toEqual({ [ES.code]: "STOP_LOSS TAKE_PROFIT" });

  const exits = async (orders: readonly object[]) => {
    for (const order of orders) {
      const body = { symbol: ES.symbol, action: "sell", qty: 1, ...order };
      expect((await own.gateway.api.post(`${own.root}/orders`, body)).status).toBe(201);
    }
    watch.look(own.account);
    // Looks and notes take turns: once this one is there, the look is over.
    watch.settled(losing({ stopLoss: { by: "price", price: ticks(27_000) } }));
    await expect.poll(noted).toHaveProperty(ES.code);
  };
  const pair = [
    { type: "stop", stopPrice: 6_700 },
    { type: "limit", limitPrice: 7_000 },
  ];
  await exits(pair);
  expect(await noted()).toEqual({ [ES.code]: "STOP_LOSS TAKE_PROFIT" });
  await exits(pair);
  // What an order at the market fills from here on has no such exits.
  const [order] = understood(await own.gateway.paper.workingOrders(own.account));
  const filling = {
    ...order,
    orderId: orderId("0"),
    side: "BUY",
    ordType: "MARKET",
  } as OrderReport;
  const broker = {
    positions: own.gateway.paper.positions.bind(own.gateway.paper),
    workingOrders: async (account: AccountId) => [
      ...(await own.gateway.paper.workingOrders(account)),
      filling,
    ],
  };
  const beside = openWatch(broker, keys);
  beside.settled(losing({ stopLoss: { by: "price", price: ticks(27_000) } }));
  beside.look(own.account);
  beside.settled(losing({ takeProfit: { by: "price", price: ticks(27_800) } }));
  await expect.poll(noted).toEqual({ [ES.code]: "STOP_LOSS TAKE_PROFIT" });
  watch.look(own.account);
  await expect.poll(noted).toEqual({});
});
