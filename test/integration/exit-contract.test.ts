// The goal: an exit by an opposite order reaches the contract that is held, whatever month trades now,
// and no order ever opens a second month against it unless it names that month.
// The method: post orders and alerts to the whole gateway over HTTP; look into the broker's accounts.
import { beforeAll, describe, expect, test } from "vitest";
import {
  accountNames,
  frontMonth,
  quarterAfter,
  startGateway,
  type TestGateway,
} from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";

const ES = frontMonth("ES");
const LATER = quarterAfter(ES);
const LATEST = quarterAfter(LATER);
const nextAccount = accountNames(60);
const BRACKET = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-60" } });
  gateway.quote(LATER, 27_600);
  gateway.quote(LATEST, 27_800);
  return gateway.stop;
});

/** An account that holds what it is told to, with both ways into it. */
async function openAccount(held: Readonly<Record<string, number>> = {}) {
  const account = nextAccount();
  const { url } = await gateway.createWebhook(account);
  const api = async (body: object) =>
    await gateway.api.post(`/v1/accounts/${account}/orders`, body);
  for (const [symbol, netQty] of Object.entries(held)) {
    const action = netQty > 0 ? "buy" : "sell";
    const { status } = await api({ symbol, action, qty: Math.abs(netQty) });
    expect(status).toBe(201);
  }
  const alert = async (body: object) => await postAlert(url, body);
  return {
    api,
    alert,
    positions: async () => await gateway.broker.positions(account),
    working: async () => await gateway.broker.working(account),
    filled: async () => await gateway.broker.filled(account),
  };
}

const WAYS = ["/v1", "a webhook"];
const ROOT_FORMS = ["ES", "ES!", "ES1!", "CME_MINI:ES1!"];
const placed = (way: string) => (way === "/v1" ? 201 : 200);

/** `ESZ6` with the year in two digits: `ESZ26`. */
const twoDigits = ({ symbol, code }: typeof ES) => `${symbol.slice(0, -1)}${code.slice(-2)}`;

