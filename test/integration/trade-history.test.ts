// The goal: a user finds any trade, position and working order again, whatever happens meanwhile.
// The method: the whole gateway over HTTP; what is older than a test is written to its own Redis.
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { type AccountId, execId, orderId } from "../../src/domain/ids.ts";
import type { Fill } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { eventually } from "../support/wait.ts";
import {
  accountNames,
  frontMonth,
  quarterAfter,
  startGateway,
  type TestGateway,
} from "../support/gateway.ts";

const ES = frontMonth("ES");
const LATER_ES = quarterAfter(ES);
const NQ = frontMonth("NQ");
const FDAX = frontMonth("FDAX");
const nextAccount = accountNames(20);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    settings: { PAPER_ACCOUNTS: "1-20", PAPER_FEES: "FDAX=1.5,*=2.25" },
  });
  gateway.quote(LATER_ES, 27_600);
  gateway.quote(FDAX, 24_000);
  return gateway.stop;
});

interface Trade {
  readonly id: string;
  readonly symbol: string;
  readonly time: string;
  readonly [field: string]: unknown;
}

const of = (account: string, rest: string) => `/v1/accounts/${account}/${rest}`;

const ordersOf = (account: string, query: Record<string, string>) =>
  of(account, `orders?${new URLSearchParams(query).toString()}`);

async function place(account: string, body: object) {
  const reply = await gateway.api.post(of(account, "orders"), { qty: 1, ...body });
  expect([reply.status, reply.body?.error]).toEqual([201, undefined]);
  return reply.body;
}

async function read(account: string, query: Record<string, string> = {}) {
  const reply = await gateway.api.get(ordersOf(account, query));
  expect([reply.status, reply.body?.error]).toEqual([200, undefined]);
  return reply.body as { trades: Trade[]; nextCursor: string | null; keptSince: string | null };
}

const idsOf = ({ trades }: { trades: readonly Trade[] }) => trades.map(({ id }) => id);
const symbolsOf = ({ trades }: { trades: readonly Trade[] }) => trades.map(({ symbol }) => symbol);

/** Every page, as a caller reads them; `between` is called before each next one. */
async function readAll(
  account: string,
  query: Record<string, string>,
  between: () => Promise<unknown>,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await read(account, { ...query, ...(cursor !== null && { cursor }) });
    ids.push(...idsOf(page));
    cursor = page.nextCursor;
    if (cursor !== null) await between();
  } while (cursor !== null);
  return ids;
}

async function refusal(account: string, query: Record<string, string>) {
  const { status, body } = await gateway.api.get(ordersOf(account, query));
  return [status, body.error?.code, body.error?.details];
}

const past = (id: string, at: number, change: Partial<Fill> = {}): Fill => ({
  execId: execId(id),
  orderId: orderId("7"),
  contract: ES.code,
  side: "BUY",
  lastQty: 1,
  lastPx: ticks(27_000),
  transactTimeAt: at,
  ...change,
});

/** What was traded before the test. It does not count for what is held now. */
async function record(account: AccountId, fills: readonly Fill[]): Promise<void> {
  const { redis, keys } = gateway;
  const bodies = fills.map((fill) => [fill.execId, JSON.stringify(fill)]);
  const times = fills.map((fill) => [fill.transactTimeAt, fill.execId]);
  await redis.hset(keys.fills(account), ...bodies.flat());
  await redis.zadd(keys.fillTimes(account), ...times.flat());
}

const SEPTEMBER = Date.UTC(2025, 8, 1);

