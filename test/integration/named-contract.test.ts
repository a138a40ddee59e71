// The goal: a full contract means that contract, and no other month, wherever something is closed or
// protected (specification 2.3); an inactive account is one for every call and every alert.
// The method: the whole gateway on the paper broker, with two months of one root held.
import { expect, onTestFinished, test } from "vitest";
import { accountId } from "../../src/domain/ids.ts";
import { frontMonth, quarterAfter, startGateway } from "../support/gateway.ts";

const FRONT = frontMonth("ES");
const LATER = quarterAfter(FRONT);
const ACCOUNT = "/v1/accounts/paper-1";
const BUY = { symbol: "ES1!", action: "buy", qty: 1 };
const STOP = { stopLoss: { ticks: 40 } };

async function open() {
  const gateway = await startGateway();
  onTestFinished(gateway.stop);
  gateway.quote(LATER, 27_600);
  return gateway;
}

async function hold(...contracts: readonly { readonly symbol: string }[]) {
  const gateway = await open();
  for (const { symbol } of contracts) {
    const { status } = await gateway.api.post(`${ACCOUNT}/orders`, { ...BUY, symbol });
    expect(status).toBe(201);
  }
  return gateway;
}

async function withInactiveAccount() {
  const gateway = await open();
  gateway.paper.setReported(accountId("paper-1"), false);
  gateway.paper.breakSession(new Error("The link was cut"));
  const account = async () => (await gateway.api.get("/v1/accounts")).body.accounts[0];
  await expect
    .poll(account, { timeout: 10_000 })
    .toMatchObject({ active: false, connectionStatus: "CONNECTED" });
  return gateway;
}

test("DELETE positions of a full contract closes that one alone", async () => {
  const gateway = await hold(FRONT, LATER);
  const { body } = await gateway.api.delete(`${ACCOUNT}/positions?symbol=${FRONT.symbol}`);
  expect(body.closed).toMatchObject([{ symbol: FRONT.symbol }]);
  expect(await gateway.broker.positions("paper-1")).toEqual({ [LATER.code]: 1 });
});

test("DELETE positions of a root closes every month of it", async () => {
  const gateway = await hold(FRONT, LATER);
  await gateway.api.delete(`${ACCOUNT}/positions?symbol=ES1!`);
  expect(await gateway.broker.positions("paper-1")).toEqual({});
});

test("DELETE positions of a full contract that is not held closes nothing", async () => {
  const gateway = await hold(LATER);
  await gateway.api.delete(`${ACCOUNT}/positions?symbol=${FRONT.symbol}`);
  expect(await gateway.broker.positions("paper-1")).toEqual({ [LATER.code]: 1 });
});

test("protect of a full contract protects it, whatever else is held", async () => {
  const gateway = await hold(FRONT, LATER);
  const { status, body } = await gateway.api.post(`${ACCOUNT}/protect`, {
    symbol: LATER.symbol,
    ...STOP,
  });
  expect([status, body.symbol]).toEqual([200, LATER.symbol]);
});

test("protect of a full contract that is not held is a 409", async () => {
  const gateway = await hold(LATER);
  const { status, body } = await gateway.api.post(`${ACCOUNT}/protect`, {
    symbol: FRONT.symbol,
    ...STOP,
  });
  expect([status, body.error.code]).toEqual([409, "NO_POSITION"]);
});

test.each(["nonsense", '{"action":"hold"}', '{"action":"buy","symbol":"ES1!","qty":1}'])(
  "an alert for an inactive account is a 403, whatever it says: %s",
  async (text) => {
    const gateway = await withInactiveAccount();
    const { status, body } = await gateway.alert(text);
    expect([status, body.error.message]).toEqual([403, "Account is inactive"]);
  },
);

test("working orders of an inactive account are a 403", async () => {
  const gateway = await withInactiveAccount();
  expect((await gateway.api.get(`${ACCOUNT}/working-orders`)).status).toBe(403);
});
