/**
 * Goal: what the broker tells and nobody here understands stops nothing of what is understood. Method:
 * the adapter before the simulator, which tells such things, or with a table that lacks what trades.
 */
import { describe, expect, test } from "vitest";
import { orderId } from "../../src/domain/ids.ts";
import { isOpaque, understood } from "../../src/domain/order.ts";
import { OpaquePositionsError } from "../../src/trading/ports.ts";
import type { EntityType } from "../simulators/tradovate/entities.ts";
import { waitUntil } from "../support/wait.ts";
import { accepted, px } from "./broker-under-test.ts";
import { type TradovateCase, tradovateCases } from "./tradovate-case.ts";
import { TERMS } from "./tradovate-kit.ts";

const { prepared, connected, wire } = tradovateCases();

const SPREAD = { spreadDefinitionId: 4_711, action: "Buy", ordStatus: "Working", admin: false };
const NOW = "2026-11-22T15:00:00Z";
/** Of the simulator's own sequence, so that it is no number of what was there at first. */
const tell = async (
  { broker, turn }: TradovateCase,
  type: EntityType,
  entity: Readonly<Record<string, unknown>>,
) => {
  const known = { ...(type === "order" && { timestamp: NOW }), ...entity };
  await turn({ knob: "entity", type, account: `${broker.user}-1`, entity: known });
};

/** The broker's number of the contract that the case trades, as it told it. */
const contractIdOf = async ({ broker }: TradovateCase): Promise<number> => {
  const name = broker.contract.replace(/\d{3}(\d)$/, "$1");
  const told = new RegExp(`"id":(\\d+),"name":"${name}"`);
  const ids = (await wire()).flatMap(({ text }) => told.exec(text)?.[1] ?? []);
  return Number(ids[0]);
};

const opaqueOf = async ({ trader, broker }: TradovateCase) =>
  (await trader.adapter.workingOrders(broker.account)).filter(isOpaque);

describe.concurrent("an order that is not understood", () => {
  test.each<[string, (given: TradovateCase) => Promise<void>, RegExp]>([
    ["a spread", async (given) => await tell(given, "order", SPREAD), /spread \(4711\)/],
    [
      "one without a status",
      async (given) =>
        await tell(given, "order", { ...SPREAD, contractId: 7, ordStatus: "Dreaming" }),
      /Dreaming/,
    ],
    [
      "one that neither buys nor sells",
      async (given) => await tell(given, "order", { ...SPREAD, contractId: 7, action: "Swap" }),
      /Swap/,
    ],
    [
      "one of a type of tomorrow",
      async (given) => {
        const id = 990_000_000_001;
        await tell(given, "order", { ...SPREAD, id, contractId: 7 });
        const version = { id, orderId: id, orderQty: 1, orderType: "Iceberg" };
        await tell(given, "orderVersion", version);
      },
      /Iceberg/,
    ],
    [
      "a stop whose price nobody can read",
      async (given) => {
        const id = 990_000_000_002;
        await tell(given, "order", { ...SPREAD, id, contractId: 7 });
        const version = { id, orderId: id, orderQty: 1, orderType: "Stop", stopPrice: "five" };
        await tell(given, "orderVersion", version);
      },
      /Stop order without its price/,
    ],
  ])("%s is told as what it is, and everything else goes on", async (_, put, problem) => {
    const given = await connected();
    const { trader, broker } = given;
    accepted(await trader.submit());
    await trader.waitForPosition(1);
    const resting = await trader.limit("BUY", 900);
    await put(given);

    await waitUntil("it is told", async () => (await opaqueOf(given)).length === 1);
    const [opaque] = await opaqueOf(given);
    expect(opaque?.problem).toMatch(problem);
    expect(given.trader.adapter.unread()).toEqual([
      { account: broker.account, problem: expect.stringMatching(problem) },
    ]);
    const all = await trader.adapter.workingOrders(broker.account);
    expect(understood(all).map((order) => order.orderId)).toContain(resting.orderId);
    const { adapter } = trader;
    const closed = await adapter.closePosition(broker.account, broker.contract, trader.newId());
    expect(closed.kind).toBe("accepted");
    await trader.waitForPosition(0);
    const id = opaque?.orderId ?? orderId("");
    expect(await adapter.cancelOrder(broker.account, id)).toEqual({ kind: "accepted" });
    await waitUntil("it is gone", async () => (await opaqueOf(given)).length === 0);
    expect(await adapter.workingOrders(broker.otherAccount)).toEqual([]);
  });

  test("one that is there at the beginning keeps no session from beginning", async () => {
    const given = await prepared();
    await tell(given, "order", { ...SPREAD, timestamp: null, ordStatus: null, action: null });
    await given.trader.connect();
    expect(await opaqueOf(given)).toHaveLength(1);
  });
});

