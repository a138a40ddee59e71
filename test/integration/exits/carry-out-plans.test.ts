// The goal: an exit plan is carried out to its end, also by a gateway that was stopped in between.
// The method: the whole gateway over HTTP on the built-in broker; prices are moved by hand.
import { expect, test } from "vitest";
import { frontMonth } from "../../support/gateway.ts";
import { shareGateway } from "../../support/shared-gateway.ts";
import { untilTaken, waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES");
const BID = 27_400;
const ENTRY = BID + 1;

const PLAN = {
  targets: [{ ticks: 10 }, { ticks: 20 }, { ticks: 30 }],
  stop: { ticks: 20 },
  breakeven: { after: { target: 1 }, plus: 1 },
};

const shared = shareGateway(5);

async function enter(exitPlan: object, qty = 3): Promise<void> {
  const body = { symbol: "ES1!", action: "buy", qty, exitPlan };
  const reply = await untilTaken(() => shared.gateway.api.post(`${shared.root}/orders`, body));
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
}

/** What works, as `stop 2 @-20`: in ticks from the entry. */
async function exits(): Promise<string[]> {
  const orders = await shared.gateway.broker.working(shared.account);
  return orders
    .map(({ role, leavesQty, price, stopPx }) => {
      const [name, px] = role === "STOP_LOSS" ? ["stop", stopPx] : ["target", price];
      return `${name} ${leavesQty} @${Number(px) - ENTRY}`;
    })
    .toSorted();
}

async function until(expected: readonly string[]): Promise<void> {
  await waitUntil(`these work: ${expected.join(", ") || "none"}`, async () => {
    return JSON.stringify(await exits()) === JSON.stringify(expected);
  });
}

const held = async () => (await shared.gateway.broker.positions(shared.account))[ES.code] ?? 0;
const stored = async () =>
  await shared.gateway.redis.hlen(shared.gateway.keys.runningPlans(shared.account));

const SPLIT = [
  "stop 1 @-20",
  "stop 1 @-20",
  "stop 1 @-20",
  "target 1 @10",
  "target 1 @20",
  "target 1 @30",
];

test("it is split, goes to breakeven after its first target, and is over after its last", async () => {
  await enter(PLAN);
  await until(SPLIT);
  shared.gateway.quote(ES, ENTRY + 10);
  await until(["stop 1 @1", "stop 1 @1", "target 1 @20", "target 1 @30"]);
  shared.gateway.quote(ES, ENTRY + 30);
  await until([]);
  expect(await held()).toBe(0);
  await waitUntil("nothing is kept of it", async () => (await stored()) === 0);
  const intents = await shared.gateway.api.get(`${shared.root}/intents?state=unsettled`);
  expect(intents.body.intents ?? []).toEqual([]);
});

test("a gateway that starts again goes on with what was begun, and with what it follows", async () => {
  await enter({ ...PLAN, trailing: { from: { ticks: 15 }, distance: { ticks: 8 } } });
  // Wherever it was then: it may not have begun, or be in the middle of it.
  await shared.gateway.restart();
  shared.gateway.quote(ES, BID);
  await until(SPLIT);
  shared.gateway.quote(ES, ENTRY + 18);
  await until(["stop 1 @10", "stop 1 @10", "target 1 @20", "target 1 @30"]);
  await shared.gateway.restart();
  shared.gateway.quote(ES, ENTRY + 14);
  shared.gateway.quote(ES, ENTRY + 19);
  await until(["stop 1 @11", "stop 1 @11", "target 1 @20", "target 1 @30"]);
  expect(await held()).toBe(2);
});

test("what is left is closed when its time is over, under a kill switch as well", async () => {
  await enter({ ...PLAN, closeAfterSeconds: 5 });
  await shared.gateway.api.put("/v1/kill-switch", {
    active: true,
    accountId: shared.account,
  });
  await waitUntil("it is closed", async () => (await held()) === 0);
  await until([]);
  expect(await held()).toBe(0);
});

test("a position that is held gets a plan by protecting it", async () => {
  await enter({ stop: { ticks: 40 } });
  const path = `${shared.root}/protect`;
  const body = { symbol: "ES1!", exitPlan: PLAN };
  const reply = await untilTaken(() => shared.gateway.api.post(path, body));
  expect([reply.status, reply.body.error]).toEqual([200, undefined]);
  await until(SPLIT);
});

test("flattening ends it, and nothing is placed afterwards", async () => {
  await enter(PLAN);
  const path = `${shared.root}/positions`;
  expect((await untilTaken(() => shared.gateway.api.delete(path))).status).toBe(200);
  await waitUntil("nothing is kept of it", async () => (await stored()) === 0);
  expect([await held(), await exits()]).toEqual([0, []]);
});
