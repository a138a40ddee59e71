import type { AccountId } from "../../domain/ids.ts";
import type { BrokerReport, ExecutionReport, OrdStatus } from "../../domain/order.ts";
import type { EntityStore } from "./entity-store.ts";
import {
  type ContractById,
  feeOf,
  filled,
  mayGrow,
  nameOf,
  oddityOf,
  type OrderView,
  toFill,
  toOpaque,
  toUnlisted,
  toOrderReport,
  updatedAt,
  viewOrder,
} from "./order-view.ts";
import {
  added,
  afterTrade,
  corrected,
  earlierPart,
  goOnWith,
  hasPrice,
  isSame,
  note,
  nothingPublished,
  type Published,
  publishedOf,
  termsOf,
  tradesAlone,
} from "./published.ts";
import { hasEnded, parseInstant, toOrdStatus } from "./parse.ts";
import { ORDER_STATUS, type ProjectXOrder, type ProjectXTrade } from "./wire.ts";

export interface ReportPublisherDeps {
  readonly store: EntityStore;
  readonly contractById: ContractById;
  readonly accountOf: (brokerAccount: string) => AccountId;
  readonly onReport: (account: AccountId, report: BrokerReport) => void;
  /** A clock in ms that is never set. */
  readonly elapsed: () => number;
}

/** A leg is told after its entry, which is said right after it; so long it may take. */
const ENTRY_FOLLOWS_MS = 2_000;
/** What becomes of a leg that is used up is said right after its fill. */
const END_FOLLOWS_MS = 300;

/**
 * Turns what the entities have become into execution reports: each once and in order, whatever the
 * order and repetition of the events. What stood when the session began is not told again.
 */
export class ReportPublisher {
  readonly #deps: ReportPublisherDeps;
  readonly #published = new Map<string, Published>();
  /** Orders of which something is missing, and since when. */
  readonly #incomplete = new Map<string, number>();
  /** Legs that wait for their entry, and since when. */
  readonly #heldBack = new Map<string, number>();
  /** Legs of which the last fill waits for what it comes to. */
  readonly #usedUp = new Map<string, number>();
  readonly #excused = new Set<string>();

  constructor(deps: ReportPublisherDeps) {
    this.#deps = deps;
  }

