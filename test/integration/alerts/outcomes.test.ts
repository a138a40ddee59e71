// The goal: every alert has one line in the log, with one outcome, its reason, its times and its orders.
// The method: make each outcome happen on the whole gateway, and compare the log with the broker.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { call, postAlert } from "../../support/http-client.ts";
import { shareConnections } from "../../support/shared-gateway.ts";
import { type AlertDesk, type Logged, openAlertDesk, openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const BUY = { action: "buy", symbol: "ES1!", qty: 1 };
const BRACKET = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
const nextAccount = accountNames(50);

let gateway: TestGateway;
let simulator: ExchangeSimulator;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-50", LOG_LEVEL: "debug" } });
  simulator = await startExchangeSimulator();
  return async () => {
    await gateway.stop();
    await simulator.stop();
  };
});

const nextConnection = shareConnections(() => simulator, 4, {}, { answersOnTime: true });

const openDesk = async (options: object = {}) =>
  await openPaperDesk(gateway, nextAccount(), options);

type Stage = "received" | "enqueued" | "sent" | "acknowledged" | "settled";
const STAGES: readonly Stage[] = ["received", "enqueued", "sent", "acknowledged", "settled"];

/** The stages that an alert reached; fails where they are out of order. */
function reached({ times }: Logged): readonly Stage[] {
  const stages = STAGES.filter((stage) => times[stage] !== null);
  const at = stages.map((stage) => times[stage] as string);
  expect(at).toEqual(at.toSorted());
  return stages;
}

/** The only line of a webhook, the same whether listed or asked for by its id. */
async function onlyLine({ log, find }: Pick<AlertDesk, "log" | "find">): Promise<Logged> {
  const lines = await log();
  expect(lines).toHaveLength(1);
  const [line] = lines;
  const whole = await find(line.alertId);
  expect(whole).toMatchObject(line);
  expect(whole.reason).toEqual(expect.stringMatching(/\S{2}/));
  return whole;
}

describe("done", () => {
  test("an order with its bracket names the broker's orders", async () => {
    const desk = await openDesk();
    const body = await desk.done({ ...BUY, ...BRACKET, comment: "breakout" });
    const line = await onlyLine(desk);
    expect(line).toMatchObject({
      alertId: body.alertId,
      webhookId: desk.webhookId,
      accountId: desk.account,
      outcome: "done",
      code: null,
      symbol: ES.symbol,
      profile: "native",
      unreadFields: ["comment"],
      test: false,
      duplicateOf: null,
      intent: { intentId: body.intentId, state: "done" },
    });
    const legs = (await desk.working()).map(({ orderId }) => orderId);
    expect(line.orderIds.toSorted()).toEqual([body.orderId as string, ...legs].toSorted());
    expect(reached(line)).toEqual(STAGES);
  });

  test("a reversal names both of its orders", async () => {
    const desk = await openDesk();
    await desk.order({ qty: 2 });
    const body = await desk.done({ action: "reverse", symbol: "ES1!" });
    const line = await onlyLine(desk);
    expect(line.outcome).toBe("done");
    expect(line.orderIds).toEqual([body.closed[0].orderId, body.order.orderId]);
    expect(reached(line)).toEqual(expect.arrayContaining(["received", "sent", "settled"]));
  });

  test("a flatten names what it sent", async () => {
    const desk = await openDesk();
    await desk.order({ bracket: BRACKET });
    const body = await desk.done({ action: "flatten" });
    const line = await onlyLine(desk);
    expect([line.outcome, line.orderIds]).toEqual(["done", [body.closed[0].orderId]]);
  });
});

