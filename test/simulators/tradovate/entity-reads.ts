import { type Answer, badRequest, notFound, ok } from "./answer.ts";
import type { Entities, Entity, EntityType } from "./entities.ts";
import type { EntityStore } from "./entity-store.ts";

/** Which entity another is listed under (brokers.md 1.8). */
const MASTERS: Readonly<Partial<Record<EntityType, string>>> = {
  order: "accountId",
  position: "accountId",
  cashBalance: "accountId",
  marginSnapshot: "id",
  accountRiskStatus: "id",
  userAccountAutoLiq: "id",
  orderStrategy: "accountId",
  account: "userId",
  orderVersion: "orderId",
  command: "orderId",
  fill: "orderId",
  fillPair: "positionId",
  fillFee: "id",
  commandReport: "commandId",
  executionReport: "commandId",
  contractMaturity: "productId",
  contract: "contractMaturityId",
  product: "exchangeId",
  orderStrategyLink: "orderStrategyId",
};

const TYPES: ReadonlyMap<string, EntityType> = new Map(
  (
    [
      "user",
      "account",
      "accountRiskStatus",
      "marginSnapshot",
      "userAccountAutoLiq",
      "cashBalance",
      "currency",
      "position",
      "fillPair",
      "order",
      "contract",
      "contractMaturity",
      "product",
      "exchange",
      "command",
      "commandReport",
      "executionReport",
      "orderVersion",
      "fill",
      "fillFee",
      "orderStrategy",
      "orderStrategyLink",
      "userPlugin",
      "contractGroup",
      "orderStrategyType",
    ] satisfies (keyof Entities)[]
  ).map((type) => [type.toLowerCase(), type]),
);

/** What the real service keeps as well and clients read; nobody has any of it here. */
const EMPTY: ReadonlySet<string> = new Set(
  [
    "adminAlertSignal",
    "cashBalanceLog",
    "contactInfo",
    "contractMargin",
    "currencyRate",
    "marketDataSubscription",
    "permissionedAccountAutoLiq",
    "productMargin",
    "productSession",
    "property",
    "spreadDefinition",
    "tradingPermission",
    "tradovateSubscription",
    "userAccountPositionLimit",
    "userAccountRiskParameter",
    "userProperty",
  ].map((type) => type.toLowerCase()),
);
const LISTS: ReadonlySet<string> = new Set(["list", "items", "deps", "ldeps", "suggest"]);

export interface ReadDeps {
  readonly store: EntityStore;
  readonly accounts: ReadonlySet<number>;
  readonly listCap: number;
  /** Whether an entity is not shown any more. */
  readonly isGone: (type: EntityType, id: number) => boolean;
}

/** Answers `<entity>/<read>`; undefined for what is no such endpoint. */
export function readEntity(
  endpoint: string,
  query: URLSearchParams,
  deps: ReadDeps,
): Answer | undefined {
  const [name = "", read = ""] = endpoint.split("/");
  const type = TYPES.get(name);
  if (type === undefined) return EMPTY.has(name) && LISTS.has(read) ? ok([]) : undefined;
  const reader = READERS[read];
  return reader === undefined ? undefined : reader(type, query, deps);
}

type Reader = (type: EntityType, query: URLSearchParams, deps: ReadDeps) => Answer;

const READERS: Readonly<Record<string, Reader>> = {
  list: (type, _query, deps) => ok(capped(all(type, deps), deps)),
  item: (type, query, { store, accounts, isGone }) => {
    const id = idOf(query.get("id"));
    if (id === undefined) return badRequest("Missing parameter: id");
    const entity = isGone(type, id) ? undefined : store.find(type, id, accounts);
    return entity === undefined ? notFound(`${type} ${id}`) : ok(entity);
  },
  items: (type, query, { store, accounts, isGone }) => {
    const ids = idsOf(query.get("ids")).filter((id) => !isGone(type, id));
    return ok(ids.flatMap((id) => store.find(type, id, accounts) ?? []));
  },
  find: (type, query, deps) => {
    const name = query.get("name");
    if (name === null) return badRequest("Missing parameter: name");
    const found = all(type, deps).find((entity) => nameOf(entity) === name);
    return found === undefined ? notFound(`${type} ${name}`) : ok(found);
  },
  deps: (type, query, deps) => {
    const id = idOf(query.get("masterid"));
    return id === undefined
      ? badRequest("Missing parameter: masterid")
      : ok(under(type, [id], deps));
  },
  ldeps: (type, query, deps) => ok(under(type, idsOf(query.get("masterids")), deps)),
  suggest: (type, query, deps) => {
    const wanted = (query.get("t") ?? "").toLowerCase();
    const limit = idOf(query.get("l")) ?? 10;
    const found = all(type, deps).filter((each) => nameOf(each)?.toLowerCase().startsWith(wanted));
    return ok(found.slice(0, limit));
  },
};

function all(type: EntityType, { store, accounts, isGone }: ReadDeps): readonly Entity[] {
  return store.visible(type, accounts).filter(({ id }) => !isGone(type, id));
}

function under(type: EntityType, masters: readonly number[], deps: ReadDeps): readonly Entity[] {
  const field = MASTERS[type];
  if (field === undefined) return [];
  const wanted = new Set(masters);
  const has = (entity: Entity) =>
    wanted.has((entity as unknown as Record<string, number>)[field] ?? 0);
  return capped(all(type, deps).filter(has), deps);
}

/** The newest ones: which part of a long list the real service leaves out is not known. */
function capped(entities: readonly Entity[], { listCap }: ReadDeps): readonly Entity[] {
  return entities.slice(-listCap);
}

function nameOf(entity: Entity): string | undefined {
  return (entity as { name?: string }).name;
}

function idOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function idsOf(text: string | null): readonly number[] {
  return (text ?? "").split(",").flatMap((each) => idOf(each.trim()) ?? []);
}
