// The goal: what ProjectX does to an account unasked leaves its exits what they were asked to be, and never
// more than is held. The method: the whole gateway on the simulator of ProjectX, over a connection that a
// user added, and a person who trades the account on the platform besides.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { postAlert } from "../support/http-client.ts";
import { endWithTest, testsSideBySide } from "../support/side-by-side.ts";
import { waitUntil } from "../support/wait.ts";
import { BID, ES, ProjectXSite } from "./connections/projectx-site.ts";

testsSideBySide();

const price = (ticks: number) => ticks / 4;
const ENTRY = BID - 20;
const CONTRACT = `CON.F.US.EP.${ES.charAt(2)}${ES.slice(-2)}`;
/** The broker's words for what a person does. */
const MARKET = { contractId: CONTRACT, type: 2 };
const [BUY, SELL] = [0, 1];
const exits = (qty: number) => [
  `takeProfit ${qty} at ${price(ENTRY + 40)}`,
  `stopLoss ${qty} at ${price(ENTRY - 40)}`,
];

/** A distance has no price before the fill that it counts from. */
const WAITING = [`entry 3 at ${price(ENTRY)}`, "takeProfit 3 at null", "stopLoss 3 at null"];

interface Protection {
  readonly state: string;
  readonly missing: readonly unknown[];
}

async function protectionOf(one: ProjectXSite): Promise<Protection | undefined> {
  const { body } = await one.api.get(`/v1/accounts/${one.account}/positions`);
  return (body.positions as { protection: Protection }[])[0]?.protection;
}

/** An alert whose entry of three rests with both its exits. */
async function resting(one: ProjectXSite): Promise<string> {
  await one.connect();
  const hook = await one.site.webhook(one.app, one.account);
  const bracket = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
  const entry = { type: "limit", limitPrice: price(ENTRY), bracket };
  const alert = { symbol: "ES1!", action: "buy", qty: 3, ...entry };
  expect((await postAlert(`${one.app.url}${hook}`, alert)).status).toBe(200);
  await one.untilWorking(WAITING);
  return hook;
}

const numberOf = (one: ProjectXSite): number => Number(one.account.replace(/^.*-/, ""));

/** How many orders the gateway has sent. */
async function ordersPlaced(one: ProjectXSite): Promise<number> {
  const wire = await one.simulator.wire();
  return wire.filter(({ dir, path }) => dir === "in" && path === "Order/place").length;
}

/** A person trades on the platform. */
async function byHand(one: ProjectXSite, side: number, size: number): Promise<void> {
  const account = numberOf(one);
  await one.simulator.control({ knob: "placeOrder", account, order: { ...MARKET, side, size } });
}

test.concurrent.each(["keepsChildren", "endsChildren"] as const)(
  "an alert's exits survive a restart, and never exceed what a person leaves: %s",
  async (partialExit) => {
    const one = await ProjectXSite.open({ partialExit }, endWithTest);
    const hook = await resting(one);
    await one.app.stop();
    one.app = await one.site.start();
    await one.untilConnected();
    await one.untilWorking(WAITING);

    await one.quote(ENTRY - 1);
    await waitUntil("it is filled", async () => (await one.held()) === 3);
    await one.untilWorking(exits(3));
    expect(await protectionOf(one)).toMatchObject({ state: "protected", missing: [] });

    await byHand(one, SELL, 1);
    await waitUntil("a person has sold one", async () => (await one.held()) === 2);
    await one.untilWorking(exits(2));
    await waitUntil("it is protected", async () => {
      return (await protectionOf(one))?.state === "protected";
    });

    const close = { symbol: "ES1!", action: "close" };
    expect((await postAlert(`${one.app.url}${hook}`, close)).status).toBe(200);
    await waitUntil("it is flat", async () => (await one.held()) === 0);
    await one.untilWorking([]);
    await one.quote(ENTRY - 60);
    await one.quote(ENTRY + 60);
    expect(await one.held()).toBe(0);
  },
);

