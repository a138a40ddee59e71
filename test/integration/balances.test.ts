// The goal: what an account is worth is told over HTTP, each figure with its source and age, and survives
// a restart; what nobody has told is null.
// The method: a gateway of this process whose prices are in our hand, and its own Redis.
import { afterEach, beforeEach, expect, test } from "vitest";
import { frontMonth, type TestGateway } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { shareGateway } from "../support/shared-gateway.ts";
import { waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const MES = frontMonth("MES");
const NQ = frontMonth("NQ");

const shared = shareGateway(9, { PAPER_FEES: "ES=2.25,MES=0.75,*=1" });

let gateway: TestGateway;
let account: string;
let webhook: string;

beforeEach(async () => {
  ({ gateway, account } = shared);
  webhook = (await gateway.createWebhook(account)).url;
});

interface Money {
  readonly currencies: readonly {
    readonly currency: string;
    readonly broker: Readonly<Record<string, unknown>> | null;
    readonly gateway: Readonly<Record<string, unknown>> | null;
    readonly differs: boolean;
  }[];
  readonly marks: readonly Readonly<Record<string, unknown>>[];
  readonly pricesMissing: string | null;
}

const alert = async (text: object) => await postAlert(webhook, text);
const balances = async () => {
  const { status, body } = await gateway.api.get(`${shared.root}/balances`);
  expect(status).toBe(200);
  return body as unknown as Money;
};
const own = async () => (await balances()).currencies[0]?.gateway;
const buy = async (more: object = {}) =>
  await alert({ action: "buy", symbol: "ES1!", qty: 2, ...more });
const shows = async (figures: object) => await expect.poll(own).toMatchObject(figures);
/** A price that is not stale for as long as the test needs. */
function keepAt(bid: number): void {
  stopQuoting();
  stopQuoting = gateway.keepQuoting(ES, bid);
}
let stopQuoting = (): void => undefined;
afterEach(() => stopQuoting());

test("an account that has not traded is worth its start balance, and has won nothing", async () => {
  const { currencies, marks, pricesMissing } = await balances();
  expect([marks, pricesMissing]).toEqual([[], null]);
  expect(currencies).toMatchObject([
    {
      currency: "USD",
      broker: { cash: 50_000, netLiquidation: 50_000, fees: 0, initialMargin: null },
      gateway: null,
      differs: false,
    },
  ]);
  const { body } = await gateway.api.get(shared.root);
  const [{ broker } = { broker: null }] = currencies;
  const told = { ...broker, asOf: expect.any(String) as string };
  expect(body).toMatchObject({ id: account, active: true, currencies: [{ broker: told }] });
});

test("what is open moves with its price, and what is closed stays, by broker and ledger alike", async () => {
  keepAt(27_400);
  await buy();
  await shows({ realizedPnl: 0, openPnl: -25, fees: 4.5, net: -29.5, stale: false });
  keepAt(27_410);
  await shows({ openPnl: 2 * 9 * 12.5 });
  await alert({ action: "sell", symbol: "ES1!", qty: 1 });
  keepAt(27_405);
  await shows({ realizedPnl: 9 * 12.5, openPnl: 4 * 12.5, fees: 6.75, estimated: false });
  const { currencies, marks } = await balances();
  expect(currencies[0]?.broker).toMatchObject({
    cash: 50_000 + 112.5 - 6.75,
    netLiquidation: 50_000 + 112.5 - 6.75 + 50,
    realizedPnl: 112.5,
    openPnl: 50,
    fees: 6.75,
  });
  expect(marks).toMatchObject([
    { symbol: ES.symbol, netQty: 1, price: 6_851.25, bid: 6_851.25, ask: 6_851.5, stale: false },
  ]);
  const all = await gateway.api.get("/v1/balances");
  const ids = all.body.accounts.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(Array.from({ length: 9 }, (_, n) => `paper-${n + 1}`));
  expect(all.body.accounts[ids.indexOf(account)]).toMatchObject({ id: account, marks });
});

test("a price that is not heard any more is stale, and never another one", async () => {
  await buy();
  await shows({ openPnl: -25 });
  // Longer ago than any quote of now.
  const key = gateway.keys.quotes("paper" as never);
  const [bid, ask, last, heardAt = "", toldAt] = String(
    await gateway.redis.hget(key, ES.code),
  ).split(" ");
  const old = [bid, ask, last, Number(heardAt) - 11_000, toldAt].join(" ");
  await gateway.redis.hset(key, ES.code, old);
  expect(await own()).toMatchObject({ openPnl: -25, stale: true });
  await gateway.redis.hdel(key, ES.code);
  expect(await own()).toMatchObject({ openPnl: null, net: null, unpriced: [ES.symbol] });
  expect((await balances()).marks).toMatchObject([{ price: null, openPnl: null, stale: true }]);
});

test("the ledger tells each fill with its origin, fee, signal and quote, over a restart", async () => {
  // No other test holds this contract, so nothing watches its price before the first purchase.
  await buy({ symbol: "MES1!", price: "6850.00" });
  await waitUntil(
    "the price is watched",
    async () =>
      (await gateway.redis.hexists(gateway.keys.quotes("paper" as never), MES.code)) === 1,
  );
  await gateway.api.post(`${shared.root}/orders`, {
    symbol: "MES1!",
    action: "sell",
    qty: 1,
    type: "market",
  });
  await alert({ action: "buy", symbol: "NQ1!", qty: 1 });
  const ledger = async (query = "") =>
    (await gateway.api.get(`${shared.root}/ledger${query}`)).body as unknown as {
      readonly entries: readonly Readonly<Record<string, unknown>>[];
      readonly nextCursor: string | null;
    };
  const { entries } = await ledger();
  expect(entries).toMatchObject([
    { kind: "fill", symbol: NQ.symbol, side: "buy", fee: 1, origin: "webhook" },
    {
      symbol: MES.symbol,
      side: "sell",
      qty: 1,
      price: 6_850,
      fee: 0.75,
      feeCurrency: "USD",
      origin: "api",
      signalPrice: null,
      quote: { bid: 6_850, ask: 6_850.25, last: null },
    },
    {
      symbol: MES.symbol,
      side: "buy",
      qty: 2,
      fee: 1.5,
      origin: "webhook",
      signalPrice: "6850.00",
    },
  ]);
  expect(entries[2]?.["quote"]).toBeNull();
  const first = await ledger("?limit=2");
  expect(first.entries).toEqual(entries.slice(0, 2));
  const rest = await ledger(`?limit=2&cursor=${String(first.nextCursor)}`);
  expect(rest).toEqual({ entries: entries.slice(2), nextCursor: null });
  const before = await balances();
  await gateway.restart();
  expect((await ledger()).entries).toEqual(entries);
  await expect
    .poll(async () => (await balances()).currencies)
    .toMatchObject([{ gateway: { realizedPnl: before.currencies[0]?.gateway?.["realizedPnl"] } }]);
});

test.each(["x", "WyJsZWRnZXIiLCJ4Il0", "WyJsZWRnZXIiLCIwLTAiXQ", "WyJhY2NvdW50cyIsIjEtMSJd"])(
  "the cursor %s is none of the ledger's",
  async (cursor) => {
    const answer = await gateway.api.get(`${shared.root}/ledger?cursor=${cursor}`);
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { error: { details: [{ path: "cursor" }] } },
    ]);
  },
);

test("nobody reads another user's money", async () => {
  for (const path of ["", "/balances", "/ledger"]) {
    const { status } = await gateway.api.get(`/v1/accounts/paper-10${path}`);
    expect(status).toBe(404);
  }
});