  /** Everything that is known now of the account has been told: called once, after its snapshot. */
  begin(account: string): void {
    for (const order of this.#deps.store.ordersOf(account)) this.pass(order.id);
  }

  /** An order that stood, or was over, before the session began. */
  pass(id: string): void {
    const { store, contractById } = this.#deps;
    const order = store.order(id);
    if (order === undefined) return;
    const view = viewOrder(store, id, contractById);
    const trades = store.tradesOf(id);
    if (view !== undefined && isPending(view) && trades.length === 0) return;
    this.#published.set(id, publishedOf(order, store.everyTradeOf(id)));
  }

  /** Whether anything of the order was told, or it stood when the session began. */
  knows(id: string): boolean {
    return this.#published.get(id)?.isTradesAlone === false;
  }

  /** Whether a trade is of what its order had filled before the session, and is listed only now. */
  isEarlier(trade: ProjectXTrade): boolean {
    const published = this.#published.get(trade.orderId);
    return published !== undefined && earlierPart(published, trade) > 0;
  }

  /** Whether it was told, and its end was not. */
  isOpen(id: string): boolean {
    return this.#published.get(id)?.hasEnded === false;
  }

  /** A trade that was made before the session began: it is listed, and no news. */
  passTrade(trade: ProjectXTrade): void {
    const published = this.#published.get(trade.orderId);
    if (published === undefined) {
      this.#published.set(trade.orderId, tradesAlone());
      this.passTrade(trade);
    } else if (!published.fees.has(trade.id)) {
      if (trade.voided) return void published.fees.set(trade.id, feeOf(trade).fee);
      // What was counted as filled earlier is known by its trades now.
      published.earlierQty = Math.max(0, published.earlierQty - trade.size);
      note(published, trade);
    }
  }

  /** Tells what is new of an order, as far as everything that belongs to it has come. */
  publish(id: string): void {
    const { store, contractById } = this.#deps;
    const order = store.order(id);
    const view = viewOrder(store, id, contractById);
    if (view !== undefined) return this.#publishView(view);
    const isOdd = order === undefined || oddityOf(store, order) !== undefined;
    if (isOdd) this.#publishOdd(id, order);
    // A trade that was taken back needs nothing more.
    if (!isOdd || (order === undefined && store.tradesOf(id).length > 0)) this.#missSomethingOf(id);
  }

  /** A reported trade has changed: one of before the session may be taken back or corrected, too. */
  noteChanged({ id, orderId }: ProjectXTrade): void {
    const isTold = this.#published.get(orderId)?.trades.some((told) => told.id === id) === true;
    if (isTold) this.publish(orderId);
  }

  /** The broker has no more of the order than it has told: nothing of it is waited for. */
  excuse(id: string): void {
    this.#excused.add(id);
    this.publish(id);
    this.#incomplete.delete(id);
  }

  /** The order is not kept any more. */
  forget(id: string): void {
    const maps = [this.#published, this.#incomplete, this.#heldBack, this.#usedUp];
    for (const map of maps) map.delete(id);
    this.#excused.delete(id);
  }

  /**
   * Looks after what was put off. Answers the orders of which something has been missing for longer
   * than `patienceMs`: the broker has left out an event.
   */
  sweep(patienceMs: number): readonly string[] {
    const now = this.#deps.elapsed();
    for (const [id, since] of this.#heldBack) {
      if (now - since >= ENTRY_FOLLOWS_MS) this.publish(id);
    }
    for (const [id, since] of this.#usedUp) {
      if (now - since >= END_FOLLOWS_MS) this.publish(id);
    }
    const late = [...this.#incomplete].filter(([, since]) => now - since >= patienceMs);
    return late.map(([id]) => id);
  }

  #missSomethingOf(id: string): void {
    if (this.#incomplete.has(id) || this.#excused.has(id)) return;
    this.#incomplete.set(id, this.#deps.elapsed());
  }

  /**
   * An order that is not understood has its trades reported: they say themselves what was done. An order
   * that is not listed, such as one of an earlier session, has its taken back trades reported.
   */
  #publishOdd(id: string, order: ProjectXOrder | undefined): void {
    const { store, contractById, accountOf, onReport } = this.#deps;
    if (order !== undefined) this.#incomplete.delete(id);
    const published = this.#published.get(id) ?? (order ? nothingPublished() : tradesAlone());
    if (order !== undefined) this.#published.set(id, published);
    for (const trade of store.everyTradeOf(id)) {
      const contract = contractById(trade.contractId);
      if (contract === undefined) continue;
      const execType = corrected(published, trade) ?? (order && added(published, trade));
      if (execType === undefined) continue;
      this.#published.set(id, published);
      onReport(accountOf(trade.accountId), {
        execType,
        order: order ? toOpaque(store, order, contractById) : toUnlisted(trade, contract.code),
        fill: toFill(trade, { contract, clOrdId: order && nameOf(order) }),
      });
    }
  }

  #publishCorrections(view: OrderView, published: Published): void {
    const { ordStatus } = published;
    for (const trade of this.#deps.store.everyTradeOf(view.order.id)) {
      const execType = corrected(published, trade);
      if (execType) this.#report(view, published, { execType, ordStatus, trade });
    }
  }

  #publishView(view: OrderView): void {
    const { id } = view.order;
    const published = this.#published.get(id) ?? nothingPublished();
    this.#published.set(id, published);
    if (published.isTradesAlone) goOnWith(published, view.order);
    if (this.#begin(view, published)) {
      this.#publishTerms(view, published);
      this.#publishCorrections(view, published);
      this.#publishTrades(view, published);
      this.#publishStatus(view, published);
      this.#publishFees(view, published);
      this.#publishLegs(view);
    }
    if (this.#isShort(view, published)) this.#missSomethingOf(id);
    else this.#incomplete.delete(id);
  }

  /** Those that waited for their entry to be told, and those that have ended with it. */
  #publishLegs({ order, status }: OrderView): void {
    for (const { id } of this.#deps.store.childrenOf(order.id)) {
      if (this.#heldBack.has(id) || hasEnded(status)) this.publish(id);
    }
  }

  /** Whether the order says itself that more has filled than trades were told. */
  #isShort({ order, status, size }: OrderView, published: Published): boolean {
    const { trades, earlierQty, goneQty } = published;
    const told = earlierQty + filled(trades) + goneQty;
    const said = status === ORDER_STATUS.filled ? size : (order.fillVolume ?? 0);
    const isOver = hasEnded(status) || mayGrow(this.#deps.store, order);
    return said > told || (told >= size && !isOver);
  }

  /** False while the broker has neither taken the order nor refused it. */
  #begin(view: OrderView, published: Published): boolean {
    if (published.isBegun) return true;
    const { order, status, trades } = view;
    if (trades.length === 0 && isPending(view)) return false;
    if (this.#waitsForEntry(order)) return false;
    published.isBegun = true;
    published.terms = termsOf(order);
    published.at = parseInstant(order.creationTimestamp);
    if (status === ORDER_STATUS.rejected && trades.length === 0) {
      published.hasEnded = true;
      published.at = updatedAt(order);
      this.#report(view, published, { execType: "REJECTED", ordStatus: "REJECTED" });
      return true;
    }
    published.isHeld = status === ORDER_STATUS.suspended;
    const ordStatus = published.isHeld ? "HELD" : "NEW";
    this.#report(view, published, { execType: "NEW", ordStatus });
    return true;
  }

  /** Legs are said before their entry, which has the smaller number. */
  #waitsForEntry({ id, parentOrderId }: ProjectXOrder): boolean {
    const isEntryTold =
      parentOrderId === undefined || this.#published.get(parentOrderId)?.isBegun === true;
    const now = this.#deps.elapsed();
    const since = this.#heldBack.get(id) ?? now;
    const isWaiting = !isEntryTold && now - since < ENTRY_FOLLOWS_MS;
    if (isWaiting) this.#heldBack.set(id, since);
    else this.#heldBack.delete(id);
    return isWaiting;
  }

