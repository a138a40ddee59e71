import type { Ticks } from "../../domain/contracts/price.ts";
import type { OrderId } from "../../domain/ids.ts";
import type { LegLevel, NewOrderSingle, OrderChange, OrderReport } from "../../domain/order.ts";
import { BrokerReadError, type CommandFailure, type CommandOutcome } from "../../trading/ports.ts";
import type { WantedEntry, WantedLeg } from "./bracket-book.ts";
import type { BracketKeeper, OnCommandEnd } from "./bracket-keeper.ts";
import { type BracketView, isLive, levelOf, viewBracket } from "./bracket-view.ts";
import { entryExits, needsReference } from "./entry-exits.ts";
import { type LegRole, legTag } from "./leg-tags.ts";
import { LegTender, type LegTenderDeps } from "./leg-tender.ts";
import type { EntryLegs, Placement } from "./order-body.ts";
import { hasEnded } from "./parse.ts";
import { toPrice } from "../price-numbers.ts";
import { ORDER_STATUS, ORDER_TYPE } from "./wire.ts";

export interface BracketWatchDeps extends LegTenderDeps {
  /** Where the market is, in ticks; undefined where nobody tells. Throws `BrokerReadError`. */
  readonly reference: (place: Placement) => Promise<Ticks | undefined>;
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
  /** Aborted when the session ends. */
  readonly signal: AbortSignal;
}

const ROLES = ["STOP_LOSS", "TAKE_PROFIT"] as const satisfies readonly LegRole[];

const LOOK_EVERY_MS = 250;
/** A filled entry has its legs where they were asked for within this, or its answer does not wait. */
const SETTLED_WITHIN_MS = 2_000;
/** Of an entry that the broker shows nowhere nothing is expected after this. */
const KEPT_MS = 60 * 60 * 1_000;

/** A position that was closed elsewhere is gone for good after this. */
const FLAT_FOR_MS = 10_000;

/**
 * Sees to it that entries have the exits they were placed with: moves the broker's legs to where they
 * were asked for, and places again what it has ended without being asked to: a partial exit may cancel a
 * whole group, and legs may go live for less than was filled, or not before all of it is. Never more is
 * placed than the entry has filled and its legs have not closed, and never more than is held.
 */
export class BracketWatch implements BracketKeeper {
  readonly #deps: BracketWatchDeps;
  readonly #tender: LegTender;
  readonly #busy = new Set<WantedEntry>();
  readonly #flatSince = new Map<WantedEntry, number>();
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;

  constructor(deps: BracketWatchDeps) {
    this.#deps = deps;
    this.#tender = new LegTender(deps);
  }

