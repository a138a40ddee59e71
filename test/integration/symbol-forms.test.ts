// The goal: every way to write a symbol reaches the right contract, and no other one reaches a broker.
// The method: post orders to the whole gateway over HTTP, and look into the paper broker's accounts.
import { beforeAll, expect, test } from "vitest";
import { frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  return gateway.stop;
});

const ES = frontMonth("ES");
const MNQ = frontMonth("MNQ");
const orders = "/v1/accounts/paper-1/orders";

/** `ESZ6` with the year in two digits: `ESZ26`. */
function twoDigits({ symbol, code }: typeof ES): string {
  return `${symbol.slice(0, -1)}${code.slice(-2)}`;
}

test.each([
  ["the continuous contract of the first start", "MNQ1!", MNQ],
  ["a full contract", ES.symbol, ES],
  ["a root", "ES", ES],
  ["a continuous contract with its digit", "ES1!", ES],
  ["a continuous contract without its digit", "ES!", ES],
  ["a continuous contract with its exchange", "CME_MINI:ES1!", ES],
  ["a contract with a two-digit year", twoDigits(ES), ES],
  ["a continuous contract of the delayed data", "CME_MINI_DL:ES1!", ES],
])("%s, %s, is the contract that trades now", async (_, symbol, { symbol: resolved, code }) => {
  const before = (await gateway.broker.positions("paper-1"))[code] ?? 0;

  const { status, body } = await gateway.api.post(orders, { symbol, action: "buy", qty: 1 });

  expect([status, body.symbol, body.status]).toEqual([201, resolved, "filled"]);
  expect(await gateway.broker.positions("paper-1")).toMatchObject({ [code]: before + 1 });
});

test("the front month of an equity index is a quarterly one of the next half year", () => {
  const [, month = "", year = ""] = /^ES([HMUZ])(\d{4})$/.exec(ES.code) ?? [];
  const months = { H: 2, M: 5, U: 8, Z: 11 };
  const starts = Date.UTC(Number(year), months[month as keyof typeof months], 1);
  expect(Math.abs(starts - Date.now())).toBeLessThan(183 * 86_400_000);
});

const year = new Date().getUTCFullYear();

test.each([
  ["the second continuous contract", "ES2!", /front month/],
  ["a month that the root does not have", `ESF${(year + 1) % 10}`, /month/i],
  ["a root that nobody knows", "XYZ", /root/i],
  ["an unknown root's contract", `XYZZ${year % 10}`, /root/i],
  ["a contract that has expired", `ESH${(year - 1) % 100}`, /expired/i],
  ["an exchange with nothing behind it", "CME_MINI:", /.+/],
  ["words", "buy the dip", /.+/],
])("%s, %s, is refused by name and nothing is sent", async (_, symbol, why) => {
  const before = await gateway.broker.filled("paper-2");
  const path = "/v1/accounts/paper-2/orders";

  const { status, body } = await gateway.api.post(path, { symbol, action: "buy", qty: 1 });

  expect([status, body.error.code, body.error.retry]).toEqual([400, "UNKNOWN_SYMBOL", "never"]);
  expect(body.error.message).toContain(symbol);
  expect(body.error.details).toEqual([{ path: "symbol", message: expect.stringMatching(why) }]);
  expect(await gateway.broker.filled("paper-2")).toEqual(before);
  expect(await gateway.broker.working("paper-2")).toEqual([]);
  expect(await gateway.redis.keys(gateway.keys.intent("paper-2" as never, "*" as never))).toEqual(
    [],
  );
});

const held = async () => (await gateway.broker.positions("paper-1"))[ES.code] ?? 0;

test("a share's alert neither buys the future nor closes it", async () => {
  const share = { symbol: "ES1!", exchange: "NASDAQ" };
  const before = await held();
  for (const alert of [
    { ...share, action: "buy", qty: 1 },
    { ...share, position: 0 },
  ]) {
    const { status, body } = await gateway.alert(alert);
    expect([status, body.error.code]).toEqual([400, "UNKNOWN_SYMBOL"]);
    expect(body.error.message).toContain("names the exchange NASDAQ, but ES trades on CME");
  }
  for (const symbol of ["NASDAQ:ES1!", "NASDAQ:ES"]) {
    const { status, body } = await gateway.api.post(orders, { symbol, action: "buy", qty: 1 });
    expect([status, body.error.code]).toEqual([400, "UNKNOWN_SYMBOL"]);
  }
  const apart = { symbol: "ES", exchange: "NASDAQ", action: "buy", qty: 1 };
  const refused = await gateway.api.post(orders, apart);
  expect([refused.status, refused.body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
  expect(await held()).toBe(before);
});

test("an exchange that nobody knows keeps an entry away, and holds no exit back", async () => {
  const fits = { action: "buy", symbol: "ES1!", exchange: "CME_MINI_DL", qty: 1 };
  expect(await gateway.alert(fits)).toMatchObject({ status: 200, body: { outcome: "done" } });
  const before = await held();
  expect(before).toBeGreaterThan(0);

  const entry = await gateway.alert({ ...fits, exchange: "SOMEWHERE" });
  expect([entry.status, entry.body.error.code]).toEqual([400, "UNKNOWN_SYMBOL"]);
  expect(await held()).toBe(before);

  const exit = await gateway.alert({ symbol: "ES1!", exchange: "SOMEWHERE", position: 0 });
  expect([exit.status, exit.body.outcome]).toEqual([200, "done"]);
  expect(await held()).toBe(0);
  const logged = await gateway.api.get(`/v1/alerts/${exit.body.alertId}`);
  expect(logged.body.decisions).toContain(
    "No exchange SOMEWHERE is known: a way out goes on without it",
  );
});

test("a web form, a chart's own id and pasted text are alerts like every other", async () => {
  const id = '={"session":"extended","symbol":"CME_MINI:ES1!"}';
  const secret = "hidden-from-the-log-1";
  const payload = JSON.stringify({ action: "buy", symbol: id, qty: 1, secret });
  for (const body of [
    "action=buy&symbol=CME_MINI%3AES1%21&qty=1",
    `payload=${encodeURIComponent(payload)}`,
    `\ufeff{“action”: “buy”, “symbol”: “ES1!\u200b”, “qty”: 2}`,
  ]) {
    const before = await held();
    const reply = await gateway.alert(body);
    expect([reply.status, reply.body.symbol]).toEqual([200, ES.symbol]);
    expect(await held()).toBeGreaterThan(before);
    const logged = await gateway.api.get(`/v1/alerts/${reply.body.alertId}`);
    expect(JSON.stringify(logged.body)).not.toContain(secret);
  }
});

test("every alert takes the same forms, and refuses the same", async () => {
  const { status, body } = await gateway.alert({ action: "buy", symbol: "CME_MINI:ES1!", qty: 1 });
  expect([status, body.symbol, body.outcome]).toEqual([200, ES.symbol, "done"]);

  const refused = await gateway.alert({ action: "buy", symbol: "ES2!", qty: 1 });
  expect([refused.status, refused.body.error.code]).toEqual([400, "UNKNOWN_SYMBOL"]);
});
