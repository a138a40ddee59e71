// The goal: however a position is closed, its legs never stay behind to open another one.
// The method: the whole gateway over HTTP; positions are closed by plain orders and prices moved by hand.
import { describe, expect, test } from "vitest";
import { clOrdId } from "../../src/domain/ids.ts";
import type { NewOrderSingle } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { frontMonth } from "../support/gateway.ts";
import { call } from "../support/http-client.ts";
import { shareGateway } from "../support/shared-gateway.ts";
import { waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const BID = 27_400;
const BRACKET = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };

const own = shareGateway(9);

async function order(action: "buy" | "sell", qty: number, more: object = {}) {
  const body = { symbol: "ES1!", action, qty, ...more };
  const reply = await own.gateway.api.post(`${own.root}/orders`, body);
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
}

/** As a person at the broker's own screen: nothing of it is known here. */
async function byHand(change: Partial<NewOrderSingle>): Promise<void> {
  const answer = await own.gateway.paper.submitOrder(own.account, {
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

const positions = async () => await own.gateway.broker.positions(own.account);

/** The role and size of everything that works. */
async function working(): Promise<string[]> {
  const orders = await own.gateway.broker.working(own.account);
  return orders.map(({ role, leavesQty }) => `${role} ${leavesQty}`);
}

async function waitForWorking(expected: string[]): Promise<void> {
  const isThere = async () => JSON.stringify(await working()) === JSON.stringify(expected);
  await waitUntil(`these work: ${expected.join(", ") || "none"}`, isThere);
}

/** Carries the price past every level, and looks whether anything traded. */
async function passOldLevels(): Promise<void> {
  const { gateway, account } = own;
  const before = await gateway.broker.filled(account);
  for (const bid of [BID + 100, BID - 100, BID]) gateway.quote(ES, bid);
  expect(await gateway.broker.filled(account)).toEqual(before);
}

/** How many legs the gateway has cancelled since its start. */
async function legsCanceled(): Promise<number> {
  const { text } = await call(own.gateway.url, "GET", "/metrics");
  return Number(/^gateway_legs_kept_total\{action="cancel"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

const pairOf = (qty: number) => [`TAKE_PROFIT ${qty}`, `STOP_LOSS ${qty}`];

// The first one: as it starts, the paper broker fills by a price that has not moved only if nothing else rests.
test("legs that lost their position while nobody was there end with the next start", async () => {
  await order("buy", 2, { bracket: BRACKET });
  await byHand({ ordType: "LIMIT", price: ticks(BID + 20), orderQty: 2 });
  await own.gateway.halt();
  own.gateway.quote(ES, BID + 25);
  await own.gateway.restart();
  await waitForWorking([]);
  expect(await positions()).toEqual({});
});

describe("an opposite order", () => {
  test.each([
    ["buy", "sell"],
    ["sell", "buy"],
  ] as const)(
    "that closes a bracket's position ends its legs (%s, then %s)",
    async (entry, exit) => {
      const before = await legsCanceled();
      await order(entry, 2, { bracket: BRACKET });
      await order(exit, 2);
      await waitForWorking([]);
      expect(await positions()).toEqual({});
      await passOldLevels();

      await waitUntil("it is counted", async () => (await legsCanceled()) === before + 1);
      const told = own.gateway.log
        .filter((line) => line.includes("A leg was cancelled"))
        .map((line) => JSON.parse(line) as { readonly accountId: string });
      expect(told.filter(({ accountId }) => accountId === own.account)).toMatchObject([
        { symbol: ES.code, qty: 0, reason: "Its position is closed" },
      ]);
    },
  );

  test("for a part of the position leaves legs for the rest, which still work as a pair", async () => {
    await order("buy", 3, { bracket: BRACKET });
    await order("sell", 1);
    await waitForWorking(pairOf(2));
    own.gateway.quote(ES, BID + 100);
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
  const body = { stopLoss: { ticks: 40 } };
  const { status } = await own.gateway.api.post(`${own.root}/protect`, body);
  expect(status).toBe(200);
  await order("sell", 3);
  await waitForWorking(["STOP_LOSS 1"]);
});

test("exits that were placed by hand stay as they are", async () => {
  await own.gateway.paper.submitProtection(own.account, {
    contract: ES.code,
    side: "SELL",
    orderQty: 7,
    stopLoss: { clOrdId: clOrdId("by-hand-stop"), stopPx: ticks(BID - 400) },
  });
  await order("buy", 2, { bracket: BRACKET });
  await order("sell", 2);
  await waitForWorking(["STOP_LOSS 7"]);
  const [left] = await own.gateway.broker.working(own.account);
  expect(left).toMatchObject({ clOrdId: "by-hand-stop", stopPx: BID - 400 });
});
