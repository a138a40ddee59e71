// The goal: a full contract means that contract, and no other month, wherever something is closed or
// protected (specification 2.3); an inactive account is one for every call and every alert.
// The method: the whole gateway on the paper broker, with two months of one root held.
import { beforeEach, expect, test } from "vitest";
import { frontMonth, quarterAfter } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { shareGateway } from "../support/shared-gateway.ts";

const FRONT = frontMonth("ES");
const LATER = quarterAfter(FRONT);
const BUY = { symbol: "ES1!", action: "buy", qty: 1 };
const STOP = { stopLoss: { ticks: 40 } };

const own = shareGateway(10);

beforeEach(() => own.gateway.quote(LATER, 27_600));

async function hold(...contracts: readonly { readonly symbol: string }[]) {
  const { gateway } = own;
  for (const { symbol } of contracts) {
    const { status } = await gateway.api.post(`${own.root}/orders`, { ...BUY, symbol });
    expect(status).toBe(201);
  }
  return gateway;
}

async function withInactiveAccount() {
  const { gateway } = own;
  gateway.paper.setReported(own.account, false);
  gateway.paper.breakSession(new Error("The link was cut"));
  const account = async () => (await gateway.api.get(own.root)).body;
  await expect.poll(account).toMatchObject({ active: false, connectionStatus: "CONNECTED" });
  return gateway;
}

test("DELETE positions of a full contract closes that one alone", async () => {
  const gateway = await hold(FRONT, LATER);
  const { body } = await gateway.api.delete(`${own.root}/positions?symbol=${FRONT.symbol}`);
  expect(body.closed).toMatchObject([{ symbol: FRONT.symbol }]);
  expect(await gateway.broker.positions(own.account)).toEqual({ [LATER.code]: 1 });
});

test("DELETE positions of a root closes every month of it", async () => {
  const gateway = await hold(FRONT, LATER);
  await gateway.api.delete(`${own.root}/positions?symbol=ES1!`);
  expect(await gateway.broker.positions(own.account)).toEqual({});
});

test("DELETE positions of a full contract that is not held closes nothing", async () => {
  const gateway = await hold(LATER);
  await gateway.api.delete(`${own.root}/positions?symbol=${FRONT.symbol}`);
  expect(await gateway.broker.positions(own.account)).toEqual({ [LATER.code]: 1 });
});

test("protect of a full contract protects it, whatever else is held", async () => {
  const gateway = await hold(FRONT, LATER);
  const { status, body } = await gateway.api.post(`${own.root}/protect`, {
    symbol: LATER.symbol,
    ...STOP,
  });
  expect([status, body.symbol]).toEqual([200, LATER.symbol]);
});

test("protect of a full contract that is not held is a 409", async () => {
  const gateway = await hold(LATER);
  const { status, body } = await gateway.api.post(`${own.root}/protect`, {
    symbol: FRONT.symbol,
    ...STOP,
  });
  expect([status, body.error.code]).toEqual([409, "NO_POSITION"]);
});

test.each(["nonsense", '{"action":"hold"}', '{"action":"buy","symbol":"ES1!","qty":1}'])(
  "an alert for an inactive account is a 403, whatever it says: %s",
  async (text) => {
    const { url } = await own.gateway.createWebhook(own.account);
    await withInactiveAccount();
    const { status, body } = await postAlert(url, text);
    expect([status, body.error.message]).toEqual([403, "Account is inactive"]);
  },
);

test("working orders of an inactive account are a 403", async () => {
  const gateway = await withInactiveAccount();
  expect((await gateway.api.get(`${own.root}/working-orders`)).status).toBe(403);
});
