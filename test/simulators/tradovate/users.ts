import { accountId as deskName, type AccountId } from "../../../src/domain/ids.ts";
import type { BrokerClock } from "./broker-clock.ts";
import { USD } from "./contract-directory.ts";
import type { AccountEntity } from "./entities.ts";
import type { EntityStore } from "./entity-store.ts";

export interface User {
  readonly id: number;
  readonly name: string;
  password: string;
  readonly accounts: Set<number>;
}

export interface NewUser {
  readonly name: string;
  readonly password: string;
  readonly accounts?: number;
}

const FIRST_USER = 30_001;
const FIRST_ACCOUNT = 1_200_001;
const OPENING_BALANCE = 50_000;
export const ACCOUNTS_OF_A_NEW_USER = 2;

/**
 * The broker's customers. Accounts are named `<user>-1` and on; that is also what the matching core
 * and the log call them.
 */
export class Users {
  readonly #store: EntityStore;
  readonly #clock: BrokerClock;
  readonly #onAccount: (account: AccountId) => void;
  readonly #byName = new Map<string, User>();
  readonly #byId = new Map<number, User>();
  readonly #ownerOf = new Map<number, User>();
  readonly #accountByName = new Map<string, number>();

  constructor(store: EntityStore, clock: BrokerClock, onAccount: (account: AccountId) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#onAccount = onAccount;
  }

  find(name: string): User | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  byId(id: number): User | undefined {
    return this.#byId.get(id);
  }

  ownerOf(accountId: number): User | undefined {
    return this.#ownerOf.get(accountId);
  }

  all(): readonly User[] {
    return [...this.#byName.values()];
  }

  /** Opens the user's accounts; one that exists gets the password and as many accounts as asked. */
  register({ name, password, accounts = ACCOUNTS_OF_A_NEW_USER }: NewUser): User {
    const known = this.find(name);
    const user = known ?? this.#add(name, password);
    user.password = password;
    for (let n = user.accounts.size + 1; n <= accounts; n += 1) {
      this.#openAccount(user, `${user.name}-${n}`);
    }
    return user;
  }

  account(name: string): AccountEntity | undefined {
    const id = this.#accountByName.get(name);
    return id === undefined ? undefined : this.#store.get("account", id);
  }

  /** Whether its owner is shown the account, and may trade on it. */
  setListed(name: string, isListed: boolean): void {
    const id = this.#accountByName.get(name) ?? 0;
    const owner = this.#ownerOf.get(id);
    if (isListed) owner?.accounts.add(id);
    else owner?.accounts.delete(id);
  }

  /** What the account is called at the matching core. */
  deskName(id: number): AccountId {
    return deskName(this.#store.get("account", id)?.name ?? "");
  }

  #add(name: string, password: string): User {
    const id = FIRST_USER + this.#byName.size;
    const user: User = { id, name, password, accounts: new Set() };
    this.#byName.set(name.toLowerCase(), user);
    this.#byId.set(id, user);
    return user;
  }

  #describe({ id, name }: User, accountId: number): void {
    const email = `${name}@example.com`;
    const timestamp = this.#clock.iso();
    const user = {
      id,
      name,
      timestamp,
      email,
      status: "Active",
      professional: false,
      userType: "Trader",
      creationTimestamp: timestamp,
      twoFactorAuth: false,
    };
    this.#store.seed("user", user, accountId);
    const plugin = {
      id,
      userId: id,
      pluginName: "apiAccess",
      approval: true,
      timestamp,
      planPrice: 0,
      paidAmount: 0,
      archived: false,
      startDate: this.#clock.tradeDate(),
    };
    this.#store.seed("userPlugin", plugin, accountId);
  }

  #openAccount(user: User, name: string): void {
    const id = FIRST_ACCOUNT + this.#ownerOf.size;
    // Of the user himself there is one, seen by whoever sees his first account.
    if (user.accounts.size === 0) this.#describe(user, id);
    user.accounts.add(id);
    this.#ownerOf.set(id, user);
    this.#accountByName.set(name, id);
    this.#store.seed(
      "account",
      newAccount({ id, name, userId: user.id, timestamp: this.#clock.iso() }),
      id,
    );
    const stamp = { timestamp: this.#clock.iso(), tradeDate: this.#clock.tradeDate() };
    this.#store.seed(
      "cashBalance",
      {
        id: this.#store.nextId(),
        accountId: id,
        ...stamp,
        currencyId: USD,
        amount: OPENING_BALANCE,
        realizedPnL: 0,
        weekRealizedPnL: 0,
        amountSOD: OPENING_BALANCE,
        archived: false,
      },
      id,
    );
    this.#store.seed("marginSnapshot", emptyMargin(id, stamp.timestamp), id);
    this.#store.seed("accountRiskStatus", { id, adminAction: "Normal" }, id);
    this.#store.seed("userAccountAutoLiq", { id }, id);
    this.#onAccount(deskName(name));
  }
}

type Opened = Pick<AccountEntity, "id" | "name" | "userId" | "timestamp">;

function newAccount(opened: Opened): AccountEntity {
  return {
    ...opened,
    accountType: "Customer",
    active: true,
    clearingHouseId: 2,
    riskCategoryId: 1,
    autoLiqProfileId: 1,
    marginAccountType: "Speculator",
    legalStatus: "Individual",
    readonly: false,
    restricted: false,
    closed: false,
    archived: false,
  };
}

function emptyMargin(id: number, timestamp: string) {
  return {
    id,
    timestamp,
    riskTimePeriodId: 1,
    initialMargin: 0,
    maintenanceMargin: 0,
    autoLiqLevel: 0,
    liqOnlyLevel: 0,
    totalUsedMargin: 0,
    fullInitialMargin: 0,
    positionMargin: 0,
    totalUsedFullMargin: 0,
  };
}
