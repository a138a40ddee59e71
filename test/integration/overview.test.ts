// The goal: one look tells what is held, what needs a person, and what to do; nothing unseen is safe.
// The method: the whole gateway, on paper and on an exchange that loses answers and sessions.
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accountId, connectionId, orderId, userId } from "../../src/domain/ids.ts";
import { createRedisCredentialStore } from "../../src/store/people/redis-credential-store.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../simulators/exchange/start.ts";
import { ExchangeGateway } from "../support/exchange-gateway.ts";
import { frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";
import { type ApiClient, apiClient, postAlert } from "../support/http-client.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { eventually, HANGS_AFTER_MS, waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const BUY = { symbol: "ES1!", action: "buy", qty: 1 };
const MINUTE_MS = 60_000;

interface Overview {
  readonly asOf: string;
  readonly positions: Readonly<Record<"held" | "protected", number>>;
  readonly holdings: readonly { readonly accountId: string; readonly protection: object }[];
  readonly troubles: readonly {
    readonly kind: string;
    readonly message: string;
    readonly advice: string;
  }[];
  readonly alerts: {
    readonly minutes: readonly { at: string; accepted: number; refused: number }[];
    readonly latencyMs: { p50: number; p99: number; count: number } | null;
  };
}

/** Every answer is held against what must be true of any. */
async function look(api: ApiClient) {
  const { status, body } = await api.get("/v1/overview");
  expect(status).toBe(200);
  const overview = body as Overview & Record<string, unknown>;
  const { held, protected: safe } = overview.positions;
  expect(overview["safe"]).toBe(overview.troubles.length === 0 && safe === held);
  const times = overview.alerts.minutes.map(({ at }) => Date.parse(at));
  const last = Math.floor(Date.parse(overview.asOf) / MINUTE_MS) * MINUTE_MS;
  expect(times).toEqual(Array.from({ length: 60 }, (_, n) => last - (59 - n) * MINUTE_MS));
  return overview;
}

const total = (overview: Overview) =>
  overview.alerts.minutes.reduce(
    (sum, { accepted, refused }) => ({
      accepted: sum.accepted + accepted,
      refused: sum.refused + refused,
    }),
    { accepted: 0, refused: 0 },
  );

const kindsOf = ({ troubles }: Overview) => troubles.map(({ kind }) => kind);

const QUIET = {
  safe: true,
  connections: { total: 1, connected: 1 },
  killSwitch: { active: false, accounts: 0 },
  unknownOutcomes: 0,
  unprotectedPositions: 0,
  waiting: 0,
  oldestWaitingSeconds: null,
  troubles: [],
};

describe("on paper", () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-3" } });
  });
  afterAll(() => gateway.stop());

  test("all is quiet, and safe", async () => {
    await waitUntil(
      "the connection stands",
      async () => (await look(gateway.api))["safe"] === true,
    );
    expect(await look(gateway.api)).toMatchObject(QUIET);
  });

  test("the kill switch of an account, and of all, is a trouble until it is off", async () => {
    const put = (change: object) => gateway.api.put("/v1/kill-switch", change);
    await put({ accountId: "paper-2", active: true });
    const one = await look(gateway.api);
    expect(one).toMatchObject({
      killSwitch: { active: false, accounts: 1 },
      troubles: [{ kind: "killSwitch", accountId: "paper-2" }],
    });
    await put({ active: true });
    expect(await look(gateway.api)).toMatchObject({ killSwitch: { active: true, accounts: 1 } });

    await put({ active: false });
    await put({ accountId: "paper-2", active: false });
    expect(await look(gateway.api)).toMatchObject(QUIET);
  });

  test("alerts are counted in the minute in which they came, repeats and refusals apart", async () => {
    const { url } = await gateway.createWebhook("paper-3");
    const before = total(await look(gateway.api));
    const from = Date.now();
    expect((await postAlert(url, BUY)).status).toBe(200);
    // The same alert again, and one that nobody can read.
    await postAlert(url, BUY);
    await postAlert(url, "nonsense");
    await waitUntil("all have their ending", async () => {
      const { accepted, refused } = total(await look(gateway.api));
      return accepted - before.accepted === 1 && refused - before.refused === 2;
    });
    const overview = await look(gateway.api);
    const busy = overview.alerts.minutes.filter(({ accepted }) => accepted > 0);
    // It may have become the next minute meanwhile.
    const first = new Date(Math.floor(from / MINUTE_MS) * MINUTE_MS).toISOString();
    expect(busy.every(({ at }) => at >= first)).toBe(true);
    expect(overview.alerts.latencyMs).toMatchObject({ count: 1 });
    expect(overview.alerts.latencyMs?.p50).toBe(overview.alerts.latencyMs?.p99);
  });

  test("a position that lost its exits is told, until it has them again", async () => {
    const { redis, keys } = gateway;
    const account = "paper-2";
    const order = { symbol: ES.symbol, action: "buy", qty: 1, type: "market" };
    expect((await gateway.api.post(`/v1/accounts/${account}/orders`, order)).status).toBe(201);
    const key = keys.unprotected(account as Parameters<typeof keys.unprotected>[0]);
    await redis.hset(key, ES.code, "STOP_LOSS");
    expect(await look(gateway.api)).toMatchObject({
      safe: false,
      unprotectedPositions: 1,
      troubles: [{ kind: "unprotected", accountId: account }],
    });
    await redis.del(key);
    // Nobody asked for a stop: that is said, and it is not safe for that.
    const unasked = await look(gateway.api);
    expect(unasked).toMatchObject({ safe: false, troubles: [] });
    const naked = unasked.holdings.find(({ accountId: id }) => id === account);
    expect(naked?.protection).toMatchObject({ state: "noneAsked", openedBy: "api" });

    const protect = { symbol: ES.symbol, stopLoss: { ticks: 40 } };
    expect((await gateway.api.post(`/v1/accounts/${account}/protect`, protect)).status).toBe(200);
    const stopped = (await look(gateway.api)).holdings.find(({ accountId: id }) => id === account);
    expect(stopped).toMatchObject({ protection: { state: "protected" }, qty: 1, tickSize: 0.25 });

    // The exits of an entry that rests elsewhere are missing: a stop here says nothing of them.
    await redis.hset(key, frontMonth("NQ").code, "STOP_LOSS");
    expect(await look(gateway.api)).toMatchObject({
      safe: false,
      positions: { missing: 0, protected: 1 },
      troubles: [{ kind: "unprotected", severity: "critical", accountId: account }],
    });
    await redis.del(key);

    // As if its stop had been lost at the broker, with nothing noted of it.
    await gateway.api.delete(`/v1/accounts/${account}/positions`);
    const bracket = { stopLoss: { ticks: 40 } };
    const path = `/v1/accounts/${account}/orders`;
    const { body } = await gateway.api.post(path, { ...order, bracket });
    await gateway.paper.cancelOrder(accountId(account), orderId(body.bracket.stopLossOrderId));
    await waitUntil("it is missed", async () =>
      kindsOf(await look(gateway.api)).includes("unprotected"),
    );
    await gateway.api.delete(`/v1/accounts/${account}/positions`);
    await waitUntil("it is flat", async () => (await look(gateway.api)).troubles.length === 0);
  });

  test("nothing of another user's is counted", async () => {
    const { redis, keys, url } = gateway;
    const credentials = createRedisCredentialStore({ redis, keys });
    const { secret } = await credentials.createKey({
      userId: userId("user_other"),
      name: "test",
      scopes: ["read"],
    });
    await gateway.api.put("/v1/kill-switch", { active: true });
    onTestFinished(async () => {
      await gateway.api.put("/v1/kill-switch", { active: false });
    });
    const overview = await look(apiClient(url, secret));
    expect(overview).toMatchObject({ ...QUIET, connections: { total: 0, connected: 0 } });
    expect(total(overview)).toEqual({ accepted: 0, refused: 0 });
    expect(overview.alerts.latencyMs).toBeNull();
  });

  test("a key without read is refused", async () => {
    const { api } = await gateway.createKey("trade");
    expect((await api.get("/v1/overview")).status).toBe(403);
  });
});

