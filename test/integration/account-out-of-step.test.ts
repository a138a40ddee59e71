// The goal: an account that cannot be compared with its broker holds up no other one, and sends nothing.
// The method: the whole gateway on the paper broker, with what is known of one account made unreadable.
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountId } from "../../src/domain/ids.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";

const [GOOD, BAD] = [accountId("paper-1"), accountId("paper-2")];
const BUY = { symbol: "ES1!", action: "buy", qty: 1 };
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-3" }, answersOnTime: true });
  await gateway.redis.set(gateway.keys.positionBase(BAD), "no hash");
  await gateway.restart();
});
afterAll(() => gateway.stop());

const place = async (account: string) =>
  await gateway.api.post(`/v1/accounts/${account}/orders`, { ...BUY, type: "market" });

test("the others are worked, and what waits for it is sent once it can be compared", async () => {
  await waitUntil("the connection stands", async () => (await place(GOOD)).status === 201);
  const refused = await place(BAD);
  expect([refused.status, refused.body.error.code]).toEqual([503, "BROKER_UNAVAILABLE"]);
  const working = await gateway.api.get(`/v1/accounts/${BAD}/working-orders`);
  expect(working.status).toBe(503);

  const { url } = await gateway.createWebhook(BAD);
  expect((await postAlert(url, BUY)).status).toBe(202);
  expect((await place(accountId("paper-3"))).status).toBe(201);

  await gateway.redis.del(gateway.keys.positionBase(BAD));
  const sent = async () => (await gateway.broker.filled(BAD)).orders;
  await waitUntil("the alert is carried out", async () => (await sent()) > 0);
  expect((await place(BAD)).status).toBe(201);
  expect(await gateway.broker.filled(BAD)).toEqual({ qty: 2, orders: 2 });
});
