import {
  closedByLeg,
  leftOf,
  lotsOf,
  type NamedOrder,
  netOf,
  NO_TRIP,
  openedBy,
  type OrderKey,
  type ShownOrder,
  type Trip,
  withFills,
  withNames,
  withUntold,
} from "../../../domain/book/lots.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { AccountId } from "../../../domain/ids.ts";
import type { LegLots } from "../../../domain/legs.ts";
import type { Fill, OrderReport } from "../../../domain/order.ts";
import { BrokerReadError } from "../../ports.ts";
import type { FillPosition } from "../../reads/fill-pages.ts";
import type { AccountViews, KnownHoldings, RecordedFills } from "../../reads/ports.ts";

export interface ContractBooksDeps {
  readonly views: Pick<AccountViews, "fills" | "holdings">;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

const FILLS_AT_ONCE = 500;
/** The broker's clock, by which fills are read, and the store's, by which they are asked for, differ. */
const CLOCKS_DIFFER_MS = 24 * 3_600_000;
/** A longer book is read anew when it is needed again. */
const MOST_KEPT = 200;
/** So often a reading begins anew that a fill came into. */
const MOST_READINGS = 5;

interface Book {
  trip: Trip;
  base: number;
  /** Fills of before are in it only where they were recorded since it was read. */
  readonly fromAt: number;
  /** Orders whose fills may come without their names. */
  readonly names: Map<OrderKey, NamedOrder>;
  /** No plan asks for it any more. */
  isIdle?: boolean;
}

interface Opened {
  readonly books: Map<ContractCode, Book>;
  /** Counts what was noted of a contract: a reading that something came into is of no one moment. */
  readonly news: Map<ContractCode, number>;
}

/**
 * The books of contracts whose lots somebody asks for, in the process that owns their accounts. One is read
 * from the fills that are recorded and follows them from then on: each step that records fills, or takes over
 * what no fill explains, notes it here.
 */
export class ContractBooks {
  readonly #deps: ContractBooksDeps;
  readonly #accounts = new Map<AccountId, Opened>();

  constructor(deps: ContractBooksDeps) {
    this.#deps = deps;
  }

  /**
   * The trip with all fills since an instant by the store's clock. Throws `StoreError`, and `BrokerReadError`
   * while fills come faster than they can be read.
   */
  async read(account: AccountId, contract: ContractCode, sinceAt: number): Promise<Trip> {
    const fromAt = sinceAt - CLOCKS_DIFFER_MS;
    const known = this.#open(account).books.get(contract);
    // A plan that is older than the one that it was read for has fills that are not in it.
    const isLong = known !== undefined && known.fromAt <= fromAt;
    const book = isLong ? known : await this.#load(account, contract, fromAt);
    book.isIdle = false;
    return book.trip;
  }

  /** The names of orders, for all that ask: some fills come without them. */
  name(account: AccountId, contract: ContractCode, orders: readonly NamedOrder[]): void {
    const book = this.#accounts.get(account)?.books.get(contract);
    const fresh = orders.filter(({ id }) => book?.names.has(id) === false);
    if (book === undefined || fresh.length === 0) return;
    for (const order of fresh) book.names.set(order.id, order);
    book.trip = withNames(book.trip, fresh);
  }

  /**
   * The entries whose contracts legs of a contract are for. Undefined without a book of it, and while the book
   * does not explain what is held. Fills of the given order may not be known yet.
   */
  legLots(
    account: AccountId,
    { contract, netQty }: { readonly contract: ContractCode; readonly netQty: number },
    filled?: ShownOrder,
  ): ((leg: OrderReport) => LegLots | undefined) | undefined {
    const book = this.#accounts.get(account)?.books.get(contract);
    if (book === undefined) return undefined;
    const elapsed = this.#deps.elapsed();
    const trip = filled === undefined ? book.trip : withUntold(book.trip, [filled], elapsed);
    if (netOf(trip) !== netQty) return undefined;
    const lots = lotsOf(trip, elapsed, netQty);
    return ({ orderId, clOrdId }) => {
      const known = book.names.get(orderId);
      const [entry] = known?.closes ?? closedByLeg(known?.name ?? clOrdId) ?? [];
      // Its fills may not be known yet.
      if (entry === undefined || openedBy(lots, entry) === 0) return undefined;
      return { entry, leftQty: leftOf(lots, [entry]) };
    };
  }

