// The goal: a gateway that is started a second time by mistake leaves the running one's broker session alone.
// The method: two gateways with stores of their own and one login at the Tradovate simulator, on one port.
import { expect, onTestFinished, test } from "vitest";
import type { App } from "../../../src/app/app.ts";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import {
  startTradovateSimulator,
  type TradovateSimulator,
} from "../../simulators/tradovate/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";

const ID = "tradovate-1";

async function openSite(simulator: TradovateSimulator): Promise<ConnectionSite> {
  const site = await ConnectionSite.open(simulator);
  site.brokers = BROKER_KINDS;
  return site;
}

async function addTradovate(site: ConnectionSite, app: App, simulator: TradovateSimulator) {
  const { url: restUrl, wsUrl } = simulator;
  const { status } = await site.api(app).post("/v1/connections", {
    broker: "tradovate",
    environment: "demo",
    settings: { name: "joe", password: "hunter2", cid: "8", sec: "s3cret", restUrl, wsUrl },
  });
  expect(status).toBe(201);
  await site.until(app, ID, "CONNECTED");
}

/** Whatever a session begins or goes on with, from every gateway. */
async function wordsOfSessions(simulator: TradovateSimulator): Promise<readonly string[]> {
  const wire = await simulator.wire();
  return wire
    .filter(
      ({ dir, path = "", text }) =>
        dir === "in" && (path.includes("/auth/") || text.startsWith("authorize")),
    )
    .map(({ path, text }) => path ?? text);
}

test("on a taken port no broker hears of it, and the running session goes on", async () => {
  const simulator = await startTradovateSimulator();
  onTestFinished(simulator.stop);
  const second = await openSite(simulator);
  const earlier = await second.start();
  await addTradovate(second, earlier, simulator);
  await earlier.stop();
  const first = await openSite(simulator);
  const running = await first.start();
  await addTradovate(first, running, simulator);
  const before = await wordsOfSessions(simulator);
  expect(before).not.toEqual([]);

  const { port } = new URL(running.url);
  await expect(second.start({ PORT: port })).rejects.toThrow(/cannot listen on .*EADDRINUSE/);

  expect(await wordsOfSessions(simulator)).toEqual(before);
  expect((await first.read(running, ID)).body.status).toBe("CONNECTED");
  const { body } = await first.api(running).get("/v1/accounts");
  const accounts = body.accounts as { id: string; broker: string }[];
  const account = accounts.find(({ broker }) => broker === "tradovate")?.id ?? "";
  const order = { symbol: "ES1!", action: "buy", qty: 1, type: "market" };
  const placed = await first.api(running).post(`/v1/accounts/${account}/orders`, order);
  expect([placed.status, placed.body.status]).toEqual([201, "filled"]);
});