describe("refused", () => {
  const refusedBefore = async (desk: AlertDesk) => {
    const line = await onlyLine(desk);
    expect([line.outcome, line.orderIds, line.intent]).toEqual(["refused", [], null]);
    expect(reached(line)[0]).toBe("received");
    expect(line.times.sent).toBeNull();
    return line;
  };

  test.each([
    ["what is neither JSON nor pairs", "buy some", "VALIDATION_FAILED"],
    ["broken JSON", '{"action": "buy",', "VALIDATION_FAILED"],
    ["an empty body", "", "VALIDATION_FAILED"],
    ["a placeholder", { ...BUY, qty: "{{strategy.order.contracts}}" }, "UNRESOLVED_PLACEHOLDER"],
    ["an unknown symbol", { ...BUY, symbol: "ES2!" }, "UNKNOWN_SYMBOL"],
    ["another service's word", { ...BUY, sl: 6800 }, "VALIDATION_FAILED"],
    ["a price between ticks", { ...BUY, type: "limit", limitPrice: 6000.1 }, "VALIDATION_FAILED"],
    ["no quantity", { action: "buy", symbol: "ES1!" }, "VALIDATION_FAILED"],
  ])("400: %s", async (_, alert, code) => {
    const desk = await openDesk();
    const { status, body } = await desk.send(alert);
    expect([status, body.error.code]).toEqual([400, code]);
    const line = await refusedBefore(desk);
    expect([line.alertId, line.code, line.reason]).toEqual([
      body.error.alertId,
      code,
      body.error.message,
    ]);
    expect(line.body).toBe(typeof alert === "string" ? alert : JSON.stringify(alert));
    expect(line.details).toEqual(body.error.details);
  });

  test.each([
    ["403 WEBHOOK_PAUSED", { paused: true }, BUY],
    ["403 SENDER_NOT_ALLOWED", { allowedSenders: ["tradingview"] }, BUY],
    ["422 SYMBOL_NOT_ALLOWED", { allowedSymbols: ["NQ"] }, BUY],
    ["422 SIDE_NOT_ALLOWED", { allowedSide: "short" }, BUY],
    ["422 ALERT_TOO_OLD", {}, { ...BUY, maxAgeSeconds: 5, firedAt: "2026-01-02T15:30:00Z" }],
  ])("%s", async (expected, options, alert) => {
    const desk = await openDesk();
    if (Object.keys(options).length > 0) await desk.change(options);
    const { status, body } = await desk.send(alert);
    expect(`${status} ${body.error.code}`).toBe(expected);
    const line = await onlyLine(desk);
    // What the lane decides from the position that is held then is a denial.
    expect(["refused", "denied"]).toContain(line.outcome);
    expect([line.code, line.reason]).toEqual([body.error.code, body.error.message]);
    expect([line.orderIds, line.times.sent]).toEqual([[], null]);
    expect(reached(line)[0]).toBe("received");
    expect(await desk.orders()).toBe(0);
  });

  test("403 of an inactive account", async () => {
    const desk = await openDesk();
    gateway.paper.setReported(desk.account, false);
    gateway.paper.breakSession(new Error("The link is lost"));
    const account = async () =>
      (await gateway.api.get("/v1/accounts")).body.accounts.find(
        ({ id }: { readonly id: string }) => id === desk.account,
      );
    await expect.poll(account).toMatchObject({ active: false, connectionStatus: "CONNECTED" });
    expect((await desk.send(BUY)).body.error.message).toBe("Account is inactive");
    const line = await refusedBefore(desk);
    expect([line.code, line.reason]).toEqual(["ACCOUNT_INACTIVE", "Account is inactive"]);
  });

  test("429: each one over the rate, and nothing but those", async () => {
    const desk = await openDesk({ rateLimitPerMinute: 2, duplicateWindowSeconds: 0 });
    const replies = [];
    for (let n = 0; n < 4; n += 1) replies.push(await desk.send(BUY));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    expect(replies[2]?.headers.get("retry-after")).toMatch(/^\d+$/);
    const lines = await desk.log();
    expect(lines.map(({ outcome, code }) => [outcome, code])).toEqual([
      ["done", null],
      ["done", null],
      ["refused", "RATE_LIMITED"],
      ["refused", "RATE_LIMITED"],
    ]);
    expect(await desk.orders()).toBe(2);
  });

  test("404: a token that nobody has is in no log", async () => {
    const before = (await gateway.api.get("/v1/alerts")).body.alerts[0]?.alertId;
    const { status, body } = await postAlert(`${gateway.url}/hooks/${"a".repeat(43)}`, BUY);
    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect((await gateway.api.get("/v1/alerts")).body.alerts[0]?.alertId).toBe(before);
  });
});

describe("denied right before the sending", () => {
  test.each([
    ["LIMIT_EXCEEDED", 422, BUY],
    ["KILL_SWITCH_ON", 422, BUY],
    ["SYMBOL_MISMATCH", 409, { action: "close", symbol: "NQ1!" }],
    ["POSITION_HELD", 409, { action: "buy", ticker: "ES1!", quantity: 1 }],
  ])("%s", async (code, status, alert) => {
    const desk = await openDesk();
    await desk.order({});
    if (code === "POSITION_HELD") await desk.change({ profile: "traderspost" });
    if (code === "LIMIT_EXCEEDED") await desk.limit({ maxPositionQty: 1 });
    if (code === "KILL_SWITCH_ON") await desk.kill(true);
    const reply = await desk.send(alert);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    const line = await onlyLine(desk);
    expect(line).toMatchObject({
      outcome: "denied",
      code,
      reason: reply.body.error.message,
      orderIds: [],
      intent: { state: "denied", code },
    });
    expect(reached(line)).toEqual(["received", "enqueued", "settled"]);
    expect(await desk.orders()).toBe(1);
  });
});

