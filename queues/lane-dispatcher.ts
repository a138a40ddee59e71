import { ByAccount, ListsByAccount } from "../src/domain/by-account.ts";
import type { AccountId, IntentId } from "../src/domain/ids.ts";
import type { ActiveJob, LaneStore } from "../src/trading/lane/ports.ts";
import type { LaneStep, RunIntent } from "../src/trading/lane/run-intent.ts";
import { parseLaneJob } from "./lane.ts";
import { LaneSweeper } from "./lane-sweeper.ts";
import type { RedisClient } from "./redis-client.ts";

/** Undefined where its intent is not the lane's active one. */
type AheadWork = () => Promise<LaneStep | undefined>;

interface LaneDispatcherDeps {
  /** Waits while Redis is away, instead of failing. */
  readonly redis: RedisClient;
  readonly prefix: string;
  /** Waits likewise. */
  readonly lanes: LaneStore;
  /**
   * The same on the connection on which this process accepts intents, where it does: a job that is
   * expected there is taken right behind it. It may fail fast; then the lane is read as usual.
   */
  readonly early?: Pick<LaneStore, "take">;
  /** Works one intent. A rejection leaves its job active; a later sweep puts it back. */
  readonly work: RunIntent;
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

/** An active job, and how its lane goes on. */
interface WorkedJob {
  readonly intentId: IntentId;
  readonly step: LaneStep;
}

/** A lane that is being worked. What is requested meanwhile is done in its next round. */
interface Running {
  again: boolean;
  /** Jobs of a dead owner, or jobs of ours that failed, must be put back first. */
  recover: boolean;
  settlePending: boolean;
  /** Given where the turn begins with an intent that is run before it is accepted. */
  ahead: AheadWork | undefined;
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
export class LaneDispatcher {
  readonly #deps: LaneDispatcherDeps;
  readonly #running = new ByAccount<Running>();
  /** Outcomes that are being announced. */
  readonly #endings = new ListsByAccount<Promise<void>>();
  readonly #sweeper: LaneSweeper;
  #isStarted = false;
  #isStopping = false;

  constructor(deps: LaneDispatcherDeps) {
    this.#deps = deps;
    this.#sweeper = new LaneSweeper({
      ...deps,
      isRunning: (account) => this.#running.has(account),
      settle: (account) => this.#visit(account, { isSweep: true }),
    });
  }

