// The goal: nothing that is too old is ever sent, and what is young enough is sent once it can be.
// The method: an exchange simulator that lets nobody in for a while, or answers late; its log counts.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test, type TestContext } from "vitest";
import { accountId } from "../../../src/domain/ids.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import type { ExchangeGateway } from "../../support/exchange-gateway.ts";
import { frontMonth } from "../../support/gateway.ts";
import { shareConnections } from "../../support/shared-gateway.ts";
import { waitUntil } from "../../support/wait.ts";
import { idOf, openAlertDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const BUY = { action: "buy", symbol: "ES1!", qty: 1 };
const SELL = { action: "sell", symbol: "ES1!", qty: 1 };

/** A broker that answers so late answers after all waits of the gateway. */
const NEVER_MS = 60_000;

let simulator: ExchangeSimulator;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
  return simulator.stop;
});

/** Callers get an answer within the product's own times. */
const nextConnection = shareConnections(() => simulator, 20, {}, { answersOnTime: true });
/** Callers wait for the outcome, and the gateway for the broker. */
const nextPatient = shareConnections(() => simulator, 2, {}, { isPatient: true });

async function open({ onTestFinished }: TestContext, options: object = {}, next = nextConnection) {
  const own = next();
  await own.quote(ES, 27_400);
  const desk = await openAlertDesk(() => own.api, own.account, options);
  const account = accountId(own.account);
  return {
    ...desk,
    own,
    /** The answer may come before the outcome. */
    done: async (alert: object) => {
      const { body } = await desk.send(alert);
      await desk.until(idOf(body), "done");
    },
    held: async () => {
      const positions = (await own.broker())?.positions ?? [];
      return positions.reduce((sum, { netQty }) => sum + netQty, 0);
    },
    /** What would move a position, as the broker was asked for it. */
    sent: async () => (await own.commands("submitOrder", "closePosition")).length,
    goDown: async () => await own.goDown(),
    /** Also what was queued had the time to be sent. */
    comeBack: async () => {
      await own.letIn();
      await own.waitUntilConnected();
      await sleep(500);
    },
    delay: async (ms: number) => {
      await simulator.control({ knob: "delay", account, ms, ops: ["submitOrder"] });
      onTestFinished(async () => void (await simulator.control({ knob: "delay", account, ms: 0 })));
    },
  };
}

