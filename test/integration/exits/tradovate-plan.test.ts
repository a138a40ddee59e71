// The goal: an exit plan is carried out at a broker whose adapter places exits after the fill.
// The method: the whole gateway on the simulator of Tradovate, over a connection that a user added.
import { expect, onTestFinished, test } from "vitest";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import { startTradovateSimulator } from "../../simulators/tradovate/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { waitUntil } from "../../support/wait.ts";

test("an exit plan is split on a Tradovate account", async () => {
  const simulator = await startTradovateSimulator();
  onTestFinished(simulator.stop);
  const site = await ConnectionSite.open(simulator);
  site.brokers = BROKER_KINDS;
  const app = await site.start();
  const settings = { name: "joe", cid: "8", restUrl: simulator.url, wsUrl: simulator.wsUrl };
  const set = Object.entries(settings).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
  const words = ["connection", "add", "tradovate", "--environment", "demo", ...set];
  const stdin = "password=hunter2-of-joe\nsec=secret-of-the-key\n";
  await site.command([...words, "--secrets", "stdin"], { stdin });
  await site.until(app, "tradovate-1", "CONNECTED");
  const { body } = await site.api(app).get("/v1/accounts");
  const accounts = body.accounts as { id: string; broker: string }[];
  const account = accounts.find(({ broker }) => broker === "tradovate")?.id ?? "";
  const api = site.api(app);
  const legs = async () => {
    const { body: read } = await api.get(`/v1/accounts/${account}/working-orders`);
    const orders = read.orders as { role: string; qty: number; remainingQty?: number }[];
    return orders.map((one) => `${one.role} ${one.remainingQty ?? one.qty}`).toSorted();
  };
  const exitPlan = { targets: [{ ticks: 40 }, { ticks: 80 }, { ticks: 120 }], stop: { ticks: 40 } };
  const order = { symbol: "ES1!", action: "buy", qty: 3, type: "market", exitPlan };
  const reply = await api.post(`/v1/accounts/${account}/orders`, order);
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  await waitUntil("six exits", async () => {
    const seen = await legs();
    return seen.length === 6 && seen.every((one) => one.endsWith(" 1"));
  });
});
