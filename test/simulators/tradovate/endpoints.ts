import { ACCESS_DENIED, type Answer, badRequest, notFound, ok } from "./answer.ts";
import type { Auth } from "./auth.ts";
import type { ContractDirectory } from "./contract-directory.ts";
import type { EntityStore } from "./entity-store.ts";
import type { Charts } from "./charts.ts";
import type { MarketData } from "./market-data.ts";
import type { Feed } from "./md-access.ts";
import type { OrderChanges } from "./order-changes.ts";
import type { OrderDesk } from "./order-desk.ts";
import type { Asker } from "./order-reader.ts";
import { type Body, idOf } from "./order-request.ts";
import type { TokenSession } from "./sessions.ts";
import { snapshotOf, withoutEntries, withoutHoldings } from "./snapshot.ts";
import type { Settings } from "./settings.ts";
import type { Strategies } from "./strategies.ts";
import { isSyncRefused, syncedTypes, type Syncs } from "./syncs.ts";
import type { User } from "./users.ts";

export interface EndpointDeps {
  readonly store: EntityStore;
  readonly contracts: ContractDirectory;
  readonly auth: Auth;
  readonly orders: OrderDesk;
  readonly changes: OrderChanges;
  readonly strategies: Strategies;
  readonly marketData: MarketData;
  readonly charts: Charts;
  readonly syncs: Syncs;
}

/** A request of a session that is good. */
export interface Asked extends Asker {
  readonly session: TokenSession;
  readonly body: Body;
  readonly query: URLSearchParams;
  readonly settings: Settings;
  /** Of a market data socket. */
  readonly feed: Feed | undefined;
}

export type Endpoint = (asked: Asked, deps: EndpointDeps) => Answer;

const MOST_DEMO_CASH = 1_000_000;

/** What is more than reading one kind of entity, by path in lower case. */
export const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  "auth/renewaccesstoken": ({ session }, { auth }) => auth.renew(session),
  "auth/me": ({ user }, { auth }) => auth.me(user),
  "user/syncrequest": ({ user, body, settings }, { store, syncs }) => {
    if (isSyncRefused(body, settings)) return ACCESS_DENIED;
    const accounts = accountsIn(body, user);
    syncs.begin(user, store.lastId);
    const snapshot = snapshotOf(
      store,
      accounts,
      syncedTypes(body, settings),
      settings.forgets.types,
    );
    if (settings.syncBrings === "empty") return ok(withoutEntries(snapshot));
    return ok(settings.syncTellsFlat ? withoutHoldings(snapshot) : snapshot);
  },
  "order/placeorder": (asked, { orders }) => orders.place(asked, asked.body),
  "order/placeoso": (asked, { orders }) => orders.placeOso(asked, asked.body),
  "order/placeoco": (asked, { orders }) => orders.placeOco(asked, asked.body),
  "order/dryrun": (asked, { orders }) => orders.dryRun(asked, asked.body),
  "order/modifyorder": (asked, { changes }) => changes.modify(asked, asked.body),
  "order/cancelorder": (asked, { changes }) => changes.cancel(asked, asked.body),
  "order/liquidateposition": (asked, { changes }) => changes.liquidate(asked, asked.body),
  "order/liquidatepositions": (asked, { changes }) => changes.liquidateAll(asked, asked.body),
  "orderstrategy/startorderstrategy": (asked, { strategies }) =>
    strategies.start(asked, asked.body),
  "orderstrategy/interruptorderstrategy": (asked, { strategies }) =>
    strategies.interrupt(asked, asked.body),
  "md/subscribequote": (asked, { marketData }) => marketData.subscribe("quotes", asked),
  "md/unsubscribequote": (asked, { marketData }) => marketData.unsubscribe("quotes", asked),
  "md/subscribedom": (asked, { marketData }) => marketData.subscribe("doms", asked),
  "md/unsubscribedom": (asked, { marketData }) => marketData.unsubscribe("doms", asked),
  "md/getchart": (asked, { charts }) => charts.get(asked),
  "md/cancelchart": (asked, { charts }) => charts.cancel(asked),
  "md/subscribehistogram": () => ok({ errorText: "The simulator has no histograms" }),
  "contract/find": ({ query }, { contracts }) => {
    const name = query.get("name");
    if (name === null) return badRequest("Missing parameter: name");
    const listed = contracts.find(name);
    return listed === undefined ? notFound(`contract ${name}`) : ok(contracts.entity(listed));
  },
  "contract/suggest": ({ query }, { contracts }) =>
    ok(contracts.suggest(query.get("t") ?? "", Number(query.get("l") ?? 10))),
  "contract/rollcontract": ({ body }, { contracts }) => {
    const { name, forward } = body;
    if (typeof name !== "string" || typeof forward !== "boolean") {
      return badRequest("Missing field: name, forward");
    }
    const listed = contracts.roll(name, forward);
    if (listed === undefined) return ok({ errorText: `There is no contract ${name}` });
    return ok({ contract: contracts.entity(listed) });
  },
  "cashbalance/getcashbalancesnapshot": ({ user, body, settings }, office) => {
    const id = idOf(body["accountId"]);
    if (id === undefined) return badRequest("Missing field: accountId");
    return user.accounts.has(id) ? ok(cashSnapshot(id, settings, office)) : ACCESS_DENIED;
  },
  "cashbalance/changedemobalance": ({ user, body, settings }, office) => {
    const [id, amount] = [idOf(body["accountId"]), body["cashChange"]];
    if (id === undefined || typeof amount !== "number" || !Number.isFinite(amount)) {
      return badRequest("Missing field: accountId, cashChange");
    }
    if (amount > MOST_DEMO_CASH) return badRequest("cashChange: at most 1000000");
    if (!user.accounts.has(id)) return ACCESS_DENIED;
    const [cash] = office.store.visible("cashBalance", new Set([id]));
    // The field's name says otherwise, but as documented the amount replaces the balance.
    if (cash !== undefined) office.store.update("cashBalance", cash.id, { amount });
    return ok(cashSnapshot(id, settings, office));
  },
};

function cashSnapshot(
  account: number,
  { snapshotDiffersBy }: Settings,
  { store, marketData }: EndpointDeps,
): object {
  const [cash] = store.visible("cashBalance", new Set([account]));
  const margin = store.get("marginSnapshot", account);
  const totalCashValue = (cash?.amount ?? 0) + snapshotDiffersBy;
  const realizedPnL = cash?.realizedPnL ?? 0;
  const openPnL = marketData.openProfit(store.visible("position", new Set([account])));
  return {
    totalCashValue,
    netLiq: totalCashValue + openPnL,
    totalPnL: realizedPnL + openPnL,
    openPnL,
    realizedPnL,
    weekRealizedPnL: cash?.weekRealizedPnL ?? 0,
    initialMargin: margin?.initialMargin ?? 0,
    maintenanceMargin: margin?.maintenanceMargin ?? 0,
  };
}

/** Which of the user's accounts a sync is about; all of them unless it names some. */
export function accountsIn(body: Body, user: User): ReadonlySet<number> {
  const asked = body["accounts"];
  if (!Array.isArray(asked)) return user.accounts;
  const ids = asked.map(idOf).filter((id) => id !== undefined);
  return new Set(ids.filter((id) => user.accounts.has(id)));
}
