// The goal: a script names a key by which a cluster finds its node, and touches that key's slot alone.
// The method: a gateway is used, and Redis' own record of what each script called is read.
import type { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { accountId, intentId } from "../../src/domain/ids.ts";
import { createRedisLaneStore } from "../../src/store/intents/redis-lane-store.ts";
import { laneScripts } from "../../src/app/lane-scripts.ts";
import { startGateway } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { monitorRedis } from "../support/redis-monitor.ts";
import { scriptNames } from "../support/script-names.ts";
import { waitUntil } from "../support/wait.ts";

interface Call {
  readonly script: string;
  readonly named: readonly string[];
  readonly touched: string[];
}

/** What is hashed of a key. */
const tagOf = (key: string): string => /\{([^}]+)\}/.exec(key)?.[1] ?? key;

async function record(redis: Redis): Promise<readonly Call[]> {
  const names = await scriptNames();
  const calls: Call[] = [];
  await monitorRedis(redis, ({ words: [command = "", ...words], isOfScript }) => {
    if (isOfScript) {
      calls.at(-1)?.touched.push(...words.filter((word) => word.startsWith("gw:")));
    } else if (/^eval(sha)?$/i.test(command)) {
      const [script = "", count, ...rest] = words;
      const named = rest.slice(0, Number(count));
      calls.push({ script: names.get(script) ?? script, named, touched: [] });
    }
  });
  return calls;
}

test("every script of an alert's way stays in one slot, and names it", async () => {
  const gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-2" } });
  onTestFinished(gateway.stop);
  const { api, keys, redis } = gateway;
  const calls = await record(redis);
  const order = { symbol: "ES1!", action: "buy", qty: 1, type: "market" };

  const hook = await gateway.createWebhook("paper-1");
  const alert = { action: "buy", symbol: "ES1!", qty: 1 };
  await postAlert(hook.url, alert);
  await Promise.all([1, 2, 3].map((n) => postAlert(hook.url, { ...alert, alertId: `a${n}` })));
  await Promise.all([1, 2, 3].map(() => api.post("/v1/accounts/paper-1/orders", order)));
  await api.patch(`/v1/webhooks/${hook.id}`, { accountId: "paper-2" });
  await postAlert(hook.url, { action: "flatten" });
  await api.put("/v1/kill-switch", { active: true });
  await postAlert(gateway.webhook, alert);
  await api.delete(`/v1/webhooks/${hook.id}`);
  await api.delete("/v1/accounts/paper-1/positions");
  const lanes = createRedisLaneStore({
    redis,
    keys,
    retentionMs: 60_000,
    laneScripts,
    worker: "process-1",
    lostData: "",
  });
  await lanes.giveBack(accountId("paper-1"), intentId("i1"));
  await lanes.putBack(accountId("paper-1"));

  await waitUntil("all was recorded", () => calls.some(({ script }) => script === "put-back-jobs"));
  const astray = calls.filter(({ named, touched }) => {
    const slots = new Set([...named, ...touched].map(tagOf));
    return named.length === 0 || slots.size !== 1;
  });
  const seen = new Set(calls.map(({ script }) => script));
  expect([...seen]).toEqual(expect.arrayContaining(["alert-and-begin", "arrive-webhook"]));
  expect(astray).toEqual([]);
});
