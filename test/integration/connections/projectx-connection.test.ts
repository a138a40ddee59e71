// The goal: a ProjectX account is connected as a user does it, and alerts, exits, copies and money are what
// they are at any broker. The method: the whole gateway, and the simulators of ProjectX and Tradovate as
// processes of their own.
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  startTradovateSimulator,
  type TradovateSimulator,
} from "../../simulators/tradovate/start.ts";
import { apiClient, postAlert } from "../../support/http-client.ts";
import { eventually, waitUntil } from "../../support/wait.ts";
import { BID, ES, ProjectXSite } from "./projectx-site.ts";

const price = (ticks: number) => ticks / 4;
const ASK = BID + 1;

test("it is added with its firm's rule, trades with exits, survives a restart and leaves no orphan", async () => {
  const one = await ProjectXSite.open({ feePerSide: "1.40" });
  const said = await one.connect();
  expect(said).toMatch(/^0 projectx-1 /);
  expect(said).toMatch(/^Note: Topstep forbids .* VPS, a VPN .*2026-11-27\)$/m);
  expect(one.accounts).toHaveLength(2);
  const { body } = await one.api.get("/v1/brokers");
  const offer = (body.brokers as { broker: string }[]).find(({ broker }) => broker === "projectx");
  expect(offer).toMatchObject({
    notices: expect.arrayContaining([expect.objectContaining({ asOf: "2026-11-27" })]) as unknown,
    fields: expect.arrayContaining([
      expect.objectContaining({
        name: "firm",
        options: expect.arrayContaining([{ value: "topstep", label: "Topstep (TopstepX)" }]),
      }),
    ]) as unknown,
  });

  const hook = `${one.app.url}${await one.site.webhook(one.app, one.account)}`;
  const bracket = { takeProfit: { ticks: 40 }, stopLoss: { price: price(BID - 60) } };
  const filled = await one.order({ qty: 2, bracket });
  expect([filled.status, filled.body.filledQty]).toEqual([201, 2]);
  const exits = [`takeProfit 2 at ${price(ASK + 40)}`, `stopLoss 2 at ${price(BID - 60)}`];
  await one.untilWorking(exits);
  const positions = async () =>
    (await one.api.get(`/v1/accounts/${one.account}/positions`)).body.positions;
  await waitUntil("it is protected", async () => {
    const [held] = (await positions()) as { protection?: { kind?: string } | string }[];
    return JSON.stringify(held).includes("protected");
  });

  // What it lacks is denied in words, and nothing is sent.
  const lacked = await one.order({ type: "limit", limitPrice: price(BID - 8), timeInForce: "ioc" });
  expect([lacked.status, lacked.body.error.message]).toEqual([
    400,
    expect.stringContaining("immediate-or-cancel"),
  ]);

  await one.app.stop();
  one.app = await one.site.start();
  await one.untilConnected();
  await one.untilWorking(exits);
  expect(await one.held()).toBe(2);

  const closed = await postAlert(hook.replace(/^http:\/\/[^/]+/, one.app.url), {
    symbol: "ES1!",
    action: "close",
  });
  expect(closed.status).toBe(200);
  await waitUntil("it is flat", async () => (await one.held()) === 0);
  await one.untilWorking([]);
  await eventually(async () => {
    const { body: ledger } = await one.api.get(`/v1/accounts/${one.account}/ledger`);
    const entries = ledger.entries as { fee: number | string | null }[];
    const fees = entries.map(({ fee }) => Number(fee));
    expect(fees.reduce((sum, fee) => sum + fee, 0)).toBeCloseTo(4 * 1.4, 6);
  });
  // Bought at the ask and sold at the bid, a tick of 12.50 each, and fees on both sides.
  await eventually(async () => {
    const { body: money } = await one.api.get(`/v1/accounts/${one.account}/balances`);
    expect(JSON.stringify(money)).toContain("49969.4");
  });
  expect(one.site.said.join("\n")).not.toMatch(/key-of-joe/);
});

