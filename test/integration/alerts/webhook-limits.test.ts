// The goal: what a webhook's owner has set decides what its alerts may do, and exits always pass.
// The method: set options on the whole gateway, alert, and look into the paper broker's accounts.
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accountId } from "../../../src/domain/ids.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { call } from "../../support/http-client.ts";
import { openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const MNQ = frontMonth("MNQ");
const NQ = frontMonth("NQ");
const BUY = { action: "buy", symbol: "ES1!", qty: 1 };
const nextAccount = accountNames(60);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-60" } });
  return gateway.stop;
});

const openDesk = async (options: object = {}) =>
  await openPaperDesk(gateway, nextAccount(), options);

describe("quantities", () => {
  test("an order without one has the default", async () => {
    const { done, positions } = await openDesk({ defaultQty: 3 });
    await done({ action: "buy", symbol: "ES1!" });
    expect(await positions()).toEqual({ [ES.code]: 3 });
    await done({ ...BUY, action: "sell" });
    expect(await positions()).toEqual({ [ES.code]: 2 });
  });

  test.each([
    ["2", 3, 6],
    ["0.5", 3, 1],
    ["0.3333", 3, undefined],
    ["1.5", 1, 1],
    ["0.5", 1, undefined],
  ])("times %s, %i is %s", async (multiplier, qty, traded) => {
    const { send, positions } = await openDesk({ multiplier });
    const { status } = await send({ ...BUY, qty });
    expect(status).toBe(traded === undefined ? 400 : 200);
    expect(await positions()).toEqual(traded === undefined ? {} : { [ES.code]: traded });
  });

  test("a target position is multiplied too, flat stays flat", async () => {
    const { done, positions } = await openDesk({ multiplier: "2" });
    await done({ position: -2, symbol: "ES1!" });
    expect(await positions()).toEqual({ [ES.code]: -4 });
    await done({ position: 0, symbol: "ES1!" });
    expect(await positions()).toEqual({});
  });

  test("a way out goes, however little is left of it", async () => {
    const { done, order, positions } = await openDesk({ multiplier: "0.5" });
    await order({ qty: 3 });
    await done({ action: "sell", symbol: "ES1!", qty: 1 });
    expect(await positions()).toEqual({ [ES.code]: 2 });
    await done({ position: 1, symbol: "ES1!" });
    expect(await positions()).toEqual({});
  });

  test("a percentage is of what is held, not multiplied", async () => {
    const { done, order, positions } = await openDesk({ multiplier: "3" });
    await order({ qty: 4 });
    await done({ action: "reduce", symbol: "ES1!", percent: 50 });
    expect(await positions()).toEqual({ [ES.code]: 2 });
  });

  test("the limits hold for what is traded, not for what is written", async () => {
    const { send, limit, orders } = await openDesk({ multiplier: "10" });
    await limit({ maxOrderQty: 5 });
    const { status, body } = await send(BUY);
    expect([status, body.error.code]).toEqual([422, "LIMIT_EXCEEDED"]);
    expect(await orders()).toBe(0);
  });
});

describe("symbols", () => {
  test("the micro is traded instead, and the log says so", async () => {
    const { done, positions, find } = await openDesk({ symbolMap: { NQ: "MNQ" } });
    const body = await done({ ...BUY, symbol: "NQ1!" });
    expect([body.symbol, await positions()]).toEqual([MNQ.symbol, { [MNQ.code]: 1 }]);
    const line = await find(body.alertId);
    expect(line.symbol).toBe(MNQ.symbol);
    expect(line.decisions.join(" ")).toMatch(/NQ.*MNQ/);
  });

  test("in the same month, in every form", async () => {
    const { done, positions } = await openDesk({ symbolMap: { NQ: "MNQ" } });
    for (const symbol of [NQ.symbol, "CME_MINI:NQ1!", "NQ!", "nq"]) {
      await done({ ...BUY, symbol, comment: symbol });
    }
    expect(await positions()).toEqual({ [MNQ.code]: 4 });
  });

  test("of a target, a close and a flatten too", async () => {
    const { done, positions } = await openDesk({ symbolMap: { NQ: "MNQ" } });
    await done({ position: 2, symbol: "NQ1!" });
    await done({ position: 0, symbol: "NQ1!" });
    expect(await positions()).toEqual({});
    await done({ position: 2, symbol: "NQ1!", comment: 2 });
    await done({ action: "flatten", symbol: "NQ1!" });
    expect(await positions()).toEqual({});
  });

  test("only what is allowed, after the map; exits of anything pass", async () => {
    const desk = await openDesk({ symbolMap: { NQ: "MNQ" }, allowedSymbols: ["MNQ"] });
    await desk.order({ qty: 2 });
    const refused = await desk.send(BUY);
    expect([refused.status, refused.body.error.code]).toEqual([422, "SYMBOL_NOT_ALLOWED"]);
    const target = await desk.send({ position: 5, symbol: "ES1!" });
    expect([target.status, target.body.error.code]).toEqual([422, "SYMBOL_NOT_ALLOWED"]);
    await desk.done({ ...BUY, symbol: "NQ1!" });
    await desk.done({ action: "reduce", symbol: "ES1!", qty: 1 });
    await desk.done({ position: 0, symbol: "ES1!" });
    expect(await desk.positions()).toEqual({ [MNQ.code]: 1 });
    await desk.done({ action: "close" });
    expect(await desk.positions()).toEqual({});
  });
});

