import type { Redis } from "ioredis";
import type { AccountId, IntentId } from "../src/domain/ids.ts";
import { jobIntent, laneAccount, type LaneJob, laneName } from "./lane.ts";
import { type LaneBackends, laneBackends } from "./lane-backend.ts";
import { putBackActiveJobs } from "./lane-recovery.ts";

/** What the lane does with one intent. `later` gives it back to the head of its lane. */
export type LaneWork = (
  account: AccountId,
  intent: IntentId,
  job: LaneJob,
) => Promise<"done" | "later">;

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
  /** Called now and then for each lane that is idle here, to settle what has no job any more. */
  readonly tend: (account: AccountId) => Promise<void>;
  readonly onError: (error: unknown, account?: AccountId) => void;
}

/** A doorbell can be lost; no lane waits longer than this for the next look. */
const SWEEP_MS = 3_000;
const SWEEPS_PER_TENDING = 5;

/** One lane that is being worked: rung again meanwhile, it is looked at once more at the end. */
interface Running {
  again: boolean;
  done: Promise<void>;
}

/**
 * Works every lane of one owner over one Redis connection: each strictly in order, all of them
 * side by side. A doorbell wakes a lane, so an idle one costs nothing.
 */
export class LaneDispatcher {
  readonly #deps: LaneDispatcherDeps;
  readonly #running = new Map<AccountId, Running>();
  #backends: LaneBackends | undefined;
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
    this.#backends = await laneBackends(redis, prefix);
    doorbell.on("message", (_channel, lane: string) => this.ring(laneAccount(lane)));
    await doorbell.subscribe(doorbellChannel);
    await this.#sweep();
    this.#sweeper = setInterval(() => this.#sweepAgain(), SWEEP_MS);
  }

  /** Looks at a lane now, or once more when it is being worked. */
  ring(account: AccountId): void {
    if (this.#stopping || this.#backends === undefined) return;
    const running = this.#running.get(account);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const fresh: Running = { again: false, done: Promise.resolve() };
    this.#running.set(account, fresh);
    fresh.done = this.#drain(account, fresh);
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
    clearInterval(this.#sweeper);
    await Promise.all([this.#sweeping, ...[...this.#running.values()].map(({ done }) => done)]);
  }

  async #drain(account: AccountId, running: Running): Promise<void> {
    try {
      do {
        running.again = false;
        await this.#workOff(account);
      } while (running.again && !this.#stopping);
    } catch (error) {
      // What was started stays active in BullMQ and is put back by the next sweep.
      this.#deps.onError(error, account);
    } finally {
      this.#running.delete(account);
      if (running.again) this.ring(account);
    }
  }

  async #workOff(account: AccountId): Promise<void> {
    const { owner, work } = this.#deps;
    const lane = this.#openBackends().of(laneName(account));
    const token = `${owner}:${(this.#starts += 1)}`;

    let [job, jobId] = await lane.moveToActive(token, owner);
    while (job !== null && job !== undefined && jobId !== undefined) {
      const result = await work(account, jobIntent(jobId), JSON.parse(job.data) as LaneJob);
      if (result === "later") {
        await lane.moveJobFromActiveToWait(jobId, token);
        return;
      }
      const finished = { ...job, id: jobId };
      const completed = await lane.moveToCompleted(finished, null, true, token, !this.#stopping);
      [job, jobId] = Array.isArray(completed.result) ? completed.result : [];
    }
  }

  #sweepAgain(): void {
    this.#sweeping = this.#sweep().catch((error: unknown) => this.#deps.onError(error));
  }

  /** Rings lanes that have work, and puts back what is active on a lane that nobody works. */
  async #sweep(): Promise<void> {
    const { redis, prefix, laneNamesKey, tend } = this.#deps;
    const tending = this.#sweeps % SWEEPS_PER_TENDING === 0;
    this.#sweeps += 1;
    const names = await redis.smembers(laneNamesKey);
    await Promise.all(
      names.map(async (name) => {
        const account = laneAccount(name);
        if (this.#stopping || this.#running.has(account)) return;
        const [waiting, active] = await Promise.all([
          redis.llen(`${prefix}:${name}:wait`),
          redis.llen(`${prefix}:${name}:active`),
        ]);
        // Meanwhile it may have been rung: what is active then is being worked.
        if (this.#running.has(account)) return;
        if (active > 0) await putBackActiveJobs(redis, this.#openBackends().of(name));
        if (waiting + active > 0) this.ring(account);
        else if (tending) await tend(account);
      }),
    );
  }

  #openBackends(): LaneBackends {
    if (this.#backends === undefined) throw new Error("the dispatcher was not started");
    return this.#backends;
  }
}
