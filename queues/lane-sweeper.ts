import type { Redis } from "ioredis";
import type { AccountId } from "../src/domain/ids.ts";
import { laneName } from "./lane.ts";

/** What else is to be done on a visit than working off what waits. */
export interface Visit {
  /** Put back what is active and in nobody's hand. */
  readonly recover?: boolean;
  readonly tend?: boolean;
}

interface LaneSweeperDeps {
  readonly redis: Redis;
  readonly prefix: string;
  readonly accounts: () => Iterable<AccountId>;
  readonly isRunning: (account: AccountId) => boolean;
  readonly visit: (account: AccountId, visit: Visit) => void;
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
  /** Lanes with something unsettled. */
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

  /** Whether the lane has something unsettled, and is tended in each sweep. */
  mark(account: AccountId, isRestless: boolean): void {
    if (isRestless) this.#restless.add(account);
    else this.#restless.delete(account);
  }

  async sweepAll(): Promise<void> {
    const accounts = [...this.#deps.accounts()];
    await Promise.all(accounts.map((account) => this.#look(account, true)));
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
    const looks: Promise<void>[] = [];
    let index = 0;
    for (const account of this.#deps.accounts()) {
      const isDue = (index += 1) % PARTS === part;
      if (isDue || this.#isLively(account, livelySince)) looks.push(this.#look(account, isDue));
    }
    await Promise.all(looks);
  }

  #isLively(account: AccountId, since: number): boolean {
    if (this.#restless.has(account)) return true;
    const rangAt = this.#rangAt.get(account);
    if (rangAt === undefined) return false;
    if (rangAt >= since) return true;
    this.#rangAt.delete(account);
    return false;
  }

  /** Visits a lane that has work, or something active that nobody works, or is to be tended. */
  async #look(account: AccountId, isDue: boolean): Promise<void> {
    const { redis, prefix, isRunning, visit } = this.#deps;
    const tend = isDue || this.#restless.has(account);
    if (isRunning(account)) {
      if (tend) visit(account, { tend });
      return;
    }
    const name = laneName(account);
    const [waiting, active] = await Promise.all([
      redis.llen(`${prefix}:${name}:wait`),
      redis.llen(`${prefix}:${name}:active`),
    ]);
    // Rung meanwhile, it is being worked, and what is active is what is in hand.
    if (isRunning(account) || this.#isStopped) return;
    if (waiting + active > 0 || tend) visit(account, { recover: active > 0, tend });
  }
}
