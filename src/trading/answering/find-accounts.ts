import type { StoredAccount } from "../connections/ports.ts";
import type { ConnectionView } from "../connections/connection-uses.ts";

/** The accounts that somebody means; where that is not certain, why, in words. */
export type Found =
  | { readonly kind: "found"; readonly accounts: readonly StoredAccount[]; readonly name: string }
  | { readonly kind: "unclear"; readonly why: string };

/** A number is shown by its end, so that it may be named by that. */
const SHORTEST_END = 4;

/** By its id, its name, or the end of its number. */
export function findAccount(written: string, own: readonly StoredAccount[]): Found {
  const text = written.replace(/^…/, "").toLowerCase();
  const namesOf = ({ accountId, name, number }: StoredAccount) =>
    [accountId, name, number ?? ""].map((one) => one.toLowerCase());
  const exact = own.filter((account) => namesOf(account).includes(text));
  const isEnd = text.length >= SHORTEST_END;
  const ending = own.filter((one) => isEnd && namesOf(one).some((name) => name.endsWith(text)));
  const found = exact.length > 0 ? exact : ending;
  const [first] = found;
  if (first === undefined) return unclear("No account of yours is called that");
  if (found.length > 1) return unclear("More than one account is called that: use the id");
  return { kind: "found", accounts: [first], name: first.name };
}

/** An account, or all accounts of a connection. */
export function findAccounts(
  written: string,
  own: readonly StoredAccount[],
  connections: readonly ConnectionView[],
): Found {
  const text = written.toLowerCase();
  const meant = connections.filter(({ connectionId, setup }) =>
    [connectionId, setup?.name ?? ""].some((name) => name.toLowerCase() === text),
  );
  const account = findAccount(written, own);
  const [connection] = meant;
  if (connection === undefined) {
    return account.kind === "found"
      ? account
      : unclear("No account or connection of yours is called that, or more than one is");
  }
  if (account.kind === "found" || meant.length > 1) {
    return unclear("More than one thing is called that: use the id");
  }
  const { connectionId, setup } = connection;
  const accounts = own.filter((one) => one.connectionId === connectionId);
  if (accounts.length === 0) return unclear("That connection has no account");
  return { kind: "found", accounts, name: `connection ${setup?.name ?? connectionId}` };
}

const unclear = (why: string): Found => ({ kind: "unclear", why });
