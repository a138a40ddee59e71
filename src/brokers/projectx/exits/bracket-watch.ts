import type { Ticks } from "../../../domain/contracts/price.ts";
import { type ClOrdId, type OrderId, orderId } from "../../../domain/ids.ts";
import type { LegLevel, NewOrderSingle, OrderChange, OrderReport } from "../../../domain/order.ts";
import {
  BrokerReadError,
  type CommandFailure,
  type CommandOutcome,
} from "../../../trading/ports.ts";
import type { WantedEntry, WantedLeg } from "./bracket-book.ts";
import type { BracketKeeper, OnCommandEnd } from "../bracket-keeper.ts";
import {
  type BracketView,
  isLive,
  levelOf,
  liveLegs,
  openQty,
  viewBracket,
  wantedQty,
  workingQty,
} from "./bracket-view.ts";
import { entryExits, needsReference } from "./entry-exits.ts";
import { heldLots } from "./held-lots.ts";
import { FormerBrackets } from "./former-brackets.ts";
import { type LegRole, readLegTag } from "../leg-tags.ts";
import { LegTender, type LegTenderDeps } from "./leg-tender.ts";
import type { EntryLegs, Placement } from "../order-body.ts";
import { hasEnded } from "../parse.ts";
import { tellLevel } from "./waiting-legs.ts";
import type { ProjectXOrder } from "../wire.ts";

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
/** An entry that has ended, with nothing left of it, is gone for good after this. */
const DONE_FOR_MS = 10_000;
/** The trade of a fill that is told comes within this, or the order's own average has to do. */
const TRADE_WITHIN_MS = 2_000;

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
  readonly #former: FormerBrackets;
  readonly #doneSince = new WeakMap<WantedEntry, number>();
  readonly #filledSince = new WeakMap<WantedEntry, number>();
  /** Legs of which cancels are on their way. */
  readonly #ending = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;

  constructor(deps: BracketWatchDeps) {
    this.#deps = deps;
    this.#tender = new LegTender(deps);
    this.#former = new FormerBrackets(deps);
  }

  /** The snapshot is in the store. What was wanted before goes on. Never rejects. */
  async begin(): Promise<void> {
    const { session, signal } = this.#deps;
    await this.#former.begin();
    if (signal.aborted) return;
    this.#stopListening = session.store.onChange((changes) => {
      const accounts = new Set(
        changes.map(({ type, entity }) => (type === "account" ? entity.id : entity.accountId)),
      );
      this.#lookAtAll((account) => accounts.has(account));
    });
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
    const { book, session, now, onTrouble, onError } = this.#deps;
    // Sent once more: what is known of its exits counts, and may be of an order that stands.
    if (book.of(account.id, order.clOrdId) !== undefined) return;
    const { takeProfit, stopLoss } = order.bracket ?? {};
    const legs = new Map<LegRole, WantedLeg>();
    if (stopLoss !== undefined) legs.set("STOP_LOSS", wantedLeg(stopLoss));
    if (takeProfit !== undefined) legs.set("TAKE_PROFIT", wantedLeg(takeProfit));
    const dropped = book.add({
      account: account.id,
      tag: order.clOrdId,
      contractId: contract.id,
      side: order.side,
      size: order.orderQty,
      wantedAt: now(),
      orderId: undefined,
      legs,
    });
    const code = session.contracts.byId(dropped?.contractId ?? "")?.code;
    if (dropped !== undefined && code !== undefined) {
      onTrouble(dropped.account, {
        entry: orderId(dropped.orderId ?? ""),
        contract: code,
        exits: [],
        reason: "More entries are open than are kept: exits of the oldest do not come back",
      });
    }
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
    const { book } = this.#deps;
    const entry = book.of(account.id, tag);
    // One that the broker has named goes with its order: a second one was refused.
    if (entry !== undefined && entry.orderId === undefined) book.remove(entry);
  }

  /** Whether exits of the order that are missing are about to be placed here. */
  tends(tag: ClOrdId): boolean {
    const { book, session } = this.#deps;
    return book.all().some((entry) => {
      if (entry.tag !== tag || viewBracket(session, entry) === undefined) return false;
      return [...entry.legs.values()].some((leg) => !leg.isEnded && !this.#tender.hasGivenUp(leg));
    });
  }

  /**
   * Whoever ends a leg does not want it back, unless it was not ended. Of several of the same kind the
   * others stay, and come back.
   */
  onCancel(id: string): OnCommandEnd {
    const found = this.#find(id);
    if (found === undefined) return () => undefined;
    const { entry, role, leg } = found;
    const { book, session } = this.#deps;
    const { isEnded, waivedQty } = leg;
    const resume = this.#tender.pause(leg);
    this.#ending.add(id);
    const left = this.#staying(entry, role);
    if (left.length === 0) leg.isEnded = true;
    else this.#leave(entry, leg, workingQty(left));
    book.save();
    return (isUndone) => {
      resume();
      this.#ending.delete(id);
      if (!isUndone || hasEnded(session.store.order(id)?.status)) return;
      Object.assign(leg, { isEnded, waivedQty });
      book.save();
    };
  }

  /** Where a command of ours has put a leg it stays, and for as much as it has left it. */
  onChange(id: string, { orderQty, price, stopPx }: OrderChange): OnCommandEnd {
    const found = this.#find(id);
    if (found === undefined) return () => undefined;
    const { entry, role, leg } = found;
    const resume = this.#tender.pause(leg);
    const { size = 0 } = this.#deps.session.store.order(id) ?? {};
    const left = workingQty(this.#staying(entry, role)) + (orderQty ?? size) - size;
    const { waivedQty } = leg;
    if (orderQty !== undefined) this.#leave(entry, leg, left);
    return (isUndone) => {
      resume();
      if (isUndone) {
        leg.waivedQty = waivedQty;
        return;
      }
      leg.level = price ?? stopPx ?? leg.level;
      leg.placedSize = Math.max(leg.placedSize, size);
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
    tellLevel(this.#deps.session, found.entry, found.leg, found.role);
    return { kind: "accepted" };
  }

  inSteadOf(id: OrderId): readonly ProjectXOrder[] {
    const found = this.#find(id);
    return found === undefined
      ? []
      : this.#staying(found.entry, found.role).map(({ order }) => order);
  }

  /** What a command has put in place of exits that were gone is what is wanted: they do not come back. */
  exitStands(account: string, { clOrdId, contract, side, orderQty }: NewOrderSingle): void {
    const { book, session } = this.#deps;
    const tag = readLegTag(clOrdId);
    if (tag === undefined || book.of(account, tag.entry) !== undefined) return;
    let left = orderQty;
    for (const entry of book.all()) {
      const [leg, view] = [entry.legs.get(tag.role), viewBracket(session, entry)];
      const isIts = entry.account === account && entry.side !== side;
      const isThere = session.contracts.byId(entry.contractId)?.code === contract;
      if (leg === undefined || view === undefined || !isIts || !isThere) continue;
      const due = Math.min(wantedQty(view, leg), heldLots(this.#deps, entry).get(entry) ?? 0);
      const taken = Math.min(left, due - workingQty(liveLegs(view, tag.role)));
      if (taken <= 0) continue;
      this.#leave(entry, leg, due - taken);
      left -= taken;
    }
    book.save();
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
    if (view === undefined || openQty(view) === 0) return true;
    return [...entry.legs].every(([role, leg]) => {
      const live = liveLegs(view, role);
      const isThere = live.length > 0 && live.every((seen) => seen.level === leg.level);
      return isThere || leg.isEnded;
    });
  }

  /** What of its exits of one kind stays when the commands that are under way are through. */
  #staying(entry: WantedEntry, role: LegRole) {
    const view = viewBracket(this.#deps.session, entry);
    const live = view === undefined ? [] : liveLegs(view, role);
    return live.filter(({ order }) => !this.#ending.has(order.id));
  }

  /** A command of ours leaves so much: the rest of what is to be protected by now is to be without. */
  #leave(entry: WantedEntry, leg: WantedLeg, qty: number): void {
    const view = viewBracket(this.#deps.session, entry);
    if (view !== undefined) leg.waivedQty = Math.max(0, openQty(view) - qty);
  }

  #lookAtAll(isConcerned: (account: string) => boolean = () => true): void {
    for (const entry of this.#deps.book.all()) if (isConcerned(entry.account)) this.#look(entry);
  }

  /** What the broker has said is taken over at once: what is to be done about it may take its time. */
  #look(entry: WantedEntry): void {
    const { session, book, signal, now } = this.#deps;
    if (signal.aborted) return;
    const view = viewBracket(session, entry);
    if (view === undefined) {
      const isOld = now() - entry.wantedAt > KEPT_MS;
      if (isOld && this.#former.isNowhere(entry)) book.remove(entry);
      else if (entry.orderId !== undefined) void this.#former.ask(entry);
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
    const from = view.firstFill ?? this.#averageFill(entry, view);
    for (const [role, leg] of entry.legs) {
      const seen = [...view.legs, ...view.goneLegs].filter((one) => one.role === role);
      const own = seen.find(({ attempt }) => attempt === 1);
      const id = own?.order.id ?? leg.orderId;
      const level = levelOf(leg, entry, role, from);
      const attempt = Math.max(leg.attempt, ...seen.map((one) => one.attempt));
      isNew ||= id !== leg.orderId || level !== leg.level || attempt !== leg.attempt;
      Object.assign(leg, { orderId: id, level, attempt });
      if (own !== undefined && !isLive(own)) tellLevel(this.#deps.session, entry, leg, role);
    }
    if (isNew) this.#deps.book.save();
  }

  /** What a leg by distance is counted from where the hub has left its entry's trade out. */
  #averageFill(entry: WantedEntry, { filledQty, averageFill }: BracketView): Ticks | undefined {
    if (filledQty === 0) return undefined;
    const now = this.#deps.elapsed();
    const since = this.#filledSince.get(entry) ?? now;
    this.#filledSince.set(entry, since);
    return now - since >= TRADE_WITHIN_MS ? averageFill : undefined;
  }

  /**
   * Whether nothing of it can still come: what an entry has filled may be held a moment later, and a fill
   * be told after the end of its order.
   */
  #isOver(wanted: WantedEntry, view: BracketView): boolean {
    const { isEntryOver, filledQty, closedQty, heldQty, legs } = view;
    const isFlat = heldQty !== undefined && heldQty <= 0;
    const isDone = isEntryOver && legs.length === 0 && (filledQty <= closedQty || isFlat);
    const now = this.#deps.elapsed();
    const since = this.#doneSince.get(wanted) ?? now;
    if (isDone) this.#doneSince.set(wanted, since);
    else this.#doneSince.delete(wanted);
    return isDone && now - since >= DONE_FOR_MS;
  }

  /** By its tag, else by the numbers that were kept: of a leg that is shown nowhere yet. */
  #find(id: string) {
    const { session, book } = this.#deps;
    const { customTag = "", accountId = "" } = session.store.order(id) ?? {};
    const tag = readLegTag(customTag);
    const named = tag === undefined ? undefined : book.of(accountId, tag.entry);
    for (const entry of named === undefined ? book.all() : [named]) {
      for (const [role, leg] of entry.legs) {
        const isKept = leg.orderId === id || leg.againIds.includes(id);
        if (isKept || role === (named && tag?.role)) return { entry, role, leg };
      }
    }
    return undefined;
  }
}

const wantedLeg = (level: LegLevel): WantedLeg => ({
  level: level.by === "price" ? level.price : undefined,
  distance: level.by === "distance" ? level.distance : undefined,
  placedSize: 0,
  isEnded: false,
  waivedQty: 0,
  orderId: undefined,
  againIds: [],
  attempt: 1,
});
