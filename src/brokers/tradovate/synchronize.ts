import type { EntityStore } from "./entity-store.ts";
import { isRecord } from "./frames.ts";
import { lacksVersion } from "./order-parts.ts";
import { hasEnded } from "./order-status.ts";
import { ENTITY_TYPES, isId } from "./parse.ts";
import { BudgetUsedUpError, type Requests } from "./requests.ts";
import { RISK_TYPES, type RiskAccess } from "./risk-access.ts";
import type { TradovateEntityType } from "./wire.ts";

export interface SynchronizeDeps {
  readonly requests: Requests;
  readonly store: EntityStore;
  readonly user: number | undefined;
  readonly risk: RiskAccess;
}

/** What a session begins with. */
export interface Synchronized {
  /** Whether the sync brought accounts, positions and orders: else nothing will be told of them. */
  readonly isFed: boolean;
  /** The accounts that are told of; undefined for all of the user's. */
  readonly accounts: ReadonlySet<number> | undefined;
}

/**
 * What a login must have a permission of its own for is not asked for by name: an answer that refuses
 * all for it would be the session's end. It is taken where it comes by itself.
 */
const WITH_PERMISSION: ReadonlySet<TradovateEntityType> = new Set([
  "marginSnapshot",
  ...RISK_TYPES,
]);
const TYPES_ASKED_FOR = ENTITY_TYPES.filter((type) => !WITH_PERMISSION.has(type));
const SYNC = "user/syncrequest";
/** How many orders are asked about in one request. */
const ORDERS_AT_ONCE = 100;
/** Of those that have ended, the newest: what becomes of an order is looked up soon or never. */
const ENDED_ASKED_ABOUT = 1_000;

/**
 * Asks for the snapshot, and for what it lacks. A newer document of the service brings nothing but
 * what is asked for by name, and wants no users named with it; an older one asks by the user.
 */
export async function synchronize(deps: SynchronizeDeps): Promise<Synchronized> {
  const { requests, store, user } = deps;
  const listed = await unlessLocked(requests.tryRead("account/list"));
  const ids = listed === undefined ? undefined : idsOf(listed);
  const byUser = () => requests.post(SYNC, { users: [user] }, "protect");
  const forms = [
    ...(ids === undefined ? [] : [{ ask: () => askByName(deps, ids), accounts: ids }]),
    { ask: byUser, accounts: undefined },
  ];
  let snapshot: Readonly<Record<string, unknown>> = {};
  let found: Synchronized = { isFed: false, accounts: undefined };
  for (const { ask, accounts } of forms) {
    const answer = await unlessLocked(ask());
    if (answer === undefined) break;
    if (!isRecord(answer)) throw new Error("Tradovate's snapshot cannot be read");
    snapshot = answer;
    found = { isFed: tellsOf(answer, ids), accounts: accounts && new Set(accounts) };
    if (found.isFed) break;
  }
  const whole = { ...snapshot };
  for (const [name, type] of NEEDED) {
    const isBelieved = found.isFed || !ESSENTIAL.has(name);
    if (isBelieved && Array.isArray(whole[name])) continue;
    const list = await requests.read(`${type}/list`, "", "protect");
    if (!Array.isArray(list)) throw new Error(`Tradovate's ${type} list cannot be read`);
    whole[name] = list;
  }
  store.load(whole);
  deps.risk.isTold = found.isFed && RISK_LISTS.every((name) => Array.isArray(snapshot[name]));
  return found;
}

/**
 * With the risk settings, while nothing says that this login may not read them. What comes of asking
 * for them must end no second session, so whatever but an answer counts as a refusal for a while.
 */
async function askByName(
  { requests, risk }: SynchronizeDeps,
  accounts: readonly number[],
): Promise<unknown> {
  const asked = { splitResponses: false, accounts };
  if (risk.mayAsk(SYNC)) {
    const withRisk = { ...asked, entityTypes: [...TYPES_ASKED_FOR, ...RISK_TYPES] };
    risk.refused(SYNC);
    const answer = await requests.postIfAllowed(SYNC, withRisk, "protect");
    if (answer !== undefined) {
      risk.allowed(SYNC);
      return answer;
    }
  }
  return await requests.post(SYNC, { ...asked, entityTypes: TYPES_ASKED_FOR }, "protect");
}

