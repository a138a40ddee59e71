// The goal: whatever happens to one server of a Cluster, or behind Sentinels, no answered alert is lost,
// none is placed twice, and the gateway goes on by itself.
// The method: real servers, alerts without a pause, and a paper broker that keeps its own accounts. Each scene
// prints a line of the table in docs/scaling.md.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { connectRedis } from "../../src/store/redis/connect.ts";
import { redisTarget } from "../../src/store/redis/redis-target.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { MemoryStateStore } from "../support/memory-state-store.ts";
import {
  type FleetServer,
  moveSlot,
  type RedisFleet,
  startRedisCluster,
  startRedisWithSentinels,
} from "../support/redis-fleet.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { eventually, waitUntil } from "../support/wait.ts";

const ACCOUNTS = ["paper-1", "paper-2", "paper-3", "paper-4"];
const slotOf = (account: string) => `gw:{${account}}`;

let gateway: TestGateway | undefined;
let fleet: RedisFleet | undefined;

afterEach(async () => {
  await gateway?.stop();
  await fleet?.stop();
  gateway = undefined;
  fleet = undefined;
});

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
      await sleep(20);
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

async function start(kind: FleetName) {
  fleet = await FLEETS[kind](await temporaryFolder());
  gateway = await startGateway({
    settings: {
      REDIS_URL: fleet.url,
      PAPER_ACCOUNTS: `1-${ACCOUNTS.length}`,
      DEFAULT_MAX_POSITION_QTY: "10000",
    },
    brokerState: new MemoryStateStore(),
  });
  const webhooks = new Map<string, string>();
  for (const account of ACCOUNTS) {
    webhooks.set(account, (await gateway.createWebhook(account)).url);
  }
  return { fleet, gateway, webhooks };
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
    await servers.demote(master);
    await waitUntil("another one took over", async () => !(await master.isMaster()));
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
        await servers.demote(server);
        await waitUntil("another one took over", async () => !(await server.isMaster()));
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

const SCENES = (Object.keys(FLEETS) as FleetName[]).flatMap((kind) =>
  Object.entries(FAULTS)
    .filter(([fault]) => kind !== "cluster of nine" || OF_NINE.has(fault))
    .map(([fault, strike]) => [kind, fault, strike] as const),
);

test.each(SCENES)("%s: %s", async (kind, fault, strike) => {
  const { fleet: servers, webhooks } = await start(kind);
  const sent = await sendWhile(webhooks, async () => {
    await strike({ fleet: servers, master: await servers.masterOf(slotOf("paper-1")) });
    await whole(servers);
  });
  await expect(eachIsOneOrder(sent, webhooks)).resolves.toBeUndefined();
  tell(kind, fault, sent);
});

test("cluster: slots moved while alerts come", async () => {
  const { fleet: servers, webhooks } = await start("cluster");
  const sent = await sendWhile(webhooks, async () => {
    for (const account of [...ACCOUNTS, ...ACCOUNTS]) await moveSlot(servers, slotOf(account));
  });
  await expect(eachIsOneOrder(sent, webhooks)).resolves.toBeUndefined();
  tell("cluster", "slots moved", sent);
});

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

test("cluster: a server that comes back without what it had is refused in words", async () => {
  const { fleet: servers, webhooks } = await start("cluster");
  const [[account, url] = ["", ""]] = webhooks;
  expect(await send(account, url, "before")).toSatisfy(isGood);
  const server = await servers.masterOf(slotOf(account));
  await server.kill();
  await server.loseData();
  // Sooner than its replica takes its place, which then follows it.
  server.restart();
  await eventually(async () => expect(await reason()).toMatch(GONE));
  for (const [other, hook] of webhooks) {
    expect(await send(other, hook, "after")).toMatchObject({ status: 503, intentId: undefined });
  }
  // Nothing is written any more, not even what a stop would write.
  await expect(running().stop()).rejects.toThrow("Did not end in order");
  gateway = undefined;
});

test("cluster: a server that is emptied while it runs is refused in words", async () => {
  const { fleet: servers, webhooks } = await start("cluster");
  const [[account, url] = ["", ""]] = webhooks;
  expect(await send(account, url, "before")).toSatisfy(isGood);
  const identity = await servers.masterOf(running().keys.storeIdentity);
  const masters: FleetServer[] = [];
  for (const server of servers.servers) if (await server.isMaster()) masters.push(server);
  await masters.find((server) => server !== identity)?.ask(async (redis) => await redis.flushall());
  await eventually(async () => expect(await reason()).toMatch(GONE));
  await expect(running().stop()).rejects.toThrow("Did not end in order");
  gateway = undefined;
});

test("cluster: a store whose first start died in it is completed by the next one", async () => {
  const { fleet: servers } = await start("cluster");
  const { keys } = running();
  await running().stop();
  const redis = connectRedis(redisTarget(servers.url), "worker");
  onTestFinished(() => redis.disconnect());
  const { isMarked, ...identity } = JSON.parse((await redis.get(keys.storeIdentity)) ?? "");
  expect(isMarked).toBe(true);
  await redis.set(keys.storeIdentity, JSON.stringify(identity));
  await redis.del(keys.marker(7));
  gateway = await startGateway({ settings: { REDIS_URL: servers.url } });
  expect(await redis.exists(keys.marker(7))).toBe(1);
  expect(JSON.parse((await redis.get(keys.storeIdentity)) ?? "")).toMatchObject({ isMarked: true });
});

const GONE = /^A part of the store is gone/;

/** Why nothing is accepted. */
async function reason(): Promise<string | undefined> {
  const ready = await fetch(`${running().url}/readyz`);
  return ((await ready.json()) as { reasons?: readonly string[] }).reasons?.[0];
}

/** What was answered is there, and what was not is settled by sending it again. */
async function eachIsOneOrder(
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
      const { body } = await api().get(`/v1/accounts/${account}/intents?state=unsettled`);
      expect(body.intents).toEqual([]);
    });
    const states = await Promise.all(
      [...intents.values()].map(async (id) => {
        const { status, body } = await api().get(`/v1/accounts/${account}/intents/${id}`);
        return status === 200 ? String(body.state) : `${status} ${id}`;
      }),
    );
    // One that was proven never to have reached the broker says so.
    const others = states.filter((state) => !["done", "lost", "expired"].includes(state));
    expect(others).toEqual([]);
    const { orders } = await running().broker.filled(account);
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

const api = () => running().api;

function running(): TestGateway {
  if (gateway === undefined) throw new Error("No gateway runs");
  return gateway;
}
