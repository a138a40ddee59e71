import type { EntityStore } from "./entity-store.ts";

/** What the account's balance is in; undefined where the broker tells of none, or of several. */
export function currencyOf(store: Pick<EntityStore, "all" | "get">, account: number) {
  const balances = store.all("cashBalance").filter(({ accountId }) => accountId === account);
  const ids = [...new Set(balances.map(({ currencyId }) => currencyId))];
  const [id] = ids;
  const name = ids.length === 1 && id !== undefined ? store.get("currency", id)?.name : undefined;
  return name !== undefined && /^[A-Z]{3}$/.test(name) ? name : undefined;
}