  /** No plan asks for its lots any more. A short book stays for the next one, which has not to read it then. */
  close(account: AccountId, contract: ContractCode): void {
    const books = this.#accounts.get(account)?.books;
    const book = books?.get(contract);
    if (book === undefined) return;
    book.isIdle = true;
    if (isTooLong(book)) books?.delete(contract);
  }

  /** Another process may have recorded fills: books are read anew. */
  forget(account: AccountId): void {
    this.#accounts.delete(account);
  }

  noteFills(
    account: AccountId,
    fills: readonly Fill[],
    { added, corrected, closes }: RecordedFills,
  ): void {
    const opened = this.#accounts.get(account);
    if (opened === undefined) return;
    countNews(
      opened,
      fills.map((fill) => fill.contract),
    );
    const [isNew, isOther] = [new Set(added), new Set(corrected)];
    for (const [contract, book] of opened.books) {
      const own = fills.filter((fill) => fill.contract === contract);
      if (own.length === 0) continue;
      const inTrip = new Set(book.trip.fills.map(({ execId: id }) => id));
      // A fill that was recorded before the book begins is in its unexplained quantity.
      const isBefore = ({ execId: id, transactTimeAt: at }: Fill) =>
        at < book.fromAt && !inTrip.has(id) && !isNew.has(id);
      const told = own
        .filter((fill) => !isBefore(fill))
        .map((fill) => {
          const named = closes.get(fill.execId);
          return named === undefined ? fill : { ...fill, closes: named };
        });
      const noted = withFills(book.trip, told, this.#deps.elapsed());
      book.trip = withNames(noted, [...book.names.values()]);
      const isWrong = own.some((fill) => isBefore(fill) && isOther.has(fill.execId));
      if (isWrong || (book.isIdle === true && isTooLong(book))) opened.books.delete(contract);
    }
  }

  /** The new base of contracts, as reconciliation has written it. */
  noteBase(account: AccountId, base: KnownHoldings["base"]): void {
    const opened = this.#accounts.get(account);
    if (opened === undefined) return;
    countNews(opened, base.keys());
    for (const [contract, qty] of base) {
      const book = opened.books.get(contract);
      if (book === undefined) continue;
      const unexplained = book.trip.unexplained + qty - book.base;
      Object.assign(book, { trip: { ...book.trip, unexplained }, base: qty });
    }
  }

  #open(account: AccountId): Opened {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const opened = { books: new Map<ContractCode, Book>(), news: new Map<ContractCode, number>() };
    this.#accounts.set(account, opened);
    return opened;
  }

  async #load(account: AccountId, contract: ContractCode, fromAt: number): Promise<Book> {
    const { views, elapsed } = this.#deps;
    for (let reading = 1; reading <= MOST_READINGS; reading += 1) {
      const opened = this.#open(account);
      const news = opened.news.get(contract);
      const held = await views.holdings(account);
      const fills = await this.#fillsSince(account, contract, fromAt);
      const after = await views.holdings(account);
      const isStill = this.#accounts.get(account) === opened && opened.news.get(contract) === news;
      if (!isStill || qtyOf(held, contract) !== qtyOf(after, contract)) continue;
      const known = withFills(NO_TRIP, fills, elapsed());
      const trip = { ...known, unexplained: qtyOf(held, contract) - netOf(known) };
      const book: Book = { trip, base: held.base.get(contract) ?? 0, fromAt, names: new Map() };
      opened.books.set(contract, book);
      return book;
    }
    throw new BrokerReadError(`the fills of ${contract} change while they are read`);
  }

  async #fillsSince(
    account: AccountId,
    contract: ContractCode,
    fromAt: number,
  ): Promise<readonly Fill[]> {
    const isOf = (code: ContractCode) => code === contract;
    const all: Fill[] = [];
    let after: FillPosition | undefined;
    do {
      const query = { limit: FILLS_AT_ONCE, fromAt, isOf, ...(after && { after }) };
      const { items, next } = await this.#deps.views.fills(account, query);
      all.push(...items);
      after = next;
    } while (after !== undefined);
    return all;
  }
}

function countNews({ news }: Opened, contracts: Iterable<ContractCode>): void {
  for (const contract of new Set(contracts)) news.set(contract, (news.get(contract) ?? 0) + 1);
}

const isTooLong = ({ trip }: Book): boolean => trip.fills.length > MOST_KEPT;

const qtyOf = ({ base, filledNet }: KnownHoldings, contract: ContractCode): number =>
  (base.get(contract) ?? 0) + (filledNet.get(contract) ?? 0);
