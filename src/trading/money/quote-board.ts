import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import { freshQuote, type Quote } from "../../domain/quote.ts";
import type { PriceSource } from "./ports.ts";

/** For what an account needs a contract's prices. */
export type Need = "held" | "worked";

/** So many contracts of a connection are watched at most; what is held comes before what is worked. */
export const MOST_WATCHED = 200;
/** Somebody who trades a contract trades it again: so long its prices are told to nobody, ms. */
const LINGERS_MS = 10 * 60_000;
/** Who shows quotes forgets them after a day, and may have missed some: so often it is told all of them, ms. */
const ALL_EVERY_MS = 60 * 60_000;

export interface QuoteBoardDeps {
  /** The prices of a connection that is owned here; undefined while it has none, or is not. */
  readonly pricesOf: (connection: ConnectionId) => PriceSource | undefined;
  readonly connectionOf: (account: AccountId) => ConnectionId | undefined;
  /** What these accounts hold or work trades at another price. */
  readonly onQuote?: (accounts: Iterable<AccountId>) => void;
  /** Unix ms. */
  readonly now: () => number;
}

interface Watched {
  readonly by: Map<AccountId, Set<Need>>;
  /** It is among those that are watched; without prices nothing is. */
  hasRoom: boolean;
  unwatch: (() => void) | undefined;
  quote: Quote | undefined;
  /** Since it was told last to whoever shows it. */
  hasChanged: boolean;
  idleSince: number | undefined;
}

interface Connection {
  prices: PriceSource | undefined;
  missing: string | undefined;
  readonly contracts: Map<ContractCode, Watched>;
  /** Watched no more, and still shown. */
  readonly dropped: Set<ContractCode>;
  /** When all of them were told last; they are new then, one by one. */
  allAt: number;
}

interface Needs extends Record<Need, ReadonlySet<ContractCode>> {
  readonly connection: ConnectionId;
}

/** What of a connection's quotes is new to whoever shows them. */
export interface QuoteNews {
  readonly connection: ConnectionId;
  readonly quotes: ReadonlyMap<ContractCode, Quote>;
  /** There are no others than these. */
  readonly isAll: boolean;
  readonly dropped: readonly ContractCode[];
  /** Why no more come, in words; undefined while they do. */
  readonly missing: string | undefined;
  /** Those that hold one that has moved. */
  readonly holders: ReadonlySet<AccountId>;
}

export interface QuoteFigures {
  readonly watched: number;
  /** Needed, and without a word for too long, or without any. */
  readonly stale: number;
  /** Of those, what an account holds. */
  readonly staleHeld: number;
  readonly told: number;
}

/**
 * The prices of what is held and worked on the connections that are owned here: each contract of a
 * connection is watched once, for all of its accounts, and while one of them needs it.
 */
export class QuoteBoard {
  readonly #deps: QuoteBoardDeps;
  readonly #connections = new Map<ConnectionId, Connection>();
  readonly #needs = new Map<AccountId, Needs>();
  #told = 0;

  constructor(deps: QuoteBoardDeps) {
    this.#deps = deps;
  }

  /** These are all that the account needs so from now on. */
  need(account: AccountId, kind: Need, contracts: Iterable<ContractCode>): void {
    const wanted = new Set(contracts);
    const connection = this.#deps.connectionOf(account);
    const known = this.#needs.get(account);
    if (known !== undefined && known.connection !== connection) this.#leave(account, known);
    if (connection === undefined) return;
    const needs = this.#needs.get(account) ?? { connection, held: NONE, worked: NONE };
    const had = needs[kind];
    if (had.size === 0 && wanted.size === 0) return;
    this.#needs.set(account, { ...needs, [kind]: wanted });
    for (const one of had) if (!wanted.has(one)) this.#release(connection, one, account, kind);
    for (const one of wanted) if (!had.has(one)) this.#claim(connection, one, account, kind);
  }

  /** The accounts that hold something on the connections that are owned here. */
  *holders(): Iterable<AccountId> {
    for (const [account, { held }] of this.#needs) if (held.size > 0) yield account;
  }

  /** The newest quote, however old; undefined where none was heard. */
  latest(connection: ConnectionId, contract: ContractCode): Quote | undefined {
    return this.#connections.get(connection)?.contracts.get(contract)?.quote;
  }

  /**
   * Follows the connections as they are owned now, lets go of what nobody has needed for a while, and
   * answers what is new since the last call.
   */
  look(): readonly QuoteNews[] {
    const { connectionOf, now } = this.#deps;
    for (const [account, needs] of this.#needs) {
      if (connectionOf(account) !== needs.connection) this.#leave(account, needs);
    }
    return [...this.#connections].flatMap(([id, connection]) => {
      const prices = this.#deps.pricesOf(id);
      if (prices !== connection.prices) this.#turnTo(connection, prices);
      if (prices === undefined) {
        this.#forget(id);
        return [];
      }
      this.#letGo(connection);
      this.#useRoom(connection);
      const news = newsOf(id, connection, { missing: prices.missing(), now: now() });
      return news === undefined ? [] : [news];
    });
  }

