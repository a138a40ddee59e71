import { setTimeout as sleep } from "node:timers/promises";
import { restartDelayMs } from "./restart-delay.ts";
import { describeExit, type RedisExit } from "./redis-exit.ts";
import { type RedisPlace, type RedisProcess, startRedisProcess } from "./redis-process.ts";

interface KeeperOptions {
  readonly log: (line: string) => void;
  readonly onExit?: ((exit: RedisExit) => void) | undefined;
}

const STOP_MS = 10_000;

/** Starts the server again whenever it ends on its own. The loop is the only one to start it. */
export class RedisKeeper {
  readonly #place: RedisPlace;
  readonly #options: KeeperOptions;
  readonly #abort = new AbortController();
  readonly #loop: Promise<void>;
  #running: RedisProcess | undefined;

  constructor(place: RedisPlace, first: RedisProcess, options: KeeperOptions) {
    this.#place = place;
    this.#options = options;
    this.#running = first;
    this.#loop = this.#keep(first);
  }

  get pid(): number | undefined {
    return this.#running?.pid;
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running?.stop(STOP_MS);
    await this.#loop;
  }

  async #keep(first: RedisProcess): Promise<void> {
    let server: RedisProcess | undefined = first;
    let delayMs = 0;
    while (server !== undefined) {
      const startedAt = performance.now();
      const exit = await server.ended;
      this.#running = undefined;
      if (this.#abort.signal.aborted) return;

      const { log, onExit } = this.#options;
      const what = "The gateway's Redis ended and is started again";
      logLines(log, describeExit(what, exit, this.#place.dir));
      onExit?.(exit);
      delayMs = restartDelayMs(delayMs, performance.now() - startedAt);
      server = await this.#startAgain(delayMs);
    }
  }

  /** Undefined when it was stopped meanwhile. */
  async #startAgain(firstDelayMs: number): Promise<RedisProcess | undefined> {
    const { signal } = this.#abort;
    const { log } = this.#options;
    let delayMs = firstDelayMs;
    for (;;) {
      await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return undefined;
      try {
        this.#running = await startRedisProcess(this.#place, { log, signal });
        return this.#running;
      } catch (error) {
        if (signal.aborted) return undefined;
        logLines(log, error instanceof Error ? error.message : String(error));
        delayMs = restartDelayMs(delayMs);
      }
    }
  }
}

function logLines(log: (line: string) => void, text: string): void {
  for (const line of text.split("\n")) log(line.trim());
}
