// The goal: every order type with every time in force either does what it says or is refused before
// anything is sent, and legs that would trade against their own entry leave nothing behind.
// The method: place each over HTTP on the paper broker, and look at the working order or the fill.
import { beforeAll, describe, expect, test } from "vitest";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";

const ES = frontMonth("ES");
const CL = frontMonth("CL");
/** ES is quoted 6850.00 to 6850.25. */
const BID = 27_400;
const nextAccount = accountNames(80);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-80" } });
  gateway.quote(CL, 6_000);
  return gateway.stop;
});

async function place(order: object) {
  const account = nextAccount();
  const path = `/v1/accounts/${account}/orders`;
  const { status, body } = await gateway.api.post(path, {
    symbol: "ES1!",
    action: "buy",
    qty: 2,
    ...order,
  });
  return {
    status,
    body,
    positions: await gateway.broker.positions(account),
    working: await gateway.broker.working(account),
  };
}

const DURATIONS = ["day", "gtc", "ioc", "fok"] as const;
const HELD = { [ES.code]: 2 };

describe("what trades at once", () => {
  const orders = [
    ["market", { type: "market" }],
    ["limit", { type: "limit", limitPrice: 6850.25 }],
  ] as const;
  test.each(orders.flatMap(([type, order]) => DURATIONS.map((of) => [type, of, order] as const)))(
    "a %s order, %s, is filled",
    async (_, timeInForce, order) => {
      const { status, body, positions, working } = await place({ ...order, timeInForce });
      expect([status, body.status, body.filledQty, body.averagePrice]).toEqual([
        201,
        "filled",
        2,
        6850.25,
      ]);
      expect([positions, working]).toEqual([HELD, []]);
    },
  );
});

describe("what waits", () => {
  const orders = [
    ["limit", { type: "limit", limitPrice: 6800 }, { ordType: "LIMIT", price: 27_200 }],
    ["stop", { type: "stop", stopPrice: 6900 }, { ordType: "STOP", stopPx: 27_600 }],
    [
      "stopLimit",
      { type: "stopLimit", stopPrice: 6900, limitPrice: 6901 },
      { ordType: "STOP_LIMIT", stopPx: 27_600, price: 27_604 },
    ],
    [
      "trailingStop",
      { type: "trailingStop", trailOffset: 10 },
      { ordType: "TRAILING_STOP", trailOffset: 40, stopPx: BID + 1 + 40 },
    ],
  ] as const;

  test.each(
    orders.flatMap(([type, order, shown]) =>
      (["day", "gtc"] as const).map((of) => [type, of, order, shown] as const),
    ),
  )("a %s order, %s, works until the market comes", async (_, timeInForce, order, shown) => {
    const { status, body, positions, working } = await place({ ...order, timeInForce });
    expect([status, body.status, body.filledQty]).toEqual([201, "working", 0]);
    const common = { leavesQty: 2, ordStatus: "NEW", timeInForce: timeInForce.toUpperCase() };
    expect(working).toMatchObject([{ ...shown, ...common }]);
    expect(positions).toEqual({});
  });

  test.each(["ioc", "fok"])("a limit, %s, that finds nothing is canceled", async (timeInForce) => {
    const limit = { type: "limit", limitPrice: 6800 };
    const { status, body, positions, working } = await place({ ...limit, timeInForce });
    expect([status, body.status, body.filledQty]).toEqual([201, "canceled", 0]);
    expect([positions, working]).toEqual([{}, []]);
  });

  const stops = orders.filter(([type]) => type !== "limit");
  test.each(
    stops.flatMap(([type, order]) =>
      (["ioc", "fok"] as const).map((of) => [type, of, order] as const),
    ),
  )("a %s order, %s, is a contradiction, and refused", async (_, timeInForce, order) => {
    const { status, body, positions, working } = await place({ ...order, timeInForce });
    expect([status, body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(body.error.details).toMatchObject([
      { path: "timeInForce", message: expect.stringContaining(`${timeInForce} has no meaning`) },
    ]);
    expect([positions, working]).toEqual([{}, []]);
  });
});

describe("a bracket level on the wrong side", () => {
  const LIMIT = { type: "limit", limitPrice: 6800 };
  const STOP = { type: "stop", stopPrice: 6900 };
  const STOP_LIMIT = { type: "stopLimit", stopPrice: 6900, limitPrice: 6902 };

  test.each([
    ["a limit's take-profit", LIMIT, { takeProfit: { price: 6800 } }],
    ["a limit's stop-loss", LIMIT, { stopLoss: { price: 6801 } }],
    ["a stop's take-profit", STOP, { takeProfit: { price: 6899 } }],
    ["a stop's stop-loss", STOP, { stopLoss: { price: 6900 } }],
    ["a stop-limit's take-profit", STOP_LIMIT, { takeProfit: { price: 6901 } }],
    ["a stop-limit's stop-loss", STOP_LIMIT, { stopLoss: { price: 6903 } }],
  ])("of %s is told before it is sent", async (_, order, bracket) => {
    const { status, body, positions, working } = await place({ ...order, bracket });
    expect([status, body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(body.error.details[0].path).toMatch(/^bracket\.(takeProfit|stopLoss)\.price$/);
    expect([positions, working]).toEqual([{}, []]);
  });

  test.each([
    ["a market buy's take-profit", { bracket: { takeProfit: { price: 6840 } } }],
    ["a market buy's stop-loss", { bracket: { stopLoss: { price: 6860 } } }],
    ["a market sell's take-profit", { action: "sell", bracket: { takeProfit: { price: 6860 } } }],
    ["a market sell's stop-loss", { action: "sell", bracket: { stopLoss: { price: 6840 } } }],
  ])("of %s is refused by the price of the market", async (_, order) => {
    // Prices are followed from an order that rests on.
    await place(LIMIT);
    gateway.quote(ES, BID);
    const { status, body, positions, working } = await place(order);
    expect([status, body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect([positions, working]).toEqual([{}, []]);
  });
});

test.each([
  ["a limit", { type: "limit", limitPrice: 0 }, "limitPrice"],
  ["a stop", { type: "stop", action: "sell", stopPrice: -0.25 }, "stopPrice"],
  ["a leg", { bracket: { stopLoss: { price: 0 } } }, "bracket.stopLoss.price"],
])("%s at no price that ES can have is refused", async (_, order, path) => {
  const { status, body, working } = await place(order);
  expect([status, body.error.code, working]).toEqual([400, "VALIDATION_FAILED", []]);
  expect(body.error.details).toMatchObject([{ path }]);
});

test("crude oil may be bid for below zero, as in April 2020", async () => {
  const order = { symbol: "CL1!", type: "limit", limitPrice: -37.63 };
  const { status, body, working } = await place(order);
  expect([status, body.status]).toEqual([201, "working"]);
  expect(working).toMatchObject([{ contract: CL.code, price: -3_763 }]);
});
