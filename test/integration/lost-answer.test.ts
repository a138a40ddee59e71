// The goal: what was accepted is carried out, and never called "not written", when Redis' answer was lost.
// The method: a proxy before Redis lets the acceptance through and drops the connection on its answer.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { laneScripts } from "../../src/app/lane-scripts.ts";
import { EVALUATION_BODIES, STRATEGY_BODIES } from "../../src/http/schemas/strategy.ts";
import type { Script } from "../../src/store/redis/script.ts";
import { changeStrategy } from "../../src/store/strategies/change-strategy.ts";
import { startRedisServer } from "../../src/store/server/redis-server.ts";
import { openEvaluation } from "../../src/store/strategies/open-evaluation.ts";
import { type FaultProxy, startFaultProxy } from "../faults/proxy.ts";
import { accountNames, startGateway, type TestGateway } from "../support/gateway.ts";
import { postAlert, type Reply } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";

const ORDER = { symbol: "ES1!", action: "buy", qty: 1 };
const nextAccount = accountNames(20);

let gateway: TestGateway;
let proxy: FaultProxy;

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-lost-"));
  const binary = process.env["REDIS_SERVER_BIN"];
  const server = await startRedisServer({ dataDir: folder, binary, log: () => undefined });
  const socket = path.join(folder, "proxy.sock");
  proxy = await startFaultProxy({ target: { path: server.path }, listen: { path: socket } });
  const settings = { REDIS_URL: `unix:${socket}`, PAPER_ACCOUNTS: "1-20" };
  gateway = await startGateway({ settings });
  return async () => {
    await gateway.stop();
    await proxy.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
});

/** An account whose first order has come by its webhook, which is remembered since. */
async function openAccount(via: string) {
  const account = nextAccount();
  gateway.quoteAsUsual();
  const { url } = await gateway.createWebhook(account);
  expect((await postAlert(url, ORDER)).status).toBe(200);
  return {
    /** Another one, whose acceptance Redis does not confirm. */
    orderUnconfirmed: async () => {
      const cut = proxy.add({ kind: "resetAfter", matches: isAcceptance });
      const reply =
        via === "api"
          ? await gateway.api.post(`/v1/accounts/${account}/orders`, ORDER)
          : await postAlert(url, { ...ORDER, comment: "second" });
      expect(cut.hits).toBe(1);
      return reply;
    },
    filled: async () => (await gateway.broker.filled(account)).orders,
  };
}

const { alertAndBegin, intentAndBegin } = laneScripts;
const isAcceptance = (bytes: Buffer): boolean =>
  [alertAndBegin, intentAndBegin].some(({ sha1 }) => bytes.includes(sha1));

test.each(["api", "webhook"])("an order by %s whose acceptance was not confirmed", async (via) => {
  let answer: Reply | undefined;
  // A machine that stops keeps the connection away for longer than a caller waits.
  await waitUntil("the connection is back in time", async () => {
    const { orderUnconfirmed, filled } = await openAccount(via);
    answer = await orderUnconfirmed();
    await waitUntil("it is carried out, and not twice", async () => (await filled()) === 2);
    return answer.body.error?.retry !== "check-first";
  });
  // It was accepted, which is read once the connection is back.
  expect([answer?.status, answer?.body.error]).toEqual([via === "api" ? 201 : 200, undefined]);
});

test.each(["api", "webhook"])("an order by %s of which its caller heard nothing", async (via) => {
  const { orderUnconfirmed, filled } = await openAccount(via);
  // Callers have no connection any more until they are answered; the lanes keep theirs.
  const refusal = proxy.add({ kind: "refuse" });
  const { status, body } = await orderUnconfirmed().finally(() => refusal.remove());
  expect([status, body.error?.retry]).toEqual([via === "api" ? 500 : 504, "check-first"]);

  // It stands, and is sent as any other one: the broker is not asked for what it never had.
  await waitUntil("it is carried out", async () => (await filled()) === 2);
  const isReady = async () => (await gateway.api.get("/v1/user")).status === 200;
  await waitUntil("the gateway has its Redis", isReady);
});

test("a strategy that was made, changed, evaluated or deleted unseen is not called safe", async () => {
  const { api } = gateway;
  /** Its answer, with the script's own answer dropped. */
  async function unseen(script: Script, ask: () => Promise<Reply>) {
    const isReady = async () => (await api.get("/v1/user")).status === 200;
    await waitUntil("the gateway has its Redis", isReady);
    const cut = proxy.add({ kind: "resetAfter", matches: (bytes) => bytes.includes(script.sha1) });
    const { status, body } = await ask();
    expect(cut.hits).toBe(1);
    return [status, body.error?.code, body.error?.retry];
  }
  const strategies = async () => {
    const isReady = async () => (await api.get("/v1/strategies")).status === 200;
    await waitUntil("the gateway has its Redis", isReady);
    return (await api.get("/v1/strategies")).body.strategies;
  };
  const UNKNOWN = [500, "INTERNAL_ERROR", "check-first"];

  const create = () => api.post("/v1/strategies", STRATEGY_BODIES.observe);
  expect(await unseen(changeStrategy, create)).toEqual(UNKNOWN);
  const [{ id }] = await strategies();
  const one = `/v1/strategies/${id}`;
  const rename = () => api.patch(one, { name: "Another name" });
  expect(await unseen(changeStrategy, rename)).toEqual(UNKNOWN);
  expect((await strategies())[0].name).toBe("Another name");
  const evaluate = () => api.post(`${one}/evaluate`, EVALUATION_BODIES.ownBars);
  expect(await unseen(openEvaluation, evaluate)).toEqual(UNKNOWN);
  expect(await unseen(changeStrategy, () => api.delete(one))).toEqual(UNKNOWN);
  expect(await strategies()).toEqual([]);
});
