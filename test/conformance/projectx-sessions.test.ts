import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ConnectionSupervisor } from "../../src/brokers/connection-supervisor.ts";
import { CredentialsRefusedError, stopFor } from "../../src/brokers/session-errors.ts";
import { accountId, connectionId } from "../../src/domain/ids.ts";
import { isOpaque } from "../../src/domain/order.ts";
import { waitUntil } from "../support/wait.ts";
import { px } from "./broker-under-test.ts";
import { projectXCases } from "./projectx-case.ts";
import { memoryOf } from "./projectx-kit.ts";

const { prepared, connected } = projectXCases();

const LOGIN = "Auth/loginKey";
const numberOf = (account: string): number => Number(account.split("-").at(-1));
/** `CON.F.US.EP.Z26` of `ESZ2026`. */
const idOf = (code: string): string =>
  `CON.F.US.${code.startsWith("MES") ? "MES" : "EP"}.${code.at(-5)}${code.slice(-2)}`;

describe.concurrent("the token", () => {
  test("is used by the next session and the next owner: drops open no logins", async () => {
    const memory = memoryOf();
    const { trader, broker, asked } = await connected({ memory });
    for (let n = 0; n < 3; n += 1) {
      await broker.breakSession();
      expect(String(await trader.broken())).toMatch(/closed the link/);
      await trader.connect();
    }
    await trader.restart();
    expect((await trader.submit()).kind).toBe("accepted");
    expect(await asked(LOGIN)).toBe(1);
  });

  test("one that is over in mid-session is replaced by one login, and commands go through", async () => {
    const { trader, broker, turn, asked } = await connected();
    await trader.place();
    await turn({ knob: "expireTokens", user: broker.user });
    const both = await Promise.all([trader.submit(), trader.submit()]);
    expect(both.map(({ kind }) => kind)).toEqual(["accepted", "accepted"]);
    await trader.waitForPosition(3);
    expect(await asked(LOGIN)).toBe(2);
  });

  test("one that is over before a session is replaced in the next one", async () => {
    const { trader, broker, turn, asked } = await connected();
    await trader.disconnect();
    await turn({ knob: "expireTokens", user: broker.user });
    await trader.connect().catch(() => trader.connect());
    expect((await trader.submit()).kind).toBe("accepted");
    expect(await asked(LOGIN)).toBe(2);
  });

  test("is renewed ahead of its end while the session goes on", async () => {
    let ahead = 0;
    const elapsed = () => performance.now() + ahead;
    const settings = { tokenLifeMs: 60_000 };
    const { trader, broker, hold, asked } = await prepared({ elapsed, random: () => 0 }, settings);
    // It is renewed after 45 s of its life. 44 of them pass while the session begins.
    const accounts = await hold("Account/search");
    const standing = trader.connect();
    await waitUntil("it has a token", accounts.isAsked);
    ahead = 44_000;
    await accounts.letGo();
    await standing;
    await trader.market(999, 1_000);
    await waitUntil("it is renewed", async () => (await asked("Auth/validate")) > 0);
    expect(broker.told).toEqual([]);
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test("a refused key is final, and nothing logs in again until a person asks", async () => {
    const { trader, broker, turn } = await prepared({ apiKey: "another" });
    await expect(trader.connect()).rejects.toBeInstanceOf(CredentialsRefusedError);
    expect(stopFor(await trader.broken())?.status).toBe("AUTH_EXPIRED");
    await turn({ knob: "reset", user: broker.user });
  });

  test("a login that nobody may send is not sent", async () => {
    const { trader, asked } = await prepared({ mayWrite: () => false });
    await expect(trader.connect()).rejects.toThrow(/not allowed/);
    expect(await asked(LOGIN)).toBe(0);
  });
});

describe.concurrent("a hub that goes away", () => {
  test("logs out or closes ends the session", async () => {
    const given = await connected();
    const { trader, broker, turn } = given;
    const { user } = broker;
    await turn({ knob: "logOut", user });
    expect(String(await trader.broken())).toMatch(/logged the session out/);
    await trader.connect();
    await turn({ knob: "closeHubs", user, error: "maintenance" });
    expect(String(await trader.broken())).toMatch(/maintenance/);
    await trader.connect();
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test.each(["Accounts", "Orders", "Positions", "Trades"])(
    "one that does not tell of %s begins no session",
    async (what) => {
      const { trader, set } = await prepared({}, { refusesCalls: [`Subscribe${what}`] });
      await expect(trader.connect()).rejects.toThrow(/./);
      expect(await trader.submit()).toMatchObject({ kind: "notSent" });
      await set({ refusesCalls: [] });
      await trader.connect();
      expect((await trader.submit()).kind).toBe("accepted");
    },
  );

  test("what happened in a gap is there after it, and is not told as news", async () => {
    const given = await connected();
    const { trader, broker, turn } = given;
    const resting = await trader.limit("BUY", 995);
    await turn({ knob: "closeHubs", user: broker.user, gapMs: 300 });
    await trader.broken();
    const told = trader.reports.length;
    await trader.market(994, 995);
    await waitUntil("the hub takes it again", () =>
      trader.connect().then(
        () => true,
        () => false,
      ),
    );
    expect(await trader.netQty()).toBe(1);
    expect(await trader.working()).toEqual([]);
    const [fill] = await trader.adapter.fills(broker.account, 0);
    expect(fill).toMatchObject({ orderId: resting.orderId, lastPx: 995 });
    expect(trader.reports).toHaveLength(told);
    expect((await trader.submit({ side: "SELL" })).kind).toBe("accepted");
    await trader.waitForPosition(0);
  });

  test("a session that stands is held by the supervisor through many drops", async () => {
    const { trader, broker, set } = await prepared();
    const statuses: string[] = [];
    const supervisor = new ConnectionSupervisor({
      connectionId: connectionId("px"),
      adapter: trader.adapter,
      onSession: async () => undefined,
      onStatus: (status) => statuses.push(status),
      onRetry: () => undefined,
      mayRun: () => true,
      loginStop: { find: async () => undefined, keep: async () => true },
      onError: () => undefined,
    });
    supervisor.start();
    const times = (status: string) => statuses.filter((one) => one === status).length;
    await waitUntil("it is connected", () => times("CONNECTED") === 1);
    await broker.breakSession();
    await waitUntil("it is connected again", () => times("CONNECTED") === 2);
    await set({ dropsEveryMs: 0 });
    await supervisor.stop();
    expect(statuses.at(-1)).toBe("DISCONNECTED");
  });
});

describe.concurrent("what the hub leaves out", () => {
  test("a fill whose every event is lost is told all the same, once", async () => {
    const { trader, broker, turn } = await connected();
    const { orderId } = await trader.limit("BUY", 995, { orderQty: 2 });
    await turn({ knob: "loseEvents", user: broker.user, count: 1_000 });
    await trader.market(994, 995);
    expect(await trader.netQty()).toBe(2);
    await trader.waitForReport(orderId, "TRADE");
    const fills = await trader.adapter.fills(broker.account, 0);
    expect(fills).toHaveLength(1);
    expect(await trader.working()).toEqual([]);
  });

  test("an order of which the trade was lost ends with it once it was asked for", async () => {
    const { trader, broker, turn } = await connected();
    await trader.place();
    await turn({ knob: "loseEvents", user: broker.user, count: 2 });
    const { orderId } = await trader.place();
    await trader.waitForReport(orderId, "TRADE");
    expect(trader.lastSeen(orderId)).toMatchObject({ ordStatus: "FILLED", cumQty: 1 });
    expect(await trader.netQty()).toBe(2);
  });

  test("a trade that was lost is waited for until the broker has answered for it", async () => {
    let now = performance.now();
    const { trader, broker, turn, fault, asked } = await connected({ elapsed: () => now });
    const { orderId } = await trader.limit("BUY", 995);
    await turn({ knob: "loseEvents", user: broker.user, count: 1, kind: "trade" });
    // Until the test says otherwise: how often it is asked meanwhile depends on the machine.
    await fault({ kind: "status", status: 503 }, "Trade/search", 1_000);
    await trader.market(994, 995);
    for (let times = 1; times <= 4; times += 1) {
      now += 30_000;
      await waitUntil("it is asked for", async () => (await asked("Trade/search")) >= times);
      expect(trader.lastSeen(orderId)).toMatchObject({ ordStatus: "NEW", cumQty: 0 });
    }
    await turn({ knob: "forgetFaults", user: broker.user });
    now += 30_000;
    await trader.waitForReport(orderId, "TRADE");
    expect(trader.lastSeen(orderId)).toMatchObject({ ordStatus: "FILLED", cumQty: 1 });
  });

  test("what a trade has cost is asked for, once, where the hub does not say what the account has", async () => {
    const { trader, broker, set, asked } = await connected(undefined, { feePerSide: "1.40" });
    const cash = async () => (await trader.adapter.balances?.(broker.account))?.[0]?.cash ?? 0;
    const before = await cash();
    await set({ losesEvents: ["account"] });
    await trader.place({ orderQty: 2 });
    await trader.waitForPosition(2);
    const questions = await asked("Account/search");
    expect(await cash()).toBe(before - 280);
    expect(await cash()).toBe(before - 280);
    expect(await asked("Account/search")).toBe(questions + 1);
  });

  test("an answer that the hub has overtaken does not say what the account has", async () => {
    let offset = 0;
    const elapsed = () => performance.now() + offset;
    const { trader, broker, turn, hold, asked } = await connected({ elapsed });
    const cash = async () => (await trader.adapter.balances?.(broker.account))?.[0]?.cash ?? 0;
    const before = await cash();
    offset += 31_000;
    const questions = await asked("Account/search");
    const answer = await hold("Account/search");
    const late = cash();
    await waitUntil("it is asked for", answer.isAsked);
    await turn({ knob: "balance", account: numberOf(broker.account), by: -100 });
    await answer.letGo();
    await late;
    expect(await asked("Account/search")).toBe(questions + 1);
    expect(await cash()).toBe(before - 10_000);
  });

  test("an answer that a trade has overtaken is asked for again where the hub does not say it", async () => {
    const { trader, broker, set, hold } = await connected(undefined, { feePerSide: "1.40" });
    const cash = async () => (await trader.adapter.balances?.(broker.account))?.[0]?.cash ?? 0;
    const before = await cash();
    await set({ losesEvents: ["account"] });
    await trader.place();
    await trader.waitForPosition(1);
    const answer = await hold("Account/search");
    const late = cash();
    await waitUntil("it is asked for", answer.isAsked);
    await trader.place();
    await trader.waitForPosition(2);
    await answer.letGo();
    expect(await late).toBe(before - 140);
    expect(await cash()).toBe(before - 280);
  });

  test("an account that one answer lacks has what it had, and is gone once a second one lacks it", async () => {
    let offset = 0;
    const elapsed = () => performance.now() + offset;
    const { trader, broker, turn } = await connected({ elapsed });
    const { adapter } = trader;
    const account = numberOf(broker.account);
    const cash = async () => (await adapter.balances?.(broker.account))?.[0]?.cash;
    const isActive = async () =>
      (await adapter.accounts()).find((one) => one.accountId === broker.account)?.active;
    const before = await cash();
    await turn({ knob: "account", account, isListed: false, isTold: false });
    offset += 31_000;
    expect(await cash()).toBe(before);
    offset += 31_000;
    await expect(cash()).rejects.toThrow("does not say what the account has");
    expect(await isActive()).toBe(false);
    await turn({ knob: "account", account, isListed: true, isTold: false });
    expect(await isActive()).toBe(true);
    expect(await cash()).toBe(before);
  });

  test("an account that is listed only after a session began is taken over with the next one", async () => {
    const { trader, broker, turn } = await prepared();
    const { adapter } = trader;
    const account = numberOf(broker.account);
    const listed = async () => (await adapter.accounts()).map((one) => one.accountId);
    await turn({ knob: "account", account, isListed: false, isTold: false });
    await trader.connect();
    expect(await listed()).toEqual([broker.otherAccount]);
    await turn({ knob: "account", account, isListed: true, isTold: false });
    await adapter.accounts().catch(() => undefined);
    expect(String(await trader.broken())).toContain("did not list before");
    await trader.connect();
    expect(await listed()).toEqual([broker.account, broker.otherAccount]);
    await trader.market(999, 1_000);
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test("that an open order is listed no more says nothing of it: it is asked for", async () => {
    const { trader, broker, turn, asked } = await connected();
    const { orderId } = await trader.limit("BUY", 995);
    await turn({ knob: "loseEvents", user: broker.user, count: 1_000 });
    await turn({
      knob: "cancelOrder",
      account: numberOf(broker.account),
      orderId: Number(orderId),
    });
    expect(await trader.working()).toEqual([]);
    await trader.waitForReport(orderId, "CANCELED");
    expect(await asked("Order/searchById")).toBeGreaterThan(0);
  });
});

describe.concurrent("a machine whose clock is wrong", () => {
  const HOUR_MS = 60 * 60 * 1_000;

  test("by an hour too late takes no fill of before a session for news, and closes at once", async () => {
    const { trader, broker } = await connected({ now: () => Date.now() - HOUR_MS });
    await trader.place();
    await trader.waitForPosition(1);
    await broker.breakSession();
    await trader.broken();
    await trader.connect();
    const told = trader.reports.length;
    expect(await trader.adapter.fills(broker.account, 0)).toHaveLength(1);
    expect(trader.reports).toHaveLength(told);
    expect((await trader.closeOut()).kind).toBe("accepted");
  });

  test("by an hour too late takes no bars of an hour ago for the newest", async () => {
    // Its minute is about to end: the bar of the next one is not there to tell.
    const late = HOUR_MS + ((Date.now() - 50_000) % 60_000);
    const { trader, broker } = await connected({ now: () => Date.now() - late });
    const { prices } = trader.adapter;
    const asked = prices?.bars({ contract: broker.contract, minutes: 1, count: 3 });
    await expect(asked).rejects.toThrow("the clocks do not agree");
  });

  test("by an hour too early tells a fill of which every event is lost", async () => {
    const { trader, broker, turn } = await connected({ now: () => Date.now() + HOUR_MS });
    await trader.place();
    await trader.waitForPosition(1);
    // By its seconds alone the broker's time is known no better.
    await sleep(2_000);
    await turn({ knob: "loseEvents", user: broker.user, count: 1_000 });
    const { orderId } = await trader.place();
    await trader.waitForReport(orderId, "TRADE");
    expect(await trader.netQty()).toBe(2);
  });
});

describe.concurrent("what cannot be read", () => {
  test("ends nothing, is told once, and is asked for", async () => {
    const given = await connected();
    const { trader, broker, turn, asked } = given;
    const { user } = broker;
    const before = await asked("Order/searchOpen");
    await turn({ knob: "hubText", user, text: "{broken\u001e" });
    await turn({ knob: "hubEvent", user, target: "GatewayUserOrder", payload: "garbage" });
    await turn({ knob: "hubEvent", user, target: "GatewayUserTrade", payload: { action: 0 } });
    await turn({ knob: "hubEvent", user, target: "GatewayUserNews", payload: {} });
    await waitUntil("it is asked for", async () => (await asked("Order/searchOpen")) > before);
    const problems = trader.adapter.unread().map(({ problem }) => problem);
    expect(problems.filter((one) => one.includes("which cannot be read"))).toHaveLength(2);
    const { orderId } = await trader.place();
    await trader.waitForReport(orderId, "TRADE");
  });

  test("of no account here is asked for nowhere, and what is not answered not without a pause", async () => {
    let now = performance.now();
    const { broker, turn, fault, asked } = await connected({ elapsed: () => now });
    const { user } = broker;
    const failures = 1_000;
    await fault({ kind: "code", code: 9, isCarriedOut: false }, "Order/searchOpen", failures);
    const before = await asked("Order/searchOpen");
    const payload = { action: 1, data: { accountId: 999_999_999, status: 1 } };
    await turn({ knob: "hubEvent", user, target: "GatewayUserOrder", payload });
    const pass = async () => {
      for (let n = 0; n < 5; n += 1) {
        now += 3_000;
        await sleep(300);
      }
    };
    await pass();
    expect(await asked("Order/searchOpen")).toBe(before);
    await turn({ knob: "hubText", user, text: "{broken\u001e" });
    // Once for each of its two accounts.
    for (const times of [1, 2]) {
      now += 3_000;
      const isAskedFor = async () => (await asked("Order/searchOpen")) >= before + times;
      await waitUntil("it is asked for", isAskedFor);
    }
    await pass();
    expect(await asked("Order/searchOpen")).toBe(before + 2);
  });

  test("an order by an unknown word works, can be canceled, and hides no other", async () => {
    const given = await connected();
    const { trader, broker, turn } = given;
    const { orderId } = await trader.limit("BUY", 990);
    const order = {
      id: 77,
      accountId: numberOf(broker.account),
      status: 1,
      type: 7,
      size: 1,
      side: 0,
    };
    const payload = { action: 0, data: order };
    await turn({ knob: "hubEvent", user: broker.user, target: "GatewayUserOrder", payload });
    const opaque = async () =>
      (await trader.adapter.workingOrders(broker.account)).filter((one) => isOpaque(one));
    await waitUntil("it is seen", async () => (await opaque()).length > 0);
    expect((await opaque())[0]).toMatchObject({ orderId: "77", side: "BUY" });
    expect((await trader.working()).map((one) => one.orderId)).toEqual([orderId]);
    expect(trader.adapter.unread().map((one) => one.account)).toContain(broker.account);
  });

  test.each(["this", "an earlier"])(
    "a trade of %s session that is taken back is reported, and counts no more",
    async (of) => {
      const { trader, broker, turn } = await connected();
      await trader.place({ orderQty: 2 });
      const { orderId } = await trader.place();
      const { fill } = await trader.waitForReport(orderId, "TRADE");
      await trader.waitForPosition(3);
      if (of !== "this") {
        await broker.breakSession();
        await trader.broken();
        await trader.connect();
      }
      await turn({ knob: "voidTrade", trade: Number(fill?.execId) });
      expect(await trader.netQty()).toBe(2);
      const fills = await trader.adapter.fills(broker.account, 0);
      const left = fills.filter(({ takenBack }) => takenBack !== true);
      expect([fills.length, left.length]).toEqual([2, 1]);
      expect(left[0]?.execId).not.toBe(fill?.execId);
      const told = () => [...trader.reports.map(({ report }) => report), ...trader.oddFills];
      const taken = () => told().filter(({ execType }) => execType === "TRADE_CANCEL");
      await waitUntil("it is reported", () => taken().length === 1);
      expect(taken()[0]?.fill).toMatchObject({ execId: fill?.execId, takenBack: true });
    },
  );
});

describe.concurrent("the request budget", () => {
  test("a session with more accounts than it allows for at once begins, a part at a time", async () => {
    const limit = { most: 20, withinMs: 1_000 };
    const { trader, broker, turn } = await prepared({ limit });
    await turn({ knob: "user", name: broker.user, apiKey: "key", accounts: 15 });
    await trader.connect();
    await trader.market(999, 1_000);
    await trader.place();
    await trader.waitForPosition(1);
    expect((await trader.closeOut()).kind).toBe("accepted");
  });

  test("a refusal for too many requests holds everything but exits back", async () => {
    const { trader, fault } = await connected();
    await trader.place();
    await trader.waitForPosition(1);
    await fault({ kind: "status", status: 429 });
    const refused = await trader.submit();
    expect(refused).toMatchObject({ kind: "notSent" });
    expect(await trader.submit()).toMatchObject({ kind: "notSent" });
    await waitUntil(
      "an exit gets through",
      async () => (await trader.closeOut()).kind === "accepted",
    );
    await trader.waitForPosition(0);
    expect((await trader.submit()).kind).toBe("accepted");
  });
});

test.concurrent("an account that may not trade when a session begins has its orders asked for all the same", async () => {
  const { trader, broker } = await connected({ limit: { most: 190, withinMs: 60_000 } });
  const { adapter } = trader;
  const { account, otherAccount } = broker;
  const { orderId } = await trader.limit("BUY", 990);
  await broker.setActive(account, false);
  await broker.breakSession();
  await trader.broken();
  await trader.connect();
  expect(await adapter.positions(account)).toEqual([]);
  for (let n = 0; n < 25; n += 1) await adapter.positions(otherAccount);
  const working = await adapter.workingOrders(account);
  expect(working.map((one) => one.orderId)).toEqual([orderId]);
  await broker.setActive(account, true);
});

test.concurrent("an order by hand is told as what it is, with its fill", async () => {
  const { trader, broker, turn } = await connected();
  const account = numberOf(broker.account);
  const order = { contractId: idOf(broker.contract), type: 2, side: 0, size: 1, customTag: "hand" };
  await turn({ knob: "placeOrder", account, order });
  await waitUntil("it is told", () => trader.reports.some(({ report }) => report.fill));
  const { order: told, fill } = trader.reports.at(-1)?.report ?? {};
  expect(told).toMatchObject({ clOrdId: "hand", role: "ORDER", ordStatus: "FILLED" });
  expect(fill?.lastPx).toBe(px(1_000));
  await trader.waitForPosition(1);
});

// The ones from here on run by themselves: they count on the broker's next number, or move its clock.

test("an account that is new while a session begins is followed", async () => {
  const { trader, broker, turn, hold, asked } = await prepared();
  const { user, otherAccount, contract } = broker;
  const positions = await hold("Position/searchOpen");
  const standing = trader.connect();
  await waitUntil("it begins", positions.isAsked);
  await turn({ knob: "user", name: user, apiKey: "key", accounts: 3 });
  const id = numberOf(otherAccount) + 1;
  const payload = { action: 0, data: { id, name: "new", canTrade: true } };
  await turn({ knob: "hubEvent", user, target: "GatewayUserAccount", payload });
  await positions.letGo();
  await standing;
  for (const question of ["Position/searchOpen", "Order/searchOpen"]) {
    await waitUntil("it is asked for", async () => (await asked(question)) > 2);
  }
  await turn({ knob: "loseEvents", user, count: 1_000, kind: "account" });
  const order = { contractId: idOf(contract), type: 2, side: 0, size: 1, customTag: "hand" };
  await trader.market(999, 1_000);
  await turn({ knob: "placeOrder", account: id, order });
  await waitUntil("it is told", () => trader.reports.some(({ report }) => report.fill));
  const told = trader.reports.map(({ account, report }) => [account, report.execType]);
  const called = accountId(String(otherAccount).replace(/\d+$/, String(id)));
  expect(told).toEqual([
    [called, "NEW"],
    [called, "TRADE"],
  ]);
});

test("of the request budget a snapshot of many accounts leaves enough for exits, and a second one waits", async () => {
  const waits: number[] = [];
  let now = 1_000_000;
  const { trader, broker, turn, asked } = await prepared(
    { elapsed: () => now, limit: { most: 190, withinMs: 60_000 } },
    { requestsPerMinute: 200 },
  );
  await turn({ knob: "user", name: broker.user, apiKey: "key", accounts: 44 });
  await trader.connect();
  await trader.market(999, 1_000);
  const accounts = await trader.adapter.accounts();
  expect(accounts).toHaveLength(44);
  // Takes over as an owner does: of every account what it holds, has working, and has filled.
  for (const { accountId } of accounts) {
    await trader.adapter.positions(accountId);
    await trader.adapter.workingOrders(accountId);
    await trader.adapter.fills(accountId, Date.now() - 60_000);
  }
  expect(await asked("Trade/search")).toBeGreaterThanOrEqual(44);
  expect((await trader.closeOut()).kind).toBe("rejected");
  await broker.breakSession();
  await trader.broken();
  const stop = new AbortController();
  const session = trader.adapter.runSession({
    signal: stop.signal,
    onReady: () => stop.abort(),
    onWait: (ms) => waits.push(ms),
  });
  await waitUntil("it says that it waits", () => waits.length > 0);
  expect(waits[0]).toBeGreaterThan(0);
  now += 61_000;
  await turn({ knob: "advance", ms: 61_000 });
  await session;
});

/** The last one: it moves the broker's clock, which an adapter then knows by whole seconds alone. */
test("what filled in part in a gap counts once, though its trade is listed later", async () => {
  const { trader, broker, set, turn } = await connected();
  const { orderId } = await trader.limit("BUY", 995, { orderQty: 2 });
  // The order is old enough to be listed, and the trade is not until the test says so.
  const lateMs = 60_000;
  await turn({ knob: "advance", ms: lateMs });
  await set({ listLagMs: lateMs });
  await broker.breakSession();
  await trader.broken();
  await turn({ knob: "quote", contract: broker.contract, bid: 994, ask: 995, askQty: 1 });
  await trader.connect();
  const fills = () => trader.adapter.fills(broker.account, 0);
  expect(await fills()).toEqual([]);
  await set({ listLagMs: 0 });
  await waitUntil("it is listed", async () => (await fills()).length === 1);
  expect(trader.lastSeen(orderId)).toMatchObject({ ordStatus: "PARTIALLY_FILLED", cumQty: 1 });
  expect((await trader.closeOut()).kind).toBe("accepted");
});