test("rejected, with the broker's own words", async () => {
  const desk = await openDesk();
  const { status, body } = await desk.send({ ...BUY, type: "stop", stopPrice: 6000 });
  expect([status, body.error.code]).toEqual([422, "BROKER_ORDER_REJECTED"]);
  const line = await onlyLine(desk);
  expect(line).toMatchObject({ outcome: "rejected", orderIds: [] });
  expect(body.error.message).toContain(line.intent.reason);
  expect(reached(line)).toEqual(
    expect.arrayContaining(["received", "enqueued", "sent", "settled"]),
  );
});

test("duplicate, of which there is one line each", async () => {
  const desk = await openDesk();
  const { alertId } = await desk.done(BUY);
  await desk.send(BUY);
  const [first, second] = await desk.log();
  expect([first.outcome, first.alertId]).toEqual(["done", alertId]);
  expect(second).toMatchObject({ outcome: "duplicate", duplicateOf: alertId, orderIds: [] });
  expect(second.alertId).not.toBe(alertId);
  expect((await desk.find(second.alertId)).reason).toContain(alertId);
});

test("test, with nothing sent", async () => {
  const desk = await openDesk();
  const { body } = await desk.send({ ...BUY, test: true });
  expect(body.outcome).toBe("test");
  const line = await onlyLine(desk);
  expect(line).toMatchObject({ outcome: "test", test: true, orderIds: [] });
  expect(line.times.sent).toBeNull();
  expect(await desk.orders()).toBe(0);
});

describe("on a broker that does not answer", () => {
  async function openExchange() {
    const own = nextConnection();
    await own.quote(ES, 27_400);
    return { own, desk: await openAlertDesk(() => own.api, own.account) };
  }

  test("pending, then done; a duplicate in between is pending too", async () => {
    const { own, desk } = await openExchange();
    await own.goDown();
    const { status, body } = await desk.send(BUY);
    expect([status, body.outcome, body.duplicate]).toEqual([202, "pending", undefined]);
    const again = await desk.send(BUY);
    expect([again.status, again.body]).toMatchObject([202, body]);
    const [first, second] = await desk.log();
    expect(first).toMatchObject({ alertId: body.alertId, outcome: "pending", orderIds: [] });
    expect(reached(first)).toEqual(["received", "enqueued"]);
    expect(second).toMatchObject({ outcome: "duplicate", duplicateOf: body.alertId });

    await own.letIn();
    const line = await desk.until(body.alertId, "done");
    expect(reached(line)).toEqual(STAGES);
    const sent = await own.commands("submitOrder");
    expect(sent.map(({ orderId }) => orderId)).toEqual(line.orderIds);
    const late = await desk.send(BUY);
    expect(late.body).toMatchObject({
      outcome: "done",
      duplicate: true,
      orderId: line.orderIds[0],
    });
    expect(await own.commands("submitOrder")).toHaveLength(1);
  });

  test("the answer pending to a duplicate is marked as every other one", async () => {
    const { own, desk } = await openExchange();
    await own.goDown();
    const { body } = await desk.send(BUY);
    const again = await desk.send(BUY);
    expect([again.status, again.body]).toEqual([202, { ...body, duplicate: true }]);
  });

  test.each([
    [true, "done", 1],
    [false, "lost", 0],
  ])("unknown, then settled: carried out %s is %s", async (isCarriedOut, ending, held) => {
    const { own, desk } = await openExchange();
    await own.loseNextAnswer({ isCarriedOut });
    // It cannot be looked up before it is sent again.
    await own.refuseLogins();
    const { status, body } = await desk.send(BUY);
    expect(status).toBe(202);
    expect(["unknown", "pending"]).toContain(body.outcome);
    expect((await desk.send(BUY)).body.alertId).toBe(body.alertId);
    await own.letIn();
    const line = await desk.until(body.alertId, ending);
    expect(await desk.outcomes()).toEqual([ending, "duplicate"]);
    expect(line.orderIds).toHaveLength(held);
    expect(reached(line)).toEqual(expect.arrayContaining(["received", "sent", "settled"]));
    const { positions } = (await own.broker()) ?? { positions: [] };
    expect(positions).toHaveLength(held);
    expect(await own.commands("submitOrder")).toHaveLength(1);
  });
});

