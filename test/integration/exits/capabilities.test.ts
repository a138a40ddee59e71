// The goal: an exit plan does the same on a broker that links exits and on one that does not.
// The method: the whole gateway over HTTP, on a broker in a process of its own that lacks what is said.
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { BrokerCapabilities } from "../../../src/brokers/broker-adapter.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import { ExchangeGateway } from "../../support/exchange-gateway.ts";
import { frontMonth } from "../../support/gateway.ts";
import { shareConnections } from "../../support/shared-gateway.ts";
import { untilTaken, waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES");
const BID = 27_400;
const ENTRY = BID + 1;

const PLAN = {
  targets: [{ ticks: 10 }, { ticks: 20 }, { ticks: 30 }],
  stop: { ticks: 20 },
};

const BROKERS: Readonly<Record<string, Partial<BrokerCapabilities>>> = {
  "links exits, and ends both by one cancel": {},
  "links exits, and ends one by one cancel": { cancelEndsLinkedLeg: false },
  "links no exits": { nativeOco: false, cancelEndsLinkedLeg: false },
};

let simulator: ExchangeSimulator;
let gateway: ExchangeGateway;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
});
afterAll(() => simulator.stop());

async function send(exitPlan: object) {
  await gateway.quote(ES, BID);
  const order = { symbol: "ES1!", action: "buy", qty: 3, exitPlan };
  return await untilTaken(() => gateway.post("orders", order));
}

async function enter(exitPlan: object): Promise<void> {
  const reply = await send(exitPlan);
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
}

async function held(): Promise<number> {
  const positions = (await gateway.broker())?.positions ?? [];
  return positions.reduce((sum, { netQty }) => sum + netQty, 0);
}

/** What works, as `STOP 2 @-20`: in ticks from the entry. */
async function exits(): Promise<string[]> {
  const orders = (await gateway.broker())?.workingOrders ?? [];
  const shown = orders.map(({ leavesQty, ordType, price, stopPx }) => {
    return `${ordType} ${leavesQty} @${Number(price ?? stopPx) - ENTRY}`;
  });
  return shown.toSorted();
}

async function until(expected: readonly string[]): Promise<void> {
  let seen: readonly string[] = [];
  const isThere = async () => {
    seen = await exits();
    return JSON.stringify(seen) === JSON.stringify(expected.toSorted());
  };
  await waitUntil(`these work: ${expected.join(", ") || "none"}`, isThere).catch((cause) => {
    throw new Error(`There work: ${seen.join(", ") || "none"}`, { cause });
  });
}

const target = (at: number) => `LIMIT 1 @${at}`;
const stops = (count: number, at: number) => Array.from({ length: count }, () => `STOP 1 @${at}`);
const SPLIT = [target(10), target(20), target(30), ...stops(3, -20)];

describe.each(Object.entries(BROKERS))("on a broker that %s", (_, abilities) => {
  const nextConnection = shareConnections(() => simulator, 3, abilities, { tellsPrices: true });

  beforeEach(async () => {
    gateway = nextConnection();
    await gateway.waitUntilConnected();
  });

  test("there are as many stops as are held, whichever target fills", async () => {
    await enter(PLAN);
    await until(SPLIT);
    for (const [at, left] of [
      [10, [20, 30]],
      [20, [30]],
      [30, []],
    ] as const) {
      await gateway.quote(ES, ENTRY + at);
      await until([...left.map(target), ...stops(left.length, -20)]);
      await expect.poll(held).toBe(left.length);
    }
  });

  test("all stops go to the entry at a target, and follow the price then", async () => {
    const trailing = { from: { ticks: 15 }, distance: { ticks: 8 } };
    await enter({ ...PLAN, breakeven: { after: { target: 1 }, plus: 1 }, trailing });
    await until(SPLIT);
    await gateway.quote(ES, ENTRY + 10);
    await until([target(20), target(30), ...stops(2, 1)]);
    await gateway.quote(ES, ENTRY + 18);
    await until([target(20), target(30), ...stops(2, 10)]);
    // Never back.
    await gateway.quote(ES, ENTRY + 14);
    await gateway.quote(ES, ENTRY + 19);
    await until([target(20), target(30), ...stops(2, 11)]);
    await gateway.quote(ES, ENTRY + 11);
    await until([]);
    expect(await held()).toBe(0);
  });

  test("a stop that is hit closes all of it, and leaves no target", async () => {
    await enter(PLAN);
    await until(SPLIT);
    await gateway.quote(ES, ENTRY - 20);
    await until([]);
    expect(await held()).toBe(0);
  });
});

test("what cannot leave with its exits does not leave at all", async () => {
  gateway = await ExchangeGateway.start(simulator, { nativeBracket: false }, { tellsPrices: true });
  onTestFinished(gateway.stop);
  const { status, body } = await send(PLAN);
  expect([status, body.error.code]).toEqual([502, "BROKER_ORDER_REJECTED"]);
  expect([await held(), await exits()]).toEqual([0, []]);
});
