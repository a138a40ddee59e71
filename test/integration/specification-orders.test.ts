// The goal: what the specification promises of orders (2.3, 3.2, 4.2, 4.3, 7) holds at every door alike:
// each call that takes a symbol, that needs a connection, that needs a living account.
// The method: the whole gateway over HTTP; look into the paper broker's accounts before and after. For a
// 500, a proxy before Redis cuts the connection that the paper broker writes its state on.
import path from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accountId, clOrdId } from "../../src/domain/ids.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import {
  accountNames,
  frontMonth,
  quarterAfter,
  startGateway,
  type TestGateway,
} from "../support/gateway.ts";
import { postAlert, type Reply } from "../support/http-client.ts";
import { endWithTest, testsSideBySide } from "../support/side-by-side.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { eventually, waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const LATER = quarterAfter(ES);
const MNQ = frontMonth("MNQ");
const ACCOUNTS = 50;
const nextAccount = accountNames(ACCOUNTS);

const BUY = { symbol: "ES1!", action: "buy", qty: 1 };
const BRACKET = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
const RESTING = { ...BUY, type: "limit", limitPrice: 6000 };

let shared: TestGateway;

testsSideBySide();

beforeAll(async () => {
  shared = await startGateway({ settings: { PAPER_ACCOUNTS: `1-${ACCOUNTS}` } });
  shared.quote(LATER, 27_600);
  return shared.stop;
});
beforeEach(() => shared.quoteAsUsual());

type Trader = ReturnType<typeof traderOn>;

/** The doors to one account, and what its broker has of it. */
function traderOn(gateway: TestGateway, account: string) {
  const root = `/v1/accounts/${account}`;
  return {
    account: accountId(account),
    place: async (order: object, headers = {}) =>
      await gateway.api.post(`${root}/orders`, order, headers),
    cancel: async (orderId: string) => await gateway.api.delete(`${root}/orders/${orderId}`),
    protect: async (levels: object) => await gateway.api.post(`${root}/protect`, levels),
    flatten: async (query = "") => await gateway.api.delete(`${root}/positions${query}`),
    trades: async (query: string) => await gateway.api.get(`${root}/orders${query}`),
    alert: async (alert: object) =>
      await postAlert((await gateway.createWebhook(account)).url, alert),
    state: async () => ({
      positions: await gateway.broker.positions(account),
      working: await gateway.broker.working(account),
      filled: await gateway.broker.filled(account),
    }),
  };
}

/** An account that has placed these orders. */
async function openTrader(...orders: readonly object[]): Promise<Trader> {
  const trader = traderOn(shared, nextAccount());
  await placeAll(trader, orders);
  return trader;
}

async function placeAll(trader: Trader, orders: readonly object[]): Promise<Reply["body"][]> {
  const placed = [];
  for (const order of orders) {
    const { status, body } = await trader.place(order);
    expect([status, body.error]).toEqual([201, undefined]);
    placed.push(body);
  }
  return placed;
}

/** `ESZ6` with the year in two digits: `ESZ26`. */
const twoDigits = ({ symbol, code }: typeof ES) => `${symbol.slice(0, -1)}${code.slice(-2)}`;

/** Every place that takes a symbol, and where its answer names the contract it stood for. */
const PLACES: readonly [string, (trader: Trader, symbol: string) => Promise<Reply>, string][] = [
  ["POST orders", ({ place }, symbol) => place({ ...BUY, symbol }), "symbol"],
  ["POST protect", ({ protect }, symbol) => protect({ symbol, ...BRACKET }), "symbol"],
  ["DELETE positions", ({ flatten }, symbol) => flatten(query(symbol)), "closed.0.symbol"],
  ["GET orders", ({ trades }, symbol) => trades(query(symbol)), "trades.0.symbol"],
  ["an alert that buys", ({ alert }, symbol) => alert({ ...BUY, symbol }), "symbol"],
  [
    "an alert that closes",
    ({ alert }, symbol) => alert({ action: "exit", symbol }),
    "closed.0.symbol",
  ],
];
const query = (symbol: string) => `?symbol=${encodeURIComponent(symbol)}`;

// Every other form reads alike at each of them: symbol-forms.test.ts has them all at one.
describe.each(PLACES)("a symbol given to %s (2.3)", (_, send, named) => {
  test.each([
    ["a root", "ES", ES],
    ["a continuous contract with its exchange", "CME_MINI:ES1!", ES],
    ["another month with a two-digit year", twoDigits(LATER), LATER],
  ])("may be %s: %s", async (_form, symbol, contract) => {
    const trader = await openTrader({ ...BUY, symbol: contract.symbol });
    const reply = await send(trader, symbol);
    expect([200, 201]).toContain(reply.status);
    expect(reply.body).toHaveProperty(named, contract.symbol);
  });

  test("that is none is a 400, and nothing is sent", async () => {
    const trader = await openTrader({ ...BUY, bracket: BRACKET }, RESTING);
    const before = await trader.state();
    for (const symbol of ["ES2!", "XYZ1!", "XYZ"]) {
      const { status, body } = await send(trader, symbol);
      expect([status, body.error.code, body.error.retry]).toEqual([400, "UNKNOWN_SYMBOL", "never"]);
      expect(body.error.message).toContain(symbol);
    }
    expect(await trader.state()).toEqual(before);
  });
});

