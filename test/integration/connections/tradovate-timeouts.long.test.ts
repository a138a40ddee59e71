// The goal: an entry whose time is over on a Tradovate account is ended once, and what is left of it goes at
// the market at most once, whatever becomes of commands and their answers. The method: the whole gateway, and
// the Tradovate simulator as a process of its own, whose faults, orders by hand and price are in our hand.
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { App } from "../../../src/app/app.ts";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import type { Fault } from "../../simulators/tradovate/faults.ts";
import type { Knob } from "../../simulators/tradovate/knobs.ts";
import {
  startTradovateSimulator,
  type TradovateSimulator,
} from "../../simulators/tradovate/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { frontMonth } from "../../support/gateway.ts";
import { waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES").code;
const BID = 27_400;
/** 400 ticks below the bid. */
const FAR = BID - 400;
const CANCEL = "order/cancelorder";
const MARKET = "order/placeorder";

let simulator: TradovateSimulator;
let site: ConnectionSite;
let app: App;
let account: string;
let turn: (knob: Knob) => Promise<Record<string, unknown>>;

beforeEach(async () => {
  simulator = await startTradovateSimulator();
  onTestFinished(simulator.stop);
  turn = simulator.control;
  await turn({ knob: "user", name: "joe", password: "any", accounts: 1 });
  site = await ConnectionSite.open(simulator);
  site.brokers = BROKER_KINDS;
  app = await site.start();
  const login = { name: "joe", cid: "8", password: "any", sec: "any", appId: "any" };
  const urls = { restUrl: simulator.url, wsUrl: simulator.wsUrl, mdUrl: simulator.mdUrl };
  const added = await site.api(app).post("/v1/connections", {
    broker: "tradovate",
    environment: "demo",
    name: "Joe",
    settings: { ...login, ...urls },
  });
  if (added.status !== 201) throw new Error(`It is not added: ${added.text}`);
  await turn({ knob: "quote", contract: ES, bid: BID, ask: BID + 1 });
  await site.until(app, "tradovate-1", "CONNECTED");
  const { body } = await site.api(app).get("/v1/accounts");
  const accounts = body.accounts as { id: string; broker: string }[];
  account = accounts.find(({ broker }) => broker === "tradovate")?.id ?? "";
});

/** Three contracts that rest for so many seconds. */
async function rest(then: "cancel" | "market", afterSeconds = 2, more: object = {}) {
  const { status, body } = await site.api(app).post(`/v1/accounts/${account}/orders`, {
    symbol: "ES1!",
    action: "buy",
    qty: 3,
    type: "limit",
    limitPrice: FAR / 4,
    timeout: { afterSeconds, then },
    ...more,
  });
  expect([status, body.error]).toEqual([201, undefined]);
  return Number(body.orderId);
}

const strike = async (endpoint: string, fault: Fault, times = 1) =>
  await turn({ knob: "fault", endpoint, user: "joe", fault, times });

const own = async () => Object.values((await simulator.state()).accounts)[0];
const working = async () =>
  ((await own())?.workingOrders ?? []).map(({ role, leavesQty }) => `${role} ${leavesQty}`);
const held = async () =>
  ((await own())?.positions ?? []).map(({ netQty }) => netQty).filter((netQty) => netQty !== 0);
/** Orders that the broker has taken or has seen, by us or by hand. */
const submitted = async () =>
  (await simulator.log()).filter(
    ({ op, outcome }) => op === "submitOrder" && outcome === "accepted",
  ).length;

async function waitFor(what: { working: string[]; held: number[] }): Promise<void> {
  const wanted = JSON.stringify([what.working, what.held]);
  let shown = "";
  const isThere = async () => {
    shown = JSON.stringify([await working(), await held()]);
    return shown === wanted;
  };
  await waitUntil(`it is ${wanted}`, isThere).catch((error: unknown) => {
    throw new Error(`${String(error)}; it is ${shown}`);
  });
}

/** Nothing more comes: no intent is open, and the deadline is forgotten. */
async function waitForRest(): Promise<void> {
  const unsettled = async () => {
    const { body } = await site.api(app).get(`/v1/accounts/${account}/intents?state=unsettled`);
    return body.intents as unknown[];
  };
  await waitUntil("nothing is open", async () => (await unsettled()).length === 0);
}

describe("an entry of which its time is over goes at the market once", () => {
  const bracket = { takeProfit: { ticks: 4000 }, stopLoss: { ticks: 4000 } };

  test("with its bracket", async () => {
    await rest("market", 2, { bracket });
    await waitFor({ working: ["TAKE_PROFIT 3", "STOP_LOSS 3"], held: [3] });
    await waitForRest();
    expect(await submitted()).toBe(2);
  });

  test.each<[string, Fault]>([
    ["the answer to the cancel is lost", { kind: "drop", isCarriedOut: true, cutsSockets: true }],
    ["the cancel never came", { kind: "drop", isCarriedOut: false, cutsSockets: true }],
    ["the cancel is answered by nothing", { kind: "silence", isCarriedOut: true }],
    ["the cancel is answered emptily", { kind: "empty", isCarriedOut: true }],
    ["the cancel is too late by its word", { kind: "tooLate" }],
    ["the broker is busy", { kind: "status", status: 503 }],
  ])("where %s", async (_, fault) => {
    await rest("market");
    await strike(CANCEL, fault);
    await waitFor({ working: [], held: [3] });
    await waitForRest();
    expect(await submitted()).toBe(2);
    expect(await held()).toEqual([3]);
  });

  test.each<[string, Fault]>([
    ["is lost", { kind: "drop", isCarriedOut: true, cutsSockets: true }],
    ["does not come", { kind: "silence", isCarriedOut: true }],
    ["says nothing", { kind: "empty", isCarriedOut: true }],
  ])("where the answer to the order at the market %s", async (_, fault) => {
    await rest("market");
    await strike(MARKET, fault);
    await waitFor({ working: [], held: [3] });
    await waitForRest();
    expect(await submitted()).toBe(2);
    expect(await held()).toEqual([3]);
  });
});

describe("an entry of which its time is over does not go at the market", () => {
  test("where that order never came to the broker", async () => {
    await rest("market");
    await strike(MARKET, { kind: "drop", isCarriedOut: false, cutsSockets: true });
    await waitFor({ working: [], held: [] });
    await waitForRest();
    expect([await submitted(), await held()]).toEqual([1, []]);
  });

  test("where all of it fills in the very moment", async () => {
    await rest("market");
    await strike(CANCEL, { kind: "delay", ms: 500 });
    await turn({ knob: "set", events: { order: "afterAnswer", delayMs: 300 } });
    await new Promise((resolve) => setTimeout(resolve, 1_800));
    await turn({ knob: "quote", contract: ES, bid: FAR - 1, ask: FAR });
    await waitFor({ working: [], held: [3] });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await waitForRest();
    expect(await held()).toEqual([3]);
  });
});

test("of a part that filled before only the rest goes at the market", async () => {
  await rest("market", 3, { bracket: { stopLoss: { ticks: 4000 } } });
  await turn({ knob: "quote", contract: ES, bid: FAR - 1, ask: FAR, askQty: 1 });
  await waitUntil("a part is filled", async () => (await held())[0] === 1);
  await turn({ knob: "quote", contract: ES, bid: BID, ask: BID + 1 });
  await waitFor({ working: ["STOP_LOSS 1", "ORDER 2"], held: [3] });
  await waitForRest();
  // The entry, its rest, and the stop of that, which the broker takes once its entry's price is known.
  expect(await submitted()).toBe(3);
});

test("one that was made larger since goes as large as it is", async () => {
  const orderId = await rest("market", 4);
  const changed = await site
    .api(app)
    .patch(`/v1/accounts/${account}/orders/${orderId}`, { qty: 5 });
  expect(changed.status).toBe(200);
  await waitFor({ working: [], held: [5] });
  await waitForRest();
  expect(await submitted()).toBe(2);
});

test("one that was cancelled by hand stays so", async () => {
  const orderId = await rest("market", 3);
  await turn({ knob: "cancelOrder", user: "joe", orderId });
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  await waitForRest();
  expect([await submitted(), await working(), await held()]).toEqual([1, [], []]);
});

test("one whose connection is down when it is due is ended once it is up again", async () => {
  await rest("market", 2);
  await turn({ knob: "set", maintenance: true });
  await turn({ knob: "closeSockets" });
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  expect(await working()).toEqual(["ORDER 3"]);
  await turn({ knob: "set", maintenance: false });
  await waitFor({ working: [], held: [3] });
  await waitForRest();
  expect(await submitted()).toBe(2);
});

test("another gateway that takes over ends it, and only that one", async () => {
  await rest("market", 4);
  const other = await site.start();
  await app.stop();
  app = other;
  await waitFor({ working: [], held: [3] });
  await waitForRest();
  expect(await submitted()).toBe(2);
});
