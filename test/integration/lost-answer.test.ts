// The goal: what was accepted is carried out, and never called "not written", when Redis' answer was lost.
// The method: a proxy before Redis lets the acceptance through and drops the connection on its answer.
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { laneScripts } from "../../src/app/lane-scripts.ts";
import { EVALUATION_BODIES, STRATEGY_BODIES } from "../../src/http/schemas/strategy.ts";
import type { Script } from "../../src/store/redis/script.ts";
import { changeStrategy } from "../../src/store/strategies/change-strategy.ts";
import { openEvaluation } from "../../src/store/strategies/open-evaluation.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import { startGateway } from "../support/gateway.ts";
import { apiClient, type Reply } from "../support/http-client.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";

async function openGateway() {
  const folder = await temporaryFolder();
  const { server } = await startTestRedis(folder);
  const socket = path.join(folder, "proxy.sock");
  const proxy = await startFaultProxy({ target: { path: server.path }, listen: { path: socket } });
  onTestFinished(() => proxy.stop());
  const gateway = await startGateway({ settings: { REDIS_URL: `unix:${socket}` } });
  onTestFinished(gateway.stop);
  return { gateway, proxy };
}

const { alertAndBegin, intentAndBegin } = laneScripts;
const isAcceptance = (bytes: Buffer): boolean =>
  [alertAndBegin, intentAndBegin].some(({ sha1 }) => bytes.includes(sha1));

test.each(["api", "webhook"])("an order by %s whose acceptance was not confirmed", async (via) => {
  const { gateway, proxy } = await openGateway();
  const order = { symbol: "ES1!", action: "buy", qty: 1 };
  expect((await gateway.alert(order)).status).toBe(200);

  const cut = proxy.add({ kind: "resetAfter", matches: isAcceptance });
  const { status, body } =
    via === "api"
      ? await apiClient(gateway.url, gateway.key).post("/v1/accounts/paper-1/orders", order)
      : await gateway.alert({ ...order, comment: "second" });
  expect(cut.hits).toBe(1);

  // It was accepted, which is read once the connection is back; it is carried out, and not twice.
  expect([status, body.error]).toEqual([via === "api" ? 201 : 200, undefined]);
  expect((await gateway.broker.filled("paper-1")).orders).toBe(2);
});

test.each(["api", "webhook"])("an order by %s of which its caller heard nothing", async (via) => {
  const { gateway, proxy } = await openGateway();
  const order = { symbol: "ES1!", action: "buy", qty: 1 };
  expect((await gateway.alert(order)).status).toBe(200);

  // Callers have no connection any more until they are answered; the lanes keep theirs.
  const refusal = proxy.add({ kind: "refuse" });
  const cut = proxy.add({ kind: "resetAfter", matches: isAcceptance });
  const { status, body } =
    via === "api"
      ? await apiClient(gateway.url, gateway.key).post("/v1/accounts/paper-1/orders", order)
      : await gateway.alert({ ...order, comment: "second" });
  refusal.remove();
  expect(cut.hits).toBe(1);
  expect([status, body.error?.retry]).toEqual([via === "api" ? 500 : 504, "check-first"]);

  // It stands, and is sent as any other one: the broker is not asked for what it never had.
  const filled = async () => (await gateway.broker.filled("paper-1")).orders;
  await waitUntil("it is carried out", async () => (await filled()) === 2);
});

test("a strategy that was made, changed, evaluated or deleted unseen is not called safe", async () => {
  const { gateway, proxy } = await openGateway();
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
