import type { EntityType } from "./entities.ts";
import type { EntityStore } from "./entity-store.ts";

/** The collections in the order of the public capture of 2026-06-14, and what each one holds. */
const COLLECTIONS: readonly (readonly [name: string, type: EntityType | undefined])[] = [
  ["users", "user"],
  ["userProperties", undefined],
  ["properties", undefined],
  ["accounts", "account"],
  ["accountRiskStatuses", "accountRiskStatus"],
  ["marginSnapshots", "marginSnapshot"],
  ["userAccountAutoLiqs", "userAccountAutoLiq"],
  ["cashBalances", "cashBalance"],
  ["currencies", "currency"],
  ["positions", "position"],
  ["fillPairs", "fillPair"],
  ["orders", "order"],
  ["contracts", "contract"],
  ["contractMaturities", "contractMaturity"],
  ["products", "product"],
  ["exchanges", "exchange"],
  ["spreadDefinitions", undefined],
  ["commands", "command"],
  ["commandReports", "commandReport"],
  ["executionReports", "executionReport"],
  ["orderVersions", "orderVersion"],
  ["fills", "fill"],
  ["fillFees", "fillFee"],
  ["orderStrategies", "orderStrategy"],
  ["orderStrategyLinks", "orderStrategyLink"],
  ["userPlugins", "userPlugin"],
  ["annualReviews", undefined],
  ["userReadStatuses", undefined],
  ["userPromoCodes", undefined],
  ["contractGroups", "contractGroup"],
  ["orderStrategyTypes", "orderStrategyType"],
];

/** What a sync brings that names nothing. */
export const SYNCED_TYPES: readonly string[] = COLLECTIONS.map(([name, type]) => type ?? name);

/** The published OpenAPI wants these two in every answer. */
const ALWAYS: ReadonlySet<string> = new Set(["users", "contractGroups"]);

/** What an account's orders and positions are about. */
const REFERRED: ReadonlySet<EntityType> = new Set(["contract", "contractMaturity", "product"]);

/**
 * The answer to `user/syncrequest`. Of contracts and what they hang on it has only those that orders
 * and positions name; of `entityTypes` only those, when it is given; of what is `forgotten`, nothing.
 */
export function snapshotOf(
  store: EntityStore,
  accounts: ReadonlySet<number>,
  entityTypes: readonly string[] | undefined,
  forgotten: readonly EntityType[],
): Readonly<Record<string, readonly unknown[]>> {
  const referred = referredBy(store, accounts);
  const wanted = new Set(entityTypes?.map((type) => type.toLowerCase()));
  const snapshot: Record<string, readonly unknown[]> = {};
  for (const [name, type] of COLLECTIONS) {
    const isWanted =
      entityTypes === undefined || ALWAYS.has(name) || wanted.has((type ?? name).toLowerCase());
    if (!isWanted) continue;
    if (type === undefined || forgotten.includes(type)) snapshot[name] = [];
    else if (REFERRED.has(type)) snapshot[name] = referred[type] ?? [];
    else snapshot[name] = store.visible(type, accounts);
  }
  return snapshot;
}

/** As if nobody had ever done anything. */
export function withoutEntries(
  snapshot: Readonly<Record<string, readonly unknown[]>>,
): Readonly<Record<string, readonly unknown[]>> {
  return Object.fromEntries(
    Object.entries(snapshot).map(([name, list]) => [name, ALWAYS.has(name) ? list : []]),
  );
}

/** As if nothing were held. */
export function withoutHoldings(
  snapshot: Readonly<Record<string, readonly unknown[]>>,
): Readonly<Record<string, readonly unknown[]>> {
  const positions = (snapshot["positions"] ?? []).map((one) => ({ ...(one as object), netPos: 0 }));
  return { ...snapshot, positions };
}

function referredBy(store: EntityStore, accounts: ReadonlySet<number>) {
  const named = [...store.visible("order", accounts), ...store.visible("position", accounts)];
  const ids = (values: readonly (number | undefined)[]) =>
    [...new Set(values)].filter((id) => id !== undefined);
  const contract = ids(named.map(({ contractId }) => contractId)).flatMap(
    (id) => store.get("contract", id) ?? [],
  );
  const contractMaturity = ids(
    contract.map(({ contractMaturityId }) => contractMaturityId),
  ).flatMap((id) => store.get("contractMaturity", id) ?? []);
  const product = ids(contractMaturity.map(({ productId }) => productId)).flatMap(
    (id) => store.get("product", id) ?? [],
  );
  const referred: Partial<Record<EntityType, readonly unknown[]>> = {
    contract,
    contractMaturity,
    product,
  };
  return referred;
}
