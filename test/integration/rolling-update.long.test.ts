// The goal: an update of all processes, one after another, takes no alert down and doubles none.
// The method: the real program beside itself, as a cluster replaces its pods, and alerts without a pause.
// With PREVIOUS_GATEWAY=/path/to/dist/src/main.js of another version, that one is what is replaced.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { startTradovateSimulator } from "../simulators/tradovate/start.ts";
import { GatewayMachine, type GatewayProcess } from "../support/gateway-process.ts";
import { apiClient, postAlert } from "../support/http-client.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";

vi.setConfig({ testTimeout: 120_000 });

/** Until no balancer sends it anything more: the pause before the stop in kubernetes/. */
const PAUSE_MS = 1_000;
/** No faster than its budget of requests allows. */
const TRADOVATE_PAUSE_MS = 400;
const ROLES = ["worker", "worker", "ingress", "ingress"] as const;

interface Pod {
  readonly role: (typeof ROLES)[number];
  readonly gateway: GatewayProcess;
}

interface Sent {
  readonly account: string;
  readonly alertId: string;
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

async function openMachine(redisUrl: string, command?: string[]): Promise<GatewayMachine> {
  const machine = await GatewayMachine.create(
    {
      REDIS_URL: redisUrl,
      SEALING_KEY: Buffer.alloc(32, 7).toString("base64"),
      ALLOW_LOCAL_BROKERS: "true",
      WEBHOOK_RATE_LIMIT_PER_MINUTE: "1000000",
      MAX_ORDERS_PER_MINUTE: "1000000",
      DEFAULT_MAX_ORDERS_PER_MINUTE: "1000000",
      DEFAULT_MAX_POSITION_QTY: "100000",
    },
    command,
  );
  onTestFinished(machine.stop);
  return machine;
}

const isReady = async ({ url }: GatewayProcess) =>
  (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false;

test("an update of two workers and two ingresses takes no alert down", async () => {
  const folder = await temporaryFolder();
  const { server } = await startTestRedis(folder);
  const simulator = await startTradovateSimulator();
  onTestFinished(simulator.stop);
  const previous = process.env["PREVIOUS_GATEWAY"];
  const redisUrl = `unix:${server.path}`;
  const former = await openMachine(redisUrl, previous ? [process.execPath, previous] : undefined);
  const next = await openMachine(redisUrl);

  let started = 0;
  const start = async (machine: GatewayMachine, role: Pod["role"]): Promise<Pod> => {
    started += 1;
    const DATA_DIR = path.join(folder, `pod-${started}`);
    await mkdir(DATA_DIR, { recursive: true });
    const gateway = await machine.start({ ROLE: role, DATA_DIR });
    await waitUntil(`${role} is ready`, async () => await isReady(gateway), 30_000);
    return { role, gateway };
  };
  const pods: Pod[] = [];
  for (const role of ROLES) pods.push(await start(former, role));

  const { restUrl, wsUrl } = { restUrl: simulator.url, wsUrl: simulator.wsUrl };
  const login = { name: "joe", password: "hunter2", cid: "8", sec: "s3cret" };
  const settings = { ...login, restUrl, wsUrl };
  const { api } = former;
  await api.post("/v1/connections", { broker: "tradovate", environment: "demo", settings });
  const up = async () => (await api.get("/v1/connections/tradovate-1")).body.status === "CONNECTED";
  await waitUntil("the connection is up", up, 30_000);
  const listed = (await api.get("/v1/accounts")).body.accounts as { id: string }[];
  const accounts = listed.map(({ id }) => id);
  expect(accounts).toHaveLength(4);
  const hooks = await Promise.all(
    accounts.map(async (accountId) => {
      const { body } = await api.post("/v1/webhooks", { accountId });
      return { account: accountId, path: new URL(body.url as string).pathname };
    }),
  );

  // What any balancer does: each alert to the next ingress that takes some.
  let open = pods.filter(({ role }) => role === "ingress");
  let turn = 0;
  const nextUrl = () => open[(turn += 1) % open.length]?.gateway.url ?? "";
  const sent: Sent[] = [];
  let isOver = false;
  const load = hooks.map(async ({ account, path: hook }) => {
    for (let count = 1; !isOver; count += 1) {
      const alertId = `${account} ${count}`;
      const at = performance.now();
      const alert = { action: "buy", symbol: "ES1!", qty: 1, alertId };
      const { status, text } = await postAlert(`${nextUrl()}${hook}`, alert);
      const ms = performance.now() - at;
      sent.push({ account, alertId, status, text, ms });
      await sleep(account.startsWith("paper") ? 10 : TRADOVATE_PAUSE_MS);
    }
  });
  await sleep(2_000);

  const began = performance.now();
  for (const pod of pods) {
    const successor = await start(next, pod.role);
    if (pod.role === "ingress") {
      open = [...open.filter((one) => one !== pod), successor];
      await sleep(PAUSE_MS);
    }
    pod.gateway.signal("SIGTERM");
    expect((await pod.gateway.ended).code).toBe(0);
  }
  const seconds = (performance.now() - began) / 1_000;
  await sleep(2_000);
  isOver = true;
  await Promise.all(load);

  const times = sent.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? NaN);
  const late = sent.filter(({ status }) => status === 202).length;
  process.stdout.write(
    `rolling update: ${sent.length} alerts in ${seconds.toFixed(0)} s of it, ${late} answered 202, ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${Math.round(times.at(-1) ?? NaN)} ms\n`,
  );
  expect(sent.filter(({ status }) => status !== 200 && status !== 202)).toEqual([]);
  for (const { account } of hooks) {
    const alerts = sent.filter((one) => one.account === account).length;
    await waitUntil(
      `${account} holds what its ${alerts} alerts bought`,
      async () => {
        const { body } = await apiClient(nextUrl(), former.first.key).get(
          `/v1/accounts/${account}/positions`,
        );
        const [position] = body.positions as { qty: number }[];
        return position?.qty === alerts;
      },
      20_000,
    );
  }
});
