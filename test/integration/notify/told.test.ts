// The goal: what happens to an account reaches its user everywhere they want to be told, once, in words.
// The method: the whole gateway, look-alikes of all services in a process of their own, one destination of
// each kind, and one event after another made to happen by real calls.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHANNEL_KINDS } from "../../../src/domain/notify/destination.ts";
import { declaredEvent, type EventType } from "../../../src/domain/notify/event.ts";
import { type ChannelUnderTest, channelsUnderTest } from "../../conformance/channel-kit.ts";
import { type NotifySimulator, startNotifySimulator } from "../../simulators/notify/start.ts";
import { frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { ALLOW_RECEIVER } from "../../support/receiver.ts";
import { eventually, waitUntil } from "../../support/wait.ts";

const MES = frontMonth("MES");
const BID = 27_400;

let simulator: NotifySimulator;
let gateway: TestGateway;
let channels: readonly ChannelUnderTest[];

beforeAll(async () => {
  simulator = await startNotifySimulator();
  const { url, certificate } = simulator;
  gateway = await startGateway({
    settings: ALLOW_RECEIVER,
    services: {
      bases: { discord: url, slack: url, telegram: url, pushover: url },
      trusted: certificate,
    },
  });
  channels = channelsUnderTest(simulator).filter(({ kind }) => kind !== "heartbeat");
  for (const { kind, to } of channels) {
    const body = { name: kind, kind, settings: to.settings, rules: [{ tell: "on" }] };
    const { status, text } = await gateway.api.post("/v1/destinations", body);
    if (status !== 201) throw new Error(`${kind} is not taken: ${text}`);
  }
});

afterAll(async () => {
  await gateway.stop();
  await simulator.stop();
});

/** What each kind of destination was told, in the order in which it was. */
async function told(kind: string): Promise<readonly { title: string; text: string }[]> {
  const channel = channels.find((one) => one.kind === kind);
  const seen = await simulator.seen(kind as ChannelUnderTest["kind"]);
  return seen.flatMap((one) => (channel?.told === undefined ? [] : [channel.told(one)]));
}

const titleOf = (kind: string, type: EventType): string =>
  kind === "webhook" ? type : declaredEvent(type).title;

/** Answers how many were told. */
async function untilTold(type: EventType): Promise<number> {
  let count = 0;
  for (const { kind } of channels) {
    const title = titleOf(kind, type);
    const isTold = async () => (await told(kind)).some((one) => one.title.includes(title));
    await waitUntil(`${kind} is told ${type}`, isTold);
    count += 1;
  }
  return count;
}

const CAUSES: readonly (readonly [EventType, how: () => Promise<unknown>])[] = [
  ["order.filled", async () => await gateway.alert(order("buy", { stopLoss: { ticks: 20 } }))],
  [
    "bracket.stop_hit",
    async () => {
      const isStopThere = async () =>
        (await gateway.broker.working("paper-1")).some(({ ordType }) => ordType === "STOP");
      await waitUntil("the stop works", isStopThere);
      gateway.quote(MES, BID - 40);
    },
  ],
  ["alert.refused", async () => await gateway.alert({ symbol: "NOSUCH", action: "buy", qty: 1 })],
  ["order.refused", async () => await gateway.alert(order("buy", { qty: 5_000 }))],
  [
    "order.canceled",
    async () => {
      const resting = { ...order("buy"), type: "limit", limitPrice: 6000 };
      const placed = await gateway.api.post("/v1/accounts/paper-1/orders", resting);
      expect(placed.status).toBe(201);
      const { orderId } = placed.body as { orderId: string };
      await gateway.api.delete(`/v1/accounts/paper-1/orders/${orderId}`);
    },
  ],
  [
    "kill_switch.on",
    async () => await gateway.api.put("/v1/kill-switch", { active: true, reason: "a test" }),
  ],
  [
    "attention.over",
    async () => await gateway.api.put("/v1/kill-switch", { active: false, reason: "a test" }),
  ],
];

const order = (action: string, more: object = {}) => ({
  symbol: "MES",
  action,
  qty: 1,
  ...more,
});

describe("what happens is told everywhere", () => {
  test.each(CAUSES)("%s", async (type, how) => {
    await how();
    expect(await untilTold(type)).toBe(channels.length);
  });

  test("once, and no service had to refuse anything", async () => {
    const rows = await Promise.all(
      channels.map(async ({ kind }) => {
        const titles = (await told(kind)).map(({ title }) => title);
        const counts = CAUSES.map(([type]) => {
          return titles.filter((title) => title.includes(titleOf(kind, type))).length;
        });
        return [kind, ...counts];
      }),
    );
    expect(rows).toEqual(channels.map(({ kind }) => [kind, ...CAUSES.map(() => 1)]));
    // A receiver has a notice a moment before the gateway knows that.
    await eventually(async () => {
      const { body } = await gateway.api.get("/v1/destinations");
      const states = (body["destinations"] as readonly Readonly<Record<string, unknown>>[]).map(
        ({ state }) => state as { waiting: number; undelivered: number; failures: number },
      );
      for (const { waiting, undelivered, failures } of states) {
        expect([waiting, undelivered, failures]).toEqual([0, 0, 0]);
      }
    });
    expect(channels).toHaveLength(CHANNEL_KINDS.length - 1);
  });

  test("and a program is told the account in full, with what it holds since", async () => {
    const [fill] = await simulator.seen("webhook");
    const { type, data } = JSON.parse(fill?.body ?? "") as { type: string; data: object };
    expect(type).toBe("order.filled");
    expect(data).toMatchObject({
      accountId: "paper-1",
      environment: "demo",
      symbol: MES.symbol,
      action: "buy",
      qty: 1,
      positionQty: 1,
      source: "webhook",
    });
  });
});
