import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectionId } from "../../src/domain/ids.ts";
import type { AnswerTimes } from "../../src/trading/orders/answer-times.ts";
import { untilRedisReady } from "../../src/store/redis/connect.ts";
import type { RedisClient } from "../../src/store/redis/redis-client.ts";
import { createKeys } from "../../src/store/keys.ts";
import { createRedisConnectionLeases } from "../../src/store/connections/redis-connection-leases.ts";
import { type WebSocketFrames, websocketFrames } from "../faults/frame-faults.ts";
import { type FaultProxy, startFaultProxy } from "../faults/proxy.ts";
import { clockEnvironment } from "../support/run-date.ts";
import { waitUntil } from "../support/wait.ts";
import type { Behaviour, ChaosBroker } from "./chaos-broker.ts";
import type { AcceptanceNews, BrokerPlace, RunBroker } from "./crash-points.ts";
import { startExchangeBroker } from "./exchange-broker.ts";
import { startMixedBroker } from "./mixed-broker.ts";
import { startProjectXBroker } from "./projectx-broker.ts";
import { Member, type MemberOptions, type Role } from "./member.ts";
import type { Shape } from "./schedule.ts";
import { type ChaosStore, type StoreName, STORES } from "./stores.ts";
import { startTradovateBroker } from "./tradovate-broker.ts";
import { ROOMY } from "../support/roomy.ts";

/** One connection to the broker, with its faulty wire. */
export interface Wire {
  readonly connection: string;
  readonly proxy: FaultProxy;
  readonly frames: WebSocketFrames;
}

/** A whole gateway in pieces that can fail one by one. */
export interface Cluster {
  readonly members: readonly Member[];
  readonly store: ChaosStore;
  readonly redis: RedisClient;
  readonly keys: ReturnType<typeof createKeys>;
  readonly leases: ReturnType<typeof createRedisConnectionLeases>;
  readonly broker: ChaosBroker;
  readonly wires: readonly Wire[];
  /** All of them. */
  readonly accounts: readonly string[];
  /** Those that calls are for, a connection's together. */
  readonly called: readonly string[];
  /** Those that only follow, by connection. */
  readonly followers: readonly (readonly string[])[];
  /** Those that only strategies trade on, a connection's together. */
  readonly forStrategies: readonly string[];
  /** Those with guards, by connection: some are called, one follows, and one a strategy trades on. */
  readonly guarded: readonly GuardedPlace[];
  /** Those that are stopped and let go in turns, a connection's together. */
  readonly stoppable: readonly string[];
  /** Those that are entered with exit plans, a connection's together. */
  readonly planned: readonly string[];
  /** Everything that was accepted, as Redis answered it. */
  readonly acceptances: readonly AcceptanceNews[];
  /** Processes that ended without being asked to, in words. */
  readonly deaths: readonly string[];
  readonly stop: () => Promise<void>;
}

/** The accounts of a connection that have guards. */
export interface GuardedPlace {
  readonly called: readonly string[];
  readonly follower: string;
  readonly forStrategy: string;
}

const STOPPABLE_PER_CONNECTION = 3;
/** Beside those that are called: a follower, and one that a strategy trades on. */
const GUARDED_BESIDE = 2;
const PLANNED_PER_CONNECTION = 2;
const UP_WITHIN_MS = 60_000;
/** No order is refused for its size either: a run watches other promises. */
const SETTINGS = {
  ...ROOMY,
  LOG_LEVEL: "info",
  DEFAULT_MAX_ORDER_QTY: "1000",
  DEFAULT_MAX_POSITION_QTY: "100000",
};

type StartBroker = (behaviour?: Behaviour) => Promise<ChaosBroker>;
const BROKERS: Readonly<Record<RunBroker, StartBroker>> = {
  exchange: startExchangeBroker,
  tradovate: startTradovateBroker,
  projectx: startProjectXBroker,
  mix: startMixedBroker,
};

/** A process of the gateway, and whether the fault proxy stands between it and Redis. */
interface Seat {
  readonly role: Role;
  readonly isProxied: boolean;
}

const SEATS: readonly Seat[] = [
  { role: "all", isProxied: false },
  { role: "all", isProxied: true },
  { role: "worker", isProxied: false },
  { role: "ingress", isProxied: false },
  { role: "ingress", isProxied: true },
];

export interface ClusterOptions {
  readonly shape: Shape;
  readonly seats?: readonly Seat[];
  readonly broker: RunBroker;
  readonly redis?: StoreName;
  /** Of a broker that can behave in more than one way. */
  readonly behaviour?: Behaviour;
  /** The age at which entries and exits end unsent, in place of the broker's pace. */
  readonly maxAgeSeconds?: number;
  readonly answerTimes?: AnswerTimes;
  /** Everything that the processes say. */
  readonly logFile: string;
}

