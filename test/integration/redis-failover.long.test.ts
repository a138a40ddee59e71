// The goal: whatever happens to one server of a Cluster, or behind Sentinels, no answered alert is lost,
// none is placed twice, and the gateway goes on by itself.
// The method: real servers, alerts without a pause, and a paper broker that keeps its own accounts. Each scene
// prints a line of the table in docs/scaling.md.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { connectRedis } from "../../src/store/redis/connect.ts";
import { redisTarget } from "../../src/store/redis/redis-target.ts";
import { type Settings, startGateway, type TestGateway } from "../support/gateway.ts";
import { MemoryStateStore } from "../support/memory-state-store.ts";
import {
  demoted,
  type FleetServer,
  moveSlot,
  type RedisFleet,
  startRedisCluster,
  startRedisWithSentinels,
} from "../support/redis-fleet.ts";
import { eventually, waitUntil } from "../support/wait.ts";

const ACCOUNTS = ["paper-1", "paper-2", "paper-3", "paper-4"];
const slotOf = (account: string) => `gw:{${account}}`;

/** Between two alerts of an account: an alert and its repeat take about as long. */
const PAUSE_MS = 50;

/** What was answered to an alert; without an intent where it was not accepted for certain. */
interface Sent {
  readonly account: string;
  readonly alertId: string;
  readonly status: number;
  readonly intentId: string | undefined;
  /** When it was answered, by `performance.now()`. */
  readonly at: number;
}

async function send(account: string, url: string, alertId: string): Promise<Sent> {
  const body = JSON.stringify({ action: "buy", symbol: "ES1!", qty: 1, alertId });
  const answer = await fetch(url, { method: "POST", body });
  const { intentId } = (await answer.json()) as { intentId?: string };
  return { account, alertId, status: answer.status, intentId, at: performance.now() };
}

const isGood = ({ status }: Sent) => status === 200 || status === 202;

/** Sends alerts for each account, one after another, while something is done to the servers. */
async function sendWhile(
  webhooks: ReadonlyMap<string, string>,
  happens: () => Promise<void>,
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  let isOver = false;
  const sending = [...webhooks].map(async ([account, url]) => {
    for (let count = 1; !isOver; count += 1) {
      const alertId = `${account} ${count}`;
      sent.push(await send(account, url, alertId));
      // As an impatient sender does.
      sent.push(await send(account, url, alertId));
      await sleep(PAUSE_MS);
    }
  });
  await sleep(1_000);
  await happens();
  await sleep(1_000);
  isOver = true;
  await Promise.all(sending);
  return sent;
}

const FLEETS = {
  cluster: async (folder: string) => await startRedisCluster(folder),
  "cluster of nine": async (folder: string) => await startRedisCluster(folder, { replicas: 2 }),
  sentinel: async (folder: string) => await startRedisWithSentinels(folder),
} as const;
type FleetName = keyof typeof FLEETS;

/** The servers and the gateway of one test at a time. Each kind of servers has a site of its own. */
class Site {
  readonly kind: FleetName;
  #folder: string | undefined;
  #fleet: RedisFleet | undefined;
  #gateway: TestGateway | undefined;

  constructor(kind: FleetName) {
    this.kind = kind;
  }

  async start() {
    this.#folder = await mkdtemp(path.join(tmpdir(), "gateway-failover-"));
    const fleet = await FLEETS[this.kind](this.#folder);
    this.#fleet = fleet;
    const gateway = await this.startGateway(fleet, {
      PAPER_ACCOUNTS: `1-${ACCOUNTS.length}`,
      DEFAULT_MAX_POSITION_QTY: "10000",
    });
    const webhooks = new Map<string, string>();
    for (const account of ACCOUNTS) {
      webhooks.set(account, (await gateway.createWebhook(account)).url);
    }
    return { fleet, webhooks };
  }

  async startGateway({ url }: RedisFleet, settings: Settings = {}): Promise<TestGateway> {
    this.#gateway = await startGateway({
      settings: { REDIS_URL: url, ...settings },
      brokerState: new MemoryStateStore(),
    });
    return this.#gateway;
  }

  get gateway(): TestGateway {
    if (this.#gateway === undefined) throw new Error("No gateway runs");
    return this.#gateway;
  }

  /** Answers why it did not end in order. */
  async stopGateway(): Promise<string> {
    const { gateway } = this;
    this.#gateway = undefined;
    return await gateway.stop().then(() => "", String);
  }

  /** The first reason for which nothing is accepted. */
  async reason(): Promise<string | undefined> {
    const ready = await fetch(`${this.gateway.url}/readyz`);
    return ((await ready.json()) as { reasons?: readonly string[] }).reasons?.[0];
  }

  readonly stop = async (): Promise<void> => {
    await this.#gateway?.stop();
    this.#gateway = undefined;
    await this.#fleet?.stop();
    this.#fleet = undefined;
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  };
}

