// The goal: an alert does what part 4.3 of the specification says, rule by rule, and never more.
// The method: post alerts to the whole gateway over HTTP and look into the paper broker's accounts.
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  accountNames,
  frontMonth,
  quarterAfter,
  startGateway,
  type TestGateway,
} from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";

const ES = frontMonth("ES");
const MNQ = frontMonth("MNQ");
const LATER_ES = quarterAfter(ES);
const nextAccount = accountNames(60);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-60" } });
  gateway.quote(LATER_ES, 27_600);
  return gateway.stop;
});

/** An account with its own webhook; each alert says something of its own. */
async function openAccount() {
  const account = nextAccount();
  const { url } = await gateway.createWebhook(account);
  let alerts = 0;
  return {
    account,
    positions: async () => await gateway.broker.positions(account),
    working: async () => await gateway.broker.working(account),
    alert: async (alert: object) =>
      await postAlert(url, { ...alert, comment: `alert ${(alerts += 1)}` }),
    order: async (order: object) => {
      const reply = await gateway.api.post(`/v1/accounts/${account}/orders`, {
        symbol: "ES1!",
        action: "buy",
        qty: 1,
        ...order,
      });
      expect([reply.status, reply.body.error]).toEqual([201, undefined]);
      return reply.body;
    },
  };
}

const RESTING = { type: "limit", limitPrice: 6000 };
const BRACKET = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
const CLOSING = ["close", "flat", "flatten", "exit"] as const;

describe("rule 1: a flatten closes everything and cancels everything that rests", () => {
  test.each(CLOSING)("%s needs neither symbol nor quantity", async (action) => {
    const { alert, order, positions, working } = await openAccount();
    await order({ qty: 2, bracket: BRACKET });
    await order({ symbol: "MNQ", action: "sell" });
    await order({ ...RESTING, bracket: BRACKET });
    await order({ symbol: "MES", action: "sell", type: "stop", stopPrice: 6000 });
    expect(await working()).toHaveLength(6);

    const { status, body } = await alert({ action });

    expect([status, body.outcome]).toEqual([200, "done"]);
    expect(body.closed).toHaveLength(2);
    expect([body.remaining, body.remainingOrders]).toEqual([[], []]);
    expect(await positions()).toEqual({});
    expect(await working()).toEqual([]);
  });

  test("of a flat account it cancels what rests", async () => {
    const { alert, order, working } = await openAccount();
    const { orderId } = await order(RESTING);
    const { body } = await alert({ action: "flatten" });
    expect([body.outcome, body.closed, body.canceledOrders]).toEqual(["done", [], [orderId]]);
    expect(await working()).toEqual([]);
  });

  test("the action is read in any case, and what it does not need is ignored", async () => {
    const { alert, order, positions } = await openAccount();
    await order({});
    const { status } = await alert({ action: " Flatten ", qty: "all", price: 1, time: "now" });
    expect(status).toBe(200);
    expect(await positions()).toEqual({});
  });

  test("the symbol that is held may be named in every form; the contract held is closed", async () => {
    for (const symbol of ["ES", "ES1!", "CME_MINI:ES1!", ES.symbol]) {
      const { alert, order, positions, working } = await openAccount();
      await order({ symbol: LATER_ES.symbol, bracket: BRACKET });
      expect(await positions()).toEqual({ [LATER_ES.code]: 1 });

      const { status, body } = await alert({ action: "exit", symbol });

      expect([status, body.closed[0].symbol]).toEqual([200, LATER_ES.symbol]);
      expect([await positions(), await working()]).toEqual([{}, []]);
    }
  });
});

describe("rule 2: a flatten that names another symbol than is held closes nothing", () => {
  test.each([
    ["another one is held", ["ES"]],
    ["another one is held beside it", ["MNQ", "ES"]],
  ])("%s", async (_, held) => {
    const { alert, order, positions, working } = await openAccount();
    for (const symbol of held) await order({ symbol, bracket: BRACKET });
    await order(RESTING);
    const before = [await positions(), await working()];

    const { status, body } = await alert({ action: "flatten", symbol: "MNQ1!" });

    expect([status, body.error.code, body.error.retry]).toEqual([409, "SYMBOL_MISMATCH", "never"]);
    expect(body.error.message).toContain("nothing was closed");
    expect([await positions(), await working()]).toEqual(before);
  });

  test("a symbol that nobody knows closes nothing either", async () => {
    const { alert, order, positions } = await openAccount();
    await order({});
    const { status, body } = await alert({ action: "flatten", symbol: "ES2!" });
    expect([status, body.error.code]).toEqual([400, "UNKNOWN_SYMBOL"]);
    expect(await positions()).toEqual({ [ES.code]: 1 });
  });
});

describe("rule 3: an opposite order of the same quantity exits one symbol", () => {
  test.each([
    ["buy", "sell"],
    ["sell", "buy"],
  ])("after a %s, a %s", async (first, second) => {
    const { alert, positions } = await openAccount();
    await alert({ action: first, symbol: "ES1!", qty: 3 });
    await alert({ action: first, symbol: "MNQ1!", qty: 2 });
    const { status, body } = await alert({ action: second, symbol: "ES1!", qty: 3 });
    expect([status, body.status, body.filledQty]).toEqual([200, "filled", 3]);
    expect(await positions()).toEqual({ [MNQ.code]: first === "buy" ? 2 : -2 });
  });
});

