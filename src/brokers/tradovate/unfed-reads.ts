import type { RateBudget } from "./rate-budget.ts";
import type { TradovateEntityType } from "./wire.ts";

export interface UnfedReadsDeps {
  /** Asks for a list and takes it as what is told. Throws `BrokerReadError`. */
  readonly read: (type: TradovateEntityType) => Promise<void>;
  /** Everything was read. */
  readonly onRead: () => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
  readonly budget: Pick<RateBudget, "isAmple">;
  readonly elapsed: () => number;
}

/** So often while somebody waits for an outcome. */
const PULL_EVERY_MS = 500;
/** Then another session is tried. */
const GOES_ON_FOR_MS = 60_000;
/** What a command does to positions and orders is looked for during so long. */
const AROUND_COMMAND_MS = 5_000;
/**
 * For how long answers count once what is left of the budget is kept for exits: those to who looks
 * at what a command has done, and all others. The hour's budget grows by eight requests, which is
 * what everything takes, in less than ten seconds.
 */
const SHARED_AROUND_COMMAND_MS = 1_000;
const SHARED_MS = 10_000;

/**
 * A session in which the broker tells nothing: what there is to know is asked for, so that exits go on.
 */
export class UnfedReads {
  readonly #deps: UnfedReadsDeps;
  readonly #since: number;
  /** The one that waits for its turn, and has not asked for anything yet. */
  #next: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #pulledAt = 0;
  #commandAt: number | undefined;
  /** When the answers were asked for that are there; undefined where a command came after them. */
  #askedAt: number | undefined;

  constructor(deps: UnfedReadsDeps) {
    this.#deps = deps;
    this.#since = deps.elapsed();
  }

  /** A command was sent or answered: what was asked before says nothing of what it has done. */
  noteCommand(): void {
    this.#commandAt = this.#deps.elapsed();
    this.#askedAt = undefined;
  }

  /** Asks for everything, unless that is under way, or the last answers still count. */
  async pull(): Promise<void> {
    await (this.#doAnswersCount() ? this.#running : this.pullAnew());
  }

  /** Asks for everything from now on; who asks before that has begun waits for the same answers. */
  pullAnew(): Promise<void> {
    this.#next ??= this.#pullNext();
    return this.#next;
  }

  /** Asks again for who waits. True when the session is to be given up for another try. */
  sweep(isAwaited: boolean): boolean {
    const now = this.#deps.elapsed();
    // Another session asks for everything at once.
    if (!isAwaited) return now - this.#since >= GOES_ON_FOR_MS && this.#deps.budget.isAmple;
    const isIdle = this.#running === undefined && this.#next === undefined;
    if (isIdle && now - this.#pulledAt >= PULL_EVERY_MS) this.pull().catch(this.#deps.onTrouble);
    return false;
  }

  #doAnswersCount(): boolean {
    const { budget, elapsed } = this.#deps;
    if (this.#askedAt === undefined) return false;
    if (this.#running !== undefined) return true;
    if (budget.isAmple) return false;
    const now = elapsed();
    const isAround = this.#commandAt !== undefined && now - this.#commandAt < AROUND_COMMAND_MS;
    return now - this.#askedAt < (isAround ? SHARED_AROUND_COMMAND_MS : SHARED_MS);
  }

  async #pullNext(): Promise<void> {
    // One after the other: an older answer must not come after a newer one.
    await this.#running?.catch(() => undefined);
    this.#next = undefined;
    this.#running = this.#pull().finally(() => (this.#running = undefined));
    await this.#running;
  }

  async #pull(): Promise<void> {
    this.#askedAt = this.#deps.elapsed();
    try {
      for (const type of READ) await this.#deps.read(type);
      await this.#deps.onRead();
    } catch (error) {
      this.#askedAt = undefined;
      throw error;
    } finally {
      this.#pulledAt = this.#deps.elapsed();
    }
  }
}

/** In this order: what an order is made of before what became of it. */
const READ: readonly TradovateEntityType[] = [
  "account",
  "order",
  "orderVersion",
  "command",
  "commandReport",
  "executionReport",
  "fill",
  "position",
];
