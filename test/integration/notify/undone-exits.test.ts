// The goal: an exit that is not carried out is reported as critical in whatever form it came, and an
// entry is not. The whole gateway, one receiver, and a broker that refuses every order.
import { afterAll, beforeAll, expect, test } from "vitest";
import { channelsUnderTest } from "../../conformance/channel-kit.ts";
import { type NotifySimulator, startNotifySimulator } from "../../simulators/notify/start.ts";
import { frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { ALLOW_RECEIVER } from "../../support/receiver.ts";
import { waitUntil } from "../../support/wait.ts";

const MES = frontMonth("MES");
const REASON = "The broker wants no order";

let simulator: NotifySimulator;
let gateway: TestGateway;

interface Told {
  readonly type: string;
  readonly data: { readonly severity: string; readonly intentId?: string };
}

const told = async (): Promise<readonly Told[]> =>
  (await simulator.seen("webhook")).map(({ body }) => JSON.parse(body) as Told);

beforeAll(async () => {
  simulator = await startNotifySimulator();
  gateway = await startGateway({ settings: ALLOW_RECEIVER });
  const receiver = channelsUnderTest(simulator).find(({ kind }) => kind === "webhook");
  const body = { name: "all", kind: "webhook", settings: receiver?.to.settings };
  await gateway.api.post("/v1/destinations", { ...body, rules: [{ tell: "on" }] });
  await gateway.alert({ symbol: "MES", action: "buy", qty: 2 });
  const held = async () => (await gateway.broker.positions("paper-1"))[MES.code] === 2;
  await waitUntil("two are held", held);
  await waitUntil("their fill is reported", async () => (await told()).length === 1);
  gateway.paper.submitOrder = async () => ({ kind: "rejected", reason: REASON });
  gateway.paper.closePosition = async () => ({ kind: "rejected", reason: REASON });
});

afterAll(async () => {
  await gateway.stop();
  await simulator.stop();
});

const byWebhook = (fields: object) => async () =>
  await gateway.alert({ symbol: "MES", alertId: JSON.stringify(fields), ...fields });

test.each([
  ["a plain order that closes", byWebhook({ action: "sell", qty: 2 }), "exit.failed", "critical"],
  ["one that turns the position", byWebhook({ action: "sell", qty: 3 }), "exit.failed", "critical"],
  ["a target below what is held", byWebhook({ position: 1 }), "exit.unfinished", "critical"],
  ["a target of nothing", byWebhook({ position: 0 }), "exit.unfinished", "critical"],
  ["a close", byWebhook({ action: "close" }), "exit.unfinished", "critical"],
  [
    "an order by /v1",
    async () =>
      await gateway.api.post("/v1/accounts/paper-1/orders", {
        symbol: "MES",
        action: "sell",
        qty: 1,
        type: "market",
      }),
    "exit.failed",
    "critical",
  ],
  ["an entry", byWebhook({ action: "buy", qty: 1 }), "order.rejected", "warning"],
  ["a target above it", byWebhook({ position: 3 }), "order.rejected", "warning"],
])("%s", async (_, ask, type, severity) => {
  const { status, body } = await ask();
  // An exit that goes on is no error.
  expect(status >= 400).toBe(type !== "exit.unfinished");
  const intentId = body.intentId ?? body.error.intentId;
  const own = async () => (await told()).filter(({ data }) => data.intentId === intentId);
  await waitUntil("it is reported", async () => (await own()).length > 0);
  expect((await own())[0]).toMatchObject({ type, data: { severity } });
});
