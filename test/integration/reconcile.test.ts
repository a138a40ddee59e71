// The goal: what happens at the broker without us is shown as it is, and left alone.
// The method: the whole gateway on the paper broker, on which a test trades by hand.
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountId, clOrdId } from "../../src/domain/ids.ts";
import type { NewOrderSingle } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";
import { waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
let gateway: TestGateway;
const newAccount = accountNames(4);

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-4" } });
});
afterAll(() => gateway.stop());

async function byHand(account: string, order: Partial<NewOrderSingle>): Promise<void> {
  const answer = await gateway.paper.submitOrder(accountId(account), {
    clOrdId: clOrdId(`hand-${Math.random()}`),
    contract: ES.code,
    side: "BUY",
    orderQty: 1,
    ordType: "MARKET",
    timeInForce: "DAY",
    ...order,
  });
  expect(answer.kind).toBe("accepted");
}

const resting = { ordType: "LIMIT", price: ticks(20_000) } as const;

const working = async (account: string) =>
  (await gateway.api.get(`/v1/accounts/${account}/working-orders`)).body.orders;

test("a position opened by hand is shown, and closed by a flatten", async () => {
  const account = newAccount();
  await byHand(account, { orderQty: 3 });
  const path = `/v1/accounts/${account}/positions`;
  await waitUntil(
    "it is shown",
    async () => (await gateway.api.get(path)).body.positions.length > 0,
  );
  expect((await gateway.api.get(path)).body.positions).toMatchObject([{ side: "long", qty: 3 }]);
  expect((await gateway.api.delete(path)).body.closed).toHaveLength(1);
  expect(await gateway.broker.positions(account)).toEqual({});
});

test("an order placed by hand is shown as foreign, and the kill switch leaves it", async () => {
  const account = newAccount();
  await byHand(account, resting);
  const own = { symbol: "ES1!", action: "buy", qty: 1, type: "limit", limitPrice: 5000 };
  await gateway.api.post(`/v1/accounts/${account}/orders`, own);
  expect(await working(account)).toMatchObject([{ source: "foreign" }, { source: "gateway" }]);

  const kill = { accountId: account, active: true };
  await gateway.api.put("/v1/kill-switch", kill);
  expect(await working(account)).toMatchObject([{ source: "foreign" }]);
  await gateway.api.put("/v1/kill-switch", { ...kill, active: false });
});

test("a close by webhook ends foreign orders too", async () => {
  const account = newAccount();
  await byHand(account, resting);
  await byHand(account, {});
  const { url } = await gateway.createWebhook(account);
  const answer = await fetch(url, { method: "POST", body: '{"action":"close"}' });
  expect(answer.status).toBe(200);
  expect([await working(account), await gateway.broker.positions(account)]).toEqual([[], {}]);
});

test("what was done by hand while the gateway was away is found at its next start", async () => {
  const account = newAccount();
  await byHand(account, { orderQty: 2 });
  const net = () => gateway.redis.hget(gateway.keys.filledNet(accountId(account)), ES.code);
  await waitUntil("it is recorded", async () => (await net()) === "2");
  // Half of it is forgotten here, as by a process that died before it could write.
  const fills = gateway.keys.fills(accountId(account));
  await gateway.redis.del(fills, gateway.keys.fillTimes(accountId(account)));
  await gateway.redis.del(gateway.keys.filledNet(accountId(account)));
  await gateway.redis.del(gateway.keys.positionBase(accountId(account)));

  await gateway.restart();
  await waitUntil("it is found", async () => (await net()) === "2");
  const { body } = await gateway.api.get(`/v1/accounts/${account}/orders`);
  expect(body.trades).toHaveLength(1);
  expect(gateway.log.join("\n")).not.toContain("The broker shows what our records do not explain");
});
