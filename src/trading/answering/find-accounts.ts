import { labelsOf, shownName } from "./account-labels.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { ConnectionView } from "../connections/connection-uses.ts";

/** The accounts that somebody means; where that is not certain, why, in words. */
export type Found =
  | { readonly kind: "found"; readonly accounts: readonly StoredAccount[]; readonly name: string }
  | { readonly kind: "unclear"; readonly why: string };

/** A number is shown by its end, so that it may be named by that. */
const SHORTEST_END = 4;

const namesOf = ({ accountId, name, number }: StoredAccount): readonly string[] =>
  [accountId, name, number ?? ""].map((one) => one.toLowerCase());

const plain = (written: string): string => written.replace(/^…/, "").toLowerCase();

/** Those whose whole id, name or number it is, or what they are called in a chat. */
export function exactly(written: string, own: readonly StoredAccount[]): readonly StoredAccount[] {
  const labelOf = labelsOf(own);
  const [text, whole] = [plain(written), written.toLowerCase()];
  return own.filter(
    (account) =>
      namesOf(account).includes(text) ||
      [labelOf(account.accountId), shownName(account)].some((one) => one.toLowerCase() === whole),
  );
}

/** By its id, its name, or the end of its number. */
export function findAccount(written: string, own: readonly StoredAccount[]): Found {
  const text = plain(written);
  const exact = exactly(written, own);
  const isEnd = text.length >= SHORTEST_END;
  const ending = own.filter((one) => isEnd && namesOf(one).some((name) => name.endsWith(text)));
  const found = exact.length > 0 ? exact : ending;
  const [first] = found;
  if (first === undefined) return unclear("No account of yours is called that");
  if (found.length > 1) return unclear(SEVERAL);
  return { kind: "found", accounts: [first], name: labelsOf(own)(first.accountId) };
}

/** An account, or all accounts of a connection. A whole name goes before the end of another. */
export function findAccounts(
  written: string,
  own: readonly StoredAccount[],
  connections: readonly ConnectionView[],
): Found {
  const text = written.toLowerCase();
  const meant = connections.filter(({ connectionId, setup }) =>
    [connectionId, setup?.name ?? ""].some((name) => name.toLowerCase() === text),
  );
  const exact = exactly(written, own);
  if (exact.length + meant.length > 1) {
    return unclear("More than one thing is called that: use the id");
  }
  const [connection] = meant;
  if (connection === undefined) {
    const account = findAccount(written, own);
    return account.kind === "found"
      ? account
      : unclear("No account or connection of yours is called that, or more than one is");
  }
  const { connectionId, setup } = connection;
  const accounts = own.filter((one) => one.connectionId === connectionId);
  if (accounts.length === 0) return unclear("That connection has no account");
  return { kind: "found", accounts, name: `connection ${setup?.name ?? connectionId}` };
}

const SEVERAL = "More than one account is called that: name it as /positions does, or by its id";
const unclear = (why: string): Found => ({ kind: "unclear", why });
