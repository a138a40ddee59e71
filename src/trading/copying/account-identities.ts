import type { IdentityOf } from "../../domain/copying/copy-conflicts.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";

/** By what brokers call accounts themselves, where they are reached by several logins. */
export function identities(accounts: Pick<AccountDirectory, "find">): IdentityOf {
  return (account) => {
    const { broker, environment, number } = accounts.find(account) ?? {};
    return number === undefined ? account : `${broker} ${environment} ${number}`;
  };
}
