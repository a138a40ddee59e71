import { hideNumbers, numbersOf } from "../../domain/notify/message.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { StoredAccount } from "../connections/ports.ts";

/** What each of somebody's accounts is called in a chat: no two the same, and none by its whole number. */
export type AccountLabels = (id: AccountId) => string;

export function labelsOf(own: readonly StoredAccount[]): AccountLabels {
  const shown = groupedBy(own, shownName);
  const labels = new Map<AccountId, string>();
  for (const [name, alike] of shown) {
    const kinds = groupedBy(alike, ({ environment }) => environment);
    for (const [environment, same] of kinds) {
      const kind = kinds.size > 1 ? `${name} (${environment})` : name;
      same.forEach(({ accountId }, n) =>
        labels.set(accountId, same.length > 1 ? `${kind} #${n + 1}` : kind),
      );
    }
  }
  return (id) => labels.get(id) ?? hideNumbers(id, numbersOf([{ accountId: id, name: "" }]));
}

export const shownName = (account: StoredAccount): string =>
  hideNumbers(account.name === "" ? account.accountId : account.name, numbersOf([account]));

function groupedBy<Key>(
  accounts: readonly StoredAccount[],
  keyOf: (account: StoredAccount) => Key,
): ReadonlyMap<Key, readonly StoredAccount[]> {
  const groups = new Map<Key, StoredAccount[]>();
  for (const account of accounts) {
    const key = keyOf(account);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [account]);
    else group.push(account);
  }
  return groups;
}