describe("trades are found", () => {
  test("between two instants, in any of their spellings", async () => {
    const account = nextAccount();
    await record(
      account,
      [0, 1, 2, 3].map((n) => past(`e${n}`, SEPTEMBER + n)),
    );
    const ids = async (query: Record<string, string>) => idsOf(await read(account, query));
    expect(await ids({})).toEqual(["e3", "e2", "e1", "e0"]);
    const from = "2025-09-01T00:00:00.001Z";
    expect(await ids({ from, to: `${SEPTEMBER + 3}` })).toEqual(["e2", "e1"]);
    expect(await ids({ from: "2025-09-01T02:00:00.003+02:00" })).toEqual(["e3"]);
    expect(await ids({ to: "2025-09-01T00:00:00Z" })).toEqual([]);
  });

  test("by their symbol: a full contract is itself, every other form all months of its root", async () => {
    const account = nextAccount();
    await record(account, [past("old", SEPTEMBER, { contract: "ESU2025" as ContractCode })]);
    for (const { symbol } of [ES, LATER_ES, NQ]) await place(account, { symbol, action: "buy" });

    const symbols = async (symbol: string) => symbolsOf(await read(account, { symbol }));
    expect(await symbols(ES.symbol)).toEqual([ES.symbol]);
    expect(await symbols(LATER_ES.symbol)).toEqual([LATER_ES.symbol]);
    for (const symbol of ["ES", "ES1!", "es!", "CME_MINI:ES1!"]) {
      expect(await symbols(symbol)).toEqual([LATER_ES.symbol, ES.symbol, "ESU5"]);
    }
    expect(await symbols("NQ1!")).toEqual([NQ.symbol]);
    expect(await symbols("CL")).toEqual([]);
    // They have expired: nobody could trade them now.
    for (const symbol of ["ESU5", "ESU25", "CME_MINI:ESU2025"]) {
      expect(await symbols(symbol)).toEqual(["ESU5"]);
    }
    expect(await symbols("ESU15")).toEqual([]);
  });

  test("by no symbol that cannot be one", async () => {
    const account = nextAccount();
    for (const symbol of ["XXXX", "ESF25", "CBOT:ESU25", "ES2!", "ESU"]) {
      const [status, code] = await refusal(account, { symbol });
      expect([symbol, status, code]).toEqual([symbol, 400, "UNKNOWN_SYMBOL"]);
    }
  });

  test("by nothing that is no instant", async () => {
    const account = nextAccount();
    expect(await refusal(account, { from: "yesterday" })).toMatchObject([
      400,
      "VALIDATION_FAILED",
      [{ path: "from" }],
    ]);
    expect(await refusal(account, { from: `${SEPTEMBER}`, to: `${SEPTEMBER - 1}` })).toMatchObject([
      400,
      "VALIDATION_FAILED",
      [{ path: "to", message: "must not be before from" }],
    ]);
  });
});

describe("pages", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      past(`e${n}`, SEPTEMBER + Math.floor(n / 7), { contract: n % 2 === 0 ? ES.code : NQ.code }),
    );

  test.each([
    ["everything", {}, 40],
    ["one symbol", { symbol: "NQ" }, 20],
    ["some time", { from: `${SEPTEMBER + 1}`, to: `${SEPTEMBER + 5}` }, 28],
    ["one symbol of some time", { symbol: "NQ1!", to: `${SEPTEMBER + 2}` }, 7],
  ])("of %s hold each trade once while new ones come in", async (_, query, count) => {
    const account = nextAccount();
    await record(account, many(40));
    const before = idsOf(await read(account, query));
    expect(before).toHaveLength(count);
    const pages = await readAll(account, { ...query, limit: "3" }, async () =>
      place(account, { symbol: "NQ1!", action: "buy" }),
    );
    expect(pages).toEqual(before);
  });

  test("go on behind a trade that has made room since", async () => {
    const account = nextAccount();
    await record(account, many(6));
    const first = await read(account, { limit: "2" });
    const [, last = ""] = idsOf(first);
    await gateway.redis.zrem(gateway.keys.fillTimes(account), last);
    await gateway.redis.hdel(gateway.keys.fills(account), last);
    const rest = await read(account, { cursor: first.nextCursor ?? "" });
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(["e5", "e4", "e3", "e2", "e1", "e0"]);
    expect(rest.nextCursor).toBeNull();
  });

  test("belong to their account and filters, and a cursor is a word of ours", async () => {
    const account = nextAccount();
    const other = nextAccount();
    await record(account, many(6));
    const filters = { symbol: "ES", to: "2025-09-02T00:00:00Z" };
    const cursor = (await read(account, { ...filters, limit: "1" })).nextCursor ?? "";
    // The same filters in other words, and pages of another size.
    const spelled = { symbol: "CME_MINI:ES1!", to: `${Date.UTC(2025, 8, 2)}`, limit: "2" };
    expect(idsOf(await read(account, { ...spelled, cursor }))).toEqual(["e2", "e0"]);

    const cases: [string, Record<string, string>, RegExp][] = [
      [account, { cursor }, /other filters/],
      [account, { symbol: "NQ", to: filters.to, cursor }, /other filters/],
      [account, { ...filters, from: `${SEPTEMBER}`, cursor }, /other filters/],
      [other, { ...filters, cursor }, /another account/],
      [account, { ...filters, cursor: "e4" }, /is no nextCursor/],
      [account, { ...filters, cursor: `${cursor}x` }, /is no nextCursor/],
    ];
    for (const [whose, query, message] of cases) {
      expect(await refusal(whose, query)).toEqual([
        400,
        "VALIDATION_FAILED",
        [{ path: "cursor", message: expect.stringMatching(message) }],
      ]);
    }
  });

  test("say from when on trades are kept, once older ones made room", async () => {
    const account = nextAccount();
    await place(account, { symbol: "ES1!", action: "buy" });
    expect((await read(account)).keptSince).toBeNull();
    await record(
      account,
      Array.from({ length: 9_999 }, (_, n) => past(`e${n}`, SEPTEMBER + n)),
    );
    expect((await read(account, { limit: "1" })).keptSince).toBe("2025-09-01T00:00:00.000Z");
  });
});

