// The goal: an order is never called "not written" when only Redis' answer was lost.
// The method: a proxy before Redis lets the acceptance through and drops the connection on its answer.
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startFaultProxy } from "../faults/proxy.ts";
import { startGateway } from "../support/gateway.ts";
import { apiClient } from "../support/http-client.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";

test.each(["api", "webhook"])("an order by %s whose acceptance was not confirmed", async (via) => {
  const folder = await temporaryFolder();
  const { server } = await startTestRedis(folder);
  const socket = path.join(folder, "proxy.sock");
  const proxy = await startFaultProxy({ target: { path: server.path }, listen: { path: socket } });
  onTestFinished(() => proxy.stop());
  const gateway = await startGateway({ settings: { REDIS_URL: `unix:${socket}` } });
  onTestFinished(gateway.stop);
  const order = { symbol: "ES1!", action: "buy", qty: 1 };
  expect((await gateway.alert(order)).status).toBe(200);

  const cut = proxy.add({ kind: "resetAfter", matches: (bytes) => bytes.includes(":intent:i") });
  const { status, body } =
    via === "api"
      ? await apiClient(gateway.url, gateway.key).post("/v1/accounts/paper-1/orders", order)
      : await gateway.alert({ ...order, comment: "second" });
  expect(cut.hits).toBe(1);

  // The caller is told to look, by the intent's id. What was accepted is withdrawn meanwhile, unless
  // its lane was faster.
  expect(status).toBe(via === "api" ? 500 : 504);
  const { intentId } = body.error;
  let state = "";
  await waitUntil("the intent is settled", async () => {
    const answer = await gateway.api.get(`/v1/accounts/paper-1/intents/${intentId}`);
    state = String(answer.body.state);
    return ["withdrawn", "done"].includes(state);
  });
  expect((await gateway.broker.filled("paper-1")).orders).toBe(state === "done" ? 2 : 1);
});
