// The goal: a fill that the exchange takes back or corrects is corrected wherever a person or a program
// reads it: trades, ledger, money, positions and exits. The method: the whole gateway on the simulators of
// Tradovate and ProjectX, each a process of its own, whose exchange is in our hand.
import { onTestFinished, expect, test } from "vitest";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import { startTradovateSimulator } from "../../simulators/tradovate/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { frontMonth } from "../../support/gateway.ts";
import { answered, RULES, type Row as Guards } from "../../support/guarded-account.ts";
import type { ApiClient } from "../../support/http-client.ts";
import { eventually, untilTaken } from "../../support/wait.ts";
import { ProjectXSite } from "./projectx-site.ts";

const ES = frontMonth("ES").code;
/** In ticks. */
const BID = 27_400;
const price = (ticks: number) => ticks / 4;
/** The path of trades keeps its old name. */
const TRADES = "orders";

interface Place {
  readonly api: ApiClient;
  readonly account: string;
  readonly bust: (execId: number) => Promise<unknown>;
  readonly correct: (execId: number, points: number) => Promise<unknown>;
  /** The bid, in ticks from where it is at first. */
  readonly move: (ticks: number) => Promise<unknown>;
}

async function onTradovate(): Promise<Place> {
  const simulator = await startTradovateSimulator();
  onTestFinished(simulator.stop);
  const turn = simulator.control;
  await turn({ knob: "user", name: "joe", password: "any", accounts: 1 });
  const site = await ConnectionSite.open(simulator, onTestFinished);
  site.brokers = BROKER_KINDS;
  const app = await site.start();
  const api = site.api(app);
  const login = { name: "joe", cid: "8", password: "any", sec: "any", appId: "any" };
  const urls = { restUrl: simulator.url, wsUrl: simulator.wsUrl, mdUrl: simulator.mdUrl };
  const settings = { ...login, ...urls };
  const asked = { broker: "tradovate", environment: "demo", name: "Joe", settings };
  expect((await api.post("/v1/connections", asked)).status).toBe(201);
  await site.until(app, "tradovate-1", "CONNECTED");
  const { body } = await api.get("/v1/accounts");
  const found = body.accounts as { id: string; broker: string }[];
  const move = async (by: number) =>
    await turn({ knob: "quote", contract: ES, bid: BID + by, ask: BID + by + 1 });
  await move(0);
  return {
    move,
    api,
    account: found.find(({ broker }) => broker === "tradovate")?.id ?? "",
    bust: async (fill) => await turn({ knob: "bustFill", fill }),
    correct: async (fill, points) => await turn({ knob: "correctFill", fill, price: points }),
  };
}

async function onProjectX(): Promise<Place> {
  const one = await ProjectXSite.open();
  await one.connect();
  const { simulator } = one;
  return {
    api: one.api,
    account: one.account,
    move: async (by) => await one.quote(BID + by),
    bust: async (trade) => await simulator.control({ knob: "voidTrade", trade }),
    correct: async (trade, points) =>
      await simulator.control({ knob: "correctTrade", trade, price: points }),
  };
}

type Row = Readonly<Record<string, unknown>>;

const PLACES = [
  ["Tradovate", onTradovate],
  ["ProjectX", onProjectX],
] as const;

test.each(PLACES)(
  "what %s takes back or corrects is corrected everywhere, once",
  async (_, open) => {
    const { api, account, bust, correct } = await open();
    const path = `/v1/accounts/${account}`;
    const read = async (what: string, list: string) =>
      (await api.get(`${path}/${what}`)).body[list] as readonly Row[];
    const corrections = async () =>
      (await read("ledger", "entries")).filter(({ kind }) => kind === "correction");
    const order = { symbol: "ES1!", action: "buy", type: "market" };
    const stopLoss = { price: price(BID - 80) };
    const first = await api.post(`${path}/orders`, { ...order, qty: 2, bracket: { stopLoss } });
    expect([first.status, first.body.filledQty]).toEqual([201, 2]);
    const second = await api.post(`${path}/orders`, { ...order, qty: 1 });
    expect(second.status).toBe(201);
    let trades: readonly Row[] = [];
    await eventually(async () => {
      trades = await read(TRADES, "trades");
      expect(trades.map(({ qty }) => qty)).toEqual([1, 2]);
    });

    await bust(Number(trades[1]?.["id"]));
    await eventually(async () => {
      const now = await read(TRADES, "trades");
      expect(now.map(({ qty, takenBack }) => [qty, takenBack])).toEqual([
        [1, false],
        [2, true],
      ]);
    });
    await eventually(async () => {
      expect(await read("positions", "positions")).toMatchObject([{ side: "long", qty: 1 }]);
    });
    // The stop was for two: it fits what is left.
    await eventually(async () => {
      const stops = (await read("working-orders", "orders")).filter(({ type }) => type === "stop");
      expect(stops.map(({ remainingQty }) => remainingQty)).toEqual([1]);
    });
    expect(await corrections()).toMatchObject([
      { executionId: trades[1]?.["id"], takenBack: true, corrects: { side: "buy", qty: 2 } },
    ]);

    await correct(Number(trades[0]?.["id"]), price(BID - 4));
    await eventually(async () => {
      expect(await corrections()).toMatchObject([
        {
          executionId: trades[0]?.["id"],
          takenBack: false,
          price: price(BID - 4),
          corrects: { qty: 1, price: trades[0]?.["price"] },
        },
        { takenBack: true },
      ]);
    });
    expect(await corrections()).toHaveLength(2);
  },
);

test.each(PLACES)(
  "a win that %s takes back locks where the day has lost too much without it",
  async (_, open) => {
    const { api, account, bust, move } = await open();
    const path = `/v1/accounts/${account}`;
    const guards = async (): Promise<Guards> => answered(200, await api.get(`${path}/guards`));
    const trade = async (action: "buy" | "sell", at: number) => {
      await move(at);
      const order = { symbol: "ES1!", action, qty: 2, type: "market" };
      answered(201, await untilTaken(() => api.post(`${path}/orders`, order)));
    };
    const rules = [RULES.loss({ then: "exitsOnly" })];
    answered(200, await untilTaken(() => api.put(`${path}/guards`, { bufferPercent: 0, rules })));
    // 99 ticks of two contracts are won, and 101 of two are lost.
    await trade("buy", 0);
    await trade("sell", 100);
    await trade("buy", 100);
    await trade("sell", 0);
    let trades: readonly Row[] = [];
    await eventually(async () => {
      trades = answered(200, await api.get(`${path}/${TRADES}`)).trades;
      const { rules: judged, lock } = await guards();
      expect([trades.length, lock]).toEqual([4, null]);
      expect(judged[0].verdict).toMatchObject({ level: "ok", figure: expect.closeTo(-50, -2) });
    });

    const [, , sold, bought] = trades;
    for (const won of [bought, sold]) await bust(Number(won?.["id"]));
    await eventually(async () => {
      const { lock } = await guards();
      expect(lock).toMatchObject({ ruleId: "loss", then: "exitsOnly" });
      expect(lock.figures.figure).toBeCloseTo(-2_525, -2);
    });
    const order = { symbol: "ES1!", action: "buy", qty: 1, type: "market" };
    const refused = await api.post(`${path}/orders`, order);
    expect([refused.status, refused.body.error?.code]).toEqual([422, "LOCKED"]);
  },
);
