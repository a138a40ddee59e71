import type { AccountId } from "../../src/domain/ids.ts";
import type { BrokerStateStore } from "../../src/trading/ports.ts";

type Changes = Parameters<BrokerStateStore["commit"]>[1];

/** A state store in memory that can fail on demand, before or after it has written. */
export class MemoryStateStore implements BrokerStateStore {
  readonly entries = new Map<AccountId, Map<string, string>>();
  commits = 0;
  loads = 0;
  #failure: "before" | "after" | undefined;
  #gate: { readonly account: AccountId | undefined; readonly opened: Promise<void> } | undefined;

  /** The next write fails; `after` means that it is written all the same. */
  failNext(when: "before" | "after"): void {
    this.#failure = when;
  }

  /** Holds back all writes, or those of one account, until the returned function is called. */
  hold(account?: AccountId): () => void {
    let release: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (release = resolve));
    this.#gate = { account, opened };
    return () => {
      this.#gate = undefined;
      release();
    };
  }

  async load(account: AccountId): Promise<ReadonlyMap<string, string>> {
    this.loads += 1;
    await Promise.resolve();
    return new Map(this.entries.get(account));
  }

  async commit(account: AccountId, changes: Changes): Promise<void> {
    this.commits += 1;
    const failure = this.#failure;
    this.#failure = undefined;
    const isHeld = this.#gate?.account === undefined || this.#gate.account === account;
    await (isHeld ? this.#gate?.opened : undefined);
    if (failure === "before") throw new Error("The write was lost before it was done");
    this.#write(account, changes);
    if (failure === "after") throw new Error("The answer to the write was lost");
  }

  #write(account: AccountId, { put, remove, expect }: Changes): void {
    const entries = this.entries.get(account) ?? new Map<string, string>();
    if (entries.get(expect.key) !== expect.value) throw new Error("Somebody else wrote meanwhile");
    for (const [key, value] of put) entries.set(key, value);
    for (const key of remove) entries.delete(key);
    this.entries.set(account, entries);
  }
}
