// The goal: processes on several machines come, go and die, and no alert is lost, doubled or refused.
// The method: the real program beside itself, as a cluster runs its pods, and alerts without a pause, over
// one server and over a Cluster. Each test prints its figures, for docs/scaling.md.
// With PREVIOUS_GATEWAY=/path/to/dist/src/main.js of another version, that one is what is replaced.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { startTradovateSimulator } from "../simulators/tradovate/start.ts";
import { GatewayMachine, type GatewayProcess } from "../support/gateway-process.ts";
import { apiClient, postAlert } from "../support/http-client.ts";
import { demoted, type RedisFleet, startRedisCluster } from "../support/redis-fleet.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { made, waitUntil } from "../support/wait.ts";

vi.setConfig({ testTimeout: 180_000 });

/** Until no balancer sends it anything more: the pause before the stop in deploy/. */
const PAUSE_MS = 1_000;
/** No faster than its budget of requests allows. */
const TRADOVATE_PAUSE_MS = 400;
const PAPER_PAUSE_MS = 40;

type Role = "worker" | "ingress";

interface Pod {
  readonly role: Role;
  readonly gateway: GatewayProcess;
}

interface Sent {
  readonly account: string;
  readonly alertId: string;
  readonly status: number;
  readonly text: string;
  readonly ms: number;
  /** When it was answered, by `performance.now()`. */
  readonly at: number;
}

interface Store {
  readonly url: string;
  readonly fleet?: RedisFleet;
}

const STORES = {
  "one server": async (folder: string) => {
    const { server } = await startTestRedis(folder);
    return { url: `unix:${server.path}` };
  },
  "a Cluster": async (folder: string) => {
    const fleet = await startRedisCluster(folder);
    onTestFinished(fleet.stop);
    return { url: fleet.url, fleet };
  },
} satisfies Record<string, (folder: string) => Promise<Store>>;
type StoreName = keyof typeof STORES;
const STORE_NAMES = Object.keys(STORES) as StoreName[];