  get figures(): QuoteFigures {
    const now = this.#deps.now();
    const all = [...this.#connections.values()].flatMap(({ contracts }) => [...contracts.values()]);
    const needed = all.filter(({ by }) => by.size > 0);
    const stale = needed.filter(({ quote }) => freshQuote(quote, now) === undefined);
    return {
      watched: all.filter(({ unwatch }) => unwatch !== undefined).length,
      stale: stale.length,
      staleHeld: stale.filter(isHeld).length,
      told: this.#told,
    };
  }

  #claim(id: ConnectionId, contract: ContractCode, account: AccountId, kind: Need): void {
    const prices = this.#deps.pricesOf(id);
    const connection = this.#connections.get(id) ?? newConnection(prices, this.#deps.now());
    this.#connections.set(id, connection);
    const watched = connection.contracts.get(contract) ?? newWatched();
    connection.contracts.set(contract, watched);
    const kinds = watched.by.get(account) ?? new Set<Need>();
    watched.by.set(account, kinds.add(kind));
    watched.idleSince = undefined;
    if (watched.hasRoom || !makeRoom(connection, kind)) return;
    watched.hasRoom = true;
    this.#watch(connection, contract, watched);
  }

  #release(id: ConnectionId, contract: ContractCode, account: AccountId, kind: Need): void {
    const watched = this.#connections.get(id)?.contracts.get(contract);
    const kinds = watched?.by.get(account);
    if (watched === undefined || kinds === undefined) return;
    kinds.delete(kind);
    if (kinds.size === 0) watched.by.delete(account);
    if (watched.by.size === 0) watched.idleSince = this.#deps.now();
  }

  #watch(connection: Connection, contract: ContractCode, watched: Watched): void {
    connection.dropped.delete(contract);
    watched.unwatch = connection.prices?.watch(contract, (quote) => {
      watched.quote = quote;
      watched.hasChanged = true;
      this.#told += 1;
      this.#deps.onQuote?.(watched.by.keys());
    });
  }

  /** Another owner's adapter, or none: what was watched is watched anew. */
  #turnTo(connection: Connection, prices: PriceSource | undefined): void {
    connection.prices = prices;
    for (const [contract, watched] of connection.contracts) {
      if (!watched.hasRoom) continue;
      watched.unwatch?.();
      watched.unwatch = undefined;
      if (prices !== undefined) this.#watch(connection, contract, watched);
    }
  }

  /** It is on another connection by now, or on none. */
  #leave(account: AccountId, { connection, held, worked }: Needs): void {
    for (const one of held) this.#release(connection, one, account, "held");
    for (const one of worked) this.#release(connection, one, account, "worked");
    this.#needs.delete(account);
  }

  #forget(id: ConnectionId): void {
    this.#connections.delete(id);
    for (const [account, { connection }] of this.#needs) {
      if (connection === id) this.#needs.delete(account);
    }
  }

  #letGo({ contracts, dropped }: Connection): void {
    const now = this.#deps.now();
    for (const [contract, { by, idleSince, unwatch }] of contracts) {
      if (by.size > 0 || idleSince === undefined || now - idleSince < LINGERS_MS) continue;
      unwatch?.();
      contracts.delete(contract);
      dropped.add(contract);
    }
  }

  /** What had no room is watched where there is some by now. */
  #useRoom(connection: Connection): void {
    const waiting = [...connection.contracts].filter(
      ([, { by, hasRoom }]) => by.size > 0 && !hasRoom,
    );
    for (const kind of ["held", "worked"] as const) {
      for (const [contract, watched] of waiting) {
        if (watched.hasRoom || isHeld(watched) !== (kind === "held")) continue;
        if (!makeRoom(connection, kind)) break;
        watched.hasRoom = true;
        this.#watch(connection, contract, watched);
      }
    }
  }
}

const NONE: ReadonlySet<ContractCode> = new Set();

const newConnection = (prices: PriceSource | undefined, now: number): Connection => ({
  prices,
  missing: undefined,
  contracts: new Map(),
  dropped: new Set(),
  allAt: now,
});

const newWatched = (): Watched => ({
  by: new Map(),
  hasRoom: false,
  unwatch: undefined,
  quote: undefined,
  hasChanged: false,
  idleSince: undefined,
});

const isHeld = ({ by }: Watched): boolean => [...by.values()].some((kinds) => kinds.has("held"));

/** What nobody needs gives way to all else, and what is only worked to what is held. */
function makeRoom({ contracts, dropped }: Connection, kind: Need): boolean {
  const watched = [...contracts].filter(([, { hasRoom }]) => hasRoom);
  if (watched.length < MOST_WATCHED) return true;
  const least =
    watched.find(([, { by }]) => by.size === 0) ??
    (kind === "held" ? watched.find(([, one]) => !isHeld(one)) : undefined);
  if (least === undefined) return false;
  const [contract, one] = least;
  one.unwatch?.();
  one.unwatch = undefined;
  one.hasRoom = false;
  one.quote = undefined;
  dropped.add(contract);
  return true;
}

function newsOf(
  id: ConnectionId,
  connection: Connection,
  { missing, now }: { readonly missing: string | undefined; readonly now: number },
): QuoteNews | undefined {
  const { contracts, dropped } = connection;
  const isAll = now - connection.allAt >= ALL_EVERY_MS;
  const quotes = new Map<ContractCode, Quote>();
  const holders = new Set<AccountId>();
  for (const [contract, watched] of contracts) {
    const { quote, hasChanged } = watched;
    if (quote === undefined || (!hasChanged && !isAll)) continue;
    quotes.set(contract, quote);
    if (!hasChanged) continue;
    watched.hasChanged = false;
    for (const [account, kinds] of watched.by) if (kinds.has("held")) holders.add(account);
  }
  const isNew = missing !== connection.missing;
  if (quotes.size === 0 && dropped.size === 0 && !isNew && !isAll) return undefined;
  connection.missing = missing;
  if (isAll) connection.allAt = now;
  const news: QuoteNews = {
    connection: id,
    quotes,
    isAll,
    dropped: [...dropped],
    missing,
    holders,
  };
  dropped.clear();
  return news;
}
