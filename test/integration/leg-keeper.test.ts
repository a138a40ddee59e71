// The goal: however a position is closed, its legs never stay behind to open another one.
// The method: the whole gateway over HTTP; positions are closed by plain orders and prices moved by hand.
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { accountId, clOrdId } from "../../src/domain/ids.ts";
import type { NewOrderSingle } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";
import { call } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const ACCOUNT = "paper-1";
const ROOT = `/v1/accounts/${ACCOUNT}`;
const BID = 27_400;
const BRACKET = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startGateway();
  onTestFinished(gateway.stop);
});

async function order(action: "buy" | "sell", qty: number, more: object = {}) {
  const body = { symbol: "ES1!", action, qty, ...more };
  const reply = await gateway.api.post(`${ROOT}/orders`, body);
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
}

/** As a person at the broker's own screen: nothing of it is known here. */
async function byHand(change: Partial<NewOrderSingle>): Promise<void> {
  const answer = await gateway.paper.submitOrder(accountId(ACCOUNT), {
    clOrdId: clOrdId("by-hand"),
    contract: ES.code,
    side: "SELL",
    orderQty: 1,
    ordType: "MARKET",
    timeInForce: "GTC",
    ...change,
  });
  expect(answer.kind).toBe("accepted");
}

const positions = async () => await gateway.broker.positions(ACCOUNT);

/** The role and size of everything that works. */
async function working(): Promise<string[]> {
  const orders = await gateway.broker.working(ACCOUNT);
  return orders.map(({ role, leavesQty }) => `${role} ${leavesQty}`);
}

async function waitForWorking(expected: string[]): Promise<void> {
  const isThere = async () => JSON.stringify(await working()) === JSON.stringify(expected);
  await waitUntil(`these work: ${expected.join(", ") || "none"}`, isThere);
}

/** Carries the price past every level, and looks whether anything traded. */
async function passOldLevels(): Promise<void> {
  const before = await gateway.broker.filled(ACCOUNT);
  for (const bid of [BID + 100, BID - 100, BID]) gateway.quote(ES, bid);
  expect(await gateway.broker.filled(ACCOUNT)).toEqual(before);
}

const pairOf = (qty: number) => [`TAKE_PROFIT ${qty}`, `STOP_LOSS ${qty}`];

describe("an opposite order", () => {
  test.each([
    ["buy", "sell"],
    ["sell", "buy"],
  ] as const)(
    "that closes a bracket's position ends its legs (%s, then %s)",
    async (entry, exit) => {
      await order(entry, 2, { bracket: BRACKET });
      await order(exit, 2);
      await waitForWorking([]);
      expect(await positions()).toEqual({});
      await passOldLevels();

      const metrics = await call(gateway.url, "GET", "/metrics");
      expect(metrics.text).toMatch(/^gateway_legs_kept_total\{action="cancel"\} 1$/m);
      const told = gateway.log.filter((line) => line.includes("A leg was cancelled"));
      expect(told.map((line) => JSON.parse(line))).toMatchObject([
        { accountId: ACCOUNT, symbol: ES.code, qty: 0, reason: "Its position is closed" },
      ]);
    },
  );

  test("for a part of the position leaves legs for the rest, which still work as a pair", async () => {
    await order("buy", 3, { bracket: BRACKET });
    await order("sell", 1);
    await waitForWorking(pairOf(2));
    gateway.quote(ES, BID + 100);
    await waitForWorking([]);
    expect(await positions()).toEqual({});
    await passOldLevels();
  });

  test("of one of two brackets ends the older one, and a smaller one shrinks what is left", async () => {
    await order("buy", 2, { bracket: BRACKET });
    await order("buy", 3, { bracket: BRACKET });
    expect(await working()).toEqual([...pairOf(2), ...pairOf(3)]);
    await order("sell", 2);
    await waitForWorking(pairOf(3));
    await order("sell", 2);
    await waitForWorking(pairOf(1));
    expect(await positions()).toEqual({ [ES.code]: 1 });
  });

  test("that turns the position around ends the legs of what it was", async () => {
    await order("buy", 2, { bracket: BRACKET });
    await order("sell", 5);
    await waitForWorking([]);
    expect(await positions()).toEqual({ [ES.code]: -3 });
    await passOldLevels();
  });

  test("by hand, at the broker, ends them too", async () => {
    await order("buy", 2, { bracket: BRACKET });
    await byHand({ orderQty: 2 });
    await waitForWorking([]);
    expect(await positions()).toEqual({});
  });
});

test("a protection shrinks with its position", async () => {
  await order("buy", 4);
  const { status } = await gateway.api.post(`${ROOT}/protect`, { stopLoss: { ticks: 40 } });
  expect(status).toBe(200);
  await order("sell", 3);
  await waitForWorking(["STOP_LOSS 1"]);
});

test("legs that lost their position while nobody was there end with the next start", async () => {
  await order("buy", 2, { bracket: BRACKET });
  await byHand({ ordType: "LIMIT", price: ticks(BID + 20), orderQty: 2 });
  await gateway.halt();
  gateway.quote(ES, BID + 25);
  await gateway.restart();
  await waitForWorking([]);
  expect(await positions()).toEqual({});
});

test("exits that were placed by hand stay as they are", async () => {
  await gateway.paper.submitProtection(accountId(ACCOUNT), {
    contract: ES.code,
    side: "SELL",
    orderQty: 7,
    stopLoss: { clOrdId: clOrdId("by-hand-stop"), stopPx: ticks(BID - 400) },
  });
  await order("buy", 2, { bracket: BRACKET });
  await order("sell", 2);
  await waitForWorking(["STOP_LOSS 7"]);
  const [left] = await gateway.broker.working(ACCOUNT);
  expect(left).toMatchObject({ clOrdId: "by-hand-stop", stopPx: BID - 400 });
});
