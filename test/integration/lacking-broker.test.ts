// The goal: an order that a broker cannot do is denied in words before anything of it leaves, whoever asks
// for it, and whoever follows it still holds what its leader holds.
// The method: the whole gateway over HTTP, on a broker in a process of its own that lacks what is said.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { BrokerLacks } from "../../src/domain/broker-lacks.ts";
import { accountId } from "../../src/domain/ids.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../simulators/exchange/start.ts";
import { ExchangeGateway } from "../support/exchange-gateway.ts";
import { frontMonth } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const BID = 27_400;
const NO_STOP_LIMIT = "This broker takes no stop-limit orders";
const NOTHING_AT_ONCE = "This broker takes no orders that end at once";
const lacks: BrokerLacks = {
  ordTypes: { STOP_LIMIT: NO_STOP_LIMIT },
  timesInForce: { IOC: NOTHING_AT_ONCE },
};

const BUY = { symbol: "ES1!", action: "buy", qty: 1 };
const LACKED = [
  [{ type: "stopLimit", stopPrice: 6_900, limitPrice: 6_901 }, NO_STOP_LIMIT],
  [{ type: "limit", limitPrice: 6_850.25, timeInForce: "ioc" }, NOTHING_AT_ONCE],
] as const;

let simulator: ExchangeSimulator;
let gateway: ExchangeGateway;
let hook: string;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
  const options = { accounts: 2, isPatient: true };
  gateway = await ExchangeGateway.start(simulator, { lacks }, options);
  await gateway.waitUntilConnected();
  hook = (await gateway.api.post("/v1/webhooks", { accountId: gateway.account })).body.url;
});
beforeEach(async () => await gateway.quote(ES, BID));
afterAll(async () => {
  await gateway.stop();
  await simulator.stop();
});

async function net(account: string): Promise<number> {
  const { accounts } = await simulator.state();
  return (accounts[account]?.positions ?? []).reduce((sum, { netQty }) => sum + netQty, 0);
}

test.each(LACKED)(
  "it is denied to a call, an alert and a dry run alike: %j",
  async (order, words) => {
    const denied = [400, "VALIDATION_FAILED", words];
    const called = await gateway.post("orders", { ...BUY, ...order });
    expect([called.status, called.body.error.code, called.body.error.message]).toEqual(denied);
    for (const alert of [BUY, { ...BUY, test: true }, { symbol: "ES1!", position: 1 }]) {
      const { status, body } = await postAlert(hook, { ...alert, ...order });
      expect([status, body.error.code, body.error.message]).toEqual(denied);
    }
    expect(await gateway.commands()).toEqual([]);
  },
);

test("of a target through zero it closes what was held, and says why nothing was opened", async () => {
  expect((await gateway.post("orders", BUY)).status).toBe(201);
  const [order, words] = LACKED[0];
  const { body } = await postAlert(hook, { symbol: "ES1!", position: -1, ...order });
  expect(body.problems).toContainEqual(expect.stringContaining(words));
  await waitUntil("it is flat", async () => (await net(gateway.account)) === 0);
});

test("whoever mirrors such an order is told, and holds what its leader holds once it fills", async () => {
  const [leader, follower] = gateway.accounts as readonly [string, string];
  const group = await gateway.api.post("/v1/copy-groups", {
    mode: "orders",
    leaderAccountId: leader,
    followers: [{ accountId: follower }],
  });
  expect([group.status, group.text]).toEqual([201, group.text]);
  const path = `/v1/copy-groups/${group.body.id}`;
  onTestFinished(async () => void (await gateway.api.delete(path)));

  // By hand: its broker does not tell the leader that its gateway lacks it.
  const order = {
    contract: ES.code,
    side: "BUY",
    orderQty: 1,
    ordType: "STOP_LIMIT",
    stopPx: ticks(BID + 40),
    price: ticks(BID + 60),
    timeInForce: "DAY",
  } as const;
  await simulator.control({ knob: "placeOrder", account: accountId(leader), order });
  const copies = async () =>
    (await gateway.api.get(`${path}/copies`)).body.copies as readonly Record<string, unknown>[];
  await waitUntil("the follower is told", async () => (await copies()).length > 0);
  await waitUntil("it is denied", async () => (await copies())[0]?.["outcome"] === "denied");
  expect((await copies())[0]?.["reason"]).toContain(NO_STOP_LIMIT);

  await gateway.quote(ES, BID + 45);
  await waitUntil("the leader holds one", async () => (await net(leader)) === 1);
  await waitUntil("the follower holds one", async () => (await net(follower)) === 1);
  const sent = await gateway.commandsOf(follower, "submitOrder");
  expect(sent).toHaveLength(1);
});