describe("on an exchange", () => {
  let simulator: ExchangeSimulator;
  let gateway: ExchangeGateway;

  beforeAll(async () => {
    simulator = await startExchangeSimulator();
    gateway = await ExchangeGateway.start(simulator, {}, { isPatient: true });
    await gateway.waitUntilConnected();
    await gateway.quote(ES, 27_400);
  });
  afterAll(async () => {
    await gateway.stop();
    await simulator.stop();
  });

  test("an order whose answer was lost is unknown, and told the caller what to do", async () => {
    // It cannot be looked up before it was seen: no new session is let in until then.
    const connection = connectionId(gateway.account.replace(/-1$/, ""));
    await simulator.control({ knob: "refuseLogins", connection, ms: HANGS_AFTER_MS });
    await gateway.loseNextAnswer({ isCarriedOut: false });
    const lost = gateway.post("orders", { symbol: ES.symbol, action: "buy", qty: 1 });
    await waitUntil(
      "it is unknown",
      async () => (await look(gateway.api))["unknownOutcomes"] === 1,
    );
    const overview = await look(gateway.api);
    const told = overview.troubles.find(({ kind }) => kind === "unknown");
    expect(told).toMatchObject({ accountId: gateway.account });
    expect(told?.advice).toContain("at the broker before you send anything again");
    await gateway.letIn();
    await lost;
    await waitUntil("it is settled", async () => kindsOf(await look(gateway.api)).length === 0);
  });

  test("a connection that is down is told, until it is back", async () => {
    await gateway.goDown();
    await waitUntil("it is seen", async () =>
      kindsOf(await look(gateway.api)).includes("connection"),
    );
    await gateway.letIn();
    await waitUntil("it is back", async () => (await look(gateway.api))["safe"] === true);
    expect(await look(gateway.api)).toMatchObject(QUIET);
  });
});

