import type { Ticks } from "../../domain/contracts/price.ts";
import { clOrdId, type OrderId, orderId } from "../../domain/ids.ts";
import {
  type LegLevel,
  type NewOrderSingle,
  opposite,
  type OrderChange,
  type OrderReport,
} from "../../domain/order.ts";
import {
  BrokerReadError,
  type CommandFailure,
  type CommandOutcome,
  type SubmitOutcome,
} from "../../trading/ports.ts";
import { type BracketBook, type WantedEntry, type WantedLeg } from "./bracket-book.ts";
import type { BracketKeeper, OnCommandEnd } from "./bracket-keeper.ts";
import {
  type BracketView,
  coveredByOthers,
  isLive,
  levelOf,
  type SeenLeg,
  viewBracket,
} from "./bracket-view.ts";
import { entryExits, needsReference } from "./entry-exits.ts";
import { type LegRole, legTag } from "./leg-tags.ts";
import type { LegTrouble } from "./observer.ts";
import type { EntryLegs, Placement } from "./order-body.ts";
import { reportOf, viewOrder } from "./order-view.ts";
import { hasEnded, toPrice } from "./parse.ts";
import type { SessionView } from "./session-view.ts";
import { ORDER_STATUS, ORDER_TYPE, type ProjectXOrder } from "./wire.ts";

/** What the watch has the order desk do. None of it rejects. */
export interface LegCommands {
  readonly placeLeg: (place: Placement, order: NewOrderSingle) => Promise<SubmitOutcome>;
  readonly changeOrder: (
    order: ProjectXOrder,
    report: OrderReport,
    change: OrderChange,
  ) => Promise<CommandOutcome>;
  readonly endOrder: (account: string, order: string) => Promise<CommandOutcome>;
}

export interface BracketWatchDeps {
  readonly session: SessionView;
  readonly book: BracketBook;
  readonly commands: () => LegCommands;
  /** Where the market is, in ticks; undefined where nobody tells. Throws `BrokerReadError`. */
  readonly reference: (place: Placement) => Promise<Ticks | undefined>;
  readonly onTrouble: (account: string, trouble: LegTrouble) => void;
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
  readonly elapsed: () => number;
  /** Aborted when the session ends. */
  readonly signal: AbortSignal;
}

const ROLES = ["STOP_LOSS", "TAKE_PROFIT"] as const satisfies readonly LegRole[];

/** What belongs together comes together: so long a leg that is missing may be on its way. */
const GRACE_MS = 2_000;
const LOOK_EVERY_MS = 250;
const RETRY_MS = 1_000;
/** After so many refusals in a row a person is told, and it is tried no more. */
const ATTEMPTS = 3;
/** Tags go no further. */
const LAST_ATTEMPT = 9;
/** A filled entry has its legs where they were asked for within this, or its answer does not wait. */
const SETTLED_WITHIN_MS = 2_000;
/** Of an entry that the broker shows nowhere nothing is expected after this. */
const KEPT_MS = 60 * 60 * 1_000;

/** What is under way for one leg. */
interface Tending {
  /** Since when it was missing, by the steady clock. */
  missingSince?: number | undefined;
  /** What was missing was asked for, and still is. */
  isVerified: boolean;
  failures: number;
  /** A person was told. */
  isGivenUp: boolean;
  notBefore: number;
  /** Commands of others about it that are under way. */
  changing: number;
}

/**
 * Sees to it that entries have the exits they were placed with: moves the broker's legs to where they
 * were asked for, and places again what it has ended without being asked to: a partial exit may cancel a
 * whole group, and legs may go live for less than was filled, or not before all of it is. Never more is
 * placed than the entry has filled and its legs have not closed, and never more than is held.
 */
export class BracketWatch implements BracketKeeper {
  readonly #deps: BracketWatchDeps;
  readonly #tending = new Map<WantedLeg, Tending>();
  readonly #busy = new Set<WantedEntry>();
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;

