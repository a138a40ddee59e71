import { type AccountEnvironment, serviceOf } from "./environment.ts";
import type { AccountId } from "./ids.ts";

/** An account of ours, and its name at its broker. */
export interface AccountAtBroker {
  readonly accountId: AccountId;
  readonly broker: string;
  readonly environment: AccountEnvironment;
  /** The broker's own number, the same by every login; absent where each login has its own accounts. */
  readonly number?: string;
  /** Which of the broker's services gave the number: firms number their accounts by themselves. */
  readonly numberedBy?: string;
}

/** Two accounts of ours are one at their broker where this is the same: two logins may reach it. */
export type IdentityOf = (account: AccountId) => string;

/** Every comparison of accounts at their brokers asks this, never the ids alone. */
export function identityOf(account: AccountAtBroker): string {
  const { accountId, broker, environment, number, numberedBy = "" } = account;
  if (number === undefined) return accountId;
  return `${broker} ${serviceOf(environment)} ${numberedBy} ${number}`;
}