test.concurrent("a flatten closes just what is held where a position moved under a hub that only pings", async () => {
  const one = await ProjectXSite.open({}, endWithTest);
  await resting(one);
  await one.quote(ENTRY - 1);
  await waitUntil("it is filled", async () => (await one.held()) === 3);
  await one.untilWorking(exits(3));
  const losesEvents = ["account", "order", "position", "trade"] as const;
  await one.simulator.control({ knob: "set", losesEvents });
  const moved = { account: numberOf(one), contract: CONTRACT, by: -1, at: ENTRY };
  await one.simulator.control({ knob: "movePosition", ...moved });
  const path = `/v1/accounts/${one.account}/positions`;
  await waitUntil("it is flat", async () => {
    const { status, body } = await one.api.delete(path);
    return status === 200 && (body.remaining as unknown[]).length === 0;
  });
  const { accounts } = await one.simulator.state();
  const left = accounts[String(numberOf(one))]?.positions.map(({ netQty }) => netQty);
  expect(left?.filter((netQty) => netQty !== 0)).toEqual([]);
  await one.untilWorking([]);
});

test.concurrent("a stop that replaces one that was gone is the only one: cancelled, none comes back", async () => {
  const one = await ProjectXSite.open({ partialExit: "endsChildren" }, endWithTest);
  await resting(one);
  await one.quote(ENTRY - 1);
  await waitUntil("it is filled", async () => (await one.held()) === 3);
  await one.untilWorking(exits(3));
  await byHand(one, SELL, 1);
  await one.untilWorking([]);
  const account = `/v1/accounts/${one.account}`;
  const stopLoss = { price: price(ENTRY - 80) };
  const guarded = await one.api.post(`${account}/protect`, { symbol: "ES1!", stopLoss });
  expect([guarded.status, guarded.body.error]).toEqual([200, undefined]);
  const [target = ""] = exits(2);
  await one.untilWorking([target, `stopLoss 2 at ${price(ENTRY - 80)}`]);
  const { stopLossOrderId } = guarded.body;
  expect((await one.api.delete(`${account}/orders/${stopLossOrderId}`)).status).toBe(200);
  // Longer than the grace after which exits that are gone are placed again.
  await sleep(4_000);
  expect(await one.working()).toEqual([target]);
});

test.concurrent("a changed exit is answered as itself, though another goes by the same name", async () => {
  const one = await ProjectXSite.open({ childrenOn: "firstFill" }, endWithTest);
  await resting(one);
  for (const askQty of [1, 1_000]) {
    const market = { bid: ENTRY - 1, ask: ENTRY, askQty };
    await one.simulator.control({ knob: "quote", contract: ES, ...market });
  }
  const [target, stop] = [`at ${price(ENTRY + 40)}`, `at ${price(ENTRY - 40)}`];
  const parts = [1, 2].flatMap((qty) => [`takeProfit ${qty} ${target}`, `stopLoss ${qty} ${stop}`]);
  await one.untilWorking(parts);
  const orders = `/v1/accounts/${one.account}`;
  const { body } = await one.api.get(`${orders}/working-orders`);
  const working = body.orders as { orderId: string; role: string; remainingQty: number }[];
  const first = working.find(({ role, remainingQty }) => role === "stopLoss" && remainingQty === 1);
  const stopPrice = price(ENTRY - 30);
  const changed = await one.api.patch(`${orders}/orders/${first?.orderId}`, { stopPrice });
  expect([changed.status, changed.body]).toMatchObject([
    200,
    { orderId: first?.orderId, qty: 1, stopPrice },
  ]);
});

test.concurrent.each(["running", "stopped"])(
  "what the broker has liquidated gets no exits again, nor does what a person opens then: %s",
  async (gateway) => {
    const one = await ProjectXSite.open({}, endWithTest);
    await resting(one);
    await one.quote(ENTRY - 1);
    await waitUntil("it is filled", async () => (await one.held()) === 3);
    await one.untilWorking(exits(3));
    const placed = await ordersPlaced(one);
    if (gateway === "stopped") await one.app.stop();
    await one.simulator.control({ knob: "liquidate", account: numberOf(one) });
    await byHand(one, BUY, 2);
    if (gateway === "stopped") one.app = await one.site.start();
    await one.untilConnected();
    await waitUntil("a person holds two", async () => (await one.held()) === 2);
    // Longer than the grace after which exits that are gone are placed again.
    await sleep(4_000);
    expect(await one.working()).toEqual([]);
    expect(await ordersPlaced(one)).toBe(placed);
  },
);
