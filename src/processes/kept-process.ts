import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/index.ts";
import type { Logger } from "../observability/logger.ts";
import { restartDelayMs } from "../store/server/restart-delay.ts";
import type { ConnectionLeases } from "../trading/connections/connection-leases.ts";
import {
  CANNOT_START,
  isProcessNews,
  letBegin,
  OTHERS_ANSWER,
  type ProcessNews,
} from "./process-news.ts";

export type Role = "ingress" | "worker";

export type Listening = Extract<ProcessNews, { kind: "listening" }>;

export interface Place {
  readonly role: Role;
  readonly environment: Readonly<Record<string, string>>;
}

interface KeptOptions {
  readonly config: Config;
  readonly log: Logger;
  /** It cannot start, and no other attempt will: it has said why. */
  readonly onHopeless: () => void;
}

interface Beginning {
  readonly redisUrl: string;
  readonly leases: ConnectionLeases;
}

/** What a process gets beyond its own time for a stop before it is killed. */
const LATE_MS = 1_000;

export function patienceMs({ SHUTDOWN_SECONDS }: Config): number {
  return SHUTDOWN_SECONDS * 1_000 + LATE_MS;
}

/**
 * Keeps one process running from now until its end is asked for. It takes its ports at once, and does
 * nothing more before it is let begin.
 */
export class KeptProcess {
  /** Resolves when all its ports are its own for the first time. */
  readonly ports: Promise<void>;

  readonly #place: Place;
  readonly #answering: Set<object>;
  readonly #options: KeptOptions;
  readonly #stopping = new AbortController();
  readonly #listening: Promise<Listening>;
  readonly #running: Promise<void>;
  #onPorts: () => void = () => undefined;
  #onListening: (news: Listening) => void = () => undefined;
  #child: Worker | undefined;
  readonly #allowed: Promise<Beginning>;
  #allow: (beginning: Beginning) => void = () => undefined;
  #leases: ConnectionLeases | undefined;
  #hasServed = false;

  /** `answering` has those of the shared port's processes that answer on it: one does from the start. */
  constructor(place: Place, answering: Set<object>, options: KeptOptions) {
    this.#place = place;
    this.#answering = answering;
    this.#options = options;
    this.ports = new Promise((resolve) => (this.#onPorts = resolve));
    this.#allowed = new Promise((resolve) => (this.#allow = resolve));
    this.#listening = new Promise((resolve) => (this.#onListening = resolve));
    this.#running = this.#run();
  }

  /** Resolves when it serves for the first time. */
  begin(beginning: Beginning): Promise<Listening> {
    this.#leases = beginning.leases;
    this.#allow(beginning);
    return this.#listening;
  }

  async end(): Promise<void> {
    this.#stopping.abort();
    this.#child?.process.kill("SIGTERM");
    const late = setTimeout(
      () => this.#child?.process.kill("SIGKILL"),
      patienceMs(this.#options.config),
    );
    await this.#running;
    clearTimeout(late);
  }

  async #run(): Promise<void> {
    const { log, onHopeless } = this.#options;
    const { signal } = this.#stopping;
    const kind = this.#place.role;
    let delayMs = 0;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const death = await this.#runOnce(delayMs);
      if (signal.aborted) return;
      // What has served once was allowed to: something passing is in its way now.
      const isHopeless = death.status === CANNOT_START && !this.#hasServed;
      log.error(isHopeless ? CANNOT : AGAIN, { kind, ...death });
      if (isHopeless) return onHopeless();
      delayMs = restartDelayMs(delayMs, performance.now() - startedAt);
    }
  }

  /** It is started at once, takes its ports and loads its program; its work begins after the pause. */
  async #runOnce(pauseMs: number): Promise<Death> {
    const { signal } = this.#stopping;
    const paused = sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    // Where the system has no memory for one more process, forking throws.
    const death = await this.#untilDeath(paused).catch(neverBorn);
    this.#answering.delete(this);
    await paused;
    return death;
  }

  async #untilDeath(paused: Promise<unknown>): Promise<Death> {
    const { role: kind, environment } = this.#place;
    const isFirst = kind === "ingress" && this.#answering.size === 0;
    if (isFirst) this.#answering.add(this);
    const child = cluster.fork({ ...environment, [OTHERS_ANSWER]: isFirst ? "no" : "yes" });
    this.#child = child;
    let processId: string | undefined;
    child.on("message", (message: unknown) => {
      if (!isProcessNews(message)) return;
      if (message.kind === "named") ({ processId } = message);
      else if (message.kind === "ports") void this.#notePorts(paused, child);
      else this.#noteListening(message);
    });
    const death = await deathOf(child, (error) =>
      this.#options.log.warn("A process was not reached", { kind, error }),
    );
    // One that ends in order gives its leases back itself.
    if (processId !== undefined && !this.#stopping.signal.aborted) this.#endLeases(processId);
    return death;
  }

  /** Before that it would not hear that it may begin. */
  async #notePorts(paused: Promise<unknown>, child: Worker): Promise<void> {
    this.#onPorts();
    await paused;
    letBegin(child, (await this.#allowed).redisUrl);
  }

  #noteListening(news: Listening): void {
    this.#hasServed = true;
    if (this.#place.role === "ingress") this.#answering.add(this);
    this.#onListening(news);
  }

  /** Asked for before the next start, and not waited for: Redis may be away. */
  #endLeases(processId: string): void {
    this.#leases?.endOf(processId).catch((error: unknown) => {
      const kind = this.#place.role;
      this.#options.log.warn("The leases of a dead process were not ended; they run out", {
        kind,
        error,
      });
    });
  }
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
