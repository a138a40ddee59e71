// The goal: a strategy trades a Tradovate account by the bars that Tradovate tells, and says what is
// missing where it tells none.
// The method: the whole gateway on the Tradovate simulator, whose bars are set by hand.
import { expect, onTestFinished, test } from "vitest";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import { startTradovateSimulator } from "../../simulators/tradovate/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { frontMonth } from "../../support/gateway.ts";
import { untilTaken, waitUntil } from "../../support/wait.ts";
import { type Answered, LEVELS, must, openStrategyDesk } from "./strategy-desk.ts";

const [MNQ, MES] = [frontMonth("MNQ"), frontMonth("MES")];
const [LONG, NEUTRAL] = [25_010, 24_990];
const TICKS = 4;

test("it enters and leaves by Tradovate's bars, and says what is missing without them", async () => {
  const simulator = await startTradovateSimulator();
  onTestFinished(simulator.stop);
  const site = await ConnectionSite.open(simulator);
  site.brokers = BROKER_KINDS;
  const app = await site.start();
  const { url: restUrl, wsUrl, mdUrl, control } = simulator;
  const secrets = { password: "any", sec: "any" };
  const settings = { name: "joe", cid: "8", restUrl, wsUrl, mdUrl, ...secrets };
  const connection = { broker: "tradovate", environment: "demo", name: "Mine", settings };
  must(await site.api(app).post("/v1/connections", connection), 201);
  await site.until(app, "tradovate-1", "CONNECTED");
  const { accounts } = must(await site.api(app).get("/v1/accounts"), 200);
  const account = accounts.find(({ broker }: Answered) => broker === "tradovate").id as string;

  const setBars = async (contract: string, minutes: number, close: number) => {
    const price = close * TICKS;
    const bar = { open: price, high: price, low: price, close: price, volume: 5 };
    const bars = Array.from({ length: 10 }, () => bar);
    await control({ knob: "bars", contract, minutes, bars });
  };
  const terms = { accountId: account, conditions: LEVELS, mode: "trade", barCount: 5 };
  const openDesk = async (more: object) =>
    await openStrategyDesk(() => site.api(app), { ...terms, ...more });
  const netQty = async (): Promise<number> => {
    const { positions } = must(await site.api(app).get(`/v1/accounts/${account}/positions`), 200);
    return positions.reduce((sum: number, { qty }: Answered) => sum + Number(qty), 0);
  };

  await setBars(MNQ.code, 1, LONG);
  await setBars(MNQ.code, 2, NEUTRAL);
  const trader = await openDesk({ symbol: "MNQ1!", barMinutes: 1 });
  expect(must(await untilTaken(() => trader.ask()), 200)).toMatchObject({
    decision: "enterLong",
    symbol: MNQ.symbol,
    barCount: 5,
    heldQty: 0,
    targetQty: 1,
  });
  await waitUntil("it holds one", async () => (await netQty()) === 1);
  await trader.change({ barMinutes: 2 });
  expect(must(await untilTaken(() => trader.ask()), 200)).toMatchObject({
    decision: "exit",
    heldQty: 1,
  });
  await waitUntil("it holds nothing", async () => (await netQty()) === 0);

  await control({ knob: "set", mdAccess: "inaccessible" });
  await setBars(MES.code, 1, LONG);
  const blind = await openDesk({ symbol: "MES1!", barMinutes: 1 });
  expect(must(await untilTaken(() => blind.ask()), 200)).toMatchObject({
    decision: "failed",
    reason: expect.stringMatching(
      /Symbol is inaccessible.*permission "Market Data: Read"/,
    ) as string,
  });
  expect(await netQty()).toBe(0);
});