// Where a position is needed first, it is bought before the ages are set: on a busy machine a purchase
// can be older than that.
describe.concurrent("while the connection is down", () => {
  test("an alert is answered 202 at once, and says in the log that it waits", async (context) => {
    const { goDown, send, find } = await open(context);
    await goDown();
    const { status, body } = await send(BUY);
    expect([status, body.outcome]).toEqual([202, "pending"]);
    expect(await find(body.alertId)).toMatchObject({ outcome: "pending", orderIds: [] });
  });

  test("an entry expires by its age, visibly, and is never sent after it", async (context) => {
    const { goDown, send, until, comeBack, sent, held, outcomes } = await open(context, {
      entryMaxAgeSeconds: 1,
      exitMaxAgeSeconds: 1,
    });
    await goDown();
    const { body } = await send(BUY);
    const line = await until(idOf(body), "expired");
    expect(line.reason).toMatch(/\S/);
    expect([line.orderIds, line.times.sent]).toEqual([[], null]);
    await comeBack();
    expect([await sent(), await held(), await outcomes()]).toEqual([0, 0, ["expired"]]);
  });

  test("an entry over its age expires although an exit of that age would not", async (context) => {
    const { goDown, send, until, comeBack, sent, held } = await open(context, {
      entryMaxAgeSeconds: 1,
    });
    await goDown();
    const { body } = await send(BUY);
    await sleep(1_500);
    await comeBack();
    await until(idOf(body), "expired");
    expect([await sent(), await held()]).toEqual([0, 0]);
  });

  test.for<readonly [string, object]>([
    ["an opposite order", SELL],
    ["a flatten", { action: "flatten" }],
    ["a target of nothing", { position: 0, symbol: "ES1!" }],
    ["a reduction", { action: "reduce", symbol: "ES1!", percent: 100 }],
  ])("an exit within its age is sent when it is back: %s", async ([, exit], context) => {
    const { goDown, send, done, until, held, comeBack, change } = await open(context);
    await done(BUY);
    await change({ entryMaxAgeSeconds: 1 });
    await goDown();
    const { status, body } = await send(exit);
    expect([status, body.outcome]).toEqual([202, "pending"]);
    await comeBack();
    await until(body.alertId, "done");
    expect(await held()).toBe(0);
  });

  test("an exit over its age is dropped, when that is as long as an entry's", async (context) => {
    const { goDown, send, done, until, held, comeBack, change } = await open(context);
    await done(BUY);
    await change({ entryMaxAgeSeconds: 1, exitMaxAgeSeconds: 1 });
    await goDown();
    const { body } = await send({ action: "flatten" });
    await until(idOf(body), "expired");
    await comeBack();
    expect(await held()).toBe(1);
  });

  test("an exit's own age holds, though an entry's would be longer", async (context) => {
    const { goDown, send, done, until, held, comeBack, change } = await open(context);
    await done(BUY);
    await change({ exitMaxAgeSeconds: 1 });
    await goDown();
    const { body } = await send({ action: "flatten" });
    await until(idOf(body), "expired");
    await comeBack();
    expect(await held()).toBe(1);
  });

  test("of a target through zero, the old one is not half done as an entry", async (context) => {
    const { goDown, send, done, comeBack, held, find, sent, change } = await open(context);
    await done(BUY);
    await change({ entryMaxAgeSeconds: 1 });
    await goDown();
    const { body } = await send({ position: -2, symbol: "ES1!" });
    await sleep(1_500);
    await comeBack();
    await waitUntil("it has ended", async () => (await find(body.alertId)).outcome !== "pending");
    // The close may go, within the age of an exit; the entry behind it is too old.
    const line = await find(body.alertId);
    expect([0, 1]).toContain(await held());
    const submitted = (await sent()) - 1;
    expect(submitted).toBeLessThanOrEqual(1);
    expect(line.reason).toMatch(/^Closed 1 .*The order was not placed: .*longer than an entry may/);
  });

  test("the sender's own limit is shorter than the webhook's", async (context) => {
    const { goDown, send, until, comeBack, sent } = await open(context);
    await goDown();
    const { body } = await send({ ...BUY, maxAgeSeconds: 1 });
    await until(idOf(body), "expired");
    await comeBack();
    expect(await sent()).toBe(0);
  });

  test("the sender's own limit cannot make the webhook's longer", async (context) => {
    const { goDown, send, until, comeBack, sent } = await open(context, {
      entryMaxAgeSeconds: 1,
      exitMaxAgeSeconds: 1,
    });
    await goDown();
    const { body } = await send({ ...BUY, maxAgeSeconds: 600 });
    await until(idOf(body), "expired");
    await comeBack();
    expect(await sent()).toBe(0);
  });

  test("what waited longest is sent first, and an expired one is not made up for", async (context) => {
    const { goDown, send, until, comeBack, held } = await open(context);
    await goDown();
    const old = await send({ ...BUY, qty: 4, maxAgeSeconds: 1 });
    const young = [await send({ ...BUY, qty: 2 }), await send({ ...SELL, qty: 1 })];
    await until(idOf(old.body), "expired");
    await comeBack();
    for (const { body } of young) await until(body.alertId, "done");
    expect(await held()).toBe(1);
  });

  test("an expired alert may come again, also under its alertId", async (context) => {
    const { goDown, send, until, comeBack, held } = await open(context);
    await goDown();
    const alert = { ...BUY, alertId: "Long" };
    const { body } = await send({ ...alert, maxAgeSeconds: 1 });
    await until(idOf(body), "expired");
    await comeBack();
    // A busy machine may take longer than a second to send it.
    const again = await send(alert);
    expect(again.body.duplicate).toBeUndefined();
    await until(idOf(again.body), "done");
    expect(await held()).toBe(1);
  });
});