  #publishTerms(view: OrderView, published: Published): void {
    const { order, status, size } = view;
    const { terms } = published;
    const isWaiting = status === ORDER_STATUS.suspended;
    const hasWoken = published.isHeld && !isWaiting;
    if (published.hasEnded || hasWoken || isSame(order, terms)) return;
    // A leg has no price before it is live, and grows with its entry, without anybody's command.
    const isOwn = order.parentOrderId !== undefined && size !== terms.size;
    const isFirstPrice = isWaiting && !hasPrice(terms);
    published.terms = termsOf(order);
    // One that ends with what it protected has nothing left to grow.
    if (hasEnded(status) && isOwn) return;
    const told = published.earlierQty + filled(published.trades);
    const open = told > 0 ? "PARTIALLY_FILLED" : "NEW";
    // The end has a report of its own.
    const ordStatus = hasEnded(status) ? open : toOrdStatus(status, told);
    const execType = isOwn || isFirstPrice ? "RESTATED" : "REPLACED";
    this.#report(view, published, { execType, ordStatus });
  }

  #publishTrades(view: OrderView, published: Published): void {
    for (const trade of view.trades.filter(({ id }) => !published.fees.has(id))) {
      this.#wake(view, published);
      if (this.#waitsForEnd(view, published, trade)) return;
      published.earlierQty -= earlierPart(published, trade);
      note(published, trade);
      const told = published.earlierQty + filled(published.trades);
      const isUsedUp = told >= view.size && !mayGrow(this.#deps.store, view.order);
      if (isUsedUp) published.hasEnded = true;
      published.isHeld = view.status === ORDER_STATUS.suspended;
      this.#report(view, published, {
        execType: "TRADE",
        ordStatus: isUsedUp ? "FILLED" : afterTrade(published),
        trade,
      });
    }
    this.#usedUp.delete(view.order.id);
  }

  /** The fill that uses a leg up is told with whether the leg is filled for good, or waits again. */
  #waitsForEnd({ order, size, status }: OrderView, published: Published, trade: ProjectXTrade) {
    const more = trade.size - earlierPart(published, trade);
    const isLast = published.earlierQty + filled(published.trades) + more >= size;
    const isSaid = status === ORDER_STATUS.suspended || !mayGrow(this.#deps.store, order);
    if (!isLast || isSaid) return false;
    const now = this.#deps.elapsed();
    const since = this.#usedUp.get(order.id) ?? now;
    this.#usedUp.set(order.id, since);
    return now - since < END_FOLLOWS_MS;
  }

  /** A leg that waited is live from now on, with its prices. */
  #wake(view: OrderView, published: Published): void {
    if (!published.isHeld || view.status === ORDER_STATUS.suspended) return;
    published.isHeld = false;
    published.terms = termsOf(view.order);
    if (hasEnded(view.status) && view.trades.length === 0) return;
    const told = published.earlierQty + filled(published.trades);
    const ordStatus = told > 0 ? "PARTIALLY_FILLED" : "NEW";
    this.#report(view, published, { execType: "RESTATED", ordStatus });
  }

  #suspend(view: OrderView, published: Published): void {
    if (published.isHeld || view.status !== ORDER_STATUS.suspended) return;
    published.isHeld = true;
    this.#report(view, published, { execType: "RESTATED", ordStatus: "HELD" });
  }

  #publishStatus(view: OrderView, published: Published): void {
    if (published.hasEnded) return;
    const { status } = view;
    if (!hasEnded(status)) {
      this.#wake(view, published);
      this.#suspend(view, published);
      return;
    }
    // What has filled before the end is still on its way, and is told first.
    if (this.#isShort(view, published) && !this.#excused.has(view.order.id)) return;
    published.hasEnded = true;
    const told = published.earlierQty + filled(published.trades);
    const isFilled = told > 0 && told >= view.size;
    const ordStatus = isFilled ? "FILLED" : toOrdStatus(status, told);
    this.#report(view, published, { execType: END_TYPES[ordStatus] ?? "CANCELED", ordStatus });
  }

  /** What a trade costs may be told after it: then it is told again, with that. */
  #publishFees(view: OrderView, published: Published): void {
    for (const trade of view.trades.filter(({ id }) => published.fees.has(id))) {
      const { fee } = feeOf(trade);
      if (fee === undefined || published.fees.get(trade.id) === fee) continue;
      published.fees.set(trade.id, fee);
      const { ordStatus } = published;
      this.#report(view, published, { execType: "RESTATED", ordStatus, trade });
    }
  }

  #report(
    view: OrderView,
    published: Published,
    what: {
      readonly execType: ExecutionReport["execType"];
      readonly ordStatus: OrdStatus;
      readonly trade?: ProjectXTrade;
    },
  ): void {
    const { store, accountOf, onReport } = this.#deps;
    const { execType, ordStatus, trade } = what;
    const isBirth = execType === "NEW";
    const at = trade === undefined ? updatedAt(view.order) : parseInstant(trade.creationTimestamp);
    published.at = isBirth ? published.at : Math.max(published.at, at);
    published.ordStatus = ordStatus;
    const { trades, earlierQty, at: transactTimeAt } = published;
    onReport(accountOf(view.order.accountId), {
      execType,
      order: toOrderReport(store, view, { trades, earlierQty, ordStatus, transactTimeAt }),
      ...(trade !== undefined && { fill: toFill(trade, view) }),
    });
  }
}

/** An order that ended by another word than that is told to be filled all the same. */
const END_TYPES: { readonly [Status in OrdStatus]?: ExecutionReport["execType"] } = {
  FILLED: "RESTATED",
  EXPIRED: "EXPIRED",
  REJECTED: "REJECTED",
};

/** The broker has neither taken nor refused it. */
const isPending = ({ status }: OrderView): boolean =>
  status === ORDER_STATUS.none || status === ORDER_STATUS.pending;