describe("positions", () => {
  test("are valued in ticks and in the contract's own currency, each for itself", async () => {
    const account = nextAccount();
    const dax = await place(account, { symbol: "EUREX:FDAX1!", action: "buy", qty: 2 });
    expect([dax.symbol, dax.averagePrice]).toEqual([FDAX.symbol, 24_001]);
    await place(account, { symbol: "ES", action: "sell", qty: 1 });
    onTestFinished(gateway.keepQuoting(FDAX, 24_010));
    await place(account, { symbol: "FDAX", action: "sell", qty: 1 });

    const readRows = async () => {
      const { body } = await gateway.api.get(of(account, "positions"));
      return body.positions as { symbol: string; markPrice: number | null }[];
    };
    // Prices are told once a second.
    const rows = await eventually(async () => {
      const read = await readRows();
      expect(read.map(({ markPrice }) => markPrice)).not.toContain(null);
      expect(read.map(({ markPrice }) => markPrice)).not.toContain(24_000);
      return read;
    });
    expect(rows.find(({ symbol }) => symbol === FDAX.symbol)).toEqual({
      symbol: FDAX.symbol,
      side: "long",
      qty: 1,
      averagePrice: 24_001,
      markPrice: 24_010,
      markedAt: expect.any(String),
      markStale: false,
      unrealizedPnl: 225,
      unrealizedTicks: 9,
      realizedPnl: 225,
      realizedTicks: 9,
      currency: "EUR",
      tickSize: 1,
      tickValue: 25,
      protection: { state: "noneAsked", openedBy: "api", missing: [], reason: null },
      stopLosses: [],
      takeProfits: [],
    });
    expect(rows.find(({ symbol }) => symbol === ES.symbol)).toMatchObject({
      side: "short",
      unrealizedPnl: -12.5,
      unrealizedTicks: -1,
      currency: "USD",
    });
    const { trades } = await read(account);
    expect(
      trades.map(({ symbol, currency, realizedPnl }) => [symbol, currency, realizedPnl]),
    ).toEqual([
      [FDAX.symbol, "EUR", 225],
      [ES.symbol, "USD", null],
      [FDAX.symbol, "EUR", null],
    ]);
    expect(trades.map(({ fee, feeCurrency }) => [fee, feeCurrency])).toEqual([
      [1.5, "EUR"],
      [2.25, "USD"],
      [3, "EUR"],
    ]);
  });
});

describe("working orders", () => {
  test("are tied to their intent, and an entry to its legs", async () => {
    const account = nextAccount();
    const entry = await place(account, {
      symbol: "ES1!",
      action: "buy",
      type: "limit",
      limitPrice: 6_000,
      bracket: { takeProfit: { ticks: 40 }, stopLoss: { ticks: 20 } },
    });
    const { body } = await gateway.api.get(of(account, "working-orders"));
    const orders = body.orders as Record<string, unknown>[];
    const byRole = (role: string) => orders.find((order) => order["role"] === role);
    expect(orders).toHaveLength(3);
    expect(byRole("entry")).toMatchObject({
      orderId: entry.orderId,
      intentId: entry.intentId,
      source: "gateway",
      bracket: {
        takeProfitOrderId: byRole("takeProfit")?.["orderId"],
        stopLossOrderId: byRole("stopLoss")?.["orderId"],
      },
      updatedAt: expect.stringMatching(/^20.*Z$/),
    });
    expect(byRole("stopLoss")).toMatchObject({
      intentId: entry.intentId,
      parentOrderId: entry.orderId,
      linkedOrderId: byRole("takeProfit")?.["orderId"],
      bracket: null,
    });
    const intent = await gateway.api.get(of(account, `intents/${entry.intentId}`));
    expect(intent.body.result.orderId).toBe(entry.orderId);
  });
});