/** Undefined where the broker has locked out who asks: all else may be asked for. */
async function unlessLocked(answer: Promise<unknown>): Promise<unknown> {
  return await answer.catch((error: unknown) => {
    if (error instanceof BudgetUsedUpError) return undefined;
    throw error;
  });
}

/** Whether a snapshot has what nothing can be judged without, and every account that is known of. */
function tellsOf(
  snapshot: Readonly<Record<string, unknown>>,
  accounts: readonly number[] | undefined,
): boolean {
  const told = new Set(idsOf(snapshot["accounts"]));
  const hasLists = [...ESSENTIAL].every((name) => Array.isArray(snapshot[name]));
  const hasAll = accounts === undefined ? told.size > 0 : accounts.every((id) => told.has(id));
  return hasLists && hasAll;
}

function idsOf(list: unknown): readonly number[] {
  const rows: readonly unknown[] = Array.isArray(list) ? list : [];
  return rows.flatMap((row) => (isRecord(row) && isId(row["id"]) ? [row["id"]] : []));
}

/** Orders of which something is missing that a snapshot should have brought. */
export function incompleteOrders(store: EntityStore): readonly number[] {
  const lacking = store.all("order").filter(({ id, ordStatus }) => {
    const hasVersions = store.of("orderVersion", id).length > 0 && !lacksVersion(store, id);
    const isBare = !store.isNameSettled(id) || !hasVersions;
    // Without a report of it nobody can say how much has filled.
    return isBare || (!hasEnded(ordStatus) && store.of("executionReport", id).length === 0);
  });
  const working = lacking.filter(({ ordStatus }) => !hasEnded(ordStatus));
  const ended = lacking.filter(({ ordStatus }) => hasEnded(ordStatus));
  const newest = ended.sort((a, b) => a.id - b.id).slice(-ENDED_ASKED_ABOUT);
  return [...working, ...newest].map(({ id }) => id);
}

export interface AskAbout {
  readonly store: EntityStore;
  readonly ask: (type: TradovateEntityType, query: string) => Promise<unknown>;
  readonly take: (type: TradovateEntityType, list: unknown) => void;
}

/** Asks what belongs to orders; of the commands' reports only once the commands are known. */
export async function askAbout(orders: readonly number[], deps: AskAbout): Promise<void> {
  const { store, ask, take } = deps;
  const askAll = async (type: TradovateEntityType, masters: readonly number[]) => {
    for (let from = 0; from < masters.length; from += ORDERS_AT_ONCE) {
      const some = masters.slice(from, from + ORDERS_AT_ONCE).join(",");
      take(type, await ask(type, `masterids=${some}`));
    }
  };
  for (const type of ["command", "orderVersion", "fill"] as const) await askAll(type, orders);
  const commands = orders.flatMap((id) => store.of("command", id).map((command) => command.id));
  const masters = [...new Set([...orders, ...commands])];
  for (const type of ["commandReport", "executionReport"] as const) await askAll(type, masters);
}

const RISK_LISTS = ["userAccountAutoLiqs", "accountRiskStatuses"] as const;

/** Without these nothing is known of what is held and what works. */
const ESSENTIAL: ReadonlySet<string> = new Set(["accounts", "positions", "orders"]);

/** The collections without which nothing can be judged, and the lists that have them too. */
const NEEDED: readonly (readonly [string, TradovateEntityType])[] = [
  ["accounts", "account"],
  ["positions", "position"],
  ["orders", "order"],
  ["orderVersions", "orderVersion"],
  ["commands", "command"],
  ["commandReports", "commandReport"],
  ["executionReports", "executionReport"],
  ["fills", "fill"],
];
