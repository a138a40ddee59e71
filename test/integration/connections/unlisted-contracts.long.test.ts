// The goal: whatever an account holds is closed by its name, in the table or not.
// The method: the whole gateway with a table that lacks a root, and the Tradovate simulator.
import { expect, onTestFinished, test, vi } from "vitest";
import type * as table from "../../../config/contracts.ts";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import { startTradovateSimulator } from "../../simulators/tradovate/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { frontMonth } from "../../support/gateway.ts";
import { postAlert } from "../../support/http-client.ts";
import { waitUntil } from "../../support/wait.ts";

vi.mock("../../../config/contracts.ts", async (original) => {
  const whole = await original<typeof table>();
  return { ...whole, contracts: whole.contracts.filter(({ root }) => root !== "NQ") };
});

const ES = frontMonth("ES").symbol;
/** It trades in the same months, and the table has it: less its first letter. */
const { symbol: MICRO, code: MICRO_CODE } = frontMonth("MNQ");
const NQ = MICRO.slice(1);

async function openSite() {
  const simulator = await startTradovateSimulator();
  onTestFinished(simulator.stop);
  const { control } = simulator;
  const site = await ConnectionSite.open(simulator);
  site.brokers = BROKER_KINDS;
  const app = await site.start();
  const api = site.api(app);
  const credentials = { name: "joe", password: "hunter2", cid: "8", sec: "s3cret" };
  const urls = { restUrl: simulator.url, wsUrl: simulator.wsUrl };
  const settings = { ...credentials, ...urls };
  const add = { broker: "tradovate", environment: "demo", settings };
  expect((await api.post("/v1/connections", add)).status).toBe(201);
  await site.until(app, "tradovate-1", "CONNECTED");
  await control({ knob: "quote", contract: NQ, bid: 100_000, ask: 100_001 });
  await control({ knob: "quote", contract: ES, bid: 20_000, ask: 20_001 });
  const { body } = await api.get("/v1/accounts");
  const accounts = body.accounts as { id: string; broker: string; name: string }[];
  const account = accounts.find(({ broker }) => broker === "tradovate")?.id ?? "";
  const { body: hook } = await api.post("/v1/webhooks", {
    accountId: account,
    allowedSymbols: ["ES"],
    symbolMap: { ES: "MES" },
  });
  expect(hook).toHaveProperty("url");
  const { pathname } = new URL(hook.url as string);

  const held = async () => {
    const { body: read } = await api.get(`/v1/accounts/${account}/positions`);
    return (read.positions as { symbol: string; qty: number }[]).map(({ symbol }) => symbol);
  };
  const buy = async (symbol: string, more: object = {}) => {
    const what = { accountSpec: "joe-1", symbol, action: "Buy", orderQty: 2, orderType: "Market" };
    const order = { ...what, isAutomated: false, ...more };
    const placed = await control({ knob: "placeOrder", user: "joe", order });
    expect(placed).toMatchObject({ orderId: expect.anything() });
  };
  const hold = async (symbol: string) => {
    await buy(symbol);
    await waitUntil(`${symbol} is held`, async () => (await held()).includes(symbol));
  };
  const flat = async (symbol: string) =>
    await waitUntil(`${symbol} is closed`, async () => !(await held()).includes(symbol));
  const alert = (what: object) => postAlert(`${app.url}${pathname}`, what);
  return { site, app, api, account, alert, held, hold, flat, buy, control };
}

test("what the table lacks is closed by its name", async () => {
  const { api, account, alert, hold, flat, held, buy } = await openSite();
  const exits: readonly object[] = [
    { action: "close", symbol: "NQ1!" },
    { action: "exit", symbol: NQ },
    { action: "exit", symbol: "CME_MINI:NQ1!" },
    { action: "close", symbol: MICRO_CODE.slice(1) },
    { symbol: "NQ1!", position: 0 },
    { action: "reduce", symbol: NQ, percent: 100 },
  ];
  await hold(NQ);
  const entry = await alert({ action: "buy", symbol: NQ, qty: 1 });
  expect([entry.status, entry.body.error?.code]).toEqual([400, "UNKNOWN_SYMBOL"]);
  const other = await alert({ action: "exit", symbol: "ZQX1!" });
  expect([other.status, other.body.error?.code]).toEqual([400, "UNKNOWN_SYMBOL"]);
  for (const exit of exits) {
    await hold(NQ);
    const { status, text } = await alert(exit);
    expect([status, text]).toEqual([200, expect.stringContaining("done")]);
    await flat(NQ);
  }
  await hold(NQ);
  await hold(ES);
  const part = await alert({ action: "reduce", symbol: "NQ1!", qty: 1 });
  expect(part).toMatchObject({ status: 200 });
  const protect = await api.post(`/v1/accounts/${account}/protect`, {
    symbol: "NQ",
    stopLoss: { ticks: 20 },
  });
  expect(protect).toMatchObject({ status: 200 });
  const closed = await api.delete(`/v1/accounts/${account}/positions?symbol=NQ`);
  expect([closed.status, closed.text]).toEqual([200, expect.stringContaining(NQ)]);
  await flat(NQ);
  expect(await held()).toEqual([ES]);
  const gone = await api.delete(`/v1/accounts/${account}/positions?symbol=NQ`);
  expect(gone.status).toBe(400);
  await buy(NQ, { orderType: "Limit", price: 20_000 });
  const canceled = await alert({ action: "cancel", symbol: "NQ1!" });
  expect(canceled).toMatchObject({ status: 200 });
});
