import type { EntityStore } from "./entity-store.ts";
import type { Snapshot } from "./snapshot.ts";

export interface MovedMoneyDeps {
  readonly store: EntityStore;
  readonly snapshot: Pick<Snapshot, "isAnswering">;
  readonly elapsed: () => number;
}

/**
 * The hub tells of an account when its money has changed, and may leave that out or tell it late:
 * accounts that have traded since the broker said last what they have.
 */
export class MovedMoney {
  readonly #elapsed: () => number;
  readonly #tradedAt = new Map<string, number>();

  constructor({ store, snapshot, elapsed }: MovedMoneyDeps) {
    this.#elapsed = elapsed;
    store.onChange((changes) => {
      for (const { type, entity } of changes) {
        if (type === "trade") this.#tradedAt.set(entity.accountId, elapsed());
        // An answer is of when it was asked for.
        if (type === "account" && !snapshot.isAnswering) this.#tradedAt.delete(entity.id);
      }
    });
  }

  /** Whether what was said last of the account's money is of before a trade. */
  has(account: string): boolean {
    return this.#tradedAt.has(account);
  }

  /** Runs a question for all accounts; a trade that comes meanwhile may not be in its answer. */
  async settle(ask: () => Promise<void>): Promise<void> {
    const askedAt = this.#elapsed();
    await ask();
    for (const [account, at] of this.#tradedAt) {
      if (at < askedAt) this.#tradedAt.delete(account);
    }
  }
}