const isReady = async ({ url }: GatewayProcess) =>
  (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false;

/** Pods on one store, and what a balancer and traders do beside them. */
class Site {
  readonly #folder: string;
  readonly #former: GatewayMachine;
  readonly #next: GatewayMachine;
  #started = 0;
  #turn = 0;
  /** The ingresses that a balancer sends alerts to. */
  open: readonly Pod[] = [];
  readonly sent: Sent[] = [];
  readonly store: Store;

  private constructor(folder: string, store: Store, former: GatewayMachine, next: GatewayMachine) {
    this.store = store;
    this.#folder = folder;
    this.#former = former;
    this.#next = next;
  }

  static async create(name: StoreName): Promise<Site> {
    const folder = await temporaryFolder();
    const store: Store = await STORES[name](folder);
    const settings = {
      REDIS_URL: store.url,
      SEALING_KEY: Buffer.alloc(32, 7).toString("base64"),
      ALLOW_LOCAL_BROKERS: "true",
      DEFAULT_MAX_POSITION_QTY: "100000",
      // A busy machine takes long to take over what a dead worker had.
      ENTRY_MAX_AGE_SECONDS: "300",
    };
    const previous = process.env["PREVIOUS_GATEWAY"];
    const command = previous ? [process.execPath, previous] : undefined;
    const former = await GatewayMachine.create(settings, command);
    onTestFinished(former.stop);
    const next = await GatewayMachine.create(settings);
    onTestFinished(next.stop);
    return new Site(folder, store, former, next);
  }

  /** Of the former version, unless it is another one's successor. */
  async start(role: Role, isSuccessor = false): Promise<Pod> {
    this.#started += 1;
    const DATA_DIR = path.join(this.#folder, `pod-${this.#started}`);
    await mkdir(DATA_DIR, { recursive: true });
    const machine = isSuccessor ? this.#next : this.#former;
    const gateway = await machine.start({ ROLE: role, DATA_DIR });
    await waitUntil(`${role} is ready`, async () => await isReady(gateway));
    return { role, gateway };
  }

  /** What any balancer does: each alert to the next ingress that takes some. */
  get url(): string {
    this.#turn += 1;
    return this.open[this.#turn % this.open.length]?.gateway.url ?? "";
  }

  get api() {
    return apiClient(this.url, this.#former.first.key);
  }

  /** A webhook for each account, on paper and on so many connections to Tradovate. */
  async connect(connections: number) {
    for (let at = 1; at <= connections; at += 1) {
      const simulator = await startTradovateSimulator();
      onTestFinished(simulator.stop);
      const login = { name: `joe-${at}`, password: "hunter2", cid: "8", sec: "s3cret" };
      const settings = { ...login, restUrl: simulator.url, wsUrl: simulator.wsUrl };
      const asked = { broker: "tradovate", environment: "demo", settings };
      await made(() => this.api.post("/v1/connections", asked));
      const up = async () =>
        (await this.api.get(`/v1/connections/tradovate-${at}`)).body.status === "CONNECTED";
      await waitUntil(`connection ${at} is up`, up);
    }
    const { accounts } = (await made(() => this.api.get("/v1/accounts"))) as {
      accounts: { id: string }[];
    };
    return await Promise.all(
      accounts.map(async ({ id }) => {
        const { url } = await made(() => this.api.post("/v1/webhooks", { accountId: id }));
        return { account: id, path: new URL(url as string).pathname };
      }),
    );
  }

  /** Each account's alerts one after another, while something happens; each of them is one contract. */
  async sendWhile(hooks: readonly Hook[], happens: () => Promise<void>): Promise<void> {
    let isOver = false;
    const load = hooks.map(async ({ account, path: hook }) => {
      for (let count = 1; !isOver; count += 1) {
        const alertId = `${account} ${count}`;
        const began = performance.now();
        const alert = { action: "buy", symbol: "ES1!", qty: 1, alertId };
        const { status, text } = await postAlert(`${this.url}${hook}`, alert);
        const at = performance.now();
        this.sent.push({ account, alertId, status, text, ms: at - began, at });
        await sleep(account.startsWith("paper") ? PAPER_PAUSE_MS : TRADOVATE_PAUSE_MS);
      }
    });
    await sleep(2_000);
    await happens();
    await sleep(2_000);
    isOver = true;
    await Promise.all(load);
  }

  get refused(): readonly Sent[] {
    return this.sent.filter(({ status }) => status !== 200 && status !== 202);
  }

  /**
   * Each account holds one contract for each alert, but for those that are told as lost: at most so many
   * an account.
   */
  async untilEachOnce(hooks: readonly Hook[], mostLost = 0): Promise<void> {
    for (const { account } of hooks) {
      const alerts = this.sent.filter((one) => one.account === account);
      let lost = 0;
      const holds = async () => {
        lost = await this.#lostOf(alerts);
        const { status, body } = await this.api.get(`/v1/accounts/${account}/positions`);
        // While an account changes hands its positions are nobody's to tell.
        if (status !== 200) return false;
        return (body.positions as { qty: number }[])[0]?.qty === alerts.length - lost;
      };
      await waitUntil(`${account} holds what its ${alerts.length} alerts bought`, holds);
      if (lost > mostLost) throw new Error(`${lost} alerts of ${account} are told as lost`);
    }
  }

  /** What a process had written ahead and not sent when it was killed is told, and not sent again. */
  async #lostOf(alerts: readonly Sent[]): Promise<number> {
    const early = alerts.filter(({ status }) => status === 202);
    const outcomes = await Promise.all(
      early.map(async ({ text }) => {
        const { alertId } = JSON.parse(text) as { alertId: string };
        return (await this.api.get(`/v1/alerts/${alertId}`)).body.outcome as string;
      }),
    );
    return outcomes.filter((outcome) => outcome === "lost").length;
  }

  /** Counts and times of all alerts, in words. */
  get figures(): string {
    const times = this.sent.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? NaN);
    const early = this.sent.filter(({ status }) => status === 202).length;
    return (
      `${this.sent.length} alerts, ${early} answered 202, ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${Math.round(times.at(-1) ?? NaN)} ms`
    );
  }
}

interface Hook {
  readonly account: string;
  readonly path: string;
}

async function openSite(store: StoreName, roles: readonly Role[]) {
  const site = await Site.create(store);
  const pods: Pod[] = [];
  for (const role of roles) pods.push(await site.start(role));
  site.open = pods.filter(({ role }) => role === "ingress");
  return { site, pods };
}

test.each(STORE_NAMES)(
  "an update of two workers and two ingresses takes no alert down: %s",
  async (store) => {
    const { site, pods } = await openSite(store, ["worker", "worker", "ingress", "ingress"]);
    const hooks = await site.connect(1);
    expect(hooks).toHaveLength(4);
    let seconds = 0;
    await site.sendWhile(hooks, async () => {
      const began = performance.now();
      for (const pod of pods) {
        const successor = await site.start(pod.role, true);
        if (pod.role === "ingress") {
          site.open = [...site.open.filter((one) => one !== pod), successor];
          await sleep(PAUSE_MS);
        }
        pod.gateway.signal("SIGTERM");
        expect((await pod.gateway.ended).code).toBe(0);
      }
      seconds = (performance.now() - began) / 1_000;
    });
    process.stdout.write(`rolling update, ${store}, ${seconds.toFixed(0)} s: ${site.figures}\n`);
    expect(site.refused).toEqual([]);
    await site.untilEachOnce(hooks);
  },
);

test.each(STORE_NAMES)(
  "of three workers two die at once, and the third takes all over: %s",
  async (store) => {
    const { site, pods } = await openSite(store, ["worker", "worker", "worker", "ingress"]);
    const hooks = await site.connect(3);
    const [, ...others] = pods.filter(({ role }) => role === "worker");
    let died = 0;
    await site.sendWhile(hooks, async () => {
      died = performance.now();
      for (const { gateway } of others) gateway.signal("SIGKILL");
      await sleep(12_000);
    });
    expect(site.refused).toEqual([]);
    await site.untilEachOnce(hooks, 1);
    // An alert for a lane that nobody works is accepted, and its outcome follows.
    const back = hooks.map(({ account }) => {
      const known = site.sent.filter((one) => one.account === account && one.status === 200);
      return (known.find(({ at, ms }) => at - ms > died)?.at ?? NaN) - died;
    });
    process.stdout.write(
      `two of three workers killed, ${store}: ${site.figures}; outcomes again after ` +
        `${(Math.min(...back) / 1_000).toFixed(1)}–${(Math.max(...back) / 1_000).toFixed(1)} s\n`,
    );
  },
);

test("processes hear each other when every server that REDIS_URL names has become a replica", async () => {
  const { site } = await openSite("a Cluster", ["worker", "ingress"]);
  const { fleet } = site.store;
  if (fleet === undefined) throw new Error("It is a Cluster");
  const [hook] = await site.connect(0);
  const named = fleet.servers.filter(({ address }) => fleet.url.includes(address));
  for (const server of named) {
    await demoted(fleet, server);
    await waitUntil("the servers are whole", fleet.isWhole);
    await server.kill();
    server.restart();
    await waitUntil("the servers are whole", fleet.isWhole);
  }
  const alert = { action: "buy", symbol: "ES1!", qty: 1 };
  // A worker that does not hear of it looks only now and then.
  const hears = async () => {
    const comment = String(performance.now());
    return (await postAlert(`${site.url}${hook?.path}`, { ...alert, comment })).status === 200;
  };
  await waitUntil("alerts are answered with their outcomes", hears);
  expect([await hears(), await hears(), await hears(), await hears()]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  const another = await site.start("ingress");
  expect(await isReady(another.gateway)).toBe(true);
});
