// The goal: an entry whose time is over on a Tradovate account is ended once, and what is left of it goes at
// the market at most once, whatever becomes of commands and their answers. The method: the whole gateway, and
// the Tradovate simulator as a process of its own, whose faults, orders by hand and price are in our hand.
// Each test has a user of the broker, and tests that leave the price alone run at the same time.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import type { Fault } from "../../simulators/tradovate/faults.ts";
import {
  startTradovateSimulator,
  type TradovateSimulator,
} from "../../simulators/tradovate/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import type { ApiClient } from "../../support/http-client.ts";
import { waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES").code;
const BID = 27_400;
/** 400 ticks below the bid. */
const FAR = BID - 400;
const CANCEL = "order/cancelorder";
const MARKET = "order/placeorder";
/** Long enough for a busy machine to do something to an order before its time is over. */
const LONG_SECONDS = 10;

let simulator: TradovateSimulator;
let gateway: TestGateway;

beforeAll(async () => {
  simulator = await startTradovateSimulator();
  gateway = await startGateway({ settings: { ALLOW_LOCAL_BROKERS: "true", PAPER_ACCOUNTS: "1" } });
  return async () => {
    await gateway.stop();
    await simulator.stop();
  };
});

const quote = async (bid: number, more: object = {}) =>
  await simulator.control({ knob: "quote", contract: ES, bid, ask: bid + 1, ...more });

beforeEach(async () => void (await quote(BID)));

let users = 0;

/** One user of the broker, who trades on the only account. */
class Joe {
  readonly name: string;
  readonly #api: () => ApiClient;
  #account = "";

  private constructor(name: string, api: () => ApiClient) {
    this.name = name;
    this.#api = api;
  }

  /** Connected at the shared gateway, unless it has another one. */
  static async open(api = () => gateway.api): Promise<Joe> {
    users += 1;
    const joe = new Joe(`joe${users}`, api);
    await joe.#connect();
    return joe;
  }

  async #connect(): Promise<void> {
    const { name } = this;
    const { control, url: restUrl, wsUrl, mdUrl } = simulator;
    await control({ knob: "user", name, password: "any", accounts: 1 });
    const login = { name, cid: "8", password: "any", sec: "any", appId: "any" };
    const settings = { ...login, restUrl, wsUrl, mdUrl };
    const asked = { broker: "tradovate", environment: "demo", name, settings };
    const added = await this.#api().post("/v1/connections", asked);
    if (added.status !== 201) throw new Error(`It is not added: ${added.text}`);
    const id = added.body.connectionId as string;
    await waitUntil(`${id} is connected`, async () => {
      const { body } = await this.#api().get(`/v1/connections/${id}`);
      return body.status === "CONNECTED";
    });
    await waitUntil(`${id} has its account`, async () => {
      const { body } = await this.#api().get("/v1/accounts");
      const accounts = body.accounts as { id: string }[];
      this.#account = accounts.find((one) => one.id.startsWith(`${id}-`))?.id ?? "";
      return this.#account !== "";
    });
  }

  /** Three contracts that rest for so many seconds. */
  async rest(then: "cancel" | "market", afterSeconds = 2, more: object = {}): Promise<number> {
    const { status, body, text } = await this.#api().post(`/v1/accounts/${this.#account}/orders`, {
      symbol: "ES1!",
      action: "buy",
      qty: 3,
      type: "limit",
      limitPrice: FAR / 4,
      timeout: { afterSeconds, then },
      ...more,
    });
    if (status !== 201) throw new Error(`It does not rest: ${text}`);
    return Number(body.orderId);
  }

  async change(orderId: number, change: object): Promise<number> {
    const path = `/v1/accounts/${this.#account}/orders/${orderId}`;
    return (await this.#api().patch(path, change)).status;
  }

  async strike(endpoint: string, fault: Fault): Promise<void> {
    await simulator.control({ knob: "fault", endpoint, user: this.name, fault });
  }

  /** The order at the market, which is the second one at that endpoint: the entry comes through. */
  async strikeMarket(fault: Fault): Promise<void> {
    await this.strike(MARKET, { kind: "delay", ms: 0 });
    await this.strike(MARKET, fault);
  }

  async #own() {
    return (await simulator.state()).accounts[`${this.name}-1`];
  }

  async working(): Promise<string[]> {
    const { workingOrders = [] } = (await this.#own()) ?? {};
    return workingOrders.map(({ role, leavesQty }) => `${role} ${leavesQty}`);
  }

  async held(): Promise<number[]> {
    const { positions = [] } = (await this.#own()) ?? {};
    return positions.map(({ netQty }) => netQty).filter((netQty) => netQty !== 0);
  }

  /** Orders that the broker has taken or has seen, by us or by hand. */
  async submitted(): Promise<number> {
    const log = await simulator.log();
    const isOwn = (account: string | undefined) => account === `${this.name}-1`;
    return log.filter(
      ({ account, op, outcome }) =>
        isOwn(account) && op === "submitOrder" && outcome === "accepted",
    ).length;
  }

  async waitFor(what: { working: string[]; held: number[] }): Promise<void> {
    const wanted = JSON.stringify([what.working, what.held]);
    let shown = "";
    const isThere = async () => {
      shown = JSON.stringify([await this.working(), await this.held()]);
      return shown === wanted;
    };
    await waitUntil(`it is ${wanted}`, isThere).catch((error: unknown) => {
      throw new Error(`${String(error)}; it is ${shown}`);
    });
  }

  /** Nothing more comes: no intent is open, and the deadline is forgotten. */
  async waitForRest(): Promise<void> {
    const path = `/v1/accounts/${this.#account}/intents?state=unsettled`;
    const isAtRest = async () => {
      const { status, body } = await this.#api().get(path);
      return status === 200 && (body.intents as unknown[]).length === 0;
    };
    await waitUntil("nothing is open", isAtRest);
  }
}

describe.concurrent("an entry of which its time is over goes at the market once", () => {
  const bracket = { takeProfit: { ticks: 4000 }, stopLoss: { ticks: 4000 } };

  test("with its bracket", async () => {
    const joe = await Joe.open();
    await joe.rest("market", 2, { bracket });
    await joe.waitFor({ working: ["TAKE_PROFIT 3", "STOP_LOSS 3"], held: [3] });
    await joe.waitForRest();
    expect(await joe.submitted()).toBe(2);
  });

  test.each<[string, Fault]>([
    ["the answer to the cancel is lost", { kind: "drop", isCarriedOut: true, cutsSockets: true }],
    ["the cancel never came", { kind: "drop", isCarriedOut: false, cutsSockets: true }],
    ["the cancel is answered by nothing", { kind: "silence", isCarriedOut: true }],
    ["the cancel is answered emptily", { kind: "empty", isCarriedOut: true }],
    ["the cancel is too late by its word", { kind: "tooLate" }],
    ["the broker is busy", { kind: "status", status: 503 }],
  ])("where %s", async (_, fault) => {
    const joe = await Joe.open();
    await joe.strike(CANCEL, fault);
    await joe.rest("market");
    await joe.waitFor({ working: [], held: [3] });
    await joe.waitForRest();
    expect(await joe.submitted()).toBe(2);
    expect(await joe.held()).toEqual([3]);
  });

  test.each<[string, Fault]>([
    ["is lost", { kind: "drop", isCarriedOut: true, cutsSockets: true }],
    ["does not come", { kind: "silence", isCarriedOut: true }],
    ["says nothing", { kind: "empty", isCarriedOut: true }],
  ])("where the answer to the order at the market %s", async (_, fault) => {
    const joe = await Joe.open();
    await joe.strikeMarket(fault);
    await joe.rest("market");
    await joe.waitFor({ working: [], held: [3] });
    await joe.waitForRest();
    expect(await joe.submitted()).toBe(2);
    expect(await joe.held()).toEqual([3]);
  });
});

describe.concurrent("an entry of which its time is over", () => {
  test("does not go at the market where that order never came to the broker", async () => {
    const joe = await Joe.open();
    await joe.strikeMarket({ kind: "drop", isCarriedOut: false, cutsSockets: true });
    await joe.rest("market");
    await joe.waitFor({ working: [], held: [] });
    await joe.waitForRest();
    expect([await joe.submitted(), await joe.held()]).toEqual([1, []]);
  });

  test("goes as large as it is, where it was made larger since", async () => {
    const joe = await Joe.open();
    const orderId = await joe.rest("market", LONG_SECONDS);
    expect(await joe.change(orderId, { qty: 5 })).toBe(200);
    await joe.waitFor({ working: [], held: [5] });
    await joe.waitForRest();
    expect(await joe.submitted()).toBe(2);
  });

  test("stays cancelled where that was done by hand", async () => {
    const joe = await Joe.open();
    const orderId = await joe.rest("market", LONG_SECONDS);
    await simulator.control({ knob: "cancelOrder", user: joe.name, orderId });
    await sleep((LONG_SECONDS + 2) * 1_000);
    await joe.waitForRest();
    expect([await joe.submitted(), await joe.working(), await joe.held()]).toEqual([1, [], []]);
  });
});

test("an entry that fills in the very moment does not go at the market", async () => {
  const joe = await Joe.open();
  await joe.strike(CANCEL, { kind: "delay", ms: 500 });
  const events = { order: "afterAnswer", delayMs: 300 } as const;
  await simulator.control({ knob: "set", user: joe.name, events });
  await joe.rest("market");
  await sleep(1_800);
  await quote(FAR - 1);
  await joe.waitFor({ working: [], held: [3] });
  await sleep(3_000);
  await joe.waitForRest();
  expect(await joe.held()).toEqual([3]);
});

test("of a part that filled before only the rest goes at the market", async () => {
  const joe = await Joe.open();
  await joe.rest("market", LONG_SECONDS, { bracket: { stopLoss: { ticks: 4000 } } });
  await quote(FAR - 1, { askQty: 1 });
  await waitUntil("a part is filled", async () => (await joe.held())[0] === 1);
  await quote(BID);
  await joe.waitFor({ working: ["STOP_LOSS 1", "ORDER 2"], held: [3] });
  await joe.waitForRest();
  // The entry, its rest, and the stop of that, which the broker takes once its entry's price is known.
  expect(await joe.submitted()).toBe(3);
});

test("one whose connection is down when it is due is ended once it is up again", async () => {
  const joe = await Joe.open();
  const afterSeconds = 6;
  await joe.rest("market", afterSeconds);
  await simulator.control({ knob: "set", maintenance: true });
  await sleep((afterSeconds + 2) * 1_000);
  expect(await joe.working()).toEqual(["ORDER 3"]);
  await simulator.control({ knob: "set", maintenance: false });
  await joe.waitFor({ working: [], held: [3] });
  await joe.waitForRest();
  expect(await joe.submitted()).toBe(2);
});

test("another gateway that takes over ends it, and only that one", async () => {
  const site = await ConnectionSite.open(simulator);
  site.brokers = BROKER_KINDS;
  const first = await site.start();
  let app = first;
  const joe = await Joe.open(() => site.api(app));
  await joe.rest("market", 4);
  app = await site.start();
  await first.stop();
  await joe.waitFor({ working: [], held: [3] });
  await joe.waitForRest();
  expect(await joe.submitted()).toBe(2);
});
