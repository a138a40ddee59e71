import type { RedisQueueBackend } from "bullmq";
import type { Redis } from "ioredis";
import type { AccountId, IntentId } from "../src/domain/ids.ts";
import { jobIntent, type LaneJob, laneName, parseLaneJob } from "./lane.ts";
import { type LaneBackend, openLaneBackend, putBackActiveJobs } from "./lane-backend.ts";
import { LaneSweeper } from "./lane-sweeper.ts";

/** Works one intent. A rejection leaves its job active; a later sweep puts it back. */
export type LaneWork<Read> = (
  account: AccountId,
  intent: IntentId,
  job: LaneJob,
  /** Given where it was read ahead, in the lane's turn. */
  read?: Promise<Read>,
) => Promise<LaneStep>;

export interface LaneStep {
  /**
   * `later` gives the intent back to the head of its lane. `unsettled` removes it, but the lane's
   * pending intents are to be settled soon.
   */
  readonly kind: "done" | "later" | "unsettled";
  /** Resolves once the outcome is stored and announced; the lane does not wait for it. */
  readonly ending: Promise<void>;
}

interface LaneDispatcherDeps<Read> {
  /** Waits while Redis is away, instead of failing. */
  readonly redis: Redis;
  readonly prefix: string;
  /** This process' name; part of every job's lock. */
  readonly processId: string;
  /**
   * The connection on which this process adds jobs, where it does: a job that is expected there is
   * taken and its record read right behind it. It may fail fast; then the lane is read as usual.
   */
  readonly early?: {
    readonly redis: Redis;
    /** Reads the context that working the intent begins with. */
    readonly read: (account: AccountId, intent: IntentId) => Promise<Read>;
  };
  readonly work: LaneWork<Read>;
  /** The key that exists while the account has something unsettled. */
  readonly openKeyOf: (account: AccountId) => string;
  /**
   * Called in the lane's own turn: on request, now and then while the account has something unsettled,
   * and at each sweep as long as it returns true (something is still pending).
   */
  readonly settlePending: (account: AccountId) => Promise<boolean>;
  /** The accounts whose lanes this process works now. */
  readonly accounts: () => Iterable<AccountId>;
  /** False where another process owns the lane, or may own it. */
  readonly mayWork: (account: AccountId) => boolean;
  readonly onError: (error: unknown, account?: AccountId) => void;
  /** A job that cannot be read was dropped; the intent that it pointed to, if any, expires visibly. */
  readonly onDropped: (account: AccountId, jobId: string) => void;
}

/** A lane that is being worked. What is requested meanwhile is done in its next round. */
interface Running {
  again: boolean;
  /** Jobs of a dead owner, or jobs of ours that failed, must be put back first. */
  recover: boolean;
  settlePending: boolean;
  /** The intent that is just being added to the lane. */
  expected: IntentId | undefined;
  /** Whether the expected intent is on the lane by now. */
  isExpectedThere: boolean;
  /** The expected intent that was found: its own doorbell can be ignored. */
  found: IntentId | undefined;
  done: Promise<void>;
}

/**
 * Works the lanes of one process over one Redis connection: each lane strictly in order, all lanes
 * concurrently. A doorbell wakes a lane, so an idle one costs nothing.
 */
export class LaneDispatcher<Read> {
  readonly #deps: LaneDispatcherDeps<Read>;
  readonly #running = new Map<AccountId, Running>();
  /** Outcomes that are being stored. */
  readonly #endings = new Set<Promise<void>>();
  readonly #sweeper: LaneSweeper;
  #backend: LaneBackend | undefined;
  #early: LaneBackend | undefined;
  #isStopping = false;
  #starts = 0;