  start(): void {
    this.#isStarted = true;
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
   * Settles what is pending in the lane's next turn, and reads no lane for that: nothing is to wait there, but
   * where something has failed or is unsettled.
   */
  look(account: AccountId): void {
    const isSweep = this.#sweeper.isRestless(account);
    this.#visit(account, { isSweep, isLook: !isSweep });
  }

  /**
   * The intent is being added to the lane at this moment: an idle lane is read without waiting for
   * the reply, which saves a round trip. `ring` is called for it nevertheless.
   */
  expect(account: AccountId, intent: IntentId): void {
    if (this.#deps.early !== undefined && !this.#running.has(account)) {
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

  /**
   * Gives the turn of a lane that rests here to an intent which is run before it is on the lane. The
   * run begins in this very call; false where the lane does not rest, or is not worked here. Where the
   * run answers undefined its intent is being added to the lane like any other.
   *
   * What is unsettled may be settled outside the lane's turn: after such a run has read its broker, and
   * before the store is asked whether anything is. So there is none where anything may be.
   */
  takeTurn(account: AccountId, intent: IntentId, ahead: AheadWork): boolean {
    if (this.#mustEnd(account) || !this.#isStarted || this.#running.has(account)) return false;
    if (this.#sweeper.isRestless(account)) return false;
    this.#visit(account, { expected: intent, ahead });
    return true;
  }

  /** How many lanes have an intent in hand. */
  get busy(): number {
    return this.#running.values().length;
  }

  /** Resolves once none of these lanes has an intent in hand, and its outcome is announced. */
  async finished(accounts: readonly AccountId[]): Promise<void> {
    const running = accounts.flatMap((account) => this.#running.get(account) ?? []);
    await Promise.all(running.map(({ done }) => done));
    await Promise.all(accounts.flatMap((account) => this.#endings.of(account)));
  }

  /** Starts nothing more and waits for what was started. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#sweeper.stop();
    await Promise.all(this.#running.values().map(({ done }) => done));
    await Promise.all(this.#endings.all());
  }

  #visit(
    account: AccountId,
    {
      isSweep = false,
      isLook = false,
      expected,
      ahead,
    }: { isSweep?: boolean; isLook?: boolean; expected?: IntentId; ahead?: AheadWork } = {},
  ): void {
    if (this.#mustEnd(account) || !this.#isStarted) return;
    const running = this.#running.get(account);
    if (running !== undefined) {
      running.again ||= !isLook;
      running.settlePending ||= isSweep || isLook;
      return;
    }
    const fresh: Running = {
      again: !isLook,
      recover: isSweep,
      settlePending: isSweep || isLook,
      ahead,
      expected,
      isExpectedThere: false,
      found: undefined,
      done: Promise.resolve(),
    };
    this.#running.set(account, fresh);
    fresh.done = this.#drain(account, fresh);
  }

  async #drain(account: AccountId, running: Running): Promise<void> {
    const { lanes, onError } = this.#deps;
    try {
      while (running.again && !this.#mustEnd(account)) {
        running.again = false;
        if (running.recover) await lanes.putBack(account);
        running.recover = false;
        // A former owner would take jobs that the next owner is working.
        if (this.#mustEnd(account)) return;
        await this.#workOff(account, running);
      }
      await this.#settleIfAsked(account, running);
    } catch (error) {
      // A started job stays active and is put back by the next sweep, which settles too.
      this.#sweeper.mark(account, true);
      running.settlePending = false;
      onError(error, account);
    } finally {
      this.#running.clear(account);
      // Requested while pending intents were being settled, or at the very end.
      if (running.again && running.settlePending) this.settlePending(account);
      else if (running.again) this.ring(account);
      else if (running.settlePending) this.look(account);
    }
  }

  async #settleIfAsked(account: AccountId, running: Running): Promise<void> {
    if (!running.settlePending || this.#mustEnd(account)) return;
    running.settlePending = false;
    this.#sweeper.mark(account, await this.#deps.settlePending(account));
  }

  async #workOff(account: AccountId, running: Running): Promise<void> {
    const begun = await this.#runAhead(account, running);
    let job =
      begun === undefined
        ? await this.#takeFirst(account, running)
        : await this.#end(account, begun, running);
    while (job !== undefined) {
      const { intentId } = job;
      const step = await this.#workOne(account, job);
      job = await this.#end(account, { intentId, step }, running);
    }
  }

  /** Undefined where nothing was run ahead, or its intent is not the lane's active one. */
  async #runAhead(account: AccountId, running: Running): Promise<WorkedJob | undefined> {
    const { ahead, expected: intentId } = running;
    running.ahead = undefined;
    if (ahead === undefined || intentId === undefined) return undefined;
    try {
      const step = await ahead();
      if (step === undefined) return undefined;
      [running.found, running.expected] = [intentId, undefined];
      return { intentId, step };
    } catch (error) {
      // Its job may be active, and has no worker.
      [running.again, running.recover] = [true, true];
      this.#deps.onError(error, account);
      return undefined;
    }
  }

  /** Ends the active job as its step says, and takes the next one. */
  async #end(
    account: AccountId,
    { intentId, step: { kind, settlement, tells: whoIsTold, announce } }: WorkedJob,
    running: Running,
  ): Promise<ActiveJob | undefined> {
    const { lanes } = this.#deps;
    if (kind === "later") {
      await lanes.giveBack(account, intentId);
      return undefined;
    }
    if (kind === "unsettled") this.#sweeper.mark(account, true);
    // What is settled in between changes what the next one begins with.
    const takesNext = !this.#mustEnd(account) && !running.settlePending;
    // What has rung until now is on the lane, where this looks.
    if (takesNext && !running.recover) running.again = false;
    const tells = whoIsTold?.();
    const { record, wasActive, next } = await lanes.finish(account, intentId, {
      settlement,
      takesNext,
      tells,
    });
    this.#follow(account, announce(record, tells !== undefined));
    if (!wasActive) {
      // Sent twice over a broken connection, the first answer is lost: what it took has no worker.
      [running.again, running.recover] = [true, true];
      return undefined;
    }
    return next ?? (await this.#takeAfterSettling(account, running));
  }

  /** Also between two intents: a lane that is never idle must not keep its unknowns for ever. */
  async #takeAfterSettling(account: AccountId, running: Running): Promise<ActiveJob | undefined> {
    if (!running.settlePending) return undefined;
    await this.#settleIfAsked(account, running);
    return this.#mustEnd(account) ? undefined : await this.#deps.lanes.take(account);
  }

  async #takeFirst(account: AccountId, running: Running): Promise<ActiveJob | undefined> {
    const { lanes, early } = this.#deps;
    const { expected } = running;
    if (expected === undefined || early === undefined) return await lanes.take(account);
    try {
      // It is sent right behind the intent, so it finds it.
      const job = await early.take(account);
      if (job?.intentId === expected) running.found = expected;
      // It was not there. If it has rung meanwhile, nobody else reads the lane for it.
      else running.again ||= running.isExpectedThere;
      return job;
    } catch {
      // A job that was taken although the reply was lost has no worker.
      [running.again, running.recover] = [true, true];
      return undefined;
    } finally {
      running.expected = undefined;
    }
  }

  async #workOne(account: AccountId, { intentId, data, context }: ActiveJob): Promise<LaneStep> {
    if (this.#mustEnd(account)) return { kind: "later", announce: nothing };
    const job = parseLaneJob(data);
    if (job === undefined) {
      // It would block the lane for ever.
      this.#deps.onDropped(account, intentId);
      return { kind: "done", announce: nothing };
    }
    return await this.#deps.work(account, intentId, job, context);
  }

  #follow(account: AccountId, ending: Promise<void>): void {
    const followed: Promise<void> = ending
      .catch((error: unknown) => this.#deps.onError(error, account))
      .finally(() => this.#endings.remove(account, followed));
    this.#endings.add(account, followed);
  }

  #mustEnd(account: AccountId): boolean {
    return this.#isStopping || !this.#deps.mayWork(account);
  }
}

const nothing = async (): Promise<void> => undefined;
