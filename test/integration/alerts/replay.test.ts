// The goal: a person carries out an alert of which nothing was sent, once; nothing else can be replayed.
// The method: end alerts in each way on the whole gateway, replay them, and count orders at the broker.
import { beforeAll, describe, expect, test } from "vitest";
import { userId } from "../../../src/domain/ids.ts";
import { createRedisCredentialStore } from "../../../src/store/people/redis-credential-store.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { apiClient } from "../../support/http-client.ts";
import { shareConnections } from "../../support/shared-gateway.ts";
import { type AlertDesk, idOf, openAlertDesk, openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const BUY = { action: "buy", symbol: "ES1!", qty: 1 };
const nextAccount = accountNames(40);

let gateway: TestGateway;
let simulator: ExchangeSimulator;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-40" } });
  simulator = await startExchangeSimulator();
  return async () => {
    await gateway.stop();
    await simulator.stop();
  };
});

const openDesk = async (options: object = {}) =>
  await openPaperDesk(gateway, nextAccount(), options);

const nextConnection = shareConnections(() => simulator, 2, {}, { answersOnTime: true });

async function openExchange() {
  const own = nextConnection();
  await own.quote(ES, 27_400);
  return { own, desk: await openAlertDesk(() => own.api, own.account) };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

/** What stands in the way of BUY, how it is set up and taken away again, and how the alert ends. */
const OBSTACLES: readonly {
  readonly name: string;
  readonly outcome: string;
  readonly set: (desk: Desk) => Promise<unknown>;
  readonly clear: (desk: Desk) => Promise<unknown>;
}[] = [
  {
    name: "paused",
    outcome: "refused",
    set: async ({ change }) => await change({ paused: true }),
    clear: async ({ change }) => await change({ paused: false }),
  },
  {
    name: "from a sender that is not allowed",
    outcome: "refused",
    set: async ({ change }) => await change({ allowedSenders: ["tradingview"] }),
    clear: async ({ change }) => await change({ allowedSenders: null }),
  },
  {
    name: "of a symbol that is not allowed",
    outcome: "denied or refused",
    set: async ({ change }) => await change({ allowedSymbols: ["NQ"] }),
    clear: async ({ change }) => await change({ allowedSymbols: null }),
  },
  {
    name: "over a limit",
    outcome: "denied",
    set: async ({ limit }) => await limit({ maxPositionQty: 1, maxOrderQty: 1 }),
    clear: async ({ limit }) => await limit({ maxPositionQty: 10, maxOrderQty: 10 }),
  },
  {
    name: "under the kill switch",
    outcome: "denied",
    set: async ({ kill }) => await kill(true),
    clear: async ({ kill }) => await kill(false),
  },
];

describe.each(OBSTACLES)("an alert $name", ({ outcome, set, clear }) => {
  const alert = { ...BUY, qty: 2 };

  async function openRefused() {
    const desk = await openDesk();
    await set(desk);
    expect((await desk.send(alert)).status).toBeGreaterThanOrEqual(400);
    const [line] = await desk.log();
    expect(outcome).toContain(line.outcome);
    return { desk, alertId: line.alertId as string };
  }

  test("is carried out when it is replayed, once, however often", async () => {
    const { desk, alertId } = await openRefused();
    await clear(desk);
    const first = await desk.replay(alertId);
    expect([first.status, first.body.error, first.body.outcome]).toEqual([200, undefined, "done"]);
    expect(first.body.alertId).not.toBe(alertId);

    const second = await desk.replay(alertId);
    expect([second.status, second.body]).toEqual([200, { ...first.body, duplicate: true }]);
    expect([await desk.positions(), await desk.orders()]).toEqual([{ [ES.code]: 2 }, 1]);

    const line = await desk.find(first.body.alertId);
    expect(line).toMatchObject({
      outcome: "done",
      replayOf: alertId,
      orderIds: [first.body.orderId],
    });
    // What became of the first one stays what it was.
    expect(outcome).toContain((await desk.find(alertId)).outcome);
  });

  test("is one order when it is replayed many times at once", async () => {
    const { desk, alertId } = await openRefused();
    await clear(desk);
    const replies = await Promise.all(
      Array.from({ length: 10 }, async () => await desk.replay(alertId)),
    );
    expect(new Set(replies.map(({ body }) => body.alertId)).size).toBe(1);
    expect(await desk.orders()).toBe(1);
  });
});

test("with the obstacle still there it is denied again, and can be tried once more", async () => {
  const desk = await openDesk();
  await desk.kill(true);
  const { alertId } = (await desk.send(BUY)).body.error;
  const denied = await desk.replay(alertId);
  expect([denied.status, denied.body.error.code]).toEqual([422, "KILL_SWITCH_ON"]);
  await desk.kill(false);
  // The replay is an alert of its own, of which nothing was sent.
  const again = await desk.replay(denied.body.error.alertId);
  expect([again.status, again.body.outcome]).toEqual([200, "done"]);
  expect(await desk.orders()).toBe(1);
});

test("what its sender has sent again under the same alertId is carried out once", async () => {
  const desk = await openDesk();
  const named = { ...BUY, alertId: "X1" };
  await desk.change({ paused: true });
  const first = (await desk.send(named)).body.error.alertId;
  const second = (await desk.send({ ...named, comment: "again" })).body.error.alertId;
  await desk.change({ paused: false });

  const replayed = await desk.replay(first);
  expect(replayed.body.outcome).toBe("done");
  const { body } = await desk.send({ ...named, comment: "late" });
  expect(body).toMatchObject({ alertId: replayed.body.alertId, duplicate: true });
  const refused = await desk.replay(second);
  expect([refused.status, refused.body.error.code]).toEqual([409, "NOT_REPLAYABLE"]);
  expect(await desk.orders()).toBe(1);
});

test("without an alertId a replay is no duplicate of what came since", async () => {
  const desk = await openDesk();
  await desk.change({ paused: true });
  const { alertId } = (await desk.send(BUY)).body.error;
  await desk.change({ paused: false });
  await desk.done(BUY);
  const replayed = await desk.replay(alertId);
  expect([replayed.status, replayed.body.outcome, replayed.body.duplicate]).toEqual([
    200,
    "done",
    undefined,
  ]);
  expect(await desk.orders()).toBe(2);
});

describe("cannot be replayed", () => {
  const refusedReplay = async (desk: Pick<AlertDesk, "replay">, alertId: string) => {
    const { status, body } = await desk.replay(alertId);
    expect([status, body.error?.code]).toEqual([409, "NOT_REPLAYABLE"]);
    expect(body.error.message).toMatch(/\S/);
  };

  test("what is done", async () => {
    const desk = await openDesk();
    const { alertId } = await desk.done(BUY);
    await refusedReplay(desk, alertId);
    expect(await desk.orders()).toBe(1);
  });

  test("what the broker rejected", async () => {
    const desk = await openDesk();
    const { body } = await desk.send({ ...BUY, type: "stop", stopPrice: 6000 });
    await refusedReplay(desk, body.error.alertId);
    expect(await desk.orders()).toBe(0);
  });

  test("a duplicate, and a test", async () => {
    const desk = await openDesk();
    await desk.done(BUY);
    await desk.send(BUY);
    const tested = await desk.tryOut(BUY);
    const [, duplicate] = await desk.log();
    await refusedReplay(desk, duplicate.alertId);
    await refusedReplay(desk, tested.body.alertId);
    expect(await desk.orders()).toBe(1);
  });

  test("what is pending or unknown", async () => {
    const { own, desk } = await openExchange();
    await own.goDown();
    const pending = await desk.send(BUY);
    expect(pending.body.outcome).toBe("pending");
    await refusedReplay(desk, pending.body.alertId);
    await own.letIn();
    await desk.until(pending.body.alertId, "done");

    await own.loseNextAnswer({ isCarriedOut: true });
    await own.refuseLogins();
    const unknown = await desk.send({ ...BUY, qty: 2 });
    await refusedReplay(desk, unknown.body.alertId);
    await own.letIn();
    await desk.until(unknown.body.alertId, "done");
    expect(await own.commands("submitOrder")).toHaveLength(2);
  });
});

test("what expired while the connection was down is carried out when a person says so", async () => {
  const { own, desk } = await openExchange();
  await own.goDown();
  const alertId = idOf((await desk.send({ ...BUY, maxAgeSeconds: 1 })).body);
  await desk.until(alertId, "expired");
  await own.letIn();
  await own.waitUntilConnected();
  // The answer may come before the outcome.
  const replayed = await desk.replay(alertId);
  expect([200, 202]).toContain(replayed.status);
  await desk.until(replayed.body.alertId, "done");
  expect((await desk.replay(alertId)).body).toMatchObject({ outcome: "done", duplicate: true });
  expect(await own.commands("submitOrder")).toHaveLength(1);
});

test("what could not be read cannot be carried out either, and says so", async () => {
  const desk = await openDesk();
  const { body } = await desk.send("buy some");
  const replayed = await desk.replay(body.error.alertId);
  expect([400, 409]).toContain(replayed.status);
  expect(await desk.orders()).toBe(0);
});

test("it means what it meant when it came, whatever profile the webhook has now", async () => {
  const desk = await openDesk({ profile: "crosstrade" });
  await desk.change({ paused: true });
  const words = "command=PLACE;instrument=ES1!;action=BUY;qty=2;order_type=MARKET;";
  const { alertId } = (await desk.send(words)).body.error;
  await desk.change({ paused: false, profile: "native" });
  const { status } = await desk.replay(alertId);
  expect([status, await desk.positions()]).toEqual([200, { [ES.code]: 2 }]);
});

test("a body is carried out whole, secrets and what is too long to be shown included", async () => {
  const desk = await openDesk();
  await desk.change({ paused: true });
  const alert = { comment: "x".repeat(5_000), secret: "hunter2-correct-horse", ...BUY };
  const { alertId } = (await desk.send(alert)).body.error;
  await desk.change({ paused: false });
  const { body } = await desk.replay(alertId);
  expect([body.outcome, await desk.orders()]).toEqual(["done", 1]);
  expect(JSON.stringify(await desk.find(body.alertId))).not.toContain("hunter2");
});

test("what came too late may be carried out by a person all the same", async () => {
  const desk = await openDesk();
  const firedAt = new Date(Date.now() - 60_000).toISOString();
  const { body } = await desk.send({ ...BUY, firedAt, maxAgeSeconds: 10 });
  expect(body.error.code).toBe("ALERT_TOO_OLD");
  expect((await desk.replay(body.error.alertId)).body.outcome).toBe("done");
  expect(await desk.orders()).toBe(1);
});

test("each one of an array is replayed by itself", async () => {
  const desk = await openDesk();
  await desk.change({ paused: true });
  await desk.send([BUY, { ...BUY, qty: 2 }]);
  await desk.change({ paused: false });
  const lines = await desk.log();
  expect(lines).toHaveLength(2);
  for (const { alertId } of lines) {
    for (let n = 0; n < 2; n += 1) expect((await desk.replay(alertId)).status).toBe(200);
  }
  expect([await desk.positions(), await desk.orders()]).toEqual([{ [ES.code]: 3 }, 2]);
});

test("the webhook's options and the account's limits hold for it", async () => {
  const desk = await openDesk({ allowedSymbols: ["NQ"] });
  const { alertId } = (await desk.send(BUY)).body.error;
  const { status, body } = await desk.replay(alertId);
  expect([status, body.error.code]).toEqual([422, "SYMBOL_NOT_ALLOWED"]);
  expect(await desk.orders()).toBe(0);
});

test("what came to a webhook that is deleted cannot be carried out", async () => {
  const desk = await openDesk();
  await desk.change({ paused: true });
  const { alertId } = (await desk.send(BUY)).body.error;
  await gateway.api.delete(`/v1/webhooks/${desk.webhookId}`);
  const { status, body } = await desk.replay(alertId);
  expect([status, body.error.code]).toEqual([409, "NOT_REPLAYABLE"]);
  expect(await desk.orders()).toBe(0);
});

describe("who may", () => {
  async function openDenied() {
    const desk = await openDesk();
    await desk.kill(true);
    const { alertId } = (await desk.send(BUY)).body.error;
    await desk.kill(false);
    return { desk, path: `/v1/alerts/${alertId}/replay` };
  }

  test("a key with the scope trade, not one that reads", async () => {
    const { desk, path } = await openDenied();
    const reader = await gateway.createKey("read");
    const refused = await reader.api.post(path, "");
    expect([refused.status, refused.body.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
    expect(await desk.orders()).toBe(0);
    const trader = await gateway.createKey("trade");
    expect((await trader.api.post(path, "")).status).toBe(200);
  });

  test("nobody else's, and nothing that never was: both are a 404", async () => {
    const { desk, path } = await openDenied();
    const { redis, keys } = gateway;
    const credentials = createRedisCredentialStore({ redis, keys });
    const { secret } = await credentials.createKey({
      userId: userId("user_other"),
      name: "stranger",
      scopes: ["read", "trade"],
    });
    const stranger = apiClient(gateway.url, secret);
    const foreign = await stranger.post(path, "");
    const unknown = await gateway.api.post("/v1/alerts/i00000000000000000000000000000/replay", "");
    for (const { status, body } of [foreign, unknown]) {
      expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    }
    expect((await stranger.get(path.replace("/replay", ""))).status).toBe(404);
    expect((await stranger.get("/v1/alerts")).body.alerts).toEqual([]);
    expect(await desk.orders()).toBe(0);
  });
});