  constructor(deps: LaneDispatcherDeps<Read>) {
    this.#deps = deps;
    this.#sweeper = new LaneSweeper({
      ...deps,
      isRunning: (account) => this.#running.has(account),
      settle: (account) => this.#visit(account, { isSweep: true }),
    });
  }

  async start(): Promise<void> {
    const { redis, prefix, early } = this.#deps;
    this.#backend = await openLaneBackend(redis, prefix);
    if (early !== undefined) this.#early = await openLaneBackend(early.redis, prefix);
    this.#sweeper.start();
  }

  /** Reads a lane now, or once more if it is being worked; `intent` is what was added to it. */
  ring(account: AccountId, intent?: IntentId): void {
    this.#sweeper.rang(account);
    const running = intent === undefined ? undefined : this.#running.get(account);
    if (running?.expected !== undefined && running.expected === intent) {
      running.isExpectedThere = true;
    } else if (running?.found === undefined || running.found !== intent) this.#visit(account);
  }

  /** Settles what is pending in the lane's next turn, whether or not a job waits there. */
  settlePending(account: AccountId): void {
    this.#visit(account, { isSweep: true });
  }

  /**
   * The intent is being added to the lane at this moment: an idle lane is read without waiting for
   * the reply, which saves a round trip. `ring` is called for it nevertheless.
   */
  expect(account: AccountId, intent: IntentId): void {
    if (this.#early !== undefined && !this.#running.has(account)) {
      this.#visit(account, { expected: intent });
    }
  }

  /**
   * Reads every lane now, puts back what a former owner had started, and settles what is pending: for
   * when a connection was taken over or came back, or when doorbells may have been missed.
   */
  async lookAtAll(): Promise<void> {
    await this.#sweeper.sweepAll();
  }

  /** How many lanes have an intent in hand. */
  get busy(): number {
    return this.#running.size;
  }

  /** Resolves once none of these lanes has an intent in hand, and its outcome is stored. */
  async finished(accounts: readonly AccountId[]): Promise<void> {
    const running = accounts.flatMap((account) => this.#running.get(account) ?? []);
    await Promise.all(running.map(({ done }) => done));
    await Promise.all(this.#endings);
  }

  /** Starts nothing more and waits for what was started. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#sweeper.stop();
    await Promise.all([...this.#running.values()].map(({ done }) => done));
    await Promise.all(this.#endings);
  }

  #visit(
    account: AccountId,
    { isSweep = false, expected }: { isSweep?: boolean; expected?: IntentId } = {},
  ): void {
    if (this.#mustEnd(account) || this.#backend === undefined) return;
    const running = this.#running.get(account);
    if (running !== undefined) {
      running.again = true;
      running.settlePending ||= isSweep;
      return;
    }
    const fresh: Running = {
      again: false,
      recover: isSweep,
      settlePending: isSweep,
      expected,
      isExpectedThere: false,
      found: undefined,
      done: Promise.resolve(),
    };
    this.#running.set(account, fresh);
    fresh.done = this.#drain(account, fresh);
  }

  async #drain(account: AccountId, running: Running): Promise<void> {
    const { redis, onError } = this.#deps;
    try {
      const lane = this.#laneOf(account);
      do {
        running.again = false;
        if (running.recover) await putBackActiveJobs(redis, lane);
        running.recover = false;
        // A former owner would take jobs that the next owner is working.
        if (this.#mustEnd(account)) return;
        await this.#workOff(account, lane, running);
      } while (running.again && !this.#mustEnd(account));
      await this.#settleIfAsked(account, running);
    } catch (error) {
      // A started job stays active in BullMQ and is put back by the next sweep.
      onError(error, account);
    } finally {
      this.#running.delete(account);
      // Requested while pending intents were being settled, or at the very end.
      if (running.again && running.settlePending) this.settlePending(account);
      else if (running.again) this.ring(account);
    }
  }

  /** Also between two intents: a lane that is never idle must not keep its unknowns for ever. */
  async #settleIfAsked(account: AccountId, running: Running): Promise<void> {
    if (!running.settlePending || this.#mustEnd(account)) return;
    running.settlePending = false;
    this.#sweeper.mark(account, await this.#deps.settlePending(account));
  }

  async #workOff(account: AccountId, lane: RedisQueueBackend, running: Running): Promise<void> {
    const { processId } = this.#deps;
    const token = `${processId}:${(this.#starts += 1)}`;
    const early = this.#takeEarly(account, token, running);
    let ahead = early?.read;
    let [job, jobId] = await (early?.job ?? lane.moveToActive(token, processId));
    if (early !== undefined) {
      if (jobId === running.expected) running.found = running.expected;
      // It was not there, or the read failed. If it has rung meanwhile, nobody else reads the lane for it.
      else [ahead, running.again] = [undefined, running.again || running.isExpectedThere];
      running.expected = undefined;
      // A job that was taken although the reply was lost has no worker.
      if (early.hasFailed()) [running.again, running.recover] = [true, true];
    }
    while (job && jobId) {
      const kind = await this.#workOne(account, jobId, job.data, ahead);
      ahead = undefined;
      if (kind === "later") {
        await lane.moveJobFromActiveToWait(jobId, token);
        return;
      }
      if (kind === "unsettled") this.#sweeper.mark(account, true);
      const finished = { ...job, id: jobId };
      const fetchNext = !this.#mustEnd(account);
      const completed = await lane.moveToCompleted(finished, null, true, token, fetchNext);
      [job, jobId] = Array.isArray(completed.result) ? completed.result : [];
      await this.#settleIfAsked(account, running);
    }
  }

  /** Both commands are sent right behind the job, so they find it, and the read is in the lane's turn. */
  #takeEarly(account: AccountId, token: string, { expected }: Running) {
    const { early, processId } = this.#deps;
    const lane = this.#early?.(laneName(account));
    if (expected === undefined || early === undefined || lane === undefined) return undefined;
    let hasFailed = false;
    const job = lane.moveToActive(token, processId).catch((): [] => {
      hasFailed = true;
      return [];
    });
    const read = new Promise<Read>((resolve, reject) => {
      process.nextTick(() => early.read(account, expected).then(resolve, reject));
    });
    read.catch(() => undefined); // Whoever awaits it handles it.
    return { job, read, hasFailed: () => hasFailed };
  }

  async #workOne(
    account: AccountId,
    jobId: string,
    data: string,
    ahead: Promise<Read> | undefined,
  ): Promise<LaneStep["kind"]> {
    if (this.#mustEnd(account)) return "later";
    const job = parseLaneJob(data);
    if (job === undefined) {
      // It would block the lane for ever.
      this.#deps.onDropped(account, jobId);
      return "done";
    }
    const { kind, ending } = await this.#deps.work(account, jobIntent(jobId), job, ahead);
    this.#follow(account, ending);
    return kind;
  }

  /** An outcome that could not be stored is settled with the lane's pending intents. */
  #follow(account: AccountId, ending: Promise<void>): void {
    const followed: Promise<void> = ending
      .catch((error: unknown) => {
        this.#deps.onError(error, account);
        this.#sweeper.mark(account, true);
      })
      .finally(() => this.#endings.delete(followed));
    this.#endings.add(followed);
  }

  #mustEnd(account: AccountId): boolean {
    return this.#isStopping || !this.#deps.mayWork(account);
  }

  #laneOf(account: AccountId): RedisQueueBackend {
    if (this.#backend === undefined) throw new Error("the dispatcher was not started");
    return this.#backend(laneName(account));
  }
}
