// The goal: guards hold on a Tradovate account: by its own prices, beside its own limits, and whatever
// fills late. The method: the whole gateway, and the Tradovate simulator as a process of its own, whose
// price, limits and answers are in our hand.
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../../src/app/app.ts";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import type { Knob } from "../../simulators/tradovate/knobs.ts";
import {
  startTradovateSimulator,
  type TradovateSimulator,
} from "../../simulators/tradovate/start.ts";
import { afterTheFile, ConnectionSite } from "../../support/connection-site.ts";
import { frontMonth } from "../../support/gateway.ts";
import { type ApiClient, postAlert } from "../../support/http-client.ts";
import { untilTaken, waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES").code;
const SYMBOL = "ES1!";
/** What it is bid at when a test begins. A tick is 12.50, two contracts lose 25. */
const BID = 27_400;

const loss = (limit: number) => ({
  id: "daily",
  kind: "loss",
  mode: "on",
  lock: "soft",
  period: "day",
  limit,
  counts: "open",
  then: "flatten",
});

interface Account {
  readonly api: ApiClient;
  readonly id: string;
  readonly connection: string;
  readonly turn: (knob: Knob) => Promise<unknown>;
  /** The user who logs in. */
  readonly user: string;
  /** What the broker calls it. */
  readonly name: string;
  readonly log: TradovateSimulator["log"];
  readonly quote: (bid: number) => Promise<unknown>;
  readonly alert: (more: object) => ReturnType<typeof postAlert>;
}

const atEnd = afterTheFile();
let simulator: TradovateSimulator;
let site: ConnectionSite;
let app: App;
/** Each test has a user, a connection and an account to itself; prices are common to all. */
let account: Account;
let users = 0;

beforeAll(async () => {
  simulator = await startTradovateSimulator();
  atEnd(simulator.stop);
  site = await ConnectionSite.open(simulator, atEnd);
  site.brokers = BROKER_KINDS;
  app = await site.start();
});

beforeEach(async () => {
  const { control: turn } = simulator;
  users += 1;
  const user = `joe${users}`;
  await turn({ knob: "user", name: user, password: "any", accounts: 1 });
  const settings = { name: user, cid: "8", password: "any", sec: "any", appId: "any" };
  const urls = { restUrl: simulator.url, wsUrl: simulator.wsUrl, mdUrl: simulator.mdUrl };
  const api = site.api(app);
  const added = await api.post("/v1/connections", {
    broker: "tradovate",
    environment: "demo",
    name: "Joe",
    settings: { ...settings, ...urls },
  });
  if (added.status !== 201) throw new Error(`It is not added: ${added.text}`);
  const quote = (bid: number) => turn({ knob: "quote", contract: ES, bid, ask: bid + 1 });
  await quote(BID);
  const connection = added.body.connectionId as string;
  await site.until(app, connection, "CONNECTED");
  const { body } = await api.get("/v1/accounts");
  const id = (body.accounts as { id: string; connectionId: string }[]).find(
    ({ connectionId }) => connectionId === connection,
  )?.id;
  const hook = await site.webhook(app, id ?? "");
  let n = 0;
  const alert = async (more: object) => {
    n += 1;
    const sent = { symbol: SYMBOL, alertId: `${n}`, ...more };
    return await untilTaken(() => postAlert(`${app.url}${hook}`, sent));
  };
  const name = `${user}-1`;
  const log = async () => (await simulator.log()).filter((one) => one.account === name);
  account = { api, id: id ?? "", connection, turn, user, name, log, quote, alert };
});

const path = (rest: string) => `/v1/accounts/${account.id}/${rest}`;

interface Guards {
  readonly lock: {
    readonly doneAt: string | null;
    readonly ruleId: string;
    readonly figures: { readonly source: string; readonly figure: number };
  } | null;
  readonly judgedAt: string | null;
  readonly rules: readonly { readonly verdict: Readonly<Record<string, unknown>> | null }[];
  readonly broker: { readonly refusesEntries: string | null; readonly rules: object[] } | null;
}
const guards = async () => (await account.api.get(path("guards"))).body as unknown as Guards;
const verdict = async () => (await guards()).rules[0]?.verdict;

async function guard(...rules: readonly object[]): Promise<void> {
  const reply = await account.api.put(path("guards"), { bufferPercent: 10, rules });
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  await waitUntil("they are judged", async () => (await guards()).judgedAt !== null);
}

const held = async () => {
  const { body } = await untilTaken(() => account.api.get(path("positions")));
  return (body.positions as { side: string; qty: number }[]).map(({ side, qty }) => [side, qty]);
};
const works = async () =>
  (
    (await untilTaken(() => account.api.get(path("working-orders")))).body
      .orders as readonly object[]
  ).length;

const untilLocked = async () =>
  await waitUntil("it is locked", async () => (await guards()).lock !== null);
const untilEmpty = async () =>
  await waitUntil(
    "nothing is held or works",
    async () => (await held()).length === 0 && (await works()) === 0,
  );

const filled = async (more: object) =>
  expect(await account.alert(more)).toMatchObject({ status: 200, body: { status: "filled" } });
const BUY = { action: "buy", qty: 2 };

test("a daily loss by the broker's price locks, closes, cancels, and lets nothing in", async () => {
  await guard(loss(1_000));
  await filled(BUY);
  const rests = { action: "buy", qty: 1, type: "limit", limitPrice: (BID - 200) / 4 };
  expect((await account.alert(rests)).body).toMatchObject({ status: "working" });
  // 35 ticks below what was paid: 875, of which fees are to be added; the breach is at 900.
  await account.quote(BID - 34);
  await waitUntil("its figure is told", async () => Number((await verdict())?.["figure"]) <= -875);
  expect((await guards()).lock).toBeNull();
  await account.quote(BID - 36);
  await untilLocked();
  await untilEmpty();
  expect(await account.alert(BUY)).toMatchObject({
    status: 422,
    body: { error: { code: "LOCKED" } },
  });
  // What it was worth is won back: the lock stays.
  await account.quote(BID);
  expect((await account.alert(BUY)).status).toBe(422);
  await waitUntil("it is noted", async () => (await guards()).lock?.doneAt !== null);
});

test("an entry that fills as it is cancelled is closed again", async () => {
  await guard(loss(1_000));
  await filled(BUY);
  const rests = { action: "buy", qty: 3, type: "limit", limitPrice: (BID - 40) / 4 };
  expect((await account.alert(rests)).body).toMatchObject({ status: "working" });
  const fault = { kind: "drop", isCarriedOut: false, cutsSockets: true } as const;
  await account.turn({ knob: "fault", fault, user: account.user, endpoint: "order/cancelorder" });
  await account.quote(BID - 37);
  await untilLocked();
  await account.quote(BID - 50);
  const fillsLate = async () => (await account.log()).some(({ fill }) => fill?.lastQty === 3);
  await waitUntil("it fills late", fillsLate);
  await untilEmpty();
  const fills = (await account.log()).flatMap(({ fill }) => fill ?? []);
  const signed = fills.map(({ side, lastQty }) => (side === "BUY" ? lastQty : -lastQty));
  expect(signed.reduce((sum, qty) => sum + qty, 0)).toBe(0);
  const { body } = await account.api.get(path("guards/history"));
  const told = (body["decisions"] as { what: string }[]).map(({ what }) => what);
  expect(told.filter((what) => what === "locked")).toHaveLength(1);
});

test("what is opened by hand while it is locked is closed again", async () => {
  await guard(loss(1_000));
  await filled(BUY);
  await account.quote(BID - 40);
  await untilLocked();
  await untilEmpty();
  const symbol = ES.replace(/\d{3}(\d)$/, "$1");
  const market = { action: "Buy", symbol, orderQty: 1, orderType: "Market" };
  const order = { accountSpec: account.name, ...market };
  const fills = async () => (await account.log()).flatMap(({ fill }) => fill ?? []);
  const before = (await fills()).length;
  await account.turn({ knob: "placeOrder", user: account.user, order });
  // Nothing shows the position for as long as a look takes: its two fills stay.
  await waitUntil("it is opened and closed", async () => (await fills()).length >= before + 2);
  expect((await fills()).slice(before)).toMatchObject([
    { side: "BUY", lastQty: 1 },
    { side: "SELL", lastQty: 1 },
  ]);
  await untilEmpty();
});

test("the broker's own limit counts where it is the stricter one", async () => {
  await guard(loss(1_000));
  await account.turn({ knob: "risk", account: account.name, settings: { dailyLossAutoLiq: 400 } });
  await waitUntil("it is shown", async () => (await guards()).broker?.rules.length === 1);
  await waitUntil("it counts", async () => (await verdict())?.["limit"] === -400);
  await filled(BUY);
  // 375, above 90 % of 400, at which the gateway acts; the broker itself would at 400.
  await account.quote(BID - 14);
  await untilLocked();
  expect((await guards()).lock?.ruleId).toBe("daily");
  await untilEmpty();
});

test("a broker that takes exits only is asked for none but these", async () => {
  await guard(loss(100_000));
  await filled(BUY);
  const status = { liquidateOnly: new Date().toISOString() };
  await account.turn({ knob: "risk", account: account.name, settings: {}, status });
  const isTold = async () => (await guards()).broker?.refusesEntries !== null;
  await waitUntil("it is told", isTold);
  await waitUntil(
    "entries are refused by it",
    async () => (await account.alert(BUY)).body.error?.code === "GUARD_REFUSED",
  );
  expect(await held()).toEqual([["long", 2]]);
  await filled({ action: "sell", qty: 1 });
  expect(await account.alert({ action: "close" })).toMatchObject({ status: 200 });
  await waitUntil("nothing is held", async () => (await held()).length === 0);
});

test("an open loss by the broker's word locks, though it says no fees and no price is heard", async () => {
  const settings = { marketData: false };
  const changed = await account.api.patch(`/v1/connections/${account.connection}`, { settings });
  expect([changed.status, changed.text]).toEqual([200, changed.text]);
  await site.until(app, account.connection, "CONNECTED");
  await guard(loss(1_000));
  await filled(BUY);
  // Ten times the limit: two contracts lose 10,000 over 400 ticks.
  await account.quote(BID - 400);
  await untilLocked();
  const { lock } = await guards();
  expect(lock).toMatchObject({ ruleId: "daily", figures: { source: "broker" } });
  expect(lock?.figures.figure).toBeLessThan(-9_000);
  await untilEmpty();
});