describe.concurrent("an entry that a flatten overtook", () => {
  const LONG = { ...BUY, alertId: "Long" };
  const unsettled = async (own: ExchangeGateway): Promise<number> => {
    const { body } = await own.api.get(`/v1/accounts/${own.account}/intents?state=unsettled`);
    return body.intents.length;
  };

  test("is over for good: its repeat gets the first answer, and nothing is placed", async (context) => {
    const { goDown, send, until, comeBack, held, sent, outcomes } = await open(context);
    await goDown();
    const first = await send(LONG);
    const flatten = await send({ action: "flatten" });
    expect([first.status, flatten.status]).toEqual([202, 202]);
    await comeBack();
    const line = await until(first.body.alertId, "overtaken");
    await until(flatten.body.alertId, "done");
    expect(line).toMatchObject({ code: "OVERTAKEN_BY_EXIT", orderIds: [] });
    const again = await send(LONG);
    expect([again.status, again.body.error]).toMatchObject([
      409,
      { code: "OVERTAKEN_BY_EXIT", retry: "never", duplicate: true, alertId: first.body.alertId },
    ]);
    expect([await sent(), await held()]).toEqual([0, 0]);
    expect(await outcomes()).toEqual(["overtaken", "done", "duplicate"]);
  });

  test("of one message with another one is so too, though it was accepted later", async (context) => {
    const desk = await open(context, {}, nextPatient);
    const { own, goDown, send, until, comeBack, sent, held, outcomes } = desk;
    await goDown();
    // The second one is accepted when the first one has ended.
    const message = send([BUY, { ...BUY, qty: 2 }]);
    await waitUntil("the first one waits", async () => (await unsettled(own)) === 1);
    const flatten = send({ action: "flatten" });
    await waitUntil("the flatten waits behind it", async () => (await unsettled(own)) === 2);
    await comeBack();
    await message;
    await until((await flatten).body.alertId, "done");
    await waitUntil("all has ended", async () => !(await outcomes()).includes("pending"));
    expect((await outcomes()).toSorted()).toEqual(["done", "overtaken", "overtaken"]);
    expect([await sent(), await held()]).toEqual([0, 0]);
  });

  test("is answered so under an Idempotency-Key, and so is its repeat", async (context) => {
    const { own, delay, send, until, held } = await open(context, {}, nextPatient);
    await delay(NEVER_MS);
    const sending = send(BUY);
    await waitUntil("it is on its way", async () => (await unsettled(own)) === 1);
    const orders = `/v1/accounts/${own.account}/orders`;
    const place = async () => await own.api.post(orders, BUY, { "idempotency-key": "entry" });
    const waiting = place();
    await waitUntil("it waits behind the first one", async () => (await unsettled(own)) === 2);
    const flatten = send({ action: "flatten" });
    await waitUntil("so does the flatten", async () => (await unsettled(own)) === 3);
    await delay(0);
    // The first one is looked up in the next session.
    await own.breakSession(0);
    const overtaken = await waiting;
    expect([overtaken.status, overtaken.body.error]).toMatchObject([
      409,
      { code: "OVERTAKEN_BY_EXIT", retry: "never" },
    ]);
    await until((await sending).body.alertId, "done");
    await until((await flatten).body.alertId, "done");
    const again = await place();
    expect([again.status, again.text]).toEqual([409, overtaken.text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await held()).toBe(0);
  });
});

describe.concurrent("on a broker that answers late or never", () => {
  test("the sender is answered within its time, and the log tells how it ended", async (context) => {
    const { delay, send, until, own, held } = await open(context);
    await delay(NEVER_MS);
    const began = performance.now();
    const { status, body } = await send(BUY);
    expect([status, ["pending", "unknown"].includes(body.outcome)]).toEqual([202, true]);
    // The unit tests of receiving say within which time.
    expect(performance.now() - began).toBeLessThan(NEVER_MS);
    // What the broker never answered is looked up there.
    const line = await until(body.alertId, "done");
    expect(line.orderIds).toHaveLength(1);
    expect([await held(), await own.commands("submitOrder")]).toMatchObject([1, { length: 1 }]);
  });

  test.for<readonly [string, object]>([
    ["a target", { position: 2, symbol: "ES1!" }],
    ["an array", [BUY, { ...BUY, qty: 2 }]],
  ])("%s is answered within that time too", async ([, alert], context) => {
    const { delay, send } = await open(context);
    await delay(NEVER_MS);
    let reply = await send(alert);
    // A stall of half a second refuses the second of an array as too late, which is safe to repeat.
    for (let n = 0; n < 5 && reply.text.includes('"retry":"safe"'); n += 1) {
      reply = await send(alert);
    }
    expect([reply.status, reply.text]).toEqual([202, expect.any(String)]);
  });

  test("a protection behind an entry that is under way waits for it", async (context) => {
    const { delay, send, until, own } = await open(context);
    await delay(3_500);
    const entry = await send(BUY);
    // After a stall the gateway has already given the broker's answer up.
    expect(["pending", "unknown"]).toContain(entry.body.outcome);
    const { status, body } = await send({
      action: "protect",
      symbol: "ES1!",
      stopLoss: { ticks: 40 },
    });
    // The broker's feed may tell of both before it answers the first.
    expect([
      [200, "done"],
      [202, "pending"],
    ]).toContainEqual([status, body.outcome]);
    await until(body.alertId, "done");
    expect((await own.broker())?.workingOrders).toHaveLength(1);
  });

  test("a close behind an entry that is under way closes what it opened", async (context) => {
    const { delay, send, until, held } = await open(context);
    await delay(3_500);
    await send(BUY);
    const { body } = await send({ action: "close", symbol: "ES1!" });
    await until(body.alertId, "done");
    expect(await held()).toBe(0);
  });
});