interface Struck {
  readonly fleet: RedisFleet;
  /** The master that has the first account. */
  readonly master: FleetServer;
}

const whole = async ({ isWhole }: RedisFleet) => await waitUntil("the servers are whole", isWhole);

async function killFor5s(server: FleetServer): Promise<void> {
  await server.kill();
  await sleep(5_000);
  server.restart();
  await sleep(3_000);
}

/** Asked to end again and again: one that is writing its first log refuses. */
async function ended(server: FleetServer): Promise<boolean> {
  server.signal("SIGTERM");
  await sleep(200);
  return !server.isRunning;
}

const FAULTS: Readonly<Record<string, (struck: Struck) => Promise<void>>> = {
  "master killed": async ({ master }) => {
    await killFor5s(master);
  },
  "master frozen for 7 s": async ({ master }) => {
    master.signal("SIGSTOP");
    await sleep(7_000);
    master.signal("SIGCONT");
    await sleep(3_000);
  },
  "master parted from its replicas, then killed": async ({ master }) => {
    await master.part();
    await sleep(1_000);
    await killFor5s(master);
  },
  "master parted from its replicas for 4 s": async ({ master }) => {
    await master.part();
    await sleep(4_000);
    await master.join();
    await sleep(3_000);
  },
  "master handed over while it writes": async ({ fleet: servers, master }) => {
    await demoted(servers, master);
    await sleep(3_000);
  },
  "every replica frozen for 4 s": async ({ fleet: { servers } }) => {
    const areMasters = await Promise.all(servers.map(async (one) => await one.isMaster()));
    const replicas = servers.filter((_, at) => areMasters[at] === false);
    for (const replica of replicas) replica.signal("SIGSTOP");
    await sleep(4_000);
    for (const replica of replicas) replica.signal("SIGCONT");
    await sleep(3_000);
  },
  "servers restarted one after another": async ({ fleet: servers }) => {
    for (const server of servers.servers) {
      // As an operator does it: a master hands over first.
      if (await server.isMaster()) {
        await demoted(servers, server);
        await whole(servers);
      }
      await waitUntil("it has ended", async () => await ended(server));
      server.restart();
      await whole(servers);
    }
  },
};

/** Where a master has one replica, it writes nothing once that has taken its place: two go on. */
const OF_NINE: ReadonlySet<string> = new Set(["master killed", "master frozen for 7 s"]);

/** The faults of a kind of servers. */
const faultsOf = (kind: FleetName) =>
  Object.entries(FAULTS).filter(([fault]) => kind !== "cluster of nine" || OF_NINE.has(fault));

const KINDS = Object.keys(FLEETS) as FleetName[];

// Each has servers of its own and mostly waits for them, so that they need not wait for each other.
describe.concurrent.each(KINDS)("%s", (kind) => {
  const site = new Site(kind);
  afterEach(site.stop);

  test.sequential.each(faultsOf(kind))("%s", async (fault, strike) => {
    const { fleet, webhooks } = await site.start();
    const sent = await sendWhile(webhooks, async () => {
      // On a busy machine the servers may change places by themselves.
      const master = await eventually(async () => await fleet.masterOf(slotOf("paper-1")));
      await strike({ fleet, master });
      await whole(fleet);
    });
    await expect(eachIsOneOrder(site.gateway, sent, webhooks)).resolves.toBeUndefined();
    tell(kind, fault, sent);
  });

  if (kind === "cluster") clusterAlone(site);
});

/** Each slot is moved twice, and each move waits for its keys. */
const MANY_MOVES_MS = 300_000;

