import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";
import type { AccountEntity } from "./entities.ts";
import type { SettingsBook } from "./settings.ts";

export interface Account {
  readonly id: number;
  readonly user: string;
  readonly name: string;
  /** In cents. */
  cents: number;
  canTrade: boolean;
  isVisible: boolean;
  simulated: boolean;
  /** Whether `Account/search` has it. */
  isListed: boolean;
}

export interface User {
  readonly name: string;
  readonly apiKey: string;
  readonly accounts: Account[];
}

interface Token {
  readonly user: User;
  readonly expiresAt: number;
}

export interface NewUser {
  readonly name: string;
  readonly apiKey: string;
  readonly accounts?: number;
}

const START_CENTS = 5_000_000;
const FIRST_ACCOUNT = 460_001;
const SECRET = randomBytes(32);

/** Who may log in, with which accounts, and by which tokens they are known then. */
export class Users {
  readonly #clock: Clock;
  readonly #settings: SettingsBook;
  readonly #users = new Map<string, User>();
  readonly #accounts = new Map<number, Account>();
  readonly #tokens = new Map<string, Token>();
  readonly #onAccount: (account: Account) => void;
  /** Whether a name that nobody made may log in with any key; it may at first. */
  takesAnyone = true;

  constructor(deps: {
    readonly clock: Clock;
    readonly settings: SettingsBook;
    readonly onAccount: (account: Account) => void;
  }) {
    this.#clock = deps.clock;
    this.#settings = deps.settings;
    this.#onAccount = deps.onAccount;
  }

  /** Makes the user; accounts of one that is there stay, and more are added. */
  make({ name, apiKey, accounts = 2 }: NewUser): User {
    const user = this.#users.get(name) ?? { name, apiKey, accounts: [] };
    this.#users.set(name, user);
    while (user.accounts.length < accounts) {
      const id = FIRST_ACCOUNT + this.#accounts.size;
      const account: Account = {
        id,
        user: name,
        name: `${name}-${user.accounts.length + 1}`,
        cents: START_CENTS,
        canTrade: true,
        isVisible: true,
        simulated: true,
        isListed: true,
      };
      user.accounts.push(account);
      this.#accounts.set(id, account);
      this.#onAccount(account);
    }
    return user;
  }

  /** A token, or the code of the refusal [OFF]: 1 no such user, 3 the key is another one. */
  logIn(name: string, apiKey: string): string | 1 | 3 {
    const known = this.#users.get(name);
    if (known === undefined && !this.takesAnyone) return 1;
    const user = known ?? this.make({ name, apiKey });
    return user.apiKey === apiKey ? this.issue(user) : 3;
  }

  /** A JWT of the form that the service has. */
  issue(user: User): string {
    const now = this.#clock.now();
    const expiresAt = now + this.#settings.of(user.name).tokenLifeMs;
    const [iat, exp] = [Math.floor(now / 1_000), Math.floor(expiresAt / 1_000)];
    const claims = { sub: user.name, jti: randomBytes(8).toString("hex"), iat, exp };
    const head = encode({ alg: "HS256", typ: "JWT" });
    const body = `${head}.${encode(claims)}`;
    const token = `${body}.${createHmac("sha256", SECRET).update(body).digest("base64url")}`;
    this.#tokens.set(token, { user, expiresAt });
    return token;
  }

  byToken(token: string | undefined): User | undefined {
    const known = this.#tokens.get(token ?? "");
    return known !== undefined && known.expiresAt > this.#clock.now() ? known.user : undefined;
  }

  isExpired(token: string): boolean {
    return this.#tokens.has(token) && this.byToken(token) === undefined;
  }

  revoke(token: string): void {
    this.#tokens.delete(token);
  }

  /** All tokens of a user, or of all, are over. */
  expire(name?: string): void {
    for (const [token, { user }] of this.#tokens) {
      if (name === undefined || user.name === name) this.#tokens.set(token, { user, expiresAt: 0 });
    }
  }

  user(name: string): User | undefined {
    return this.#users.get(name);
  }

  account(id: number): Account | undefined {
    return this.#accounts.get(id);
  }

  /** By its number or its name. */
  find(called: string | number): Account | undefined {
    return [...this.#accounts.values()].find(
      ({ id, name }) => name === called || String(id) === String(called),
    );
  }

  all(): readonly Account[] {
    return [...this.#accounts.values()];
  }
}

export const toAccountEntity = (account: Account): AccountEntity => ({
  id: account.id,
  name: account.name,
  balance: account.cents / 100,
  canTrade: account.canTrade,
  isVisible: account.isVisible,
  simulated: account.simulated,
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