describe.concurrent("an order of a type that works as none of ours", () => {
  test.each([
    ["MIT", { stopPrice: 247.5 }],
    ["LimitIfTouched", { price: 247.5, stopPrice: 247.75 }],
    ["QTS", { price: 247.5 }],
    ["TrailingStopLimit", { stopPrice: 255, pegDifference: 5, price: 255 }],
  ])("%s is no order of another meaning, and its fill is told", async (orderType, prices) => {
    const given = await connected();
    const { trader, broker, turn } = given;
    const symbol = broker.contract.replace(/\d{3}(\d)$/, "$1");
    const order = { accountSpec: `${broker.user}-1`, symbol, action: "Buy", orderQty: 2 };
    const byHand = { ...order, orderType, ...prices, isAutomated: false };
    await turn({ knob: "placeOrder", user: broker.user, order: byHand });
    await waitUntil("it is told", async () => (await opaqueOf(given)).length === 1);
    const [opaque] = await opaqueOf(given);
    expect(opaque).toMatchObject({ contract: broker.contract, side: "BUY" });
    expect(opaque?.problem).toContain(`"${orderType}"`);
    const working = await trader.adapter.workingOrders(broker.account);
    expect(understood(working)).toEqual([]);
    expect(trader.reports).toEqual([]);

    const [bid, ask] = orderType === "TrailingStopLimit" ? [1_021, 1_022] : [988, 989];
    await trader.market(bid, ask);
    await trader.waitForPosition(2);
    expect(trader.oddFills.map(({ fill }) => fill.lastQty)).toEqual([2]);
    expect(await opaqueOf(given)).toEqual([]);
    expect(await trader.adapter.fills(broker.account, 0)).toHaveLength(1);
    accepted(await trader.closeOut());
    await trader.waitForPosition(0);
  });
});