/** Starts everything: processes that take calls in, that work lanes, and that do both, Redis, the broker. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const ending: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of ending.toReversed()) await end();
  };
  try {
    return { ...(await start(options, ending)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  {
    shape,
    seats = SEATS,
    broker: brokerName,
    redis: storeName = "one",
    behaviour,
    maxAgeSeconds,
    answerTimes,
    logFile,
  }: ClusterOptions,
  ending: (() => unknown)[],
): Promise<Omit<Cluster, "stop">> {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-chaos-"));
  ending.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const stores = await openStore(await STORES[storeName](folder, ending));
  const broker = await BROKERS[brokerName](behaviour);
  ending.push(broker.stop);
  const wires = await startWires(broker, shape, ending);

  const { accountsPerConnection, groupsPerConnection, followersPerGroup } = shape;
  const copying = accountsPerConnection + groupsPerConnection * followersPerGroup;
  const trading = copying + shape.strategiesPerConnection;
  const stopped = trading + STOPPABLE_PER_CONNECTION;
  const besides = stopped + GUARDED_BESIDE;
  const count = besides + PLANNED_PER_CONNECTION;
  const accounts: (readonly string[])[] = [];
  for (const { connection } of wires) accounts.push(await broker.openAccounts(connection, count));
  const called = accounts.flatMap((own) => own.slice(0, accountsPerConnection));
  const followers = accounts.map((own) => own.slice(accountsPerConnection, copying));
  const forStrategies = accounts.flatMap((own) => own.slice(copying, trading));
  const stoppable = accounts.flatMap((own) => own.slice(trading, stopped));
  const planned = accounts.flatMap((own) => own.slice(besides, count));
  const guarded = accounts.map((own): GuardedPlace => {
    const [follower = "", forStrategy = ""] = own.slice(stopped);
    const from = accountsPerConnection - shape.guardedPerConnection;
    return { called: own.slice(from, accountsPerConnection), follower, forStrategy };
  });
  const places = wires.map(({ connection, proxy: { port } }): BrokerPlace => {
    const { name } = broker.addressOf(connection);
    return { broker: name, connectionId: connection, port, accounts: count };
  });
  // Appended to: what several processes write at once stays in whole lines.
  await rm(logFile, { force: true });
  const output = await open(logFile, "a");
  ending.push(() => output.close());
  const deaths: string[] = [];
  const { entryMaxAgeSeconds, exitMaxAgeSeconds } = broker.pace;
  const environment = environmentOf(places, path.join(folder, "data"), {
    ENTRY_MAX_AGE_SECONDS: String(maxAgeSeconds ?? entryMaxAgeSeconds),
    EXIT_MAX_AGE_SECONDS: String(maxAgeSeconds ?? exitMaxAgeSeconds),
    ...(answerTimes && { CHAOS_ANSWER_TIMES: JSON.stringify(answerTimes) }),
  });
  const acceptances: AcceptanceNews[] = [];
  const members = startMembers(stores, seats, {
    environment,
    output: output.fd,
    onAccepted: (news) => void acceptances.push(news),
    onDeath: ({ name: who }, how) => void deaths.push(`${who} ended by itself with ${how}`),
  });
  ending.push(() => Promise.all(members.map((member) => member.kill())));
  await waitUntil("every process serves", () => members.every(({ isUp }) => isUp), UP_WITHIN_MS);
  await waitUntil("the connections stand", () => standing(stores, places), UP_WITHIN_MS);
  const own = { called, followers, forStrategies, stoppable, guarded, planned };
  const named = { accounts: accounts.flat(), ...own };
  return { ...stores, members, broker, wires, ...named, acceptances, deaths };
}

async function openStore(store: ChaosStore) {
  const { redis } = store;
  const keys = createKeys();
  const leases = createRedisConnectionLeases({ redis, keys, processId: "chaos" });
  await untilRedisReady(redis, UP_WITHIN_MS);
  return { store, redis, keys, leases };
}

async function startWires(
  broker: ChaosBroker,
  { connections }: Shape,
  ending: (() => unknown)[],
): Promise<Wire[]> {
  const wires: Wire[] = [];
  for (let number = 1; number <= connections; number += 1) {
    const frames = websocketFrames();
    const connection = `sim-${number}`;
    const { host, port } = broker.addressOf(connection);
    const proxy = await startFaultProxy({ target: { host, port }, frames });
    ending.push(proxy.stop);
    wires.push({ connection, proxy, frames });
  }
  return wires;
}

type Stores = Awaited<ReturnType<typeof openStore>>;
type Environment = Readonly<Record<string, string>>;

/** What all processes have in common. */
interface Upbringing extends Pick<MemberOptions, "output" | "onAccepted" | "onDeath"> {
  readonly environment: (role: Role) => Environment;
}

function environmentOf(places: readonly BrokerPlace[], dataDir: string, ages: Environment) {
  return (role: Role): Environment => ({
    ...SETTINGS,
    ...ages,
    // Which store it is, is remembered there: a run must not meet that of the run before.
    DATA_DIR: dataDir,
    PATH: process.env["PATH"] ?? "",
    ...clockEnvironment(),
    CHAOS_BROKERS: JSON.stringify(role === "ingress" ? [] : places),
  });
}

function startMembers(
  { store }: Stores,
  seats: readonly Seat[],
  { environment, ...common }: Upbringing,
): Member[] {
  const members = seats.map(({ role, isProxied }, at) => {
    const number = seats.slice(0, at + 1).filter((one) => one.role === role).length;
    const REDIS_URL = store.url(isProxied);
    return new Member({
      ...common,
      name: `${role}-${number}`,
      role,
      environment: { ...environment(role), ROLE: role, REDIS_URL },
    });
  });
  for (const one of members) one.start();
  return members;
}

/**
 * Says that the process died, and lets nobody wait for its share of the orders per minute: that counts
 * for 75 s more, and so many deaths as here would leave none for the living.
 */
export async function reportDeath(
  { leases, redis, keys }: Pick<Stores, "leases" | "redis" | "keys">,
  processId: string,
  { isReported }: { readonly isReported: boolean },
): Promise<void> {
  await redis.del(keys.orderShares);
  if (isReported) await leases.endOf(processId);
}

async function standing({ leases }: Stores, places: readonly BrokerPlace[]): Promise<boolean> {
  const all = places.map((place) => leases.read(connectionId(place.connectionId)));
  return (await Promise.all(all)).every((lease) => lease?.status === "CONNECTED");
}