  /** The snapshot is in the store. What was wanted before goes on. Never rejects. */
  async begin(): Promise<void> {
    const { book, session, signal } = this.#deps;
    await book.load().catch(this.#deps.onError);
    for (const entry of book.all()) await this.#restore(entry).catch(this.#deps.onError);
    if (signal.aborted) return;
    this.#stopListening = session.store.onChange(() => this.#lookAtAll());
    this.#timer = setInterval(() => this.#lookAtAll(), LOOK_EVERY_MS);
    this.#lookAtAll();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#stopListening?.();
  }

  async legsFor(
    place: Placement,
    order: NewOrderSingle,
  ): Promise<{ readonly kind: "legs"; readonly legs: EntryLegs } | CommandFailure> {
    if (!needsReference(order)) return entryExits(order, undefined);
    try {
      return entryExits(order, await this.#deps.reference(place));
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      const reason = `Where the market is could not be asked, and the exits go with the entry: ${error.message}`;
      return { kind: "notSent", reason };
    }
  }

  async wants({ account, contract }: Placement, order: NewOrderSingle): Promise<void> {
    const { book, now, onError } = this.#deps;
    const { takeProfit, stopLoss } = order.bracket ?? {};
    const legs = new Map<LegRole, WantedLeg>();
    if (stopLoss !== undefined) legs.set("STOP_LOSS", wantedLeg(stopLoss));
    if (takeProfit !== undefined) legs.set("TAKE_PROFIT", wantedLeg(takeProfit));
    book.add({
      account: account.id,
      tag: order.clOrdId,
      contractId: contract.id,
      side: order.side,
      size: order.orderQty,
      wantedAt: now(),
      orderId: undefined,
      legs,
    });
    await book.kept().catch(onError);
  }

  entered({ account }: Placement, { clOrdId: tag }: NewOrderSingle, id: string): void {
    const entry = this.#deps.book.of(account.id, tag);
    if (entry === undefined) return;
    entry.orderId = id;
    this.#deps.book.save();
    this.#look(entry);
  }

  forget({ account }: Placement, { clOrdId: tag }: NewOrderSingle): void {
    const entry = this.#deps.book.of(account.id, tag);
    if (entry !== undefined) this.#deps.book.remove(entry);
  }

  /** Whoever ends a leg does not want it back, unless it was not ended. */
  onCancel(id: string): OnCommandEnd {
    const found = this.#find(id);
    if (found === undefined) return () => undefined;
    const { leg } = found;
    const before = leg.byHand;
    leg.byHand = "ended";
    this.#deps.book.save();
    return (isUndone) => {
      if (isUndone && !hasEnded(this.#deps.session.store.order(id)?.status)) {
        leg.byHand = before;
        this.#deps.book.save();
      }
    };
  }

  onChange(id: string, change: OrderChange): OnCommandEnd {
    const found = this.#find(id);
    if (found === undefined) return () => undefined;
    const { leg } = found;
    const resume = this.#tender.pause(leg);
    return (isUndone) => {
      resume();
      if (isUndone) return;
      leg.level = change.price ?? change.stopPx ?? leg.level;
      if (change.orderQty !== undefined && leg.byHand === "no") leg.byHand = "smaller";
      this.#deps.book.save();
    };
  }

  changeWaiting(report: OrderReport, change: OrderChange): CommandOutcome | undefined {
    const found = this.#find(report.orderId);
    const level = change.price ?? change.stopPx;
    if (found === undefined) return undefined;
    if (change.orderQty !== undefined || level === undefined) {
      const reason = "A leg that waits for its entry has the entry's quantity";
      return { kind: "rejected", reason };
    }
    found.leg.level = level;
    this.#deps.book.save();
    this.#tellLevel(found.entry, found.leg, found.role);
    return { kind: "accepted" };
  }

  /** Resolves when a filled entry has its legs where they are to be, or that takes too long. */
  async settled(entryId: OrderId): Promise<void> {
    const { book, session } = this.#deps;
    const entry = book.all().find(({ orderId: id }) => id === entryId);
    if (entry === undefined) return;
    await session.until(() => this.#isSettled(entry), SETTLED_WITHIN_MS);
  }

  #isSettled(entry: WantedEntry): boolean {
    const view = viewBracket(this.#deps.session, entry);
    if (view === undefined || view.filledQty <= view.closedQty) return true;
    return [...entry.legs].every(([role, leg]) => {
      const live = view.legs.filter((seen) => seen.role === role && isLive(seen));
      const level = levelOf(leg, entry, role, view.firstFill);
      const isThere = live.length > 0 && live.every((seen) => seen.level === level);
      return isThere || leg.byHand !== "no";
    });
  }

  #lookAtAll(): void {
    for (const entry of this.#deps.book.all()) this.#look(entry);
  }

  /** What the broker has said is taken over at once: what is to be done about it may take its time. */
  #look(entry: WantedEntry): void {
    const { session, book, signal, now } = this.#deps;
    if (signal.aborted) return;
    const view = viewBracket(session, entry);
    if (view === undefined) {
      if (now() - entry.wantedAt > KEPT_MS) book.remove(entry);
      return;
    }
    this.#learnFrom(entry, view);
    if (this.#isOver(entry, view)) book.remove(entry);
    else if (view.filledQty > 0) void this.#tend(entry);
  }

  /** One step at a time for each entry; what it changes is looked at again. */
  async #tend(entry: WantedEntry): Promise<void> {
    const { session, onError } = this.#deps;
    if (this.#busy.has(entry)) return;
    this.#busy.add(entry);
    try {
      for (const role of ROLES) {
        const [leg, view] = [entry.legs.get(role), viewBracket(session, entry)];
        if (leg === undefined || view === undefined) continue;
        if (await this.#tender.tend({ entry, view, role, leg })) return;
      }
    } catch (error) {
      // A question that the broker did not answer is asked again at the next look.
      if (!(error instanceof BrokerReadError)) onError(error);
    } finally {
      this.#busy.delete(entry);
    }
  }

  /** Which legs the broker has named, and where they go. */
  #learnFrom(entry: WantedEntry, view: BracketView): void {
    let isNew = entry.orderId !== view.entry.id;
    entry.orderId = view.entry.id;
    for (const [role, leg] of entry.legs) {
      const own = view.legs.find((seen) => seen.role === role && seen.attempt === 1);
      if (own !== undefined && leg.orderId !== own.order.id) {
        leg.orderId = own.order.id;
        isNew = true;
      }
      const level = levelOf(leg, entry, role, view.firstFill);
      if (leg.level !== level) {
        leg.level = level;
        isNew = true;
      }
      if (own !== undefined && !isLive(own)) this.#tellLevel(entry, leg, role);
    }
    if (isNew) this.#deps.book.save();
  }

  /** Whether nothing of it can still come. What an entry has filled may be held a moment later. */
  #isOver(wanted: WantedEntry, view: BracketView): boolean {
    const { isEntryOver, filledQty, closedQty, heldQty, legs } = view;
    const isFlat = isEntryOver && legs.length === 0 && heldQty !== undefined && heldQty <= 0;
    const now = this.#deps.elapsed();
    const since = this.#flatSince.get(wanted) ?? now;
    if (isFlat) this.#flatSince.set(wanted, since);
    else this.#flatSince.delete(wanted);
    const isClosed = isEntryOver && legs.length === 0 && filledQty <= closedQty;
    return isClosed || (isFlat && now - since >= FLAT_FOR_MS);
  }

  /** Where a leg that waits will go: no word of the broker's says it. */
  #tellLevel({ contractId }: WantedEntry, { orderId: id, level }: WantedLeg, role: LegRole): void {
    const { store, contracts } = this.#deps.session;
    const order = store.order(id ?? "");
    const size = contracts.byId(contractId)?.tickSize;
    if (level === undefined || size === undefined) return;
    const name = role === "TAKE_PROFIT" ? "limitPrice" : "stopPrice";
    const price = toPrice(level, size);
    const isWaiting = order?.status === ORDER_STATUS.suspended;
    if (isWaiting && order[name] !== price) store.apply("order", { ...order, [name]: price });
  }

  /** What a former session has left: no list shows legs that wait for their entry. */
  async #restore(wanted: WantedEntry): Promise<void> {
    const { session } = this.#deps;
    const { account, orderId: id, contractId, side, size, tag } = wanted;
    if (session.store.account(account) === undefined) return;
    await session.contracts.learn(contractId);
    if (id !== undefined && session.store.order(id) === undefined) {
      await session.learnOrder(account, id);
    }
    const entry = session.store.order(id ?? "") ?? session.store.byTag(account, tag);
    if (entry === undefined || hasEnded(entry.status) || (entry.fillVolume ?? 0) > 0) return;
    for (const [role, leg] of wanted.legs) {
      if (leg.orderId === undefined || leg.byHand === "ended") continue;
      if (session.store.order(leg.orderId) !== undefined) continue;
      session.store.apply("order", {
        id: leg.orderId,
        accountId: account,
        contractId,
        status: ORDER_STATUS.suspended,
        type: role === "TAKE_PROFIT" ? ORDER_TYPE.limit : ORDER_TYPE.stop,
        side: side === "BUY" ? 1 : 0,
        size: entry.size ?? size,
        customTag: legTag({ entry: tag, role, attempt: 1 }),
        parentOrderId: entry.id,
      });
      this.#tellLevel(wanted, leg, role);
    }
  }

  #find(id: string) {
    const { session, book } = this.#deps;
    for (const entry of book.all()) {
      const seen = viewBracket(session, entry)?.legs.find(({ order }) => order.id === id);
      for (const [role, leg] of entry.legs) {
        if (leg.orderId === id || seen?.role === role) return { entry, role, leg };
      }
    }
    return undefined;
  }
}

const wantedLeg = (level: LegLevel): WantedLeg => ({
  level: level.by === "price" ? level.price : undefined,
  distance: level.by === "distance" ? level.distance : undefined,
  byHand: "no",
  orderId: undefined,
  attempt: 1,
});