// docs/alerts.md: "an ordinary order of the opposite side and the same quantity" leaves one symbol.
test("an opposite order leaves a symbol that is not allowed", async () => {
  const { send, order, positions } = await openDesk({ allowedSymbols: ["MNQ"] });
  await order({ qty: 2 });
  const { status, body } = await send({ action: "sell", symbol: "ES1!", qty: 2 });
  expect([status, body.error]).toEqual([200, undefined]);
  expect(await positions()).toEqual({});
});

describe("sides", () => {
  test.each([
    ["long", "buy", "sell"],
    ["short", "sell", "buy"],
  ])("only %s: a %s enters, a %s only closes", async (allowedSide, enter, leave) => {
    const { send, done, positions } = await openDesk({ allowedSide });
    const wrong = await send({ ...BUY, action: leave });
    expect([wrong.status, wrong.body.error.code]).toEqual([422, "SIDE_NOT_ALLOWED"]);
    await done({ ...BUY, action: enter, qty: 2 });
    await done({ ...BUY, action: leave, qty: 1 });
    const through = await send({ ...BUY, action: leave, qty: 3 });
    expect(through.status).toBe(200);
    expect(through.body.problems).toEqual([expect.stringMatching(`Only 1 of 3 .*${allowedSide}`)]);
    expect(await positions()).toEqual({});
  });

  test("a target on the other side closes, enters nothing, and says so", async () => {
    const { send, order, positions } = await openDesk({ allowedSide: "long" });
    await order({ qty: 2 });
    const { status, body } = await send({ position: -1, symbol: "ES1!" });
    expect([status, body.outcome, body.order]).toEqual([200, "done", null]);
    expect(body.problems.join(" ")).toMatch(/long/i);
    expect(await positions()).toEqual({});
  });
});

describe("senders", () => {
  const FORWARDED = "x-forwarded-for";
  const send = async (url: string, alert: object, from?: string) =>
    await call(url, "POST", "", {
      body: alert,
      ...(from !== undefined && { headers: { [FORWARDED]: from } }),
    });

  test("without a trusted proxy nobody's word on the address is believed", async () => {
    const desk = await openDesk({ allowedSenders: ["tradingview", "203.0.113.0/24"] });
    for (const from of [undefined, "52.89.214.238", "203.0.113.9"]) {
      const { status, body } = await send(desk.url, BUY, from);
      expect([status, body.error.code]).toEqual([403, "SENDER_NOT_ALLOWED"]);
    }
    await desk.change({ allowedSenders: ["127.0.0.1"] });
    expect((await send(desk.url, BUY, "198.51.100.1")).status).toBe(200);
    const last = (await desk.log()).at(-1);
    expect((await desk.find(last.alertId)).sender).toBe("127.0.0.1");
  });

  test("behind a trusted one, the address that it saw counts", async () => {
    const own = await startGateway({ settings: { TRUSTED_PROXIES: "loopback" } });
    onTestFinished(own.stop);
    const desk = await openPaperDesk(own, accountId("paper-1"), {
      allowedSenders: ["tradingview", "203.0.113.0/24"],
    });
    const table: readonly (readonly [string | undefined, number])[] = [
      ["52.89.214.238", 200],
      ["203.0.113.9", 200],
      ["198.51.100.1", 403],
      // What the client itself wrote stands before what the proxy added.
      ["52.89.214.238, 198.51.100.1", 403],
      ["198.51.100.1, 52.89.214.238", 200],
      ["52.89.214.238, 127.0.0.1", 200],
      ["not an address", 403],
      [undefined, 403],
    ];
    for (const [nth, [from, expected]] of table.entries()) {
      const { status } = await send(desk.url, { ...BUY, comment: nth }, from);
      expect([from, status]).toEqual([from, expected]);
    }
    const lines = await desk.log();
    const senders = await Promise.all(
      lines.slice(0, 3).map(async ({ alertId }) => (await desk.find(alertId)).sender),
    );
    expect(senders).toEqual(["52.89.214.238", "203.0.113.9", "198.51.100.1"]);
    expect(await desk.orders()).toBe(4);
  });
});

describe("rate and pause", () => {
  test("a webhook's own rate is its own: another one's alerts do not count", async () => {
    const slow = await openDesk({ rateLimitPerMinute: 1 });
    const other = await openPaperDesk(gateway, slow.account);
    await slow.done(BUY);
    for (let n = 0; n < 3; n += 1) await other.done({ ...BUY, comment: n });
    const { status, headers, body } = await slow.send({ ...BUY, comment: "second" });
    expect([status, body.error.code, body.error.retry]).toEqual([429, "RATE_LIMITED", "safe"]);
    const wait = Number(headers.get("retry-after"));
    expect(wait > 0 && wait <= 60).toBe(true);
    await slow.change({ rateLimitPerMinute: null });
    await slow.done({ ...BUY, comment: "third" });
  });

  test("a paused one takes nothing, exits neither, until it goes on", async () => {
    const { send, done, change, order, positions } = await openDesk();
    await order({});
    await change({ paused: true });
    for (const alert of [BUY, { action: "flatten" }, "nonsense"]) {
      const { status, body } = await send(alert);
      expect([status, body.error.code]).toEqual([403, "WEBHOOK_PAUSED"]);
    }
    expect(await positions()).toEqual({ [ES.code]: 1 });
    await change({ paused: false });
    await done({ action: "flatten" });
    expect(await positions()).toEqual({});
  });
});
