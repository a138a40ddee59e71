import type { Redis } from "ioredis";
import type { AccountId } from "../src/domain/ids.ts";
import { inBatches } from "./in-batches.ts";
import { laneName } from "./lane.ts";

interface LaneSweeperDeps {
  readonly redis: Redis;
  readonly prefix: string;
  /** The key that is there while the account has something unsettled. */
  readonly openKeyOf: (account: AccountId) => string;
  readonly accounts: () => Iterable<AccountId>;
  readonly isRunning: (account: AccountId) => boolean;
  /** Puts back what is started and in nobody's hand, works what waits, and tends the account. */
  readonly settle: (account: AccountId) => void;
  readonly onError: (error: unknown) => void;
}

const SWEEP_MS = 3_000;
/** A lane that was rung lately is looked at in each sweep. */
const LIVELY_MS = 60_000;
/** Of the quiet ones each sweep looks at one part: all of them within half a minute. */
const PARTS = 10;

/**
 * The slow look at lanes whose doorbell was lost, or whose intent was left active by a failure. No
 * lively lane waits longer than one sweep for it, and no quiet one longer than half a minute.
 */
export class LaneSweeper {
  readonly #deps: LaneSweeperDeps;
  /** Lanes with something unsettled at Redis or at the broker. */
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

  /** Whether the lane is tended in each sweep, until this says that it needs it no more. */
  mark(account: AccountId, isRestless: boolean): void {
    if (isRestless) this.#restless.add(account);
    else this.#restless.delete(account);
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

  /** The next sweep begins after this one has ended: they never pile up while Redis is away. */
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
    // A list or set that is empty is not there.
    const there = await redis.exists(`${lane}:wait`, `${lane}:active`, openKeyOf(account));
    // Rung meanwhile, it is being worked, and what is active is what is in hand.
    if (isRunning(account) || this.#isStopped) return;
    // What is restless may be so for what only its broker shows.
    if (there > 0 || this.#restless.has(account)) settle(account);
  }
}

interface Look {
  readonly account: AccountId;
  /** Its turn has come, whether or not anything was heard of it. */
  readonly isDue: boolean;
}
