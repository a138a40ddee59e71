// The goal: an order that may be at the broker without its name is never sent a second time.
// The method: an exchange simulator that loses answers, and then shows orders without their names.
import { beforeAll, expect, test } from "vitest";
import { accountId } from "../../../src/domain/ids.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import { frontMonth } from "../../support/gateway.ts";
import { shareConnections } from "../../support/shared-gateway.ts";
import { waitUntil } from "../../support/wait.ts";
import { idOf, openAlertDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const BUY = { action: "buy", symbol: "ES1!", qty: 2, alertId: "entry 1" };

let simulator: ExchangeSimulator;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
  return simulator.stop;
});

const nextConnection = shareConnections(() => simulator, 5, {}, { answersOnTime: true });

async function open() {
  const own = nextConnection();
  await own.quote(ES, 27_400);
  const desk = await openAlertDesk(() => own.api, own.account);
  const account = accountId(own.account);
  return {
    ...desk,
    own,
    showNames: async (areShown: boolean) =>
      void (await simulator.control({ knob: "names", account, areShown })),
    buyByHand: async (orderQty: number) => {
      const order = { contract: ES.code, side: "BUY", orderQty } as const;
      const whole = { ...order, ordType: "MARKET", timeInForce: "DAY" } as const;
      await simulator.control({ knob: "placeOrder", account, order: whole });
    },
    held: async () => (await own.broker())?.positions.map(({ netQty }) => netQty) ?? [],
    sent: async () => (await own.commands("submitOrder")).length,
  };
}

test.concurrent("an order that only lost its name stays unknown, and its resend is not sent", async () => {
  const { own, send, find, until, showNames, held, sent } = await open();
  await showNames(false);
  await own.loseNextAnswer({ isCarriedOut: true });
  const alertId = idOf((await send(BUY)).body);
  await waitUntil("it is in doubt", async () => {
    const { outcome, reason } = await find(alertId);
    return outcome === "unknown" && String(reason).includes("without a name");
  });
  const { status, body } = await send(BUY);
  expect([status, body]).toMatchObject([202, { alertId, outcome: "unknown", duplicate: true }]);
  expect([await sent(), await held()]).toEqual([1, [2]]);

  await showNames(true);
  await until(alertId, "done");
  expect((await send(BUY)).body).toMatchObject({ alertId, outcome: "done", duplicate: true });
  expect(await sent()).toBe(1);
});

/** An alert of which the broker never had the order. */
async function openLost(alert: object = BUY) {
  const desk = await open();
  await desk.own.loseNextAnswer({ isCarriedOut: false });
  const alertId = idOf((await desk.send(alert)).body);
  await desk.until(alertId, "lost");
  return { ...desk, alertId };
}

test.concurrent.each([
  ["with an alertId", BUY],
  ["without one", { action: "buy", symbol: "ES1!", qty: 2 }],
])("a lost one %s is not sent again beside an order without a name that fits", async (_, alert) => {
  const { own, send, find, replay, buyByHand, held, sent, alertId } = await openLost(alert);
  await buyByHand(2);
  const { status, body } = await send(alert);
  expect([status, body]).toMatchObject([202, { alertId, outcome: "unknown", duplicate: true }]);
  expect((await replay(alertId)).status).toBe(409);
  expect([await sent(), await held(), (await find(alertId)).outcome]).toEqual([1, [2], "lost"]);
  // Nothing is sent either while it cannot be looked up.
  await own.goDown();
  expect((await send(alert)).body.error.code).toBe("BROKER_UNAVAILABLE");
  await own.letIn();
});

test.concurrent("one that was lost is sent again beside an order that is larger", async () => {
  const { send, until, buyByHand, held, sent } = await openLost();
  await buyByHand(3);
  await until(idOf((await send(BUY)).body), "done");
  expect([await sent(), await held()]).toEqual([2, [5]]);
});

test.concurrent("a call that was lost is not repeated under its key beside such an order", async () => {
  const { own, buyByHand, sent } = await open();
  const headers = { "Idempotency-Key": "entry-1" };
  const path = `/v1/accounts/${own.account}/orders`;
  const call = async () =>
    await own.api.post(path, { symbol: "ES1!", action: "buy", qty: 2, type: "market" }, headers);
  await own.loseNextAnswer({ isCarriedOut: false });
  const first = await call();
  expect(first.body.error.code).toBe("OUTCOME_UNKNOWN");
  const { intentId } = first.body.error;
  const stateOf = async () =>
    (await own.api.get(`/v1/accounts/${own.account}/intents/${intentId}`)).body.state;
  await waitUntil("it is lost", async () => (await stateOf()) === "lost");
  await buyByHand(2);
  const again = await call();
  expect([again.status, again.body.error.code]).toEqual([500, "OUTCOME_UNKNOWN"]);
  expect(await sent()).toBe(1);
});