test("each account has its own environment, and one that cannot cancel waits for a person", async () => {
  const one = await ProjectXSite.open();
  // The first account of the simulator's first user.
  await one.simulator.control({ knob: "account", account: 460_001, simulated: false });
  await one.connect();
  const { body } = await one.api.get("/v1/accounts");
  const listed = body.accounts as { id: string; broker: string }[];
  const own = listed.filter(({ broker }) => broker === "projectx");
  const words = expect.stringMatching(/^ProjectX cancels orders .* not reported as simulated$/);
  expect(own).toMatchObject([
    { environment: "live", cannotCancel: words as unknown },
    { environment: "simulated", cannotCancel: null },
  ]);
  const [liveId = "", simulatedId = ""] = own.map(({ id }) => id);
  expect((await one.order({}, simulatedId)).status).toBe(201);

  const refused = await one.order({}, liveId);
  expect([refused.status, refused.body.error.code]).toEqual([422, "CANNOT_CANCEL"]);
  expect(refused.body.error.message).toMatch(/confirm it once under Limits of the account/);
  const limits = `/v1/accounts/${liveId}/limits`;
  const made = await one.site.command(["keys", "create", "--name", "trader", "--scopes", "trade"]);
  const trader = apiClient(one.app.url, made.trim().split("\n").at(-1) ?? "");
  const confirmed = { entriesWithoutCancel: true };
  expect((await trader.put(limits, confirmed)).status).toBe(403);
  expect((await one.api.put(limits, confirmed)).body).toMatchObject(confirmed);
  expect((await one.order({}, liveId)).status).toBe(201);

  // Taken back it holds for the next entry, and never for an exit.
  expect((await trader.put(limits, { entriesWithoutCancel: false })).status).toBe(200);
  expect((await one.order({}, liveId)).body.error.code).toBe("CANNOT_CANCEL");
  expect((await one.order({ action: "sell" }, liveId)).status).toBe(201);
  expect(await one.held(liveId)).toBe(0);
});

test("an exit plan becomes a pair for each target, and a group that is ended is placed again", async () => {
  const one = await ProjectXSite.open({ partialExit: "endsChildren" });
  await one.connect();
  const exitPlan = { targets: [{ ticks: 40 }, { ticks: 80 }], stop: { ticks: 60 } };
  const reply = await one.order({ qty: 2, exitPlan });
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  const stop = `stopLoss 1 at ${price(ASK - 60)}`;
  const pairs = [
    stop,
    stop,
    `takeProfit 1 at ${price(ASK + 40)}`,
    `takeProfit 1 at ${price(ASK + 80)}`,
  ];
  await one.untilWorking(pairs);
  await one.quote(ASK + 40);
  await waitUntil("the first target is filled", async () => (await one.held()) === 1);
  await one.untilWorking([stop, `takeProfit 1 at ${price(ASK + 80)}`]);
  await one.quote(ASK + 80);
  await waitUntil("the second one is filled", async () => (await one.held()) === 0);
  await one.untilWorking([]);
});

