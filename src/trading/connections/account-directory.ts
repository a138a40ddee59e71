import type { AccountId, ConnectionId, UserId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import type { AccountViews } from "../reads/ports.ts";
import type { StoredAccount } from "./ports.ts";

/** How often, at most, the store is asked about an account that is not known here. */
const RELOAD_EVERY_MS = 1_000;
/** Made once: a comparison that makes its own costs ten thousand accounts half a second. */
const byName = new Intl.Collator("en", { numeric: true });

/** What the directory asks of the store. */
export type AccountList = Pick<AccountViews, "accounts" | "saveAccounts">;

/**
 * Every account of the appliance, at hand without a round trip. It is asked on the connection that
 * serves callers; who owns a connection has nobody who waits, and names one that waits for the store.
 */
export class AccountDirectory {
  readonly #views: AccountList;
  readonly #now: () => number;
  #accounts = new Map<AccountId, StoredAccount>();
  #loadedAt = 0;

  constructor({ views, now }: { views: AccountList; now: () => number }) {
    this.#views = views;
    this.#now = now;
  }

  async load(views = this.#views): Promise<void> {
    const stored = await views.accounts();
    this.#accounts = new Map(stored.map((account) => [account.accountId, account]));
    this.#loadedAt = this.#now();
  }

  /** Keeps what a broker reported; accounts it no longer reports become inactive. */
  async report(
    connection: ConnectionId,
    reported: readonly StoredAccount[],
    views = this.#views,
  ): Promise<void> {
    await views.saveAccounts(connection, reported);
    await this.load(views);
  }

  /** Undefined when no broker ever reported it. */
  find(account: AccountId): StoredAccount | undefined {
    return this.#accounts.get(account);
  }

  /** Every account that is reached through a connection, inactive ones too. */
  idsOn(connection: ConnectionId): readonly AccountId[] {
    return [...this.#accounts.values()]
      .filter(({ connectionId }) => connectionId === connection)
      .map(({ accountId }) => accountId);
  }

  all(): Iterable<StoredAccount> {
    return this.#accounts.values();
  }

  /** The user's account, or NOT_FOUND: the same answer for another's account and for none. */
  async require(user: UserId, account: AccountId): Promise<StoredAccount> {
    if (!this.#accounts.has(account) && this.#now() - this.#loadedAt > RELOAD_EVERY_MS) {
      await this.load();
    }
    const found = this.#accounts.get(account);
    if (found === undefined || found.userId !== user) throw errors.notFound("account");
    return found;
  }

  /** As `require`, and it must be open for trading. */
  async requireActive(user: UserId, account: AccountId): Promise<StoredAccount> {
    const found = await this.require(user, account);
    if (!found.active) throw errors.accountInactive();
    return found;
  }

  /** In the order of their names: paper-2 before paper-10. */
  of(user: UserId): readonly StoredAccount[] {
    return [...this.#accounts.values()]
      .filter((account) => account.userId === user)
      .sort((a, b) => byName.compare(a.accountId, b.accountId));
  }
}