describe("a secret in a body", () => {
  const SECRET = "hunter2-correct-horse";
  const BODIES: readonly (readonly [string, string])[] = [
    ["JSON", JSON.stringify({ ...BUY, secret: SECRET })],
    ["a token", JSON.stringify({ ...BUY, token: SECRET, comment: 2 })],
    ["a passphrase", JSON.stringify({ ...BUY, passphrase: SECRET, comment: 3 })],
    ["an api key", JSON.stringify({ ...BUY, apiKey: SECRET, comment: 4 })],
    ["a password within", JSON.stringify({ ...BUY, auth: { password: SECRET }, comment: 5 })],
    ["a list of accounts", JSON.stringify({ ...BUY, accounts: [{ token: SECRET }], comment: 9 })],
    ["pairs", `action=buy;symbol=ES1!;qty=1;key=${SECRET};comment=6`],
    ["lines", `action=buy\nsymbol=ES1!\nqty=1\nsecret=${SECRET}\ncomment=7`],
    ["the comma form", `${SECRET},buy,ES1!,vol_lots=1`],
    ["broken JSON", `{"action":"buy","secret":"${SECRET}","qty":`],
    ["an array", JSON.stringify([{ ...BUY, secret: SECRET, comment: 8 }])],
    ["a refused word", JSON.stringify({ ...BUY, sl: 6800, secret: SECRET })],
    [
      "an alert that is too long to be shown whole",
      `{"comment":"${"x".repeat(4_060)}","secret":"${SECRET}","action":"buy","symbol":"ES1!","qty":1}`,
    ],
  ];

  test("is in no answer, no log and nowhere in Redis", async () => {
    const desk = await openDesk();
    const leaks: string[] = [];
    const look = (where: string, text: string) => {
      if (text.includes(SECRET)) leaks.push(where);
    };
    for (const [name, body] of BODIES) look(`the answer to ${name}`, (await desk.send(body)).text);
    for (const line of await desk.log()) {
      const { text } = await gateway.api.get(`/v1/alerts/${line.alertId}`);
      look(`the log of ${text.slice(text.indexOf('"body"'), 400)}`, text);
    }
    look("the list", (await gateway.api.get("/v1/alerts?limit=200")).text);
    look("the process's log", gateway.log.join("\n"));
    look("the metrics", (await call(gateway.url, "GET", "/metrics")).text);
    const folder = path.join(gateway.dataDir, "redis/appendonlydir");
    for (const name of await readdir(folder)) {
      look(`Redis: ${name}`, await readFile(path.join(folder, name), "latin1"));
    }
    expect(leaks).toEqual([]);
    // What was looked through holds what came in.
    expect(await desk.log()).toHaveLength(BODIES.length);
  });

  test.each([
    ["a list", JSON.stringify({ ...BUY, secret: [SECRET] })],
    ["an object", JSON.stringify({ ...BUY, token: { value: SECRET } })],
    ["secretKey", JSON.stringify({ ...BUY, secretKey: SECRET })],
    ["authorization", JSON.stringify({ ...BUY, authorization: SECRET })],
    ["credentials", `action=buy;symbol=ES1!;qty=1;credentials=${SECRET}`],
    [
      "a name with an escape",
      `{"action":"buy","symbol":"ES1!","qty":1,"sec\\u0072et":"${SECRET}"}`,
    ],
    [
      "a second line of the comma form",
      `${SECRET},buy,ES1!,vol_lots=1\n${SECRET},buy,ES1!,vol_lots=1`,
    ],
  ])("is masked in %s", async (_, body) => {
    const desk = await openDesk();
    await desk.send(body);
    const [{ alertId }] = await desk.log();
    expect((await desk.find(alertId)).body).not.toContain(SECRET);
  });

  test("neither is the webhook's own token", async () => {
    const token = new URL(gateway.webhook).pathname.split("/").at(-1) ?? "";
    await gateway.alert({ ...BUY, comment: "token" });
    expect(token.length).toBeGreaterThan(40);
    expect(gateway.log.join("\n")).not.toContain(token);
    expect((await gateway.api.get("/v1/alerts?limit=200")).text).not.toContain(token);
  });
});