describe("a leader at Tradovate", () => {
  let one: ProjectXSite;
  let tradovate: TradovateSimulator;
  let leader: string;

  // Each mode has a login of its own: on a fast machine the two together use up its requests of a minute.
  beforeEach(async () => {
    one = await ProjectXSite.open();
    await one.connect();
    tradovate = await startTradovateSimulator();
    onTestFinished(tradovate.stop);
    await tradovate.control({ knob: "user", name: "lead", password: "any", accounts: 1 });
    const login = { name: "lead", cid: "8", password: "any", sec: "any", appId: "any" };
    const urls = { restUrl: tradovate.url, wsUrl: tradovate.wsUrl };
    const added = await one.api.post("/v1/connections", {
      broker: "tradovate",
      environment: "demo",
      settings: { ...login, ...urls },
    });
    if (added.status !== 201) throw new Error(`Answered ${added.status}: ${added.text}`);
    await one.site.until(one.app, "tradovate-1", "CONNECTED");
    const { body } = await one.api.get("/v1/accounts");
    leader =
      (body.accounts as { id: string; broker: string }[]).find(
        ({ broker }) => broker === "tradovate",
      )?.id ?? "";
  });

  test.each(["fills", "orders"])("is followed in mode %s", async (mode) => {
    const group = await one.api.post("/v1/copy-groups", {
      mode,
      leaderAccountId: leader,
      followers: [{ accountId: one.account, multiplier: 2 }],
    });
    expect([group.status, group.text]).toEqual([201, group.text]);
    onTestFinished(async () => void (await one.api.delete(`/v1/copy-groups/${group.body.id}`)));

    expect((await one.order({ qty: 1 }, leader)).status).toBe(201);
    await waitUntil("the follower holds it too", async () => (await one.held()) === 2);
    expect((await one.order({ qty: 1, action: "sell" }, leader)).status).toBe(201);
    await waitUntil("and has sold it", async () => (await one.held()) === 0);
    if (mode === "fills") return;
    const [entry, takeProfit, stopLoss] = [-400, -300, -460].map((ticks) => price(BID + ticks));
    const bracket = { takeProfit: { price: takeProfit }, stopLoss: { price: stopLoss } };
    const placed = await one.order({ type: "limit", limitPrice: entry, bracket }, leader);
    expect([placed.status, placed.body.error]).toEqual([201, undefined]);
    const exits = [`takeProfit 2 at ${takeProfit}`, `stopLoss 2 at ${stopLoss}`];
    await one.untilWorking([`entry 2 at ${entry}`, ...exits]);
    await one.api.delete(`/v1/accounts/${leader}/orders/${placed.body.orderId}`);
    await one.untilWorking([]);

    // An order that cannot be mirrored there is denied with its reason, and its fills are copied.
    const stopPrice = price(BID + 400);
    const lacked = await one.order(
      { type: "stopLimit", stopPrice, limitPrice: stopPrice + 10 },
      leader,
    );
    expect([lacked.status, lacked.body.error]).toEqual([201, undefined]);
    const newest = async () =>
      (await one.api.get(`/v1/copy-groups/${group.body.id}/copies`)).body.copies[0];
    await waitUntil("it is denied", async () => (await newest()).outcome === "denied");
    expect((await newest()).reason).toMatch(/market, limit and stop orders only/);
    const [bid, ask] = [BID + 401, BID + 402];
    await tradovate.control({ knob: "quote", contract: ES, bid, ask });
    await waitUntil("the follower holds two", async () => (await one.held()) === 2);
  });
});

test("an account that may trade again in the middle of a session refuses no exit", async () => {
  const one = await ProjectXSite.open();
  await one.connect();
  const hook = await one.site.webhook(one.app, one.account);
  const close = async (alertId: string) =>
    await postAlert(`${one.app.url}${hook}`, { symbol: "ES1!", action: "close", alertId });
  expect((await one.order({ qty: 1 })).status).toBe(201);
  const number = Number(one.account.replace(/^.*-/, ""));
  const isActive = async () => {
    const { body } = await one.api.get("/v1/accounts");
    const accounts = body.accounts as { id: string; active: boolean }[];
    return accounts.find(({ id }) => id === one.account)?.active === true;
  };
  await one.simulator.control({ knob: "account", account: number, canTrade: false });
  await waitUntil("it may not trade", async () => !(await isActive()));
  expect((await close("barred")).status).toBe(403);
  await one.simulator.control({ knob: "account", account: number, canTrade: true });
  await waitUntil("it may trade again", isActive);
  expect((await close("again")).status).toBe(200);
  await waitUntil("it is flat", async () => (await one.held()) === 0);
});
