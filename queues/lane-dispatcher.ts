import type { RedisQueueBackend } from "bullmq";
import type { Redis } from "ioredis";
import type { AccountId, IntentId } from "../src/domain/ids.ts";
import { jobIntent, laneAccount, type LaneJob, laneName, parseLaneJob } from "./lane.ts";
import { type LaneBackend, openLaneBackend } from "./lane-backend.ts";
import { putBackActiveJobs } from "./lane-recovery.ts";

/**
 * What the lane does with one intent. `later` gives it back to the head of its lane; `unsettled` is
 * done with it, but its lane is to be tended soon.
 */
export type LaneWork = (account: AccountId, intent: IntentId, job: LaneJob) => Promise<LaneResult>;

export type LaneResult = "done" | "later" | "unsettled";

interface LaneDispatcherDeps {
  /** Waits while Redis is away, instead of failing. */
  readonly redis: Redis;
  /** A connection of its own: one that subscribes can do nothing else. */
  readonly doorbell: Redis;
  readonly prefix: string;
  readonly laneNamesKey: string;
  readonly doorbellChannel: string;
  /** This owner's name; part of every job's lock. */
  readonly owner: string;
  readonly work: LaneWork;
  /**
   * Called in the lane's own turn: now and then for every lane, and at each sweep for those with
   * something unsettled. Answers whether there still is.
   */
  readonly tend: (account: AccountId) => Promise<boolean>;
  /** False once another process may work the lanes. */
  readonly mayWork: () => boolean;
  readonly onError: (error: unknown, account?: AccountId) => void;
}

/** A doorbell can be lost; no lane waits longer than this for the next look. */
const SWEEP_MS = 3_000;
const SWEEPS_PER_TENDING = 5;

/** A lane that is being worked: what was asked of it meanwhile is done in its next round. */
interface Running {
  again: boolean;
  /** Jobs of a dead owner, or of our own that failed, are to be put back first. */
  recover: boolean;
  tend: boolean;
  done: Promise<void>;
}

/**
 * Works every lane of one owner over one Redis connection: each strictly in order, all of them
 * side by side. A doorbell wakes a lane, so an idle one costs nothing.
 */
export class LaneDispatcher {
  readonly #deps: LaneDispatcherDeps;
  readonly #running = new Map<AccountId, Running>();
  /** Lanes with something unsettled. */
  readonly #restless = new Set<AccountId>();
  #backend: LaneBackend | undefined;
  #sweeper: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  #sweeps = 0;
  #stopping = false;
  #starts = 0;

  constructor(deps: LaneDispatcherDeps) {
    this.#deps = deps;
  }

  /** Recovers what an earlier owner had started, then listens. Resolves once lanes are worked. */
  async start(): Promise<void> {
    const { redis, doorbell, prefix, doorbellChannel } = this.#deps;
    this.#backend = await openLaneBackend(redis, prefix);
    doorbell.on("message", (_channel, lane: string) => this.ring(laneAccount(lane)));
    await doorbell.subscribe(doorbellChannel);
    await this.#sweep();
    this.#sweepLater();
  }

  /** Looks at a lane now, or once more when it is being worked. */
  ring(account: AccountId): void {
    this.#visit(account, {});
  }

  /** Looks at every lane now: for when a connection has come back. */
  async ringAll(): Promise<void> {
    const lanes = await this.#deps.redis.smembers(this.#deps.laneNamesKey);
    for (const lane of lanes) this.ring(laneAccount(lane));
  }

  /** How many lanes have an intent in hand. */
  get busy(): number {
    return this.#running.size;
  }

