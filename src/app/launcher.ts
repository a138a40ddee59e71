import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/index.ts";
import { Lifecycle, type StopReport } from "../lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import { createRedisConnectionLeases } from "../store/redis-connection-leases.ts";
import type { ConnectionLeases } from "../trading/store-ports.ts";
import type { FirstCredentials } from "./first-start.ts";
import { isProcessNews, type ProcessNews } from "./process-news.ts";
import { openRedis, openStore, type RedisPlace } from "./open-store.ts";

/** Several processes of one gateway on this machine. */
export interface Launcher {
  /** What printed URLs start with. */
  readonly url: string;
  /** Present on the very first start only. */
  readonly first: FirstCredentials | undefined;
  readonly stop: () => Promise<StopReport>;
}

export interface LauncherOptions {
  readonly config: Config;
  readonly log: Logger;
  /** A process cannot start, and no other attempt will: it has said why. */
  readonly onHopeless: () => void;
  readonly signal: AbortSignal;
}

type Role = "ingress" | "worker";

type Listening = Extract<ProcessNews, { kind: "listening" }>;

interface Place {
  readonly role: Role;
  readonly environment: Readonly<Record<string, string>>;
}

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 5_000;
/** After so long a life, the next death counts as the first. */
const STABLE_MS = 30_000;
/** The exit status of a start that the settings or the machine do not allow. */
const CANNOT_START = 78;

/**
 * Starts the processes that the setting PROCESSES names, with the gateway's own Redis beneath them
 * unless REDIS_URL names one, and starts each again that ends. A death is reported at once: the
 * leases of the dead are ended, so that another process takes its connections over.
 */
export async function startLauncher(options: LauncherOptions): Promise<Launcher> {
  const { config, log, signal } = options;
  const lifecycle = new Lifecycle();
  const deadlineMs = config.SHUTDOWN_SECONDS * 2_000;
  try {
    const place = await openRedis(config, lifecycle, log, signal);
    const store = await openStore(place, lifecycle, log);
    const { worker: redis, keys } = store;
    const leases = createRedisConnectionLeases({ redis, keys, processId: "launcher" });
    // Whoever held a lease in a Redis that we have just started is dead.
    if (store.isOwn) await leases.endOf();
    cluster.setupPrimary({ args: [] });
    const start = async (role: Role): Promise<readonly Listening[]> => {
      const kept = placesOf(role, config, place).map((one) => keep(one, leases, options));
      lifecycle.started(`the ${role} processes`, async () => {
        await Promise.all(kept.map(({ end }) => end()));
      });
      return await unlessAborted(
        kept.map(({ listening }) => listening),
        signal,
      );
    };
    // Who answers callers comes last: by then the accounts are known, and their lanes are worked.
    await start("worker");
    const listening = await start("ingress");
    const first = listening.find((news) => news.first !== undefined)?.first;
    return { url: listening[0]?.url ?? "", first, stop: () => lifecycle.stop(deadlineMs) };
  } catch (error) {
    await lifecycle.stop(deadlineMs);
    throw error;
  }
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

async function unlessAborted<Value>(
  promises: readonly Promise<Value>[],
  signal: AbortSignal,
): Promise<Value[]> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  signal.throwIfAborted();
  return await Promise.race([Promise.all(promises), aborted]);
}

interface Kept {
  /** Resolves when the process serves for the first time. */
  readonly listening: Promise<Listening>;
  readonly end: () => Promise<void>;
}

/** Keeps one process running until its end is asked for. */
function keep(
  { role, environment }: Place,
  leases: ConnectionLeases,
  { log, onHopeless }: LauncherOptions,
): Kept {
  const stopping = new AbortController();
  let child: Worker | undefined;
  let onListening: (news: Listening) => void = () => undefined;
  const listening = new Promise<Listening>((resolve) => (onListening = resolve));

  async function runOnce(): Promise<number | null> {
    child = cluster.fork(environment);
    let processId: string | undefined;
    child.on("message", (message: unknown) => {
      if (!isProcessNews(message)) return;
      if (message.kind === "named") ({ processId } = message);
      else onListening(message);
    });
    const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
    // Said before anything else is done: its lanes stand still until another one has them.
    if (processId !== undefined) await leases.endOf(processId);
    if (!stopping.signal.aborted) {
      log.error("A process ended on its own and is started again", {
        kind: role,
        ...(code !== null && { status: code }),
        ...(signal !== null && { signal }),
      });
    }
    return code;
  }

  async function loop(): Promise<void> {
    let delayMs = 0;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const code = await runOnce();
      if (stopping.signal.aborted) return;
      if (code === CANNOT_START) return onHopeless();
      const wasStable = performance.now() - startedAt > STABLE_MS;
      delayMs = wasStable ? 0 : Math.min(Math.max(delayMs * 2, FIRST_RETRY_MS), LONGEST_RETRY_MS);
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const running = loop().catch((error: unknown) => {
    log.error("A process cannot be watched any more", { kind: role, error });
    onHopeless();
  });
  return {
    listening,
    end: async () => {
      stopping.abort();
      child?.process.kill("SIGTERM");
      await running;
    },
  };
}
