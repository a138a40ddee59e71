// The goal: a risk becomes a quantity on a Tradovate account by its own prices and its own worth. The
// method: the whole gateway, and the Tradovate simulator as a process of its own, whose price is in our hand.
import { beforeAll, beforeEach, expect, test } from "vitest";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import type { Knob } from "../../simulators/tradovate/knobs.ts";
import { startTradovateSimulator } from "../../simulators/tradovate/start.ts";
import { afterTheFile, ConnectionSite } from "../../support/connection-site.ts";
import { frontMonth } from "../../support/gateway.ts";
import type { ApiClient } from "../../support/http-client.ts";
import { waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES").code;
/** A tick is 12.50 USD. */
const BID = 27_400;

const atEnd = afterTheFile();
let api: ApiClient;
let accounts: readonly string[];
/** Each test has one to itself. */
let account: string;
let turn: (knob: Knob) => Promise<unknown>;
let taken = 0;

beforeAll(async () => {
  const simulator = await startTradovateSimulator();
  atEnd(simulator.stop);
  turn = simulator.control;
  await turn({ knob: "user", name: "joe", password: "any", accounts: 2 });
  const site = await ConnectionSite.open(simulator, atEnd);
  site.brokers = BROKER_KINDS;
  const app = await site.start();
  api = site.api(app);
  const login = { name: "joe", cid: "8", password: "any", sec: "any", appId: "any" };
  const urls = { restUrl: simulator.url, wsUrl: simulator.wsUrl, mdUrl: simulator.mdUrl };
  const asked = { broker: "tradovate", environment: "demo", name: "Joe" };
  const added = await api.post("/v1/connections", { ...asked, settings: { ...login, ...urls } });
  if (added.status !== 201) throw new Error(`It is not added: ${added.text}`);
  await site.until(app, "tradovate-1", "CONNECTED");
  const { body } = await api.get("/v1/accounts");
  const found = body.accounts as { id: string; broker: string }[];
  accounts = found.filter(({ broker }) => broker === "tradovate").map(({ id }) => id);
});

beforeEach(async () => {
  account = accounts[taken] ?? "";
  taken += 1;
  // A price that is watched is stale after 10 s.
  await turn({ knob: "quote", contract: ES, bid: BID, ask: BID + 1 });
});

const order = async (asked: object) =>
  await api.post(`/v1/accounts/${account}/orders`, { symbol: "ES1!", action: "buy", ...asked });
const held = async () => {
  const { body } = await api.get(`/v1/accounts/${account}/positions`);
  return (body.positions as { side: string; qty: number }[]).map(({ side, qty }) => [side, qty]);
};

test("is counted from a fresh price of a contract that nobody watched", async () => {
  // Bought at the ask: 25 ticks, 312.50 each.
  const bracket = { stopLoss: { price: (BID - 24) / 4 } };
  const { status, body } = await order({ size: { risk: 700 }, bracket });
  expect([status, body.qty, body.filledQty]).toEqual([201, 2, 2]);
  expect(await held()).toEqual([["long", 2]]);
});

test("a percentage is of what the broker says the account is worth", async () => {
  const asked = { size: { riskPercent: "1" }, bracket: { stopLoss: { ticks: 10 } } };
  // A price or a worth that is not known in a moment refuses the order, and a slow machine may be late.
  let reply = await order(asked);
  await waitUntil("its price and its worth are known in time", async () => {
    if (reply.body.error?.code !== "SIZE_UNKNOWN") return true;
    reply = await order(asked);
    return false;
  });
  expect([reply.status, reply.text]).toEqual([201, reply.text]);
  expect(await held()).toEqual([["long", reply.body.qty]]);
});
