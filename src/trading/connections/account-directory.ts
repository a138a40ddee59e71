import { identityOf, type IdentityOf } from "../../domain/account-identity.ts";
import {
  type AccountDay,
  accountDayAt,
  type DayClocks,
  STANDARD_CLOCKS,
} from "../../domain/calendar/account-day.ts";
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
 * Every account of the appliance, at hand without a round trip. The store is asked on the connection of
 * those who read; who owns a connection has nobody who waits, and names one that waits for the store.
 */
export class AccountDirectory {
  readonly #views: AccountList;
  readonly #now: () => number;
  /** In the order of their ids. */
  #accounts = new Map<AccountId, StoredAccount>();
  #loadedAt = 0;
  /** Which reading was begun last, and which one this is of. */
  #begun = 0;
  #shown = 0;

  constructor({ views, now }: { views: AccountList; now: () => number }) {
    this.#views = views;
    this.#now = now;
  }

  /** Readings take a while and overlap: one that was begun before another never replaces it. */
  async load(views = this.#views): Promise<void> {
    this.#begun += 1;
    const reading = this.#begun;
    const stored = await views.accounts();
    if (reading < this.#shown) return;
    this.#shown = reading;
    this.#accounts = inOrder(stored, this.#accounts);
    this.#loadedAt = this.#now();
  }

  /** As `load`, unless that was done a moment ago. */
  async refresh(): Promise<void> {
    if (this.#now() - this.#loadedAt > RELOAD_EVERY_MS) await this.load();
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

  /** By which clocks the days of an account begin. */
  clocksOf(account: AccountId): DayClocks {
    return this.#accounts.get(account)?.clocks ?? STANDARD_CLOCKS;
  }

  /** The day of an account that an instant belongs to: of its fills, fees, counts, guards and summaries. */
  dayAt(account: AccountId, at: number): AccountDay {
    return accountDayAt(this.clocksOf(account), at);
  }

  /** Every account that is reached through a connection, inactive ones too. */
  idsOn(connection: ConnectionId): readonly AccountId[] {
    return this.on(connection).map(({ accountId }) => accountId);
  }

  /** As `idsOn`, with all that is known of each. */
  on(connection: ConnectionId): readonly StoredAccount[] {
    return [...this.#accounts.values()].filter(({ connectionId }) => connectionId === connection);
  }

  all(): Iterable<StoredAccount> {
    return this.#accounts.values();
  }

  /** The user's account, or NOT_FOUND: the same answer for another's account and for none. */
  async require(user: UserId, account: AccountId): Promise<StoredAccount> {
    if (!this.#accounts.has(account)) await this.refresh();
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

  /** In the order of their ids: paper-2 before paper-10. */
  of(user: UserId): readonly StoredAccount[] {
    return [...this.#accounts.values()].filter((account) => account.userId === user);
  }

  /** The user's accounts that are one at the broker with this one, itself among them, by any login. */
  sameAtBroker(account: StoredAccount): readonly StoredAccount[] {
    const identity = identityOf(account);
    return this.of(account.userId).filter((one) => identityOf(one) === identity);
  }

  /** The user's accounts that come after one, which may be gone since. */
  after(user: UserId, previous: AccountId): readonly StoredAccount[] {
    return this.of(user).filter(({ accountId }) => compareIds(accountId, previous) > 0);
  }
}

/** The identities of accounts; an unknown account is identified by its id alone. */
export function identities(accounts: Pick<AccountDirectory, "find">): IdentityOf {
  return (account) => {
    const found = accounts.find(account);
    return found === undefined ? account : identityOf(found);
  };
}

/** No two ids are in the same place: of those that read alike, such as 01 and 1, one comes first. */
function compareIds(one: AccountId, other: AccountId): number {
  return byName.compare(one, other) || (one < other ? -1 : Number(one > other));
}

/** Those that were known come in their order first, so that there is little left to sort. */
function inOrder(
  stored: readonly StoredAccount[],
  known: ReadonlyMap<AccountId, StoredAccount>,
): Map<AccountId, StoredAccount> {
  const given = new Map(stored.map((account) => [account.accountId, account]));
  const ids = new Set([...known.keys(), ...given.keys()]);
  const accounts = [...ids].map((id) => given.get(id)).filter((one) => one !== undefined);
  accounts.sort((one, other) => compareIds(one.accountId, other.accountId));
  return new Map(accounts.map((account) => [account.accountId, account]));
}
