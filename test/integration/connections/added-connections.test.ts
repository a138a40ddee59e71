// The goal: a connection is added, changed, paused, tested and removed while the gateway runs, and what
// it was at the end of it is what a restart finds.
// The method: gateways on one Redis, and the exchange simulator, in a process of its own, as a broker.
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { App } from "../../../src/app/app.ts";
import type { BrokerKind, BrokerKinds } from "../../../src/brokers/broker-kind.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import { afterTheFile, ConnectionSite } from "../../support/connection-site.ts";
import { EXCHANGE } from "../../support/exchange-broker.ts";
import { frontMonth } from "../../support/gateway.ts";
import { apiClient, call, postAlert } from "../../support/http-client.ts";
import { waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES");
const buy = (comment: string) => ({ symbol: "ES1!", action: "buy", qty: 1, comment });

const atEnd = afterTheFile();
let simulator: ExchangeSimulator;
/** Shared by most tests: each has a connection to itself. */
let site: ConnectionSite;
let app: App;

async function startMarket(): Promise<ExchangeSimulator> {
  const started = await startExchangeSimulator();
  atEnd(started.stop);
  const quote = { bid: 27_400, ask: 27_401, bidQty: 1_000_000, askQty: 1_000_000 };
  await started.control({ knob: "quote", contract: ES.code, ...quote });
  return started;
}

beforeAll(async () => {
  simulator = await startMarket();
  site = await ConnectionSite.open(simulator, atEnd);
  app = await site.start();
});

async function openConnection() {
  const id = await site.add(app);
  await site.until(app, id, "CONNECTED");
  const hook = await site.webhook(app, `${id}-1`);
  const alert = async (comment: string) =>
    await postAlert(`${app.url}${hook}`, buy(`${id} ${comment}`));
  return { id, alert };
}

async function restart(): Promise<void> {
  await app.stop();
  app = await site.start();
}

/** The broker lets this password in until the test ends. */
function letIn(password: string): void {
  const { password: before } = site.broker;
  onTestFinished(() => void (site.broker.password = before));
  site.broker.password = password;
}

/** How often it was let go of, but for one restart, or its session broke: a slow machine causes both. */
function troublesOf(id: string): number {
  const states = site.said
    .filter((line) => line.includes('"msg":"Connection status"'))
    .map((line) => JSON.parse(line) as { connectionId: string; state: string })
    .filter(({ connectionId }) => connectionId === id)
    .map(({ state }) => state);
  const count = (state: string) => states.filter((one) => one === state).length;
  return count("DISCONNECTED") - 1 + count("RECONNECTING");
}

describe("a connection that is added while the gateway runs", () => {
  test("brings its accounts, and an alert for one of them is filled", async () => {
    const { id, alert } = await openConnection();
    expect(await site.isActive(app, `${id}-1`)).toBe(true);
    const filled = await alert("first");
    expect([filled.status, filled.body.status]).toEqual([200, "filled"]);
    expect((await site.read(app, id)).body).toMatchObject({
      broker: "exchange-simulator",
      environment: "demo",
      name: "Mine",
      paused: false,
      settings: { user: "joe" },
      secrets: { password: true, pin: false },
    });
  });

  test("is still there after a restart, with the same device", async () => {
    const { id, alert } = await openConnection();
    await restart();
    await site.until(app, id, "CONNECTED");
    expect((await alert("again")).status).toBe(200);
    const logins = site.broker.logins.filter(({ connection }) => connection === id);
    // One before the restart and one after it; one more only where the log says why.
    const more = logins.length - 2;
    expect(more).toBeGreaterThanOrEqual(0);
    expect(more).toBeLessThanOrEqual(troublesOf(id));
    expect(new Set(logins.map(({ deviceId }) => deviceId)).size).toBe(1);
  });

  test("does not disturb the ones that there are", async () => {
    const { id } = await openConnection();
    const other = await site.add(app);
    await site.until(app, other, "CONNECTED");
    expect(other).not.toBe(id);
    expect(site.broker.passwordsOf(id)).toHaveLength(1);
    expect((await site.read(app, "paper")).body).toMatchObject({ status: "CONNECTED", name: null });
  });
});

describe("credentials that the broker refuses", () => {
  test("are tried once, and new ones log in without a word", async () => {
    const id = await site.add(app, { password: "wrong" });
    await site.until(app, id, "AUTH_EXPIRED");
    expect((await site.read(app, id)).body.reason).toBe("Incorrect password");

    const changed = await site.change(app, id, { settings: { password: "also wrong" } });
    expect([changed.status, changed.body.settings]).toEqual([200, { user: "joe" }]);
    await waitUntil("they were tried", () => site.broker.passwordsOf(id).length === 2);
    await site.until(app, id, "AUTH_EXPIRED");

    await site.change(app, id, { settings: { password: site.broker.password } });
    await site.until(app, id, "CONNECTED");
    expect((await site.read(app, id)).body.reason).toBeNull();
    expect(site.broker.passwordsOf(id)).toEqual(["wrong", "also wrong", site.broker.password]);
  });

  test("are tried again when a person asks for it", async () => {
    const id = await site.add(app, { password: "later" });
    await site.until(app, id, "AUTH_EXPIRED");
    letIn("later");
    const { status } = await site.api(app).post(`/v1/connections/${id}/reconnect`, {});
    expect(status).toBe(202);
    await site.until(app, id, "CONNECTED");
    expect(site.broker.passwordsOf(id)).toEqual(["later", "later"]);
  });
});

describe("a connection that is paused", () => {
  test("logs out and answers alerts with 403, until it is resumed", async () => {
    const { id, alert } = await openConnection();
    expect((await site.change(app, id, { paused: true })).body.paused).toBe(true);
    await site.until(app, id, "DISCONNECTED");
    expect(await site.isActive(app, `${id}-1`)).toBe(false);
    const refused = await alert("while paused");
    expect([refused.status, refused.body.error.message]).toEqual([403, "Account is inactive"]);
    const order = await site.api(app).post(`/v1/accounts/${id}-1/orders`, buy(""));
    expect(order.status).toBeGreaterThanOrEqual(400);

    await site.change(app, id, { paused: false });
    await site.until(app, id, "CONNECTED");
    expect((await alert("resumed")).status).toBe(200);
  });

  test("stays paused over a restart, which does not wait for it", async () => {
    const { id, alert } = await openConnection();
    await site.change(app, id, { paused: true });
    await site.until(app, id, "DISCONNECTED");
    await restart();
    expect((await site.read(app, id)).body).toMatchObject({ status: "DISCONNECTED", paused: true });
    expect((await alert("after the restart")).status).toBe(403);
    expect(site.broker.passwordsOf(id)).toHaveLength(1);
  });

  test("has no answer outstanding: what was sent is known before it logs out", async () => {
    const { id } = await openConnection();
    const account = `${id}-1` as never;
    await simulator.control({ knob: "delay", account, ms: 1_500, ops: ["submitOrder"] });
    const placed = site.api(app).post(`/v1/accounts/${id}-1/orders`, {
      symbol: "ES1!",
      action: "buy",
      qty: 1,
    });
    const sent = async () =>
      (await simulator.log()).some(({ op, account: of }) => op === "submitOrder" && of === account);
    await waitUntil("the order was sent", sent);
    await site.change(app, id, { paused: true });
    const { status, body } = await placed;
    expect([status, body.status]).toEqual([201, "filled"]);
    await site.until(app, id, "DISCONNECTED");
    const open = await site.api(app).get(`/v1/accounts/${id}-1/intents?state=unsettled`);
    expect(open.body.intents).toEqual([]);
  });
});

test("new settings wait for the answer to what was sent, and end nothing else", async () => {
  const { id } = await openConnection();
  const account = `${id}-1` as never;
  await simulator.control({ knob: "delay", account, ms: 1_500, ops: ["submitOrder"] });
  const order = { symbol: "ES1!", action: "buy", qty: 1 };
  const placed = site.api(app).post(`/v1/accounts/${id}-1/orders`, order);
  const sent = async () =>
    (await simulator.log()).filter(({ op, account: of }) => op === "submitOrder" && of === account);
  await waitUntil("the order was sent", async () => (await sent()).length === 1);
  await site.change(app, id, { settings: { accounts: 2 } });
  const { status, body } = await placed;
  expect([status, body.status]).toEqual([201, "filled"]);
  await waitUntil(
    "there are two accounts",
    async () => (await site.isActive(app, `${id}-2`)) === true,
  );
  expect(await sent()).toHaveLength(1);
  expect(site.broker.passwordsOf(id)).toHaveLength(2);
  expect(site.broker.passwordsOf("paper")).toEqual([]);
});

test("a key that may only read sees connections without their secrets, and changes none", async () => {
  const { id } = await openConnection();
  const said = await site.command(["keys", "create", "--name", "eye", "--scopes", "read"]);
  const eye = apiClient(app.url, /^gwk_\S+$/m.exec(said)?.[0] ?? "");
  expect((await eye.get(`/v1/connections/${id}`)).body.secrets).toMatchObject({ password: true });
  const path = `/v1/connections/${id}`;
  const refused = await Promise.all([
    eye.post("/v1/connections", { broker: EXCHANGE, environment: "demo", settings: {} }),
    eye.patch(path, { paused: true }),
    eye.delete(path),
    eye.post(`${path}/test`, {}),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect((await site.read(app, id)).body).toMatchObject({ status: "CONNECTED", paused: false });
});

test("a connection that is removed is gone, and its accounts are inactive with their history", async () => {
  const { id, alert } = await openConnection();
  await alert("before");
  expect((await site.remove(app, id)).status).toBe(204);
  expect((await site.read(app, id)).status).toBe(404);
  await waitUntil(
    "its account is inactive",
    async () => (await site.isActive(app, `${id}-1`)) === false,
  );
  const refused = await alert("after");
  expect([refused.status, refused.body.error.code]).toEqual([403, "ACCOUNT_INACTIVE"]);
  const trades = async () => (await site.api(app).get(`/v1/accounts/${id}-1/orders`)).body.trades;
  expect(await trades()).toHaveLength(1);
  const { body } = await site.api(app).get("/v1/connections");
  const listed = (body.connections as { connectionId: string }[]).map((one) => one.connectionId);
  expect([listed.includes("paper"), listed.includes(id)]).toEqual([true, false]);

  await restart();
  expect((await site.read(app, id)).status).toBe(404);
  expect((await alert("after the restart")).status).toBe(403);
  expect(await site.add(app)).not.toBe(id);
});

describe("a test of a connection", () => {
  test("beside a session that is up logs nothing in", async () => {
    const { id } = await openConnection();
    expect(await site.test(app, id)).toMatchObject({
      result: "connected",
      accounts: [{ accountId: `${id}-1`, active: true }],
    });
    expect(site.broker.passwordsOf(id)).toHaveLength(1);
  });

  test("of a paused one logs in, reads and logs out, and sends no order", async () => {
    const { id } = await openConnection();
    await site.change(app, id, { paused: true });
    await site.until(app, id, "DISCONNECTED");
    expect(await site.test(app, id)).toMatchObject({
      result: "ok",
      accounts: [{ accountId: `${id}-1` }],
    });
    expect((await site.read(app, id)).body.status).toBe("DISCONNECTED");
    const log = await simulator.log();
    expect(log.filter(({ op, account }) => op === "submitOrder" && account === `${id}-1`)).toEqual(
      [],
    );

    await site.change(app, id, { settings: { password: "wrong" } });
    expect(await site.test(app, id)).toEqual({
      result: "refused",
      reason: "Incorrect password",
      accounts: [],
    });
  });
});

/** Each session says that what its broker reports by itself cannot be relied on. */
function withoutFeed(brokers: BrokerKinds): BrokerKinds {
  const changed = Object.entries(brokers).map(([broker, kind]): [string, BrokerKind] => [
    broker,
    {
      ...kind,
      open: (opening) => {
        const { connectionId, alarms } = opening;
        alarms.raise({ kind: "feedFailed", connectionId, reason: "It reports nothing" });
        return kind.open(opening);
      },
    },
  ]);
  return Object.fromEntries(changed);
}

describe("gateways of their own", () => {
  let elsewhere: ExchangeSimulator;

  beforeAll(async () => {
    elsewhere = await startMarket();
  });

  test("a test of a paused connection raises no alarm: nothing is traded in it", async () => {
    const own = await ConnectionSite.open(elsewhere);
    own.brokers = withoutFeed(own.brokers);
    const other = await own.start();
    const id = await own.add(other);
    await own.until(other, id, "CONNECTED");
    const alarms = () => own.said.filter((line) => line.includes("cannot be relied on")).length;
    expect(alarms()).toBe(1);
    await own.change(other, id, { paused: true });
    await own.until(other, id, "DISCONNECTED");
    expect(await own.test(other, id)).toMatchObject({ result: "ok" });
    expect(alarms()).toBe(1);
  });

  test("any of several processes may be asked, and a worker follows", async () => {
    const own = await ConnectionSite.open(elsewhere);
    const worker = await own.start({ ROLE: "worker" });
    const ingress = await own.start({ ROLE: "ingress" });
    const id = await own.add(ingress);
    await own.until(ingress, id, "CONNECTED");
    const hook = await own.webhook(ingress, `${id}-1`);
    expect((await postAlert(`${ingress.url}${hook}`, buy("over two"))).status).toBe(200);

    await own.change(ingress, id, { paused: true });
    // One that slips in before it knows answers for each that is the same.
    let count = 0;
    await waitUntil("the ingress knows", async () => {
      const alert = buy(`paused ${(count += 1)}`);
      return (await postAlert(`${ingress.url}${hook}`, alert)).status === 403;
    });
    await own.change(ingress, id, { paused: false });
    await own.until(ingress, id, "CONNECTED");
    await worker.stop();
    const next = await own.start({ ROLE: "worker" });
    await own.until(ingress, id, "CONNECTED");
    await own.remove(ingress, id);
    await waitUntil("the ingress knows", async () => {
      const alert = buy(`removed ${(count += 1)}`);
      return (await postAlert(`${ingress.url}${hook}`, alert)).status === 403;
    });
    await next.stop();
  });

  test("one process takes over what another one was asked for, with the newest settings", async () => {
    const own = await ConnectionSite.open(elsewhere);
    const one = await own.start();
    const id = await own.add(one);
    await own.until(one, id, "CONNECTED");
    const other = await own.start();
    // Else it may move, by the former password, while that is changed.
    const owned = async ({ url }: App) =>
      /^gateway_connections_owned (\d+)$/m.exec((await call(url, "GET", "/metrics")).text)?.[1];
    await waitUntil("each has one", async () => {
      return (await owned(one)) === "1" && (await owned(other)) === "1";
    });
    await own.until(other, id, "CONNECTED");
    const before = own.broker.passwordsOf(id).length;
    own.broker.password = "changed at the broker";
    await own.change(other, id, { settings: { password: own.broker.password } });
    await waitUntil("it is used", () => own.broker.passwordsOf(id).length > before);
    await own.until(other, id, "CONNECTED");
    await one.stop();
    await own.until(other, id, "CONNECTED");
    // Nobody has tried the former one again.
    const tried = own.broker.passwordsOf(id).slice(before);
    expect(new Set(tried)).toEqual(new Set([own.broker.password]));
  });
});