test("a cancel ends that order alone, and its own bracket with it (4.2 rule 3)", async () => {
  const trader = traderOn(shared, nextAccount());
  const resting = { ...RESTING, bracket: BRACKET };
  const [, one, other] = await placeAll(trader, [{ ...BUY, bracket: BRACKET }, resting, resting]);
  const before = await trader.state();
  const own = [one.orderId, one.bracket.takeProfitOrderId, one.bracket.stopLossOrderId];
  expect(before.working).toHaveLength(8);

  expect((await trader.cancel(one.orderId)).status).toBe(200);

  const after = await trader.state();
  expect(after.working).toEqual(before.working.filter(({ orderId }) => !own.includes(orderId)));
  expect(after.working.map(({ orderId }) => orderId)).toContain(other.orderId);
  expect(after.positions).toEqual({ [ES.code]: 1 });
});

test("the pair that protect puts in place of others is linked at the broker (3.2)", async () => {
  const bracketed = { ...BUY, bracket: BRACKET };
  const trader = await openTrader(bracketed, bracketed);
  const old = (await trader.state()).working.map(({ orderId }) => orderId);
  const { status, body } = await trader.protect({
    takeProfit: { price: 6900 },
    stopLoss: { price: 6800 },
  });

  expect(status).toBe(200);
  const { working } = await trader.state();
  const { takeProfitOrderId, stopLossOrderId } = body;
  expect(working).toMatchObject([
    { orderId: takeProfitOrderId, linkedOrderId: stopLossOrderId, leavesQty: 2, price: 27_600 },
    { orderId: stopLossOrderId, linkedOrderId: takeProfitOrderId, leavesQty: 2, stopPx: 27_200 },
  ]);
  expect(working).toHaveLength(2);
  expect(old).not.toContain(takeProfitOrderId);
  expect(old).not.toContain(stopLossOrderId);
});

test("a failed replacement names every level that was cancelled (4.2 rule 4)", async () => {
  const trader = await openTrader(
    { ...BUY, qty: 2, bracket: BRACKET },
    { ...BUY, bracket: BRACKET },
  );
  // The market falls while the old levels are being cancelled: the new stop would trigger at once.
  const stop = shared.paper.onReport((account, { execType }) => {
    if (account !== trader.account || execType !== "CANCELED") return;
    stop();
    shared.quote(ES, 27_385);
  });
  const { status, body } = await trader.protect({
    takeProfit: { price: 6860 },
    stopLoss: { price: 6849 },
  });

  expect([status, body.error.code]).toEqual([502, "PROTECTION_REPLACE_FAILED"]);
  for (const qty of [2, 1]) {
    expect(body.error.message).toContain(`take-profit of ${qty} ${ES.symbol} at 6860.25`);
    expect(body.error.message).toContain(`stop-loss of ${qty} ${ES.symbol} at 6840.25`);
  }
  expect((await trader.state()).positions).toEqual({ [ES.code]: 3 });
});

test("DELETE positions closes every position, long and short, of every root (3.2)", async () => {
  const sell = { ...BUY, action: "sell" };
  const trader = await openTrader(
    { ...BUY, qty: 2 },
    { ...BUY, symbol: LATER.symbol },
    { ...sell, symbol: "MNQ", qty: 3, bracket: BRACKET },
  );
  const { status, body } = await trader.flatten();

  expect([status, body.remaining]).toEqual([200, []]);
  const closed = body.closed.map((one: { symbol: string; side: string; qty: number }) =>
    [one.symbol, one.side, one.qty].join(" "),
  );
  expect(new Set(closed)).toEqual(
    new Set([`${ES.symbol} long 2`, `${LATER.symbol} long 1`, `${MNQ.symbol} short 3`]),
  );
  const { positions, working } = await trader.state();
  expect([positions, working]).toEqual([{}, []]);
});

test("a webhook's close ends what was opened by hand at the broker too (4.3 rule 1)", async () => {
  const trader = await openTrader({ ...BUY, bracket: BRACKET });
  const byHand = { contract: MNQ.code, side: "SELL", orderQty: 2, timeInForce: "GTC" } as const;
  for (const order of [
    { ...byHand, ordType: "MARKET", clOrdId: clOrdId("by-hand") },
    { ...byHand, ordType: "LIMIT", clOrdId: clOrdId("by-hand-too"), price: ticks(110_000) },
  ] as const) {
    expect((await shared.paper.submitOrder(trader.account, order)).kind).toBe("accepted");
  }
  expect((await trader.state()).positions).toEqual({ [ES.code]: 1, [MNQ.code]: -2 });

  const { status, body } = await trader.alert({ action: "close" });

  expect([status, body.outcome]).toEqual([200, "done"]);
  const { positions, working } = await trader.state();
  expect([positions, working]).toEqual([{}, []]);
});

