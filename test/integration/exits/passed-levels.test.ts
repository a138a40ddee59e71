// The goal: a level that the market has passed is refused at every broker, and closes nothing.
// The method: the whole gateway on the simulators of the real brokers, whose price is in our hand. Quotes that
// name every price, and quotes that name the bid alone.
import { expect, onTestFinished, test } from "vitest";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import { startTradovateSimulator } from "../../simulators/tradovate/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import type { ApiClient } from "../../support/http-client.ts";
import { untilTaken, waitUntil } from "../../support/wait.ts";
import { BID, ES, ProjectXSite } from "../connections/projectx-site.ts";

/** A broker whose account the gateway trades. */
interface Desk {
  readonly api: ApiClient;
  readonly account: string;
  readonly quote: (bid: number) => Promise<unknown>;
  /** From now on quotes name the bid alone. */
  readonly nameTheBidAlone: () => Promise<unknown>;
}

async function atProjectX(): Promise<Desk> {
  const one = await ProjectXSite.open();
  await one.connect();
  return {
    api: one.api,
    account: one.account,
    quote: async (bid) => await one.quote(bid),
    nameTheBidAlone: async () =>
      await one.simulator.control({ knob: "set", quoteOmits: ["bestAsk", "lastPrice"] }),
  };
}

async function atTradovate(): Promise<Desk> {
  const simulator = await startTradovateSimulator();
  onTestFinished(simulator.stop);
  const { control } = simulator;
  await control({ knob: "user", name: "joe", password: "any", accounts: 1 });
  const quote = async (bid: number) =>
    await control({ knob: "quote", contract: ES, bid, ask: bid + 1 });
  await quote(BID);
  const site = await ConnectionSite.open(simulator);
  site.brokers = BROKER_KINDS;
  const app = await site.start();
  const api = site.api(app);
  const login = { name: "joe", cid: "8", password: "any", sec: "any", appId: "any" };
  const urls = { restUrl: simulator.url, wsUrl: simulator.wsUrl, mdUrl: simulator.mdUrl };
  const asked = { broker: "tradovate", environment: "demo", name: "Joe" };
  await api.post("/v1/connections", { ...asked, settings: { ...login, ...urls } });
  await site.until(app, "tradovate-1", "CONNECTED");
  const { body } = await api.get("/v1/accounts");
  const accounts = body.accounts as { id: string; broker: string }[];
  return {
    api,
    account: accounts.find(({ broker }) => broker === "tradovate")?.id ?? "",
    quote,
    nameTheBidAlone: async () => await control({ knob: "set", quoteOmits: ["Offer", "Trade"] }),
  };
}

const price = (ticks: number) => ticks / 4;

test.each([
  ["ProjectX", atProjectX],
  ["Tradovate", atTradovate],
] as const)("levels on the wrong side are refused at %s", async (_, open) => {
  const { api, account, quote, nameTheBidAlone } = await open();
  const root = `/v1/accounts/${account}`;
  const read = async (what: string) => (await untilTaken(() => api.get(`${root}/${what}`))).body;
  const markedAt = async (bid: number) => {
    await quote(bid);
    await waitUntil(`it is marked at ${bid}`, async () => {
      const [position] = (await read("positions")).positions as { markPrice: number }[];
      return position?.markPrice === price(bid);
    });
  };
  const refusedAt = async (levels: object) => {
    const { status, body } = await api.post(`${root}/protect`, levels);
    return [status, String(body.error?.message ?? "").replace(/ at .*/, "")];
  };
  const order = { symbol: "ES1!", action: "buy", qty: 1, type: "market" };
  expect((await api.post(`${root}/orders`, order)).status).toBe(201);

  await nameTheBidAlone();
  // The average price says of none of these two that anything is wrong.
  await markedAt(BID + 80);
  const target = { takeProfit: { price: price(BID + 40) } };
  expect(await refusedAt(target)).toEqual([400, "the take-profit"]);
  const stop = { stopLoss: { price: price(BID + 100) } };
  expect(await refusedAt(stop)).toEqual([400, "the stop-loss"]);
  expect([(await read("positions")).positions, (await read("working-orders")).orders]).toEqual([
    [expect.objectContaining({ side: "long", qty: 1 })],
    [],
  ]);
  const right = { takeProfit: { price: price(BID + 120) }, stopLoss: { price: price(BID + 40) } };
  expect((await api.post(`${root}/protect`, right)).status).toBe(200);
});
