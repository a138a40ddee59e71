import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/index.ts";
import { EarlyListener } from "../http/server/early-listener.ts";
import { Lifecycle, type StopReport } from "../app/lifecycle.ts";
import { openAlarms } from "../observability/alarm-log.ts";
import type { Logger } from "../observability/logger.ts";
import { restartDelayMs } from "../store/server/restart-delay.ts";
import { createRedisConnectionLeases } from "../store/connections/redis-connection-leases.ts";
import type { ConnectionLeases } from "../trading/connections/connection-leases.ts";
import type { Greeting } from "./greeting.ts";
import { CANNOT_START, isProcessNews, type ProcessNews } from "./process-news.ts";
import { openRedis, openStore, type RedisPlace } from "../app/open-store.ts";

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

type Role = "ingress" | "worker";

type Listening = Extract<ProcessNews, { kind: "listening" }>;

interface Place {
  readonly role: Role;
  readonly environment: Readonly<Record<string, string>>;
}

/** What a process gets beyond its own time for a stop before it is killed. */
const LATE_MS = 1_000;
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
  try {
    await requirePort(config);
    const place = await openRedis(config, lifecycle, log, signal);
    // With a Redis that says nothing, neither may keep a start that was given up.
    const store = await unlessAborted(
      openStore({ place, config, lifecycle, log, alarms: openAlarms(log) }),
      signal,
    );
    const { worker: redis, keys } = store;
    const leases = createRedisConnectionLeases({ redis, keys, processId: "launcher" });
    // Whoever held a lease in a Redis that we have just started is dead.
    if (store.isOwn) await unlessAborted(leases.endOf(), signal);
    cluster.setupPrimary({ args: [] });
    const start = async (role: Role): Promise<readonly Listening[]> => {
      const kept = placesOf(role, config, place).map((one) => keep(one, leases, options));
      lifecycle.started(`the ${role} processes`, async () => {
        await Promise.all(kept.map(({ end }) => end()));
      });
      return await unlessAborted(Promise.all(kept.map(({ listening }) => listening)), signal);
    };
    // Who answers callers comes last: by then the accounts are known, and their lanes are worked.
    await start("worker");
    const listening = await start("ingress");
    return { ...greetingOf(listening), stop: () => lifecycle.stop(deadlineMs) };
  } catch (error) {
    await lifecycle.stop(deadlineMs);
    throw error;
  }
}

/** Throws what listening would: none of the processes begins beside a port that is taken. */
async function requirePort({ HOST: host, PORT: port }: Config): Promise<void> {
  const listener = new EarlyListener();
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
function placesOf(role: Role, config: Config, { target }: RedisPlace): Place[] {
  const [ingress = 0, worker = 0] = (config.PROCESSES ?? "").match(/\d+/g)?.map(Number) ?? [];
  const [count, before] = role === "ingress" ? [ingress, 0] : [worker, ingress];
  return Array.from({ length: count }, (_, index) => ({
    role,
    environment: {
      ROLE: role,
      PROCESSES: "",
      REDIS_URL: "path" in target ? `unix:${target.path}` : target.url,
      REDIS_URL_FILE: "",
      OPERATIONS_PORT: String(config.PORT === 0 ? 0 : config.PORT + 1 + before + index),
    },
  }));
}

function patienceMs({ SHUTDOWN_SECONDS }: Config): number {
  return SHUTDOWN_SECONDS * 1_000 + LATE_MS;
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

interface Kept {
  /** Resolves when the process serves for the first time. */
  readonly listening: Promise<Listening>;
  readonly end: () => Promise<void>;
}

/** Keeps one process running until its end is asked for. */
function keep(place: Place, leases: ConnectionLeases, options: LauncherOptions): Kept {
  const { config, log, onHopeless } = options;
  const { role: kind, environment } = place;
  const stopping = new AbortController();
  let child: Worker | undefined;
  let hasServed = false;
  let onListening: (news: Listening) => void = () => undefined;
  const listening = new Promise<Listening>((resolve) => (onListening = resolve));

  async function runOnce(): Promise<Death> {
    child = cluster.fork(environment);
    let processId: string | undefined;
    child.on("message", (message: unknown) => {
      if (!isProcessNews(message)) return;
      if (message.kind === "named") return void ({ processId } = message);
      hasServed = true;
      onListening(message);
    });
    const death = await deathOf(child, (error) =>
      log.warn("A process was not reached", { kind, error }),
    );
    // One that ends in order gives its leases back itself.
    if (processId !== undefined && !stopping.signal.aborted) endLeases(processId);
    return death;
  }

  /** Asked for before the next start, and not waited for: Redis may be away. */
  function endLeases(processId: string): void {
    leases.endOf(processId).catch((error: unknown) => {
      log.warn("The leases of a dead process were not ended; they run out", { kind, error });
    });
  }

  async function loop(): Promise<void> {
    let delayMs = 0;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const death = await runOnce().catch(neverBorn);
      if (stopping.signal.aborted) return;
      // What has served once was allowed to: something passing is in its way now.
      const isHopeless = death.status === CANNOT_START && !hasServed;
      log.error(isHopeless ? CANNOT : AGAIN, { kind, ...death });
      if (isHopeless) return onHopeless();
      delayMs = restartDelayMs(delayMs, performance.now() - startedAt);
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const running = loop();
  return {
    listening,
    end: async () => {
      stopping.abort();
      child?.process.kill("SIGTERM");
      const late = setTimeout(() => child?.process.kill("SIGKILL"), patienceMs(config));
      await running;
      clearTimeout(late);
    },
  };
}

const CANNOT = "A process cannot start";
const AGAIN = "A process ended on its own and is started again";

/** How a process ended, in the words of the log. */
interface Death {
  readonly status?: number;
  readonly signal?: string;
  readonly error?: unknown;
}

const neverBorn = (error: unknown): Death => ({ error });

/**
 * Resolves when the process has ended. What is sent to one that has just been killed fails, which
 * is an error of the channel and no end.
 */
function deathOf(child: Worker, onError: (error: Error) => void): Promise<Death> {
  return new Promise((resolve) => {
    child.once("exit", (status: number | null, signal: string | null) =>
      resolve({ ...(status !== null && { status }), ...(signal !== null && { signal }) }),
    );
    child.on("error", (error: Error) => {
      // One that could not be started never exits.
      if (child.process.pid === undefined) resolve(neverBorn(error));
      else onError(error);
    });
  });
}
