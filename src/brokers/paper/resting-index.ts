import { accountId, type AccountId, type ConnectionId } from "../../domain/ids.ts";
import type { BrokerStateStore } from "../../trading/ports.ts";
import { StateJournal, VERSION_KEY } from "./state-journal.ts";

/**
 * Which accounts may have working orders, kept as one more account of the store. A session starts
 * with these alone: ten thousand accounts that rest cost nothing. An account is marked before its
 * first working order is written, so an order that rests is never missed.
 */
export class RestingIndex {
  readonly #store: BrokerStateStore;
  readonly #key: AccountId;
  readonly #onBroken: (cause: unknown) => void;
  readonly #marked = new Map<string, Promise<void>>();
  #journal: StateJournal | undefined;

  constructor(deps: {
    connectionId: ConnectionId;
    store: BrokerStateStore;
    onBroken: (cause: unknown) => void;
  }) {
    this.#store = deps.store;
    this.#key = accountId(`${deps.connectionId}-resting`);
    this.#onBroken = deps.onBroken;
  }

  async load(): Promise<readonly AccountId[]> {
    const entries = await this.#store.load(this.#key);
    for (const key of entries.keys()) {
      if (key !== VERSION_KEY) this.#marked.set(key, Promise.resolve());
    }
    this.#journal = new StateJournal({
      account: this.#key,
      store: this.#store,
      version: entries.get(VERSION_KEY),
      encode: (key) => (this.#marked.has(key) ? "1" : undefined),
      onBroken: this.#onBroken,
    });
    return [...this.#marked.keys()].map(accountId);
  }

  /** Resolves once the mark is durable. */
  mark(account: AccountId): Promise<void> {
    const known = this.#marked.get(account);
    if (known !== undefined) return known;
    const marked = this.#write(account);
    this.#marked.set(account, marked);
    return marked;
  }

  unmark(account: AccountId): void {
    if (this.#marked.delete(account)) this.#journal?.changed(account);
  }

  /** Resolves once all marks are durable or lost. */
  async settled(): Promise<void> {
    await this.#journal?.settled();
  }

  /** Nothing is written any more. */
  abandon(): void {
    this.#journal?.abandon();
  }

  #write(account: AccountId): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#journal?.changed(account);
      this.#journal?.defer({
        tell: resolve,
        drop: () => reject(new Error("The index of paper accounts could not be written")),
      });
    });
  }
}
