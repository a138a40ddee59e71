import type { RedisQueueBackend } from "bullmq";
import type { Redis } from "ioredis";
import type { AccountId, IntentId } from "../src/domain/ids.ts";
import { jobIntent, type LaneJob, laneName, parseLaneJob } from "./lane.ts";
import { type LaneBackend, openLaneBackend } from "./lane-backend.ts";
import { putBackActiveJobs } from "./lane-recovery.ts";
import { LaneSweeper } from "./lane-sweeper.ts";

/** What the lane does with one intent. A rejection leaves it started, to be put back later. */
export type LaneWork<Read> = (
  account: AccountId,
  intent: IntentId,
  job: LaneJob,
  /** Given when it was read ahead, in the lane's turn. */
  read?: Promise<Read>,
) => Promise<LaneStep>;

export interface LaneStep {
  /**
   * `later` gives the intent back to the head of its lane; `unsettled` is done with it, but its
   * lane is to be tended soon.
   */
  readonly kind: "done" | "later" | "unsettled";
  /** Resolves once the outcome is stored and told; the lane does not wait for it. */
  readonly ending: Promise<void>;
}

interface LaneDispatcherDeps<Read> {
  /** Waits while Redis is away, instead of failing. */
  readonly redis: Redis;
  readonly prefix: string;
  /** This process' name; part of every job's lock. */
  readonly processId: string;
  /**
   * The connection on which this process puts jobs, where it does: what is expected there is taken
   * and read right behind them. It may fail fast; then the lane is looked at as usual.
   */
  readonly early?: {
    readonly redis: Redis;
    /** Reads what the intent's work begins with. */
    readonly read: (account: AccountId, intent: IntentId) => Promise<Read>;
  };
  readonly work: LaneWork<Read>;
  /** The key that is there while the account has something unsettled. */
  readonly openKeyOf: (account: AccountId) => string;
  /**
   * Called in the lane's own turn: when it is asked for, now and then while the account has something
   * unsettled, and at each sweep once it has answered that there still is.
   */
  readonly settlePending: (account: AccountId) => Promise<boolean>;
  /** The accounts whose lanes this process works now. */
  readonly accounts: () => Iterable<AccountId>;
  /** False for the lane of another owner, and once another process may be the owner. */
  readonly mayWork: (account: AccountId) => boolean;
  readonly onError: (error: unknown, account?: AccountId) => void;
  /** A job that cannot be read was dropped; what it pointed to, if anything, expires visibly. */
  readonly onDropped: (account: AccountId, jobId: string) => void;
}

/** A lane that is being worked: what was asked of it meanwhile is done in its next round. */
interface Running {
  again: boolean;
  /** Jobs of a dead owner, or of our own that failed, are to be put back first. */
  recover: boolean;
  settlePending: boolean;
  /** The intent that is being put on the lane. */
  expected: IntentId | undefined;
  /** It is on the lane for sure. */
  isExpectedThere: boolean;
  /** The one that was expected and found: its own bell brings no news. */
  found: IntentId | undefined;
  done: Promise<void>;
}

/**
 * Works the lanes of one process over one Redis connection: each strictly in order, all of them
 * side by side. A doorbell wakes a lane, so an idle one costs nothing.
 */
export class LaneDispatcher<Read> {
  readonly #deps: LaneDispatcherDeps<Read>;
  readonly #running = new Map<AccountId, Running>();
  /** Outcomes that are on their way to the store. */
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

  /** Looks at a lane now, or once more when it is being worked; `intent` is what was put on it. */
  ring(account: AccountId, intent?: IntentId): void {
    this.#sweeper.rang(account);
    const running = intent === undefined ? undefined : this.#running.get(account);
    if (running?.expected !== undefined && running.expected === intent) {
      running.isExpectedThere = true;
    } else if (running?.found === undefined || running.found !== intent) this.#visit(account);
  }

  /** Tends the account in its lane's next turn, whether or not anything waits there. */
  settlePending(account: AccountId): void {
    this.#visit(account, { isSweep: true });
  }

  /**
   * The intent is being put on the lane in this moment: a lane that rests is looked at without
   * waiting for the answer, which saves a round trip. It is rung for all the same.
   */
  expect(account: AccountId, intent: IntentId): void {
    if (this.#early !== undefined && !this.#running.has(account)) {
      this.#visit(account, { expected: intent });
    }
  }

  /**
   * Looks at every lane now, puts back what a former owner had started, and tends those with something
   * unsettled: for when a connection was taken over or has come back, or doorbells may have been missed.
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
        // Who is not the owner any more would take what the next one has in hand.
        if (this.#mustEnd(account)) return;
        await this.#workOff(account, lane, running);
      } while (running.again && !this.#mustEnd(account));
      await this.#settleIfAsked(account, running);
    } catch (error) {
      // What was started stays active in BullMQ and is put back by the next sweep.
      onError(error, account);
    } finally {
      this.#running.delete(account);
      // Asked for while the lane was being tended, or at its end.
      if (running.again && running.settlePending) this.settlePending(account);
      else if (running.again) this.ring(account);
    }
  }

  /** Between two intents, too: a lane that is never idle must not keep its unknowns for ever. */
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
      // It was not there, or the look failed. If it has rung meanwhile, nobody else looks for it.
      else [ahead, running.again] = [undefined, running.again || running.isExpectedThere];
      running.expected = undefined;
      // What was taken without an answer is in nobody's hand.
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

  /** Both leave right behind the job, so they find it, and the reading is in the lane's turn. */
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
    read.catch(() => undefined); // Whoever uses it hears of it.
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
      // It would stand in the way for ever.
      this.#deps.onDropped(account, jobId);
      return "done";
    }
    const { kind, ending } = await this.#deps.work(account, jobIntent(jobId), job, ahead);
    this.#follow(account, ending);
    return kind;
  }

  /** An outcome that could not be stored is settled when the lane is tended. */
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