test.each([
  ["a list of take-profits", { takeProfit: [{ ticks: 20 }, { ticks: 40 }] }],
  ["a list of brackets", [BRACKET, BRACKET]],
  ["a second target", { ...BRACKET, takeProfit2: { ticks: 80 } }],
])("an order carries one bracket: %s is a 400, and nothing is sent (8)", async (_, bracket) => {
  const trader = await openTrader();
  const { status, body } = await trader.place({ ...BUY, bracket });
  expect([status, body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
  expect(await trader.state()).toMatchObject({ positions: {}, working: [] });
});

/** Every call that trades; an entry rests and a position is held when it comes. */
const CALLS: readonly [string, (trader: Trader, restingId: string) => Promise<Reply>][] = [
  ["POST orders", ({ place }) => place(BUY)],
  ["DELETE an order", ({ cancel }, restingId) => cancel(restingId)],
  ["POST protect", ({ protect }) => protect({ stopLoss: { ticks: 20 } })],
  ["DELETE positions", ({ flatten }) => flatten()],
];

/** On a gateway of its own: a session that was lost often is tried less and less often. */
async function openHolder() {
  const gateway = await startGateway();
  endWithTest(gateway.stop);
  const trader = traderOn(gateway, "paper-1");
  const [, { orderId }] = await placeAll(trader, [{ ...BUY, bracket: BRACKET }, RESTING]);
  return { gateway, trader, orderId: orderId as string, before: await trader.state() };
}

async function untilConnected({ api }: TestGateway, isActive = true): Promise<void> {
  const standing = async () => {
    const { active, connectionStatus } = (await api.get("/v1/accounts/paper-1")).body;
    return [active, connectionStatus];
  };
  await eventually(async () => expect(await standing()).toEqual([isActive, "CONNECTED"]));
}

const UNAVAILABLE = [503, "BROKER_UNAVAILABLE", "safe"];

describe.concurrent.each(CALLS)("%s (7)", (_, send) => {
  test("while the connection is down is a 503 that is safe to repeat, and nothing is sent", async () => {
    const { gateway, trader, orderId, before } = await openHolder();
    const bringBack = gateway.loseBroker();
    const { status, body } = await send(trader, orderId);
    expect([status, body.error.code, body.error.retry]).toEqual(UNAVAILABLE);
    bringBack();
    await untilConnected(gateway);
    expect(await trader.state()).toEqual(before);
    expect((await send(trader, orderId)).status).toBeLessThan(300);
  });

  test("of an inactive account is a 403, and nothing is sent", async () => {
    const { gateway, trader, orderId, before } = await openHolder();
    gateway.paper.setActive(trader.account, false);
    gateway.paper.breakSession(new Error("The link is lost"));
    await untilConnected(gateway, false);
    const { status, body } = await send(trader, orderId);
    expect([status, body.error.code, body.error.message]).toEqual([
      403,
      "ACCOUNT_INACTIVE",
      "Account is inactive",
    ]);
    expect(await trader.state()).toEqual(before);
  });
});

test.concurrent("while no process owns the connection, each call that trades is a 503 (7)", async () => {
  const { gateway, trader, orderId, before } = await openHolder();
  await gateway.restart({ ROLE: "ingress" });
  const replies = await Promise.all(CALLS.map(([, send]) => send(trader, orderId)));
  await gateway.restart({ ROLE: "all" });
  for (const { status, body } of replies) {
    expect([status, body.error.code, body.error.retry]).toEqual(UNAVAILABLE);
  }
  await untilConnected(gateway);
  expect(await trader.state()).toEqual(before);
});

test("a 500 is not kept under its Idempotency-Key: it ends as one order (4.2 rule 5)", async () => {
  const folder = await temporaryFolder();
  const { server } = await startTestRedis(folder);
  const listen = { path: path.join(folder, "proxy.sock") };
  const proxy = await startFaultProxy({ target: { path: server.path }, listen });
  endWithTest(() => proxy.stop());
  const gateway = await startGateway({ settings: { REDIS_URL: `unix:${listen.path}` } });
  endWithTest(gateway.stop);

  // One of the two was carried out, and one never got there.
  for (const [account, kind] of [
    ["paper-1", "resetAfter"],
    ["paper-2", "resetBefore"],
  ] as const) {
    const trader = traderOn(gateway, account);
    await placeAll(trader, [BUY]);

    const cut = proxy.add({ kind, matches: (bytes) => bytes.includes(":broker-state") });
    const send = async () => await trader.place(BUY, { "idempotency-key": "order-1" });
    const first = await send();
    expect([cut.hits, first.status, first.body.error.retry]).toEqual([1, 500, "check-first"]);

    // While it is not known, nothing else is said; a session that begins again is a 503.
    let last = first;
    const isPlaced = async () => {
      expect([500, 503]).toContain(last.status);
      last = await send();
      return last.status === 201;
    };
    await waitUntil("it is placed", isPlaced);
    expect([last.body.status, last.body.filledQty]).toEqual(["filled", 1]);
    expect((await trader.state()).filled).toEqual({ qty: 2, orders: 2 });
    // Now it is kept.
    const again = await send();
    expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([last.text, "true"]);
  }
});