test("an account that another process sees out of step, or astray, is told until it is not", async () => {
  const { server } = await startTestRedis(await temporaryFolder());
  const shared = { REDIS_URL: `unix:${server.path}`, PAPER_ACCOUNTS: "1-2" };
  const worker = await startGateway({ settings: { ...shared, ROLE: "worker" } });
  onTestFinished(worker.stop);
  const ingress = await startGateway({ settings: { ...shared, ROLE: "ingress" } });
  onTestFinished(ingress.stop);
  const { keys, api } = ingress;
  const untilTold = async (kind: string) =>
    await eventually(async () => {
      const { troubles } = await look(api);
      expect(troubles).toMatchObject([{ kind, accountId: "paper-2" }]);
    });
  await waitUntil("the connection stands", async () => (await look(api))["safe"] === true);

  // It cannot be compared with its broker.
  const redis = new Redis({ path: server.path });
  onTestFinished(() => redis.disconnect());
  await redis.set(keys.positionBase(accountId("paper-2")), "no hash");
  await worker.restart();
  await untilTold("outOfStep");
  await redis.del(keys.positionBase(accountId("paper-2")));
  await waitUntil("it is read", async () => (await look(api))["safe"] === true);

  // As a follower it holds something else than its leader.
  const { status, body } = await api.post("/v1/copy-groups", {
    leaderAccountId: "paper-1",
    driftAfterSeconds: 2,
    followers: [{ accountId: "paper-2" }],
  });
  expect(status).toBe(201);
  const trade = async (account: string, action: string) =>
    await api.post(`/v1/accounts/${account}/orders`, { ...BUY, action });
  const holds = async () => await worker.broker.positions("paper-2");

  await trade("paper-1", "buy");
  await waitUntil("it is copied", async () => (await holds())[ES.code] === 1);
  await trade("paper-2", "sell");
  await untilTold("copying");

  const sync = await api.post(`/v1/copy-groups/${body.id}/sync`, {});
  expect(sync.status).toBe(202);
  await waitUntil("it is put right", async () => kindsOf(await look(api)).length === 0);
  expect(await holds()).toEqual({ [ES.code]: 1 });
});
