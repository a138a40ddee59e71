import type { TradovateEntityType } from "./wire.ts";

export interface UnfedReadsDeps {
  /** Asks for a list and takes it as what is told. Throws `BrokerReadError`. */
  readonly read: (type: TradovateEntityType) => Promise<void>;
  /** Everything was read. */
  readonly onRead: () => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
  readonly elapsed: () => number;
}

/** So often while somebody waits for an outcome. */
const PULL_EVERY_MS = 500;
/** Then another session is tried. */
const GOES_ON_FOR_MS = 60_000;

/**
 * A session in which the broker tells nothing: what there is to know is asked for, so that exits go on.
 */
export class UnfedReads {
  readonly #deps: UnfedReadsDeps;
  readonly #since: number;
  #pulling: Promise<void> | undefined;
  #pulledAt = 0;

  constructor(deps: UnfedReadsDeps) {
    this.#deps = deps;
    this.#since = deps.elapsed();
  }

  /** Asks for everything once; who asks meanwhile waits for the same answers. */
  pull(): Promise<void> {
    this.#pulling ??= this.#pull().finally(() => (this.#pulling = undefined));
    return this.#pulling;
  }

  /** Asks again for who waits. True when the session is to be given up for another try. */
  tend(isAwaited: boolean): boolean {
    const now = this.#deps.elapsed();
    if (!isAwaited) return now - this.#since >= GOES_ON_FOR_MS;
    if (now - this.#pulledAt >= PULL_EVERY_MS) this.pull().catch(this.#deps.onTrouble);
    return false;
  }

  async #pull(): Promise<void> {
    try {
      for (const type of READ) await this.#deps.read(type);
      await this.#deps.onRead();
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