/** Changes and losses that only a Cluster knows. */
function clusterAlone(site: Site): void {
  test.sequential("slots moved while alerts come", { timeout: MANY_MOVES_MS }, async () => {
    const { fleet, webhooks } = await site.start();
    const sent = await sendWhile(webhooks, async () => {
      for (const account of [...ACCOUNTS, ...ACCOUNTS]) await moveSlot(fleet, slotOf(account));
    });
    await expect(eachIsOneOrder(site.gateway, sent, webhooks)).resolves.toBeUndefined();
    tell("cluster", "slots moved", sent);
  });

  test.sequential("a server that comes back without what it had is refused in words", async () => {
    const { fleet, webhooks } = await site.start();
    const [[account, url] = ["", ""]] = webhooks;
    await sentWell(account, url);
    // However long the server is away, its replica does not take its place, but follows it.
    for (const each of fleet.servers) {
      await each.ask(async (redis) => await redis.config("SET", NO_FAILOVER, "yes"));
    }
    const server = await fleet.masterOf(slotOf(account));
    await server.kill();
    await server.loseData();
    server.restart();
    await eventually(async () => expect(await site.reason()).toMatch(GONE));
    for (const [other, hook] of webhooks) {
      expect(await send(other, hook, "after")).toMatchObject({ status: 503, intentId: undefined });
    }
    // Nothing is written any more, not even what a stop would write.
    expect(await site.stopGateway()).toContain("Did not end in order");
  });

  test.sequential("a server that is emptied while it runs is refused in words", async () => {
    const { fleet, webhooks } = await site.start();
    const [[account, url] = ["", ""]] = webhooks;
    await sentWell(account, url);
    const identity = await fleet.masterOf(site.gateway.keys.storeIdentity);
    const masters: FleetServer[] = [];
    for (const server of fleet.servers) if (await server.isMaster()) masters.push(server);
    const emptied = masters.find((server) => server !== identity);
    await emptied?.ask(async (redis) => await redis.flushall());
    await eventually(async () => expect(await site.reason()).toMatch(GONE));
    expect(await site.stopGateway()).toContain("Did not end in order");
  });

  test.sequential("a store whose first start died in it is completed by the next one", async ({
    onTestFinished,
  }) => {
    const { fleet } = await site.start();
    const { keys } = site.gateway;
    expect(await site.stopGateway()).toBe("");
    const redis = connectRedis(redisTarget(fleet.url), "worker");
    onTestFinished(() => redis.disconnect());
    const { isMarked, ...identity } = JSON.parse((await redis.get(keys.storeIdentity)) ?? "");
    expect(isMarked).toBe(true);
    await redis.set(keys.storeIdentity, JSON.stringify(identity));
    await redis.del(keys.marker(7));
    await site.startGateway(fleet);
    expect(await redis.exists(keys.marker(7))).toBe(1);
    const found = JSON.parse((await redis.get(keys.storeIdentity)) ?? "");
    expect(found).toMatchObject({ isMarked: true });
  });
}

/** Keeps a replica from taking its master's place by itself. */
const NO_FAILOVER = "cluster-replica-no-failover";
const GONE = /^A part of the store is gone/;

/** A first alert; a busy machine may refuse it as certainly not accepted. */
async function sentWell(account: string, url: string): Promise<void> {
  await eventually(async () => expect(await send(account, url, "before")).toSatisfy(isGood));
}

/** The longest time in which no alert of an account was taken, and what was answered meanwhile. */
function tell(kind: string, fault: string, sent: readonly Sent[]): void {
  const gaps = ACCOUNTS.map((account) => {
    const times = sent.filter((one) => one.account === account && isGood(one)).map(({ at }) => at);
    return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
  });
  const inSeconds = (ms: number) => (ms / 1_000).toFixed(1);
  const count = (status: number) => sent.filter((one) => one.status === status).length;
  process.stdout.write(
    `| ${kind} | ${fault} | ${sent.length} | ${count(200)} | ${count(202)} | ${count(503)} | ${count(504)} | ` +
      `${inSeconds(Math.min(...gaps))}–${inSeconds(Math.max(...gaps))} |\n`,
  );
}

/** What was answered is there, and what was not is settled by sending it again. */
async function eachIsOneOrder(
  { api, broker }: TestGateway,
  sent: readonly Sent[],
  webhooks: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [account, url] of webhooks) {
    const intents = new Map<string, string | undefined>();
    const own = sent.filter((each) => each.account === account);
    for (const { alertId, intentId } of own.filter(isGood)) {
      expect(intentId).toBe(intents.get(alertId) ?? intentId);
      intents.set(alertId, intentId);
    }
    for (const one of own.filter(({ alertId }) => !intents.has(alertId))) {
      await eventually(async () => await sendAgain(one, url, intents));
    }
    await eventually(async () => {
      const { body } = await api.get(`/v1/accounts/${account}/intents?state=unsettled`);
      expect(body.intents).toEqual([]);
    });
    const states = await Promise.all(
      [...intents.values()].map(async (id) => {
        const { status, body } = await api.get(`/v1/accounts/${account}/intents/${id}`);
        return status === 200 ? String(body.state) : `${status} ${id}`;
      }),
    );
    // One that was proven never to have reached the broker says so.
    const others = states.filter((state) => !["done", "lost", "expired"].includes(state));
    expect(others).toEqual([]);
    const { orders } = await broker.filled(account);
    expect(orders).toBe(states.filter((state) => state === "done").length);
    expect(new Set(intents.values()).size).toBe(intents.size);
  }
}

async function sendAgain(
  { account, alertId }: Sent,
  url: string,
  intents: Map<string, string | undefined>,
): Promise<void> {
  const again = await send(account, url, alertId);
  expect(again).toSatisfy(isGood);
  intents.set(alertId, again.intentId);
}