  constructor(deps: BracketWatchDeps) {
    this.#deps = deps;
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
    void this.#tend(entry);
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
    const tending = this.#tendingOf(leg);
    tending.changing += 1;
    return (isUndone) => {
      tending.changing -= 1;
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
    if (view === undefined || view.filledQty === 0 || view.filledQty === view.closedQty)
      return true;
    return [...entry.legs].every(([role, leg]) => {
      const live = view.legs.filter((seen) => seen.role === role && isLive(seen));
      const level = levelOf(leg, entry, role, view.firstFill);
      const isThere = live.length > 0 && live.every((seen) => seen.level === level);
      return isThere || leg.byHand !== "no";
    });
  }

  #lookAtAll(): void {
    for (const entry of this.#deps.book.all()) void this.#tend(entry);
  }

  /** One step at a time for each entry; what it changes is looked at again. */
  async #tend(entry: WantedEntry): Promise<void> {
    const { signal, onError } = this.#deps;
    if (this.#busy.has(entry) || signal.aborted) return;
    this.#busy.add(entry);
    try {
      await this.#step(entry);
    } catch (error) {
      // A question that the broker did not answer is asked again at the next look.
      if (!(error instanceof BrokerReadError)) onError(error);
    } finally {
      this.#busy.delete(entry);
    }
  }

  async #step(entry: WantedEntry): Promise<void> {
    const view = viewBracket(this.#deps.session, entry);
    if (view === undefined) {
      if (this.#deps.now() - entry.wantedAt > KEPT_MS) this.#deps.book.remove(entry);
      return;
    }
    this.#learnFrom(entry, view);
    if (this.#isOver(view)) {
      this.#deps.book.remove(entry);
      return;
    }
    if (view.filledQty === 0) return;
    for (const role of ROLES) {
      const leg = entry.legs.get(role);
      if (leg !== undefined && (await this.#tendLeg(entry, view, role, leg))) return;
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

  #isOver({ entry, isEntryOver, filledQty, closedQty, heldQty, legs }: BracketView): boolean {
    if (!isEntryOver || legs.length > 0) return false;
    const isShown = entry.status !== ORDER_STATUS.none;
    return isShown && (filledQty <= closedQty || (heldQty !== undefined && heldQty <= 0));
  }

  /** Whether something was sent, after which all of it looks different. */
  async #tendLeg(
    entry: WantedEntry,
    view: BracketView,
    role: LegRole,
    leg: WantedLeg,
  ): Promise<boolean> {
    const tending = this.#tendingOf(leg);
    const isPaused = tending.changing > 0 || this.#deps.elapsed() < tending.notBefore;
    if (isPaused || tending.isGivenUp || leg.level === undefined) return false;
    const live = view.legs.filter((seen) => seen.role === role && isLive(seen));
    const displaced = live.find((seen) => seen.level !== leg.level);
    if (displaced !== undefined && leg.byHand !== "ended") {
      return await this.#move(entry, displaced, leg);
    }
    const working = live.reduce((sum, { leavesQty }) => sum + leavesQty, 0);
    const left = view.filledQty - view.closedQty;
    if (working > left) return await this.#cut(live, working - left);
    return await this.#fillUp(entry, { role, leg, live, working, left, view });
  }

  /** The broker counts its legs from the fill, which is not where they were asked for. */
  async #move(entry: WantedEntry, { order, role }: SeenLeg, leg: WantedLeg): Promise<boolean> {
    const { session, commands } = this.#deps;
    const known = viewOrder(session.store, order.id, session.contracts.byId);
    const { level } = leg;
    if (known === undefined || level === undefined) return false;
    const prices = role === "TAKE_PROFIT" ? { price: level } : { stopPx: level };
    const change = { orderId: orderId(order.id), ...prices };
    const outcome = await commands().changeOrder(order, reportOf(session.store, known), change);
    this.#note(entry, role, leg, outcome, "could not be moved to where it was asked for");
    return true;
  }

  /** Legs placed again and the broker's own together: more than is left of the entry. */
  async #cut(live: readonly SeenLeg[], excess: number): Promise<boolean> {
    const { session, commands } = this.#deps;
    const [newest] = live
      .filter(({ attempt }) => attempt > 1)
      .toSorted((one, other) => other.attempt - one.attempt);
    if (newest === undefined) return false;
    const { order, leavesQty } = newest;
    if (leavesQty <= excess) {
      await commands().endOrder(order.accountId, order.id);
      return true;
    }
    const known = viewOrder(session.store, order.id, session.contracts.byId);
    if (known === undefined) return false;
    const change = { orderId: orderId(order.id), orderQty: (order.size ?? 0) - excess };
    await commands().changeOrder(order, reportOf(session.store, known), change);
    return true;
  }

  async #fillUp(
    entry: WantedEntry,
    now: {
      readonly role: LegRole;
      readonly leg: WantedLeg;
      readonly live: readonly SeenLeg[];
      readonly working: number;
      readonly left: number;
      readonly view: BracketView;
    },
  ): Promise<boolean> {
    const { role, leg, live, working, left, view } = now;
    const { session, elapsed } = this.#deps;
    const tending = this.#tendingOf(leg);
    const isHandled = leg.byHand === "ended" || (leg.byHand === "smaller" && live.length > 0);
    const most = (view.heldQty ?? 0) - coveredByOthers(session, entry, role);
    const missing = Math.min(left, most) - working;
    if (isHandled || missing <= 0) {
      tending.missingSince = undefined;
      tending.isVerified = false;
      return false;
    }
    tending.missingSince ??= elapsed();
    if (elapsed() - tending.missingSince < GRACE_MS) return false;
    if (!tending.isVerified) {
      await this.#verify(entry, leg);
      tending.isVerified = true;
      return true;
    }
    return await this.#arm(entry, role, leg, missing);
  }

  /** What is held, and what became of the leg, by the broker's word of now. Throws `BrokerReadError`. */
  async #verify({ account, orderId: entryId }: WantedEntry, leg: WantedLeg): Promise<void> {
    const { session } = this.#deps;
    await session.askPositions(account, "protect");
    for (const id of [entryId, leg.orderId]) {
      if (id !== undefined) await session.learnOrder(account, id);
    }
  }

