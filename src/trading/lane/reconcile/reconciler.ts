import type { AccountId, ConnectionId } from "../../../domain/ids.ts";
import type { Alarms } from "../../alarms/alarm.ts";
import type { WaitFor } from "../../ports.ts";
import type { LaneSession } from "../connected.ts";
import type { Reconciliation, ReconcileObserver } from "./reconcile-account.ts";
import {
  BUSY_EVERY_MS,
  intervalOf,
  retryAfter,
  type StartOfSession,
  watchAll,
  type Watched,
} from "./reconcile-watch.ts";

export interface ReconcilerDeps {
  readonly reconcile: (account: AccountId) => Promise<Reconciliation>;
  readonly observer: ReconcileObserver;
  readonly alarms: Alarms;
  /** Called when an account that was left out at the start of its session can be worked. */
  readonly onInStep: (account: AccountId) => void;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
  readonly waitFor: WaitFor;
}

export interface ReconcilerFigures {
  /** How long ago the account that waits longest of those with something at stake was read. */
  readonly oldestMs: number;
  /** Accounts whose positions are not what their fills add up to, so far unconfirmed. */
  readonly suspected: number;
}

const LOOK_EVERY_MS = 500;
/** Of one connection, so that a slow broker does not hold up the others. */
const AT_ONCE = 4;
const AT_ONCE_AT_START = 200;

/** The accounts of one connection, for as long as it stands. */
interface Round {
  readonly accounts: readonly Watched[];
  /** Those that are due, in their order. */
  waiting: Watched[];
  readonly running: Set<Promise<void>>;
  isOver: boolean;
  wake: () => void;
  loop: Promise<void>;
}

/**
 * Reconciles accounts again and again while their connection stands: soon where something is at
 * stake, now and then where nothing is, and evenly spread.
 */
