// The goal: an entry that rests for too long is ended once, and what is left of it goes at the market once, if at all.
// The method: the whole gateway over HTTP on the paper broker, prices moved by hand; restarts and faults around the due time.
import { describe, expect, test } from "vitest";
import { frontMonth } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { shareGateway } from "../support/shared-gateway.ts";
import { waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const BID = 27_400;
/** 400 ticks below the bid. */
const FAR = 6_750;
const BRACKET = { takeProfit: { ticks: 4000 }, stopLoss: { ticks: 4000 } };

const own = shareGateway(16);

async function rest(then: "cancel" | "market", more: object = {}): Promise<string> {
  const reply = await own.gateway.api.post(`${own.root}/orders`, {
    symbol: "ES1!",
    action: "buy",
    qty: 3,
    type: "limit",
    limitPrice: FAR,
    timeout: { afterSeconds: 1, then },
    ...more,
  });
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return String(reply.body.orderId);
}

const working = async () =>
  (await own.gateway.broker.working(own.account)).map(
    ({ role, leavesQty }) => `${role} ${leavesQty}`,
  );
const positions = async () => await own.gateway.broker.positions(own.account);
const kept = async () => await own.gateway.redis.hlen(own.gateway.keys.orderTimeouts(own.account));

async function waitForWorking(expected: string[]): Promise<void> {
  const isThere = async () => JSON.stringify(await working()) === JSON.stringify(expected);
  await waitUntil(`these work: ${expected.join(", ") || "none"}`, isThere);
}

/** The records of what was asked for by timeouts. */
async function timeouts(): Promise<Record<string, string>[]> {
  const names = await own.gateway.redis.keys(`${own.gateway.keys.account(own.account)}:intent:*`);
  const records = await Promise.all(
    names.map(async (name) => await own.gateway.redis.hgetall(name)),
  );
  return records.filter(({ record }) => record?.includes('"TIMEOUT"'));
}

describe("an entry that has rested for as long as it may", () => {
  test("is cancelled, and told as such", async () => {
    // One that may rest for long shows that they are kept at all.
    const patient = await rest("cancel", { timeout: { afterSeconds: 3_600, then: "cancel" } });
    expect(await kept()).toBe(1);
    const hasty = await rest("cancel");
    const isGone = (id: string) => async () =>
      (await own.gateway.broker.working(own.account)).every(({ orderId }) => orderId !== id);
    await waitUntil("it is cancelled", isGone(hasty));
    await waitUntil("it is done", async () => (await timeouts())[0]?.["state"] === "DONE");
    expect(await positions()).toEqual({});
    await waitUntil("it is forgotten", async () => (await kept()) === 1);
    const still = await own.gateway.api.delete(`${own.root}/orders/${patient}`);
    expect(still.status).toBe(200);
  });

  test("goes at the market with its bracket, once", async () => {
    await rest("market", { bracket: BRACKET });
    await waitForWorking(["TAKE_PROFIT 3", "STOP_LOSS 3"]);
    expect(await positions()).toEqual({ [ES.code]: 3 });
    const [only, other] = await timeouts();
    expect(other).toBeUndefined();
    expect(only?.["clOrdIds"]?.split(",")).toHaveLength(2);
  });

  test("keeps the legs of what is filled when its rest is cancelled", async () => {
    // One contract is offered at its price. It is there before the entry, whose time may be over soon.
    own.gateway.quote(ES, FAR * 4 - 1, 1);
    await rest("cancel", { bracket: BRACKET });
    expect(await positions()).toEqual({ [ES.code]: 1 });
    own.gateway.quote(ES, BID);
    await waitForWorking(["TAKE_PROFIT 1", "STOP_LOSS 1"]);
    expect(await positions()).toEqual({ [ES.code]: 1 });
  });

  test("is cancelled, and nothing goes at the market, while the kill switch is on", async () => {
    const key = own.gateway.keys.killSwitch({ accountId: own.account });
    const isKilledInTime = async () => {
      await own.gateway.redis.del(key);
      const id = await rest("market", { timeout: { afterSeconds: 2, then: "market" } });
      // Set behind the gateway's back: by the API it would cancel what rests itself.
      await own.gateway.redis.hset(key, { active: "1", reason: "Test" });
      const working = await own.gateway.broker.working(own.account);
      return working.some(({ orderId }) => orderId === id);
    };
    // On a machine that is too slow the entry has gone at the market before, and the next one is tried.
    await waitUntil("the switch is on while the entry rests", isKilledInTime);
    await waitForWorking([]);
    const areDone = async () => (await timeouts()).every(({ state }) => state === "DONE");
    await waitUntil("all are done", areDone);
    const wasKilled = ({ outcome }: Record<string, string>) =>
      outcome?.includes("The kill switch is on") === true;
    const records = await timeouts();
    const sent = records.filter((record) => !wasKilled(record)).length;
    expect(records.length).toBeGreaterThan(sent);
    expect(await positions()).toEqual(sent === 0 ? {} : { [ES.code]: 3 * sent });
  });

  test("that has filled is left alone", async () => {
    await rest("market", { timeout: { afterSeconds: 3_600, then: "market" } });
    expect(await kept()).toBe(1);
    own.gateway.quote(ES, FAR * 4 - 8);
    await waitUntil("it is filled", async () => (await positions())[ES.code] === 3);
    await waitUntil("it is forgotten", async () => (await kept()) === 0);
    expect(await timeouts()).toEqual([]);
  });

  test("is ended after a restart in which its time was over", async () => {
    await rest("cancel");
    await own.gateway.halt();
    await own.gateway.restart();
    await waitForWorking([]);
    await waitUntil("it is forgotten", async () => (await kept()) === 0);
    expect(await timeouts()).toHaveLength(1);
  });

  test("goes at the market after a restart, if that is not too late", async () => {
    await rest("market");
    await own.gateway.restart();
    await waitUntil("it is held", async () => (await positions())[ES.code] === 3);
    expect(await timeouts()).toHaveLength(1);
    expect((await own.gateway.broker.filled(own.account)).orders).toBe(1);
  });
});

describe("a timeout", () => {
  test.each([
    ["market", {}],
    ["limit", { limitPrice: FAR, timeInForce: "ioc" }],
  ])("of an order that ends at once (%s) is refused by name", async (type, more) => {
    const reply = await own.gateway.api.post(`${own.root}/orders`, {
      symbol: "ES1!",
      action: "buy",
      qty: 1,
      type,
      ...more,
      timeout: { afterSeconds: 60, then: "cancel" },
    });
    expect(reply.status).toBe(400);
    expect(reply.body.error.details).toMatchObject([{ path: "timeout" }]);
  });

  test.each([
    { timeout: { afterSeconds: 1, then: "market" } },
    { cancelAfter: 1 },
    { cancelAfterSeconds: 1 },
  ])("of an alert counts as well: %j", async (more) => {
    const alert = { action: "buy", symbol: "ES1!", qty: 1, type: "limit", limitPrice: FAR };
    const { url } = await own.gateway.createWebhook(own.account);
    expect((await postAlert(url, { ...alert, ...more })).status).toBe(200);
    await waitForWorking([]);
    await waitUntil("it is done", async () => (await timeouts())[0]?.["state"] === "DONE");
    expect(await positions()).toEqual("timeout" in more ? { [ES.code]: 1 } : {});
  });

  test("of a webhook holds for what rests, and leaves alone what ends at once", async () => {
    const { id, url } = await own.gateway.createWebhook(own.account);
    const options = { entryTimeoutSeconds: 1 };
    expect((await own.gateway.api.patch(`/v1/webhooks/${id}`, options)).status).toBe(200);
    const send = async (body: object) =>
      await fetch(url, { method: "POST", body: JSON.stringify(body) });
    const alert = { action: "buy", symbol: "ES1!", qty: 1 };
    expect((await send({ ...alert, type: "limit", limitPrice: FAR })).status).toBe(200);
    expect((await send({ ...alert, type: "market" })).status).toBe(200);
    await waitForWorking([]);
    expect(await positions()).toEqual({ [ES.code]: 1 });
  });
});
