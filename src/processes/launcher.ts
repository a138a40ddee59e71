import cluster from "node:cluster";
import type { Config } from "../../config/index.ts";
import { EarlyListener } from "../http/server/early-listener.ts";
import { Lifecycle, type StopReport } from "../app/lifecycle.ts";
import { openAlarms } from "../observability/alarm-log.ts";
import type { Logger } from "../observability/logger.ts";
import { createRedisConnectionLeases } from "../store/connections/redis-connection-leases.ts";
import type { Finding } from "../store/trust/durability.ts";
import { refuseUnsafeRedis } from "../store/trust/refuse-unsafe.ts";
import type { Greeting } from "./greeting.ts";
import { KeptProcess, type Listening, type Place, patienceMs, type Role } from "./kept-process.ts";
import { openRedis } from "../app/open-redis.ts";
import { openStore } from "../app/open-store.ts";
import { redisUrl } from "../store/redis/redis-target.ts";

/** Several processes of one gateway on this machine. */
export interface Launcher extends Greeting {
  readonly stop: () => Promise<StopReport>;
}

export interface LauncherOptions {
  readonly config: Config;
  readonly log: Logger;
  /** A process cannot start, and no other attempt will: it has said why. */
  readonly onHopeless: () => void;
  /** Gives the start up. */
  readonly signal: AbortSignal;
}

/** The rest of a stop is Redis' and the data folder's. */
const REST_MS = 2_000;

/**
 * Starts the processes that the setting PROCESSES names, with the gateway's own Redis beneath them
 * unless REDIS_URL names one, and starts each again that ends. A death is reported at once: the
 * leases of the dead are ended, so that another process takes its connections over. When it throws,
 * nothing that was started is left.
 */
export async function startLauncher(options: LauncherOptions): Promise<Launcher> {
  const { config, log, signal } = options;
  const lifecycle = new Lifecycle();
  // One after the other: the processes that answer callers, and those that work their orders.
  const deadlineMs = 2 * patienceMs(config) + REST_MS;
  cluster.setupPrimary({ args: [] });
  const answering = new Set<object>();
  const keepAll = (role: Role): KeptProcess[] =>
    placesOf(role, config).map((place) => new KeptProcess(place, answering, options));
  await requirePort(config);
  const [ingress, workers] = [keepAll("ingress"), keepAll("worker")];
  try {
    // Nothing is begun before every port is taken: from here on whoever calls is answered.
    await unlessAborted(Promise.all([...ingress, ...workers].map(({ ports }) => ports)), signal);
    const place = await openRedis(config, lifecycle, log, { signal });
    const alarms = openAlarms(log);
    const judge = (findings: readonly Finding[]) => refuseUnsafeRedis(findings, config, alarms);
    // With a Redis that says nothing, neither may keep a start that was given up.
    const store = await unlessAborted(
      openStore({ place, config, lifecycle, log, alarms, judge, signal }),
      signal,
    );
    const { worker: redis, keys } = store;
    const leases = createRedisConnectionLeases({ redis, keys, processId: "launcher" });
    // Whoever held a lease in a Redis that we have just started is dead.
    if (store.isOwn) await unlessAborted(leases.endOf(), signal);
    const begin = async (role: Role, kept: readonly KeptProcess[]): Promise<Listening[]> => {
      lifecycle.started(`the ${role} processes`, async () => await endAll(kept));
      const listening = kept.map((one) => one.begin({ redisUrl: redisUrl(place.target), leases }));
      return await unlessAborted(Promise.all(listening), signal);
    };
    // Who answers callers comes last: by then the accounts are known, and their lanes are worked.
    await begin("worker", workers);
    const listening = await begin("ingress", ingress);
    return { ...greetingOf(listening), stop: () => lifecycle.stop(deadlineMs) };
  } catch (error) {
    await endAll(ingress);
    await endAll(workers);
    await lifecycle.stop(deadlineMs);
    throw error;
  }
}

async function endAll(kept: readonly KeptProcess[]): Promise<void> {
  await Promise.all(kept.map((one) => one.end()));
}

/** Throws what listening would: none of the processes is started beside a port that is taken. */
async function requirePort({ HOST: host, PORT: port }: Config): Promise<void> {
  const listener = new EarlyListener({ waitsFor: "" });
  await listener.start({ host, port });
  await listener.stop();
}

/** Of several links each would do. */
function greetingOf(listening: readonly Listening[]): Greeting {
  const { first } = listening.find((news) => news.first !== undefined) ?? {};
  const { setUpLink } = listening.find((news) => news.setUpLink !== undefined) ?? {};
  return { url: listening[0]?.url ?? "", first, setUpLink };
}

/** Processes that answer HTTP share its port; each one's own health and metrics are beside it. */
function placesOf(role: Role, config: Config): Place[] {
  const [ingress = 0, worker = 0] = (config.PROCESSES ?? "").match(/\d+/g)?.map(Number) ?? [];
  const [count, before] = role === "ingress" ? [ingress, 0] : [worker, ingress];
  return Array.from({ length: count }, (_, index) => ({
    role,
    environment: {
      ROLE: role,
      PROCESSES: "",
      OPERATIONS_PORT: String(config.PORT === 0 ? 0 : config.PORT + 1 + before + index),
    },
  }));
}

/** Rejects at once when the start is given up; the work is left to itself then. */
async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
  return await Promise.race([aborted, work]);
}