  /** Starts nothing more and waits for what was started. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#sweeper);
    await Promise.all([this.#sweeping, ...[...this.#running.values()].map(({ done }) => done)]);
  }

  #visit(account: AccountId, { recover = false, tend = false }): void {
    if (this.#ended() || this.#backend === undefined) return;
    const running = this.#running.get(account);
    if (running !== undefined) {
      running.again = true;
      running.tend ||= tend;
      return;
    }
    const fresh: Running = { again: false, recover, tend, done: Promise.resolve() };
    this.#running.set(account, fresh);
    fresh.done = this.#drain(account, fresh);
  }

  async #drain(account: AccountId, running: Running): Promise<void> {
    const { redis, onError } = this.#deps;
    try {
      const lane = this.#laneOf(account);
      if (running.recover) await putBackActiveJobs(redis, lane);
      do {
        running.again = false;
        await this.#workOff(account, lane, running);
      } while (running.again && !this.#ended());
      await this.#tendIfAsked(account, running);
    } catch (error) {
      // What was started stays active in BullMQ and is put back by the next sweep.
      onError(error, account);
    } finally {
      this.#running.delete(account);
      if (running.again) this.ring(account);
    }
  }

  /** Between two intents, too: a lane that is never idle must not keep its unknowns for ever. */
  async #tendIfAsked(account: AccountId, running: Running): Promise<void> {
    if (!running.tend || this.#ended()) return;
    running.tend = false;
    if (await this.#deps.tend(account)) this.#restless.add(account);
    else this.#restless.delete(account);
  }

  async #workOff(account: AccountId, lane: RedisQueueBackend, running: Running): Promise<void> {
    const { owner } = this.#deps;
    const token = `${owner}:${(this.#starts += 1)}`;
    let [job, jobId] = await lane.moveToActive(token, owner);
    while (job && jobId) {
      const result = this.#ended() ? "later" : await this.#workOne(account, jobId, job.data);
      if (result === "later") {
        await lane.moveJobFromActiveToWait(jobId, token);
        return;
      }
      if (result === "unsettled") this.#restless.add(account);
      const finished = { ...job, id: jobId };
      const completed = await lane.moveToCompleted(finished, null, true, token, !this.#ended());
      [job, jobId] = Array.isArray(completed.result) ? completed.result : [];
      await this.#tendIfAsked(account, running);
    }
  }

  async #workOne(account: AccountId, jobId: string, data: string): Promise<LaneResult> {
    const job = parseLaneJob(data);
    if (job !== undefined) return await this.#deps.work(account, jobIntent(jobId), job);
    // It would stand in the way for ever; its record, if it has one, expires visibly.
    this.#deps.onError(new Error(`job ${jobId} cannot be read and is dropped`), account);
    return "done";
  }

  /** The next sweep begins after this one has ended: they never pile up while Redis is away. */
  #sweepLater(): void {
    if (this.#stopping) return;
    this.#sweeper = setTimeout(() => {
      this.#sweeping = this.#sweep()
        .catch((error: unknown) => this.#deps.onError(error))
        .finally(() => this.#sweepLater());
    }, SWEEP_MS);
  }

  /** Visits lanes that have work, or something active that nobody works, and tends the others. */
  async #sweep(): Promise<void> {
    const { redis, prefix, laneNamesKey } = this.#deps;
    const tendAll = this.#sweeps % SWEEPS_PER_TENDING === 0;
    this.#sweeps += 1;
    const names = await redis.smembers(laneNamesKey);
    await Promise.all(
      names.map(async (name) => {
        const account = laneAccount(name);
        if (this.#ended()) return;
        const isRestless = this.#restless.has(account);
        if (this.#running.has(account)) {
          if (isRestless) this.#visit(account, { tend: true });
          return;
        }
        const [waiting, active] = await Promise.all([
          redis.llen(`${prefix}:${name}:wait`),
          redis.llen(`${prefix}:${name}:active`),
        ]);
        // Rung meanwhile, it is being worked, and what is active is what is in hand.
        if (this.#running.has(account)) return;
        const tend = tendAll || isRestless;
        if (waiting + active > 0 || tend) this.#visit(account, { recover: active > 0, tend });
      }),
    );
  }

  #ended(): boolean {
    return this.#stopping || !this.#deps.mayWork();
  }

  #laneOf(account: AccountId): RedisQueueBackend {
    if (this.#backend === undefined) throw new Error("the dispatcher was not started");
    return this.#backend(laneName(account));
  }
}
