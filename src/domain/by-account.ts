import type { AccountId } from "./ids.ts";

/**
 * What accounts have in hand: at most one value each, which comes and goes with every intent.
 *
 * Not a `Map` from which entries are deleted. That one moves into a new table every few intents, and V8
 * links each table that it leaves to the next: as soon as one of them is in the old generation, all later
 * ones stay with whatever they held, and each minor collection copies what whole seconds of intents left
 * behind. Here the keys stay.
 */
export class ByAccount<T extends object> {
  readonly #values = new Map<AccountId, T | undefined>();

  get(account: AccountId): T | undefined {
    return this.#values.get(account);
  }

  has(account: AccountId): boolean {
    return this.#values.get(account) !== undefined;
  }

  set(account: AccountId, value: T): void {
    this.#values.set(account, value);
  }

  clear(account: AccountId): void {
    if (this.has(account)) this.#values.set(account, undefined);
  }

  /** Those that are there. */
  values(): readonly T[] {
    return [...this.#values.values()].filter((value) => value !== undefined);
  }
}

/** What comes and goes with every intent, several of an account side by side. */
export class ListsByAccount<T> {
  readonly #lists = new Map<AccountId, T[]>();

  /** Those of the account, the oldest first. */
  of(account: AccountId): readonly T[] {
    return this.#lists.get(account) ?? [];
  }

  all(): readonly T[] {
    return [...this.#lists.values()].flat();
  }

  add(account: AccountId, value: T): void {
    const list = this.#lists.get(account);
    if (list === undefined) this.#lists.set(account, [value]);
    else list.push(value);
  }

  remove(account: AccountId, value: T): void {
    const list = this.#lists.get(account) ?? [];
    const index = list.indexOf(value);
    if (index >= 0) list.splice(index, 1);
  }
}