  async #arm(entry: WantedEntry, role: LegRole, leg: WantedLeg, qty: number): Promise<boolean> {
    const { session, commands, book } = this.#deps;
    const { account: number, contractId, side, tag } = entry;
    const account = session.store.account(number);
    const contract = session.contracts.byId(contractId);
    const { level } = leg;
    if (account === undefined || contract === undefined || level === undefined) return false;
    if (leg.attempt >= LAST_ATTEMPT) {
      this.#giveUp(entry, role, leg, "was ended too often");
      return false;
    }
    // Kept before it leaves: after a restart the same tag is not used for another order.
    leg.attempt += 1;
    book.save();
    const isStop = role === "STOP_LOSS";
    const order: NewOrderSingle = {
      clOrdId: clOrdId(legTag({ entry: tag, role, attempt: leg.attempt })),
      contract: contract.code,
      side: opposite(side),
      orderQty: qty,
      timeInForce: "GTC",
      ...(isStop ? { ordType: "STOP", stopPx: level } : { ordType: "LIMIT", price: level }),
    };
    const outcome = await commands().placeLeg({ account, contract }, order);
    const tending = this.#tendingOf(leg);
    tending.isVerified = false;
    tending.missingSince = undefined;
    // Nothing left, so that the tag is free: else it is another order, whatever became of this one.
    if (outcome.kind === "notSent") leg.attempt -= 1;
    this.#note(entry, role, leg, outcome, "could not be placed again");
    return true;
  }

  #note(
    entry: WantedEntry,
    role: LegRole,
    leg: WantedLeg,
    outcome: SubmitOutcome | CommandOutcome,
    what: string,
  ): void {
    const tending = this.#tendingOf(leg);
    if (outcome.kind === "accepted") {
      tending.failures = 0;
      return;
    }
    tending.notBefore = this.#deps.elapsed() + RETRY_MS;
    tending.failures += 1;
    if (tending.failures >= ATTEMPTS) this.#giveUp(entry, role, leg, `${what}: ${outcome.reason}`);
  }

  #giveUp(entry: WantedEntry, role: LegRole, leg: WantedLeg, what: string): void {
    const { session, onTrouble } = this.#deps;
    const contract = session.contracts.byId(entry.contractId);
    this.#tendingOf(leg).isGivenUp = true;
    if (contract === undefined) return;
    onTrouble(entry.account, {
      entry: orderId(entry.orderId ?? ""),
      contract: contract.code,
      exits: [role],
      reason: `The ${role === "STOP_LOSS" ? "stop-loss" : "take-profit"} ${what}`,
    });
  }

  /** Where a leg that waits will go: no word of the broker's says it. */
  #tellLevel({ contractId }: WantedEntry, { orderId: id, level }: WantedLeg, role: LegRole): void {
    const { store, contracts } = this.#deps.session;
    const order = store.order(id ?? "");
    const size = contracts.byId(contractId)?.tickSize;
    if (order?.status !== ORDER_STATUS.suspended || level === undefined || size === undefined)
      return;
    const name = role === "TAKE_PROFIT" ? "limitPrice" : "stopPrice";
    const price = toPrice(level, size);
    if (order[name] !== price) store.apply("order", { ...order, [name]: price });
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

  #tendingOf(leg: WantedLeg): Tending {
    const known = this.#tending.get(leg);
    if (known !== undefined) return known;
    const made: Tending = {
      isVerified: false,
      failures: 0,
      isGivenUp: false,
      notBefore: 0,
      changing: 0,
    };
    this.#tending.set(leg, made);
    return made;
  }
}

const wantedLeg = (level: LegLevel): WantedLeg => ({
  level: level.by === "price" ? level.price : undefined,
  distance: level.by === "distance" ? level.distance : undefined,
  byHand: "no",
  orderId: undefined,
  attempt: 1,
});
