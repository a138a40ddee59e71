import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import type { WaitFor } from "../ports.ts";
import type { Reconciliation, ReconcileObserver } from "./reconcile-account.ts";
import { CONFIRM_AFTER_MS } from "./reconcile-positions.ts";

export interface ReconcilerDeps {
  readonly reconcile: (account: AccountId) => Promise<Reconciliation>;
  readonly observer: ReconcileObserver;
  readonly now: () => number;
  readonly waitFor: WaitFor;
}

export interface ReconcilerFigures {
  /** How long ago the account that waits longest of those with something at stake was read. */
  readonly oldestMs: number;
  /** Accounts whose positions are not what their fills add up to, so far unconfirmed. */
  readonly suspected: number;
}

/** An account that holds something, has a working order, or had one report since it was read. */
const BUSY_EVERY_MS = 30_000;
const QUIET_EVERY_MS = 30 * 60_000;
const LOOK_EVERY_MS = 500;
/** Of one connection, so that a slow broker holds up nobody else's. */
const AT_ONCE = 4;
const AT_ONCE_AT_START = 200;

interface Watched {
  readonly account: AccountId;
  reconciledAt: number;
  dueAt: number;
  isQuiet: boolean;
  /** Something was reported since its last reading began. */
  hasNews: boolean;
  isSuspected: boolean;
  isUnderWay: boolean;
}

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
  readonly #rounds = new Map<ConnectionId, Round>();

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
  }

  /**
   * Reconciles every account once, before their connection counts as connected. Throws when one of
   * them fails: what is at the broker is then not known.
   */
  async reconcileAll(accounts: readonly AccountId[]): Promise<void> {
    let next = 0;
    let hasFailed = false;
    const work = async () => {
      for (let at = next++; at < accounts.length && !hasFailed; at = next++) {
        const account = accounts[at];
        if (account !== undefined) await this.#reconcile(this.#watch(account));
      }
    };
    const workers = Array.from({ length: AT_ONCE_AT_START }, async () => {
      try {
        await work();
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    });
    await Promise.all(workers);
  }

  /** From now on the accounts are reconciled by themselves; those of an earlier start no more. */
  start(connection: ConnectionId, accounts: readonly AccountId[]): void {
    void this.stop(connection);
    const watched = accounts.map((account) => this.#watch(account));
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

  /** Begins no more of them; resolves when those under way have ended. Of their failures nobody hears. */
  async stop(connection: ConnectionId): Promise<void> {
    const round = this.#rounds.get(connection);
    if (round === undefined) return;
    this.#rounds.delete(connection);
    round.isOver = true;
    round.wake();
    await Promise.all([round.loop, ...round.running]);
  }

  /** Something happened to the account at its broker. */
  noteActivity(account: AccountId): void {
    const watched = this.#watched.get(account);
    if (watched === undefined) return;
    watched.hasNews = true;
    if (!watched.isQuiet) return;
    watched.isQuiet = false;
    watched.dueAt = Math.min(watched.dueAt, this.#deps.now() + BUSY_EVERY_MS);
  }

  figures(): ReconcilerFigures {
    const now = this.#deps.now();
    let [oldestMs, suspected] = [0, 0];
    for (const { accounts } of this.#rounds.values()) {
      for (const { isQuiet, isSuspected, reconciledAt } of accounts) {
        if (isSuspected) suspected += 1;
        if (!isQuiet) oldestMs = Math.max(oldestMs, now - reconciledAt);
      }
    }
    return { oldestMs, suspected };
  }

  #watch(account: AccountId): Watched {
    const known = this.#watched.get(account);
    if (known !== undefined) return known;
    const now = this.#deps.now();
    const state = { isQuiet: false, hasNews: false, isSuspected: false, isUnderWay: false };
    const watched: Watched = { account, reconciledAt: now, dueAt: now, ...state };
    this.#watched.set(account, watched);
    return watched;
  }

  /** All were just read at once; from here on they take turns. */
  #spread(accounts: readonly Watched[]): void {
    const now = this.#deps.now();
    for (const [index, watched] of accounts.entries()) {
      const share = (index + 1) / accounts.length;
      watched.dueAt = now + intervalOf(watched) * (watched.isSuspected ? 1 : share);
    }
  }

  async #run(round: Round): Promise<void> {
    while (!round.isOver) {
      const now = this.#deps.now();
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
    try {
      await this.#reconcile(watched);
    } catch (error) {
      watched.dueAt = this.#deps.now() + BUSY_EVERY_MS;
      if (!round.isOver) this.#deps.observer.reconcileFailed(watched.account, error);
    }
  }

  async #reconcile(watched: Watched): Promise<void> {
    const { reconcile, observer, now } = this.#deps;
    watched.isUnderWay = true;
    watched.hasNews = false;
    const startedAt = now();
    try {
      const result = await reconcile(watched.account);
      watched.reconciledAt = startedAt;
      watched.isQuiet = result.isQuiet && !watched.hasNews;
      watched.isSuspected = result.isSuspected;
      watched.dueAt = now() + intervalOf(watched);
      observer.reconciled(watched.account, result);
    } finally {
      watched.isUnderWay = false;
    }
  }
}

function intervalOf({ isSuspected, isQuiet }: Watched): number {
  if (isSuspected) return CONFIRM_AFTER_MS;
  return isQuiet ? QUIET_EVERY_MS : BUSY_EVERY_MS;
}