describe("rule 4: an alert carries at most one bracket", () => {
  test.each([
    ["in bracket", { bracket: BRACKET }],
    ["beside the other fields", BRACKET],
    ["as text", { bracket: { takeProfit: { ticks: "40" }, stopLoss: { ticks: "40" } } }],
  ])("a take-profit and a stop-loss %s", async (_, legs) => {
    const { alert, working } = await openAccount();
    const { status, body } = await alert({ action: "buy", symbol: "ES1!", qty: 1, ...legs });
    expect([status, body.outcome]).toEqual([200, "done"]);
    expect(await working()).toMatchObject([
      { orderId: body.bracket.takeProfitOrderId, role: "TAKE_PROFIT" },
      { orderId: body.bracket.stopLossOrderId, role: "STOP_LOSS" },
    ]);
  });

  test.each([
    ["one in each place", { bracket: BRACKET, takeProfit: { ticks: 20 } }],
    ["a list of targets", { takeProfit: [{ ticks: 20 }, { ticks: 40 }] }],
    ["a leg with two levels", { stopLoss: { ticks: 20, price: 6000 } }],
    ["a leg in another spelling", { stop_loss: { ticks: 20 } }],
    ["an empty bracket", { bracket: {} }],
  ])("%s is refused, and no order is left unprotected", async (_, legs) => {
    const { alert, positions } = await openAccount();
    const { status, body } = await alert({ action: "buy", symbol: "ES1!", qty: 1, ...legs });
    expect([status, body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(await positions()).toEqual({});
  });
});

describe("rule 6: an alert for an inactive account is refused", () => {
  /** The session is begun anew, and the broker reports its accounts again. */
  async function reconnect(account: string, isActive: boolean) {
    gateway.paper.breakSession(new Error("The link is lost"));
    await expect
      .poll(async () => {
        const { body } = await gateway.api.get(`/v1/accounts/${account}`);
        return [body.active, body.connectionStatus];
      })
      .toEqual([isActive, "CONNECTED"]);
  }

  const BUY = { action: "buy", symbol: "ES1!", qty: 1 };

  test.each([
    ["is not reported any more", "setReported"],
    ["is reported as stopped", "setActive"],
  ] as const)("that %s, until it is live again", async (_, change) => {
    const { account, alert: send, positions } = await openAccount();
    gateway.paper[change](account, false);
    await reconnect(account, false);

    for (const alert of [BUY, { action: "flatten" }]) {
      const { status, body } = await send(alert);
      expect([status, body.error.code, body.error.message]).toEqual([
        403,
        "ACCOUNT_INACTIVE",
        "Account is inactive",
      ]);
    }
    const order = await gateway.api.post(`/v1/accounts/${account}/orders`, BUY);
    expect([order.status, order.body.error.message]).toEqual([403, "Account is inactive"]);
    expect(await gateway.redis.keys(`gw:{${account}}:intent:*`)).toEqual([]);

    gateway.paper[change](account, true);
    await reconnect(account, true);
    expect((await send(BUY)).body.outcome).toBe("done");
    expect(await positions()).toEqual({ [ES.code]: 1 });
  });

  test("and alerts go on when the token is pointed to a live account", async () => {
    const own = await startGateway();
    onTestFinished(own.stop);
    const first = await own.alert({ ...BUY, alertId: "first" });
    expect(first.body.outcome).toBe("done");
    await own.restart({ PAPER_ACCOUNTS: "2" });
    const refused = await own.alert(BUY);
    expect([refused.status, refused.body.error.message]).toEqual([403, "Account is inactive"]);
    const repeated = await own.alert({ ...BUY, alertId: "first" });
    expect([repeated.status, repeated.body]).toEqual([200, { ...first.body, duplicate: true }]);

    const [webhook] = (await own.api.get("/v1/webhooks")).body.webhooks;
    const path = `/v1/webhooks/${webhook.id}`;
    const edited = await own.api.patch(path, { accountId: "paper-2" });
    expect([edited.status, edited.body.accountId]).toEqual([200, "paper-2"]);
    const { body } = await own.alert({ ...BUY, comment: "again" });
    expect([body.outcome, body.accountId]).toEqual(["done", "paper-2"]);

    const back = await own.api.patch(path, { accountId: "paper-1" });
    expect([back.status, back.body.error.message]).toEqual([403, "Account is inactive"]);
  });
});

describe("the answer to a sender", () => {
  test("any content type and unknown fields are taken", async () => {
    const { account, positions } = await openAccount();
    const { url } = await gateway.createWebhook(account);
    for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": type },
        body: JSON.stringify({ action: "buy", symbol: "ES1!", qty: "1", time: type }),
      });
      expect(response.status).toBe(200);
    }
    expect(await positions()).toEqual({ [ES.code]: 3 });
  });

  test("a refusal of the broker is a 422, which senders do not repeat", async () => {
    const { alert } = await openAccount();
    const stop = { action: "buy", symbol: "ES1!", qty: 1, type: "stop", stopPrice: 6000 };
    const { status, body } = await alert(stop);
    expect([status, body.error.code]).toEqual([422, "BROKER_ORDER_REJECTED"]);
  });
});

test("flatten by /v1 closes what is held with its legs, and leaves resting entries", async () => {
  const { account, order, positions, working } = await openAccount();
  await order({ bracket: BRACKET });
  const entry = await order({ ...RESTING, bracket: BRACKET });
  const { status, body } = await gateway.api.delete(`/v1/accounts/${account}/positions`);

  expect([status, body.closed.length, body.canceledOrders.length]).toEqual([200, 1, 2]);
  expect(await positions()).toEqual({});
  expect(await working()).toMatchObject([
    { orderId: entry.orderId, ordStatus: "NEW" },
    { ordStatus: "HELD" },
    { ordStatus: "HELD" },
  ]);
});
