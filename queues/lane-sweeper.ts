import type { AccountId } from "../src/domain/ids.ts";
import { inBatches } from "./in-batches.ts";
import { laneName } from "./lane.ts";
import type { RedisClient } from "./redis-client.ts";

interface LaneSweeperDeps {
  readonly redis: RedisClient;
  readonly prefix: string;
  /** The key that exists while the account has something unsettled. */
  readonly openKeyOf: (account: AccountId) => string;
  readonly accounts: () => Iterable<AccountId>;
  readonly isRunning: (account: AccountId) => boolean;
  /** Puts back jobs that have no worker, works what waits, and settles what is pending. */
  readonly settle: (account: AccountId) => void;
  readonly onError: (error: unknown) => void;
}

const SWEEP_MS = 3_000;
/** A lane whose doorbell rang this recently is checked in each sweep. */
const LIVELY_MS = 60_000;
/** Each sweep checks one part of the quiet lanes: all of them within half a minute. */
const PARTS = 10;

/**
 * The fallback for lanes whose doorbell was lost, or whose job was left active by a failure. A lively
 * lane waits at most one sweep for it, a quiet one at most half a minute.
 */
export class LaneSweeper {
  readonly #deps: LaneSweeperDeps;
  /** Lanes with something unsettled in Redis or at the broker. */
  readonly #restless = new Set<AccountId>();
  readonly #rangAt = new Map<AccountId, number>();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  #sweeps = 0;
  #isStopped = false;

  constructor(deps: LaneSweeperDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#sweepLater();
  }

  rang(account: AccountId): void {
    this.#rangAt.set(account, performance.now());
  }

  /** Whether each sweep settles what is pending on the lane, from now on. */
  mark(account: AccountId, isRestless: boolean): void {
    if (isRestless) this.#restless.add(account);
    else this.#restless.delete(account);
  }

  /** Whether something of the account may be unsettled, in Redis or at the broker. */
  isRestless(account: AccountId): boolean {
    return this.#restless.has(account);
  }

  async sweepAll(): Promise<void> {
    const accounts = [...this.#deps.accounts()];
    await this.#lookAt(accounts.map((account) => ({ account, isDue: true })));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#sweeping;
  }

  /** The next sweep is scheduled after this one has ended, so sweeps never pile up while Redis is away. */
  #sweepLater(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#sweeping = this.#sweep()
        .catch((error: unknown) => this.#deps.onError(error))
        .finally(() => this.#sweepLater());
    }, SWEEP_MS);
  }

  async #sweep(): Promise<void> {
    const part = (this.#sweeps += 1) % PARTS;
    const livelySince = performance.now() - LIVELY_MS;
    const looks: Look[] = [];
    let index = 0;
    for (const account of this.#deps.accounts()) {
      const isDue = (index += 1) % PARTS === part;
      if (isDue || this.#isLively(account, livelySince)) looks.push({ account, isDue });
    }
    await this.#lookAt(looks);
  }

  #isLively(account: AccountId, since: number): boolean {
    if (this.#restless.has(account)) return true;
    const rangAt = this.#rangAt.get(account);
    if (rangAt === undefined) return false;
    if (rangAt >= since) return true;
    this.#rangAt.delete(account);
    return false;
  }

  async #lookAt(looks: readonly Look[]): Promise<void> {
    await inBatches(looks, (look) => this.#look(look));
  }

  async #look({ account, isDue }: Look): Promise<void> {
    if (this.#isStopped) return;
    const { redis, prefix, openKeyOf, isRunning, settle } = this.#deps;
    if (isRunning(account)) {
      if (isDue || this.#restless.has(account)) settle(account);
      return;
    }
    const lane = `${prefix}:${laneName(account)}`;
    // Redis deletes a list or set once it is empty.
    const there = await redis.exists(`${lane}:wait`, `${lane}:active`, openKeyOf(account));
    // If it rang meanwhile, it is being worked, and its active job has a worker.
    if (isRunning(account) || this.#isStopped) return;
    // A restless lane may be so because of what only its broker shows.
    if (there > 0 || this.#restless.has(account)) settle(account);
  }
}

interface Look {
  readonly account: AccountId;
  /** Its part of the quiet lanes is up, whether or not it rang. */
  readonly isDue: boolean;
}