export class Reconciler {
  readonly #deps: ReconcilerDeps;
  readonly #watched = new Map<AccountId, Watched>();
  /** The accounts of each connection's newest session. */
  readonly #sessions = new Map<ConnectionId, readonly Watched[]>();
  readonly #rounds = new Map<ConnectionId, Round>();

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
  }

  /**
   * Reconciles every account once, before their connection counts as connected. One that cannot be
   * read is left out: it is tried again after `start`, and not in step until then. Throws when none
   * can be read, or the session is gone.
   */
  async reconcileAll(connection: ConnectionId, start: StartOfSession): Promise<void> {
    const watched = this.#watch(connection, start);
    const failures: unknown[] = [];
    let requiring: Promise<unknown> | undefined;
    const leaveOut = async (one: Watched, error: unknown) => {
      // Another failure meanwhile waits for the same answer.
      requiring ??= start.requireSession().finally(() => (requiring = undefined));
      await requiring;
      failures.push(error);
      this.#failed(one, error);
    };
    await atOnce(AT_ONCE_AT_START, watched, async (one) => {
      await this.#reconcile(one).catch((error: unknown) => leaveOut(one, error));
    });
    if (watched.length > 0 && failures.length === watched.length) throw failures[0];
  }

  /** From now on the accounts of its last session are reconciled by themselves. */
  start(connection: ConnectionId): void {
    void this.#endRound(connection);
    const watched = this.#sessions.get(connection) ?? [];
    this.#spread(watched);
    const round: Round = {
      accounts: watched,
      waiting: [],
      running: new Set(),
      isOver: false,
      wake: () => undefined,
      loop: Promise.resolve(),
    };
    this.#rounds.set(connection, round);
    round.loop = this.#run(round);
  }

  /**
   * The session is over: none of its accounts is in step any more. Resolves when what is under way
   * has ended; its failures are not reported.
   */
  async stop(connection: ConnectionId): Promise<void> {
    for (const { account } of this.#sessions.get(connection) ?? []) {
      this.#watched.delete(account);
      // Of a connection that is down no account can be in step; that is another alarm.
      this.#deps.alarms.clear({ kind: "outOfStep", accountId: account });
    }
    await this.#endRound(connection);
  }

  async #endRound(connection: ConnectionId): Promise<void> {
    const round = this.#rounds.get(connection);
    if (round === undefined) return;
    this.#rounds.delete(connection);
    round.isOver = true;
    round.wake();
    await Promise.all([round.loop, ...round.running]);
  }

  /** The session of the account's connection, once the account was read in full in it. */
  readonly sessionOf = (account: AccountId): LaneSession | undefined => {
    const watched = this.#watched.get(account);
    return watched?.isInStep === true ? watched.session : undefined;
  };

  /** Something happened to the account at its broker. */
  noteActivity(account: AccountId): void {
    const watched = this.#watched.get(account);
    if (watched === undefined) return;
    watched.hasNews = true;
    if (!watched.isQuiet) return;
    watched.isQuiet = false;
    watched.dueAt = Math.min(watched.dueAt, this.#deps.elapsed() + BUSY_EVERY_MS);
  }

  figures(): ReconcilerFigures {
    const now = this.#deps.elapsed();
    let [oldestMs, suspected] = [0, 0];
    for (const { accounts } of this.#rounds.values()) {
      for (const { isQuiet, isSuspected, reconciledAt } of accounts) {
        if (isSuspected) suspected += 1;
        if (!isQuiet) oldestMs = Math.max(oldestMs, now - reconciledAt);
      }
    }
    return { oldestMs, suspected };
  }

  /** Begins a session: nothing that an earlier one has shown counts in it. */
  #watch(connection: ConnectionId, start: StartOfSession): readonly Watched[] {
    const earlier = this.#sessions.get(connection) ?? [];
    for (const { account } of earlier) this.#watched.delete(account);
    const watched = watchAll(start, earlier, this.#deps.elapsed());
    for (const one of watched) this.#watched.set(one.account, one);
    this.#sessions.set(connection, watched);
    for (const { account } of earlier) {
      // An account that this session does not have is never read again, so its alarm would not end.
      if (!this.#watched.has(account)) {
        this.#deps.alarms.clear({ kind: "outOfStep", accountId: account });
      }
    }
    return watched;
  }

  /** They were just read at once; from here on they take turns. What is left out comes first. */
  #spread(accounts: readonly Watched[]): void {
    const now = this.#deps.elapsed();
    for (const [index, watched] of accounts.entries()) {
      if (!watched.isInStep) continue;
      const share = (index + 1) / accounts.length;
      watched.dueAt = now + intervalOf(watched) * (watched.isSuspected ? 1 : share);
    }
  }

  async #run(round: Round): Promise<void> {
    while (!round.isOver) {
      const now = this.#deps.elapsed();
      round.waiting = round.accounts
        .filter(({ dueAt, isUnderWay }) => dueAt <= now && !isUnderWay)
        .sort((a, b) => a.dueAt - b.dueAt);
      this.#begin(round);
      await this.#deps.waitFor(LOOK_EVERY_MS, (wake) => (round.wake = wake));
    }
  }

  #begin(round: Round): void {
    while (!round.isOver && round.running.size < AT_ONCE) {
      const watched = round.waiting.shift();
      if (watched === undefined) return;
      const running: Promise<void> = this.#attempt(round, watched).finally(() => {
        round.running.delete(running);
        this.#begin(round);
      });
      round.running.add(running);
    }
  }

  async #attempt(round: Round, watched: Watched): Promise<void> {
    const wasLeftOut = !watched.isInStep;
    try {
      await this.#reconcile(watched);
    } catch (error) {
      if (!round.isOver) this.#failed(watched, error);
      return;
    }
    if (wasLeftOut && !round.isOver) this.#deps.onInStep(watched.account);
  }

  #failed(watched: Watched, error: unknown): void {
    const { observer, alarms, elapsed } = this.#deps;
    const { account, isInStep } = watched;
    watched.dueAt = elapsed() + retryAfter(watched);
    if (!isInStep) watched.failures += 1;
    observer.reconcileFailed(account, error);
    if (!isInStep) alarms.raise({ kind: "outOfStep", accountId: account });
  }

  async #reconcile(watched: Watched): Promise<void> {
    const { reconcile, observer, alarms, elapsed } = this.#deps;
    watched.isUnderWay = true;
    watched.hasNews = false;
    const startedAt = elapsed();
    try {
      const result = await reconcile(watched.account);
      watched.isInStep = true;
      watched.reconciledAt = startedAt;
      watched.isQuiet = result.isQuiet && !watched.hasNews;
      watched.isSuspected = result.isSuspected;
      watched.dueAt = elapsed() + intervalOf(watched);
      observer.reconciled(watched.account, result);
      alarms.clear({ kind: "outOfStep", accountId: watched.account });
    } finally {
      watched.isUnderWay = false;
    }
  }
}

/** Begins no more once one has failed. */
async function atOnce<Item>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  let hasFailed = false;
  const workers = Array.from({ length: most }, async () => {
    for (const item of left) {
      if (hasFailed) return;
      await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  });
  await Promise.all(workers);
}
