import path from "node:path";
import { Worker } from "node:worker_threads";
import {
  type Computed,
  type NamedSeries,
  NotComputedError,
  type StrategyEngine,
} from "../trading/strategies/ports.ts";
import type { Message, Question } from "./thread-program.ts";

/** Beside this module, and in the same form: as source, or built. */
const PROGRAM = new URL(`./thread-program${path.extname(import.meta.url)}`, import.meta.url);

/** The costliest rules that `check` lets through take some 30 ms of a core. */
const LIMIT_MS = 2_000;
/** On a busy machine, with all that it loads. */
const START_WITHIN_MS = 10_000;
/** Who waits longer is told so: a slot is then looked at again while there is time. */
const WAIT_MS = 5_000;
/** A process has at most 32 slots at work; the others are of callers. */
const MOST_WAITING = 200;
const MOST_MEMORY_MB = 128;

export interface EvaluationThreadOptions {
  /** What the thread runs, where that is not beside this module. */
  readonly program?: URL | undefined;
  readonly limitMs?: number;
  readonly mostWaiting?: number;
  /** A thread was ended, or ended by itself, before it had answered. */
  readonly onLost?: (error: Error) => void;
}

/** A question and who waits for its answer. */
interface Job {
  readonly question: Question;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  /** Ends the wait, and later the computing. */
  endTimer: () => void;
}

/**
 * Computes on a thread of its own, one question at a time, in the order of asking: orders are worked
 * on the main thread. A question that takes longer than its limit ends with its thread, and the next
 * one gets a new thread. The first thread is started by the first question.
 */
export class EvaluationThread {
  readonly #program: URL;
  readonly #limitMs: number;
  readonly #mostWaiting: number;
  readonly #onLost: (error: Error) => void;
  readonly #waiting = new Set<Job>();
  #running: Job | undefined;
  #thread: Worker | undefined;
  #isReady = false;
  #endStart: () => void = () => undefined;
  #isClosed = false;

  constructor(options: EvaluationThreadOptions = {}) {
    this.#program = options.program ?? PROGRAM;
    this.#limitMs = options.limitMs ?? LIMIT_MS;
    this.#mostWaiting = options.mostWaiting ?? MOST_WAITING;
    this.#onLost = options.onLost ?? (() => undefined);
  }

  /** What it does of an engine; the rest is little, and is done where it is asked for. */
  readonly calls: Pick<StrategyEngine, "compute" | "series"> = {
    compute: async (...args) => (await this.#ask({ call: "compute", args })) as Computed,
    series: async (...args) => (await this.#ask({ call: "series", args })) as NamedSeries,
  };

  /** Ends the thread; who still waits is told. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = this.#thread;
    this.#lose(new NotComputedError(CLOSED, "busy"));
    this.#refuseWaiting(new NotComputedError(CLOSED, "busy"));
    await thread?.terminate();
  }

  async #ask(question: Question): Promise<unknown> {
    if (this.#isClosed) throw new NotComputedError(CLOSED, "busy");
    if (this.#waiting.size >= this.#mostWaiting) throw new NotComputedError(BUSY, "busy");
    return await new Promise((resolve, reject) => {
      const job: Job = { question, resolve, reject, endTimer: () => undefined };
      this.#waiting.add(job);
      this.#limitWaiting(job);
      this.#next();
    });
  }

  /** The start of a thread has its own limit. */
  #limitWaiting(job: Job): void {
    job.endTimer = after(WAIT_MS, () => {
      if (this.#thread !== undefined && !this.#isReady) return this.#limitWaiting(job);
      this.#waiting.delete(job);
      job.reject(new NotComputedError(BUSY, "busy"));
    });
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const [job] = this.#waiting;
    if (job === undefined) return;
    const thread = this.#thread ?? this.#tryToStart();
    if (thread === undefined || !this.#isReady) return;
    this.#waiting.delete(job);
    this.#running = job;
    job.endTimer();
    job.endTimer = after(this.#limitMs, () => {
      this.#lose(new NotComputedError(`It took longer than ${this.#limitMs / 1_000} s`));
      this.#next();
    });
    thread.postMessage(job.question);
  }

  /** The system may have no thread left: whoever waits is told, and the process goes on without. */
  #tryToStart(): Worker | undefined {
    try {
      return this.#start();
    } catch (cause) {
      const error = new NotComputedError(NO_THREAD, "lost", { cause });
      this.#onLost(error);
      this.#refuseWaiting(error);
      return undefined;
    }
  }

  #start(): Worker {
    const thread = new Worker(this.#program, {
      name: "evaluation",
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    });
    this.#thread = thread;
    // A process that has nothing else to do ends.
    thread.unref();
    const lost = (error: Error) => {
      if (this.#thread !== thread) return;
      const isOfStart = !this.#isReady;
      this.#lose(error);
      // One that does not start would not start for the next question either.
      if (isOfStart) this.#refuseWaiting(error);
      this.#next();
    };
    this.#endStart = after(START_WITHIN_MS, () => lost(new NotComputedError(NOT_STARTED)));
    thread.on("message", (message: Message) => {
      if (this.#thread === thread) this.#hear(message);
    });
    thread.on("error", (cause) => lost(new NotComputedError(LOST, "lost", { cause })));
    thread.on("exit", () => lost(new NotComputedError(LOST)));
    return thread;
  }

  #hear(message: Message): void {
    if (message.kind === "ready") {
      this.#isReady = true;
      this.#endStart();
    } else {
      const job = this.#running;
      this.#running = undefined;
      job?.endTimer();
      if (message.kind === "answer") job?.resolve(message.value);
      else job?.reject(message.error as Error);
    }
    this.#next();
  }

  /** Gives the thread up, and with it what it computes. */
  #lose(error: Error): void {
    const [thread, job] = [this.#thread, this.#running];
    if (thread === undefined) return;
    this.#thread = undefined;
    this.#isReady = false;
    this.#running = undefined;
    this.#endStart();
    job?.endTimer();
    job?.reject(error);
    if (!this.#isClosed) this.#onLost(error);
    void thread.terminate();
  }

  #refuseWaiting(error: Error): void {
    for (const job of this.#waiting) {
      job.endTimer();
      job.reject(error);
    }
    this.#waiting.clear();
  }
}

const CLOSED = "The gateway stops";
const BUSY = "Too much else was to be computed";
const LOST = "The thread that computed it ended";
const NO_THREAD = "A thread that computes could not be started";
const NOT_STARTED = "The thread that computes could not be started in time";

/** Timers run before what a thread has answered is read, immediates after it. Answers what ends it. */
function after(ms: number, act: () => void): () => void {
  let isOver = false;
  const timer = setTimeout(() => setImmediate(() => isOver || act()), ms);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