describe.concurrent("a field of another kind than it is known to be", () => {
  test.each<[EntityType, object]>([
    ["command", { clOrdId: 7 }],
    ["executionReport", { cumQty: "none" }],
  ])("of %s says nothing, and ends no read", async (type, odd) => {
    const given = await connected();
    const { trader, broker } = given;
    const resting = await trader.limit("BUY", 900);
    const order = Number(resting.orderId);
    const others = { command: order, orderId: order, execType: "New", name: "n" };
    const id = type === "command" ? order : undefined;
    await tell(given, type, {
      ...(id && { id }),
      ...others,
      commandId: order,
      timestamp: NOW,
      ...odd,
    });
    await trader.restart();
    const working = await trader.adapter.workingOrders(broker.account);
    expect(working).toMatchObject([{ orderId: resting.orderId, orderQty: 1, leavesQty: 1 }]);
  });

  test("a contract that names no month is closed by its name", async () => {
    const given = await connected();
    const { trader, broker } = given;
    accepted(await trader.submit({ orderQty: 2 }));
    await trader.waitForPosition(2);
    const [held] = await trader.adapter.positions(broker.account);
    expect(held?.contract).toBe(broker.contract);
    await given.turn({
      knob: "entity",
      type: "contract",
      entity: { id: await contractIdOf(given), contractMaturityId: null },
    });
    await trader.restart();
    const [unclear] = await trader.adapter.positions(broker.account);
    expect(unclear).toMatchObject({ contract: expect.stringMatching(/^#ES/), netQty: 2 });
    const code = unclear?.contract ?? broker.contract;
    accepted(await trader.adapter.closePosition(broker.account, code, trader.newId()));
    await waitUntil(
      "it is closed",
      async () => (await trader.adapter.positions(broker.account)).length === 0,
    );
  });
});

describe.concurrent("what our contract table lacks", () => {
  const WITHOUT_NQ = {
    product: (root: string) => (root.endsWith("NQ") ? undefined : TERMS.product(root)),
  };

  test("is shown by the broker's own facts, and closed", async () => {
    const given = await connected({ contracts: WITHOUT_NQ });
    const { trader, broker, turn } = given;
    const { adapter } = trader;
    const { otherContract: contract, account } = broker;
    await broker.setMarket(contract, { bid: 2_000, ask: 2_001 });
    const symbol = contract.replace(/\d{3}(\d)$/, "$1");
    const order = { accountSpec: `${broker.user}-1`, symbol, action: "Buy", orderQty: 2 };
    await turn({
      knob: "placeOrder",
      user: broker.user,
      order: { ...order, orderType: "Market", isAutomated: false },
    });
    const terms = { tickSize: "0.25", tickValue: "5", currency: "USD" };
    await waitUntil("it is held", async () => (await adapter.positions(account)).length === 1);
    expect(await adapter.positions(account)).toEqual([
      { contract, netQty: 2, terms, avgPx: { numerator: 4_002, denominator: 2 } },
    ]);
    const fills = await adapter.fills(account, 0);
    expect(fills).toMatchObject([{ contract, terms, lastPx: 2_001 }]);
    accepted(await adapter.closePosition(account, contract, trader.newId()));
    await waitUntil("it is closed", async () => (await adapter.positions(account)).length === 0);
  });

  test("and of which the broker tells nothing, has no name and is not closed here", async () => {
    const given = await prepared();
    const { trader, broker } = given;
    const position = { contractId: 77, timestamp: NOW, netPos: 2, netPrice: 1.5, prevPos: 0 };
    await tell(given, "position", position);
    await trader.connect();
    await trader.market(999, 1_000);
    const { adapter } = trader;
    const [held] = await adapter.positions(broker.account);
    expect(held).toMatchObject({ contract: "#77", netQty: 2 });
    expect(held?.terms?.tickValue).toBeUndefined();
    const code = held?.contract ?? broker.contract;
    const closed = await adapter.closePosition(broker.account, code, trader.newId());
    expect(closed).toMatchObject({ kind: "rejected", reason: expect.stringMatching(/#77/) });
    expect(adapter.unread()).toMatchObject([{ problem: expect.stringMatching(/#77/) }]);
    accepted(await trader.submit());
  });

  test("an average price that the broker leaves out is none", async () => {
    const given = await prepared();
    const { trader, broker } = given;
    const position = { contractId: 78, timestamp: NOW, netPos: 1, prevPos: 0 };
    await tell(given, "position", position);
    await trader.connect();
    const [held] = await trader.adapter.positions(broker.account);
    expect(held).toMatchObject({ netQty: 1 });
    expect(held?.avgPx).toBeUndefined();
  });
});

describe.concurrent("a contract that the broker describes otherwise", () => {
  test("is said of entries, and its exits go on", async () => {
    const HALVES = {
      product: (root: string) => ({ tickSize: "0.5" as never, pointValue: "50", root }),
    };
    const { trader, broker } = await connected({ contracts: HALVES });
    const { adapter } = trader;
    const doubt = await adapter.contractDoubt(broker.contract);
    expect(doubt).toMatch(/a tick of 0\.25 instead of 0\.5/);
    expect(adapter.unread()).toMatchObject([{ problem: expect.stringContaining(broker.contract) }]);
    accepted(await trader.submit({ orderQty: 2 }));
    await trader.waitForPosition(2);
    // 510 points in halves: what goes out is the price itself.
    accepted(
      await trader.submit({ side: "SELL", ordType: "LIMIT", price: px(1_020), orderQty: 1 }),
    );
    const [resting] = await trader.working();
    expect(resting).toMatchObject({ price: 1_020 });
    accepted(await adapter.closePosition(broker.account, broker.contract, trader.newId()));
    await trader.waitForPosition(0);
  });

  test("nothing is said of one that both describe alike", async () => {
    const { trader, broker } = await connected();
    expect(await trader.adapter.contractDoubt(broker.contract)).toBeUndefined();
    expect(trader.adapter.unread()).toEqual([]);
  });
});

describe.concurrent("an order that no command made", () => {
  test.each(["Limit", "Market"])("is a foreign one, and ends no session: %s", async (orderType) => {
    let offset = 0;
    const given = await connected({ elapsed: () => performance.now() + offset });
    const { trader, broker, turn, set } = given;
    await set({ tellsOthersCommands: false });
    const symbol = broker.contract.replace(/\d{3}(\d)$/, "$1");
    const order = { accountSpec: `${broker.user}-1`, symbol, action: "Buy", orderQty: 1 };
    const byHand = { ...order, orderType, price: 245, isAutomated: false };
    await turn({ knob: "placeOrder", user: broker.user, order: byHand });
    await waitUntil("something of it was told", async () => {
      const { length } = await trader.adapter.workingOrders(broker.account);
      return length > 0 || (await trader.netQty()) > 0;
    });
    offset = 5_000;
    await waitUntil("it is told", () => trader.reports.length > 0);
    const [first] = trader.reports;
    expect(first?.report.order.clOrdId).toBeUndefined();
    accepted(await trader.submit());
    await trader.waitForPosition(orderType === "Market" ? 2 : 1);
    accepted(await trader.closeOut());
    await trader.waitForPosition(0);
    expect(trader.isWhole).toBe(true);
  });
});

test.concurrent.each(["Unknown", "Resting"])("an order that is told as %s works", async (word) => {
  const given = await connected();
  const { trader, broker, turn, set } = given;
  await set({ callsStatus: { PendingNew: word, Working: word } });
  const symbol = broker.contract.replace(/\d{3}(\d)$/, "$1");
  const order = { accountSpec: `${broker.user}-1`, symbol, action: "Buy", orderQty: 1 };
  const byHand = { ...order, orderType: "Limit", price: 245, isAutomated: false };
  await turn({ knob: "placeOrder", user: broker.user, order: byHand });
  const working = () => trader.adapter.workingOrders(broker.account);
  await waitUntil("it is listed", async () => (await working()).length === 1);
  const [listed] = await working();
  expect(listed).toMatchObject({ contract: broker.contract, side: "BUY" });
  expect(await trader.cancel(listed?.orderId ?? orderId(""))).toEqual({ kind: "accepted" });
  expect(await working()).toEqual([]);
});

describe.concurrent("a list is the whole truth of what is listed", () => {
  const isActive = async ({ trader, broker }: TradovateCase) =>
    (await trader.adapter.accounts()).find(({ accountId }) => accountId === broker.account)?.active;

  test("an account that leaves it is inactive, and active once it is back", async () => {
    const given = await connected();
    const account = `${given.broker.user}-1`;
    await given.turn({ knob: "account", account, isListed: false });
    expect(await isActive(given)).toBe(false);
    await given.turn({ knob: "account", account, isListed: true });
    expect(await isActive(given)).toBe(true);
  });

  test("it is believed after an event, too", async () => {
    const given = await connected();
    const account = `${given.broker.user}-1`;
    await given.turn({ knob: "account", account, restricted: false });
    await given.set({ losesEvents: ["account"] });
    await given.turn({ knob: "account", account, active: false });
    expect(await isActive(given)).toBe(false);
  });
});

test.concurrent("an account of which it is not told whether it is active is one, and is closed", async () => {
  const given = await connected();
  const { trader, broker } = given;
  accepted(await trader.submit());
  await trader.waitForPosition(1);
  const [told] = await trader.adapter.accounts();
  await tell(given, "account", { id: Number(told?.number), active: null });
  await trader.restart();
  const [first] = await trader.adapter.accounts();
  expect(first).toMatchObject({ accountId: broker.account, active: true });
  expect(await trader.netQty()).toBe(1);
  await tell(given, "account", { id: Number(told?.number), active: true });
  accepted(await trader.closeOut());
  await trader.waitForPosition(0);
});

test.concurrent("all that is told of a contract is one position", async () => {
  const given = await connected();
  const { trader, broker } = given;
  accepted(await trader.submit({ orderQty: 2 }));
  await trader.waitForPosition(2);
  const row = { contractId: await contractIdOf(given), timestamp: NOW, netPrice: 250, prevPos: 0 };
  await tell(given, "position", { ...row, netPos: -3 });
  await trader.restart();
  const held = await trader.adapter.positions(broker.account);
  expect(held).toEqual([{ contract: broker.contract, netQty: -1 }]);
});

describe.concurrent("a position that cannot be read", () => {
  test("keeps its account from being read as flat, and what can be read is closed", async () => {
    const given = await connected();
    const { trader, broker } = given;
    const { account } = broker;
    accepted(await trader.submit());
    await trader.waitForPosition(1);
    await tell(given, "position", { contractId: 77, timestamp: NOW, netPos: null });
    // So it is for the session in which it comes, and for the next one.
    const told = () => trader.adapter.positions(account).catch((error: unknown) => error);
    await waitUntil("it is told", async () => (await told()) instanceof OpaquePositionsError);
    await trader.restart();
    expect(await told()).toMatchObject({
      message: expect.stringMatching(/Position \d+ of #77 cannot be read/),
      readable: [{ contract: broker.contract, netQty: 1 }],
      opaque: [{ contract: "#77" }],
    });
    expect(await trader.adapter.positions(broker.otherAccount)).toEqual([]);
    accepted(await trader.adapter.closePosition(account, broker.contract, trader.newId()));
    await waitUntil("it is closed", async () => {
      const error = await told();
      return error instanceof OpaquePositionsError && error.readable.length === 0;
    });
  });

  test("is not closed, for nobody knows by how much", async () => {
    const given = await connected();
    const { trader, broker } = given;
    accepted(await trader.submit());
    await trader.waitForPosition(1);
    const contractId = await contractIdOf(given);
    await tell(given, "position", { contractId, timestamp: NOW, netPos: null });
    const close = () =>
      trader.adapter.closePosition(broker.account, broker.contract, trader.newId());
    await waitUntil("it is told", async () => {
      const failed = await trader.adapter.positions(broker.account).catch(() => undefined);
      return failed === undefined;
    });
    expect(await close()).toMatchObject({
      kind: "notSent",
      reason: expect.stringMatching(/cannot be read/),
    });
  });

  test("and names no account keeps no session from beginning: exits go on, entries wait", async () => {
    const given = await connected();
    const { trader, broker } = given;
    await trader.place();
    await trader.waitForPosition(1);
    await tell(given, "position", { contractId: 7, timestamp: NOW, netPos: 1, accountId: null });
    await trader.restart();
    expect(trader.adapter.unread()[0]?.problem).toMatch(/position \d+, which cannot be read/);
    expect(await trader.submit()).toMatchObject({ kind: "notSent" });
    expect(await trader.netQty()).toBe(1);
    accepted(await trader.closeOut());
    await trader.waitForPosition(0);
    expect(await trader.adapter.workingOrders(broker.account)).toEqual([]);
  });
});

test.concurrent("snapshots that are never what is listed end two sessions, and then exits go on", async () => {
  const { trader, broker, set } = await connected();
  await trader.place({ orderQty: 2 });
  await trader.waitForPosition(2);
  await trader.disconnect();
  await set({ syncTellsFlat: true });
  for (let n = 0; n < 2; n += 1) {
    // Which of the two is behind nobody knows: nothing may be called flat by then.
    await expect(trader.connect()).rejects.toThrow(/behind/);
  }
  await trader.connect();
  expect(broker.told.at(-1)).toMatch(/time and again/);
  expect(trader.adapter.entriesHeld?.()).toMatch(/time and again/);
  expect((await trader.submit()).kind).toBe("notSent");
  expect(await trader.netQty()).toBe(2);
  accepted(await trader.closeOut());
  await trader.waitForPosition(0);
});

/** By itself: the product is that of all cases. */
test("a contract of which the broker tells no tick is not opened until it does", async () => {
  const given = await connected();
  const { trader, broker } = given;
  const contract = broker.closedContract;
  expect(await trader.adapter.contractDoubt(contract)).toBeUndefined();
  const product = /"id":(\d+),"name":"RTY"/;
  const [id = ""] = (await wire()).flatMap(({ text }) => product.exec(text)?.[1] ?? []);
  const say = (entity: object) =>
    given.turn({ knob: "entity", type: "product", entity: { id: Number(id), ...entity } });
  await say({ tickSize: null });
  await trader.restart();
  expect(await trader.adapter.contractDoubt(contract)).toMatch(/does not say what a tick/);
  await say({ tickSize: 0.1 });
  expect(await trader.adapter.contractDoubt(contract)).toBeUndefined();
});