describe.each(WAYS)("by %s", (way) => {
  type Opened = Awaited<ReturnType<typeof openAccount>>;
  const send = async ({ api, alert }: Opened, body: object) =>
    await (way === "/v1" ? api(body) : alert(body));

  test.each(ROOT_FORMS)("%s exits the month that is held, and names it", async (symbol) => {
    const opened = await openAccount({ [LATER.symbol]: 2 });
    const { status, body } = await send(opened, { symbol, action: "sell", qty: 2 });
    expect([status, body.symbol, body.status]).toEqual([placed(way), LATER.symbol, "filled"]);
    expect(await opened.positions()).toEqual({});
  });

  test.each([
    ["a short position", { [LATER.symbol]: -2 }, "buy", 2, {}],
    ["a part of what is held", { [LATER.symbol]: 3 }, "sell", 1, { [LATER.code]: 2 }],
    [
      "the nearest of several months",
      { [LATEST.symbol]: 2, [LATER.symbol]: 2 },
      "sell",
      2,
      { [LATEST.code]: 2 },
    ],
    [
      "the front month, where that is held too",
      { [LATER.symbol]: 2, [ES.symbol]: 2 },
      "sell",
      2,
      { [LATER.code]: 2 },
    ],
  ])("ES1! exits %s", async (_, held, action, qty, left) => {
    const opened = await openAccount(held);
    const { status } = await send(opened, { symbol: "ES1!", action, qty });
    expect([status, await opened.positions()]).toEqual([placed(way), left]);
  });

  test("ES1! on the side of what is held opens the front month", async () => {
    const opened = await openAccount({ [LATER.symbol]: 2 });
    const { body } = await send(opened, { symbol: "ES1!", action: "buy", qty: 1 });
    expect(body.symbol).toBe(ES.symbol);
    expect(await opened.positions()).toEqual({ [LATER.code]: 2, [ES.code]: 1 });
  });

  test.each([
    ["a full contract", ES.symbol],
    ["a two-digit year", twoDigits(ES)],
    ["a full contract with its exchange", `CME_MINI:${ES.symbol}`],
  ])("%s, %s, is used exactly as given", async (_, symbol) => {
    const opened = await openAccount({ [LATER.symbol]: 2 });
    const { body } = await send(opened, { symbol, action: "sell", qty: 1 });
    expect(body.symbol).toBe(ES.symbol);
    expect(await opened.positions()).toEqual({ [LATER.code]: 2, [ES.code]: -1 });
  });

  test("an order for more than is held closes that, and opens the front month with the rest", async () => {
    const opened = await openAccount({ [LATER.symbol]: 2 });
    const { status, body } = await send(opened, {
      symbol: "ES1!",
      action: "sell",
      qty: 3,
      bracket: BRACKET,
    });
    expect([status, body.symbol, body.status]).toEqual([placed(way), ES.symbol, "filled"]);
    expect(body).toMatchObject({
      filledQty: 1,
      closed: [{ symbol: LATER.symbol, qty: 2, side: "long", orderId: expect.any(String) }],
    });
    expect(body).not.toHaveProperty("problems");
    expect(await opened.positions()).toEqual({ [ES.code]: -1 });
    expect(await opened.working()).toMatchObject([{ contract: ES.code }, { contract: ES.code }]);
  });

  test("where the rest may not follow, the exit is done all the same, and it is said", async () => {
    const opened = await openAccount({ [LATER.symbol]: 2 });
    const { status, body } = await send(opened, { symbol: "ES1!", action: "sell", qty: 100 });
    expect([status, body.symbol, body.status]).toEqual([placed(way), LATER.symbol, "filled"]);
    expect(body).toMatchObject({ filledQty: 2, averagePrice: 6900, closed: [{ qty: 2 }] });
    expect(body.problems).toEqual([expect.stringContaining("The order was not placed")]);
    expect(await opened.positions()).toEqual({});
  });

  test("a bracket on what only exits another month is left out, and it is said", async () => {
    const opened = await openAccount({ [LATER.symbol]: 2 });
    const order = { symbol: "ES1!", action: "sell", qty: 2, bracket: BRACKET };
    const { status, body } = await send(opened, order);
    expect([status, body.symbol]).toEqual([placed(way), LATER.symbol]);
    expect(body.problems).toEqual([expect.stringContaining("opens nothing")]);
    expect([await opened.positions(), await opened.working()]).toEqual([{}, []]);
  });

  test.each([
    ["limit", { type: "limit", limitPrice: 6950 }],
    ["stop", { type: "stop", stopPrice: 6850 }],
  ])("a resting %s rests in the month that is held", async (_, order) => {
    const opened = await openAccount({ [LATER.symbol]: 2 });
    const { status, body } = await send(opened, {
      symbol: "ES1!",
      action: "sell",
      qty: 2,
      ...order,
    });
    expect([status, body.symbol, body.status]).toEqual([placed(way), LATER.symbol, "working"]);
    expect(await opened.working()).toMatchObject([{ contract: LATER.code, leavesQty: 2 }]);

    const more = await send(opened, { symbol: "ES1!", action: "sell", qty: 5, ...order });
    expect(more.body.problems).toEqual([expect.stringContaining("Only 2 of 5 were sent")]);
  });

  test.each([
    ["long", "sell", 2, -3],
    ["short", "buy", -2, 3],
  ])(
    "an opposite order of more than is %s turns the same contract",
    async (_, action, has, then) => {
      const opened = await openAccount();
      const first = await send(opened, {
        symbol: "ES1!",
        action: has > 0 ? "buy" : "sell",
        qty: 2,
        bracket: BRACKET,
      });
      expect(first.status).toBe(placed(way));

      const { status, body } = await send(opened, { symbol: "ES1!", action, qty: 5 });

      expect([status, body.symbol, body.filledQty]).toEqual([placed(way), ES.symbol, 5]);
      expect(await opened.positions()).toEqual({ [ES.code]: then });
      expect(await opened.filled()).toEqual({ qty: 7, orders: 2 });
    },
  );

  test("a turn to more than the position may be only closes it, and says so", async () => {
    const opened = await openAccount({ "ES1!": 2 });
    const { status, body } = await send(opened, { symbol: "ES1!", action: "sell", qty: 100 });
    expect([200, 201]).toContain(status);
    expect(body.problems).toEqual([expect.stringMatching(/Only 2 of 100 .*limit/)]);
    expect(await opened.positions()).toEqual({});
  });
});

test("two alerts in a row, an exit and then an entry, end in the front month alone", async () => {
  const opened = await openAccount({ [LATER.symbol]: 2 });
  const sent = ["exit", "entry"].map(
    async (comment) => await opened.alert({ symbol: "ES1!", action: "sell", qty: 2, comment }),
  );
  const symbols = (await Promise.all(sent)).map(({ body }) => body.symbol as string);
  expect(new Set(symbols)).toEqual(new Set([ES.symbol, LATER.symbol]));
  expect(await opened.positions()).toEqual({ [ES.code]: -2 });
});
