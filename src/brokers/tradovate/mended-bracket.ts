import type { ContractCode } from "../../domain/contract.ts";
import { type AccountId, legIdOf, type OrderId, orderId } from "../../domain/ids.ts";
import {
  type NewOrderSingle,
  opposite,
  type OrderChange,
  type OrderReport,
  type ProtectionOrder,
  sign,
} from "../../domain/order.ts";
import type { Ticks } from "../../domain/price.ts";
import type { CommandOutcome, SubmitOutcome } from "../../trading/ports.ts";
import { hasEnded } from "./entity-store.ts";
import { type ExitLevels, exitLevels, type Placement } from "./order-bodies.ts";
import { filled, type OrderView, standingOf, toOrderReport } from "./order-view.ts";
import { toTicks } from "./parse.ts";
import type { TradovateSession } from "./session.ts";

/** What the mender has the order desk do. */
export interface LegCommands {
  readonly placeExits: (place: Placement, order: ProtectionOrder) => Promise<SubmitOutcome>;
  readonly changeOrder: (report: OrderReport, change: OrderChange) => Promise<CommandOutcome>;
  readonly endOrder: (id: number) => Promise<CommandOutcome>;
}

/** An entry with the exits that it was placed with. */
export interface WatchedEntry {
  readonly place: Placement;
  readonly order: NewOrderSingle;
  readonly entry: number;
  readonly target?: number;
  readonly stop?: number;
}

/** Exits that were asked for with an entry, and are not as they were to be. */
export interface LegTrouble {
  readonly entry: OrderId;
  readonly contract: ContractCode;
  readonly exits: readonly ("TAKE_PROFIT" | "STOP_LOSS")[];
  /** In words. */
  readonly reason: string;
}

export interface BracketDeps {
  readonly session: TradovateSession;
  readonly commands: () => LegCommands;
  /** Something about an entry's exits could not be put right. */
  readonly onTrouble: (account: AccountId, trouble: LegTrouble) => void;
  readonly onError: (error: unknown) => void;
  readonly elapsed: () => number;
}

/** What the broker does about legs by itself it does at once; after so long it does not. */
const BROKERS_TURN_MS = 2_000;
const RETRY_MS = 1_000;
/** So long after a change of a pair its end is put down to the change. */
const CHANGE_TELLS_MS = 10_000;
/** After so many attempts of one entry a person is told, and nothing more is tried. */
const ATTEMPTS = 3;

type Leg = "target" | "stop";
const LEGS: readonly Leg[] = ["target", "stop"];

/** One entry and its exits. */
export class MendedBracket {
  readonly #deps: BracketDeps;
  readonly #asked: WatchedEntry;
  readonly #legs: { target: number | undefined; stop: number | undefined };
  readonly #isOurs = { target: false, stop: false };
  /** Since when something has been wrong, by what it is. */
  readonly #since = new Map<string, number>();
  #running: Promise<void> | undefined;
  /** It is unknown whether our own placing came through: it is never repeated. */
  #isUnsure = false;
  #isLeftAlone = false;
  #isSaid = false;
  #failures = 0;
  #notBefore = 0;
  #isMoved = false;
  /** Where our commands have put the legs since. */
  #levels: ExitLevels = {};
  #changedAt: number | undefined;

  constructor(deps: BracketDeps, asked: WatchedEntry) {
    this.#deps = deps;
    this.#asked = asked;
    this.#legs = { target: asked.target, stop: asked.stop };
  }

  /** The legs that are there, as an answer names them. */
  names(): { readonly takeProfitOrderId?: OrderId; readonly stopLossOrderId?: OrderId } {
    const { target, stop } = this.#legs;
    return {
      ...(target !== undefined && { takeProfitOrderId: orderId(String(target)) }),
      ...(stop !== undefined && { stopLossOrderId: orderId(String(stop)) }),
    };
  }

  /** Nothing is left that could become wrong, or that may be touched. */
  isOver(): boolean {
    if (this.#running !== undefined) return false;
    const entry = this.#view(this.#asked.entry);
    if (this.#isLeftAlone) return true;
    if (entry === undefined || !hasEnded(entry.order.ordStatus)) return false;
    if (LEGS.some((leg) => this.#works(leg))) return false;
    // Legs that have worked and ended did so by somebody's will.
    return (
      this.#toProtect(entry) <= 0 || !this.#wanted().some((leg) => this.#isMissing(leg, entry))
    );
  }

  /** A leg that we ended stays ended, and ending it may end the other one too. */
  onCancel(order: number): () => void {
    return this.#isLeg(order) ? this.#leaveAlone() : () => undefined;
  }

  /** A leg whose size we chose keeps it; one whose level we chose is not moved any more. */
  onChange(order: number, { orderQty, price, stopPx }: OrderChange): () => void {
    if (!this.#isLeg(order)) return () => undefined;
    this.#isMoved = true;
    this.#changedAt = this.#deps.elapsed();
    const isTarget = order === this.#legs.target;
    if (isTarget && price !== undefined) this.#levels = { ...this.#levels, takeProfit: price };
    if (!isTarget && stopPx !== undefined) this.#levels = { ...this.#levels, stopLoss: stopPx };
    return orderQty === undefined ? () => undefined : this.#leaveAlone();
  }

  #isLeg(order: number): boolean {
    return order === this.#legs.target || order === this.#legs.stop;
  }

  #leaveAlone(): () => void {
    const before = this.#isLeftAlone;
    this.#isLeftAlone = true;
    return () => (this.#isLeftAlone = before);
  }

  /** Places the legs of an entry that has filled and has none: at once. */
  async protect(): Promise<void> {
    await this.#running;
    await this.#alone(async (entry) => {
      const missing = this.#wanted().filter((leg) => this.#isMissing(leg, entry));
      // Its position may be told a moment after the fill.
      const qty = this.#toProtect(entry);
      if (missing.length > 0) await this.#place(entry, { legs: missing, qty });
    });
  }

  async mend(): Promise<void> {
    if (this.#deps.elapsed() < this.#notBefore) return;
    await this.#alone((entry) => this.#mend(entry));
  }

  /** One thing at a time: what is asked for meanwhile is looked at again soon. */
  async #alone(run: (entry: OrderView) => Promise<void>): Promise<void> {
    const entry = this.#view(this.#asked.entry);
    const isIdle = this.#running === undefined && !this.#isLeftAlone;
    if (!isIdle || entry === undefined || entry.fills.length === 0) return;
    this.#running = run(entry).finally(() => (this.#running = undefined));
    await this.#running;
  }

  async #mend(entry: OrderView): Promise<void> {
    if (this.#toProtect(entry) <= 0) {
      await this.#endSurvivors(entry);
      return;
    }
    const left = this.#leftToProtect(entry);
    // Closed by something else: exits would open a position, and those that are left are looked
    // after by the gateway, which knows all that is held.
    if (left <= 0) return;
    this.#sayIfHeld();
    const missing = this.#wanted().filter((leg) => this.#isMissing(leg, entry));
    // A leg that nobody has named is waited for no longer.
    const isUnnamed = missing.some((leg) => this.#legs[leg] === undefined);
    const isDue = this.#lasts("missing", missing.length > 0, isUnnamed ? 0 : BROKERS_TURN_MS);
    if (isDue && !this.#isUnsure) await this.#place(entry, { legs: missing, qty: left });
    await this.#moveToFill(entry);
    for (const leg of LEGS) await this.#resize(leg, left);
  }

  /** The survivor rule: with nothing left to protect, the other leg must not stay. */
  async #endSurvivors({ order }: OrderView): Promise<void> {
    const isDone = hasEnded(order.ordStatus);
    for (const leg of LEGS) {
      const id = this.#legs[leg];
      const isLeft = isDone && this.#works(leg);
      if (!this.#lasts(`survivor ${leg}`, isLeft) || id === undefined) continue;
      this.#judge(await this.#deps.commands().endOrder(id), `The ${leg} outlived its position`);
    }
  }

  /**
   * A leg that is not there, that ended before it ever worked, or that was canceled right after a
   * change of the pair, as has been reported of Tradovate: nobody of ours has ended it.
   */
  #isMissing(leg: Leg, entry: OrderView): boolean {
    const id = this.#legs[leg] ?? this.#foundByName(leg);
    if (id === undefined) return true;
    const view = this.#view(id);
    if (view === undefined) return true;
    const { ordStatus } = view.order;
    if (!hasEnded(ordStatus) || view.fills.length > 0) return false;
    if (!this.#hasWorked(id)) return hasEnded(entry.order.ordStatus);
    return ordStatus === "Canceled" && this.#wasJustChanged();
  }

  #wasJustChanged(): boolean {
    const at = this.#changedAt;
    const isFresh = at !== undefined && this.#deps.elapsed() - at < CHANGE_TELLS_MS;
    return isFresh && LEGS.every((leg) => (this.#legView(leg)?.fills ?? []).length === 0);
  }

  /** Ours came through after all where the broker has an order of its name. */
  #foundByName(leg: Leg): number | undefined {
    const role = leg === "target" ? "TAKE_PROFIT" : "STOP_LOSS";
    const id = this.#deps.session.store.named(legIdOf(this.#asked.order.clOrdId, role));
    if (id !== undefined) this.#own(leg, id);
    return id;
  }

  async #place(
    entry: OrderView,
    { legs, qty }: { readonly legs: readonly Leg[]; readonly qty: number },
  ): Promise<void> {
    const { place, order } = this.#asked;
    const asked = exitLevels(order, this.#firstPx(entry));
    const { takeProfit, stopLoss } = { ...asked, ...this.#levels };
    const hasTarget = legs.includes("target") && takeProfit !== undefined;
    const hasStop = legs.includes("stop") && stopLoss !== undefined;
    if (!hasTarget && !hasStop) return;
    const target = legIdOf(order.clOrdId, "TAKE_PROFIT");
    const stop = legIdOf(order.clOrdId, "STOP_LOSS");
    const outcome = await this.#deps.commands().placeExits(place, {
      contract: order.contract,
      side: opposite(order.side),
      orderQty: qty,
      ...(hasTarget && { takeProfit: { clOrdId: target, price: takeProfit } }),
      ...(hasStop && { stopLoss: { clOrdId: stop, stopPx: stopLoss } }),
    });
    this.#judge(outcome, "The exits could not be placed");
    if (outcome.kind === "unknown") {
      this.#isUnsure = true;
      this.#alarm("It is unknown whether the exits were placed");
    }
    if (outcome.kind !== "accepted") return;
    const { takeProfitOrderId, stopLossOrderId } = outcome;
    if (takeProfitOrderId !== undefined) this.#own("target", Number(takeProfitOrderId));
    if (stopLossOrderId !== undefined) this.#own("stop", Number(stopLossOrderId));
  }

  #own(leg: Leg, id: number): void {
    this.#legs[leg] = id;
    this.#isOurs[leg] = true;
  }

  /** A leg by distance was placed at the entry's own price; the first fill may be a better one. */
  async #moveToFill(entry: OrderView): Promise<void> {
    if (this.#isMoved) return;
    this.#isMoved = true;
    const { order } = this.#asked;
    const before = exitLevels(order, order.price ?? order.stopPx);
    const after = exitLevels(order, this.#firstPx(entry));
    if (this.#isOurs.target || this.#isOurs.stop) return;
    if (before.takeProfit !== after.takeProfit && after.takeProfit !== undefined) {
      await this.#move("target", { price: after.takeProfit });
    }
    if (before.stopLoss !== after.stopLoss && after.stopLoss !== undefined) {
      await this.#move("stop", { stopPx: after.stopLoss });
    }
  }

  async #move(leg: Leg, to: { readonly price?: Ticks; readonly stopPx?: Ticks }): Promise<void> {
    const report = this.#report(leg);
    if (report === undefined || !this.#works(leg)) return;
    this.#changedAt = this.#deps.elapsed();
    const change = { orderId: report.orderId, ...to };
    this.#judge(await this.#deps.commands().changeOrder(report, change), "A leg was not moved");
  }

  /** Legs are as large as what is left to protect; those that we placed never grow by themselves. */
  async #resize(leg: Leg, left: number): Promise<void> {
    const report = this.#report(leg);
    const isLive = report !== undefined && this.#works(leg) && report.ordStatus !== "HELD";
    const isWrong = isLive && report.leavesQty !== left;
    const isOurs = this.#isOurs[leg];
    if (!this.#lasts(`size ${leg}`, isWrong, isOurs ? 0 : BROKERS_TURN_MS)) return;
    if (report === undefined) return;
    const change = { orderId: report.orderId, orderQty: report.cumQty + left };
    const outcome = await this.#deps.commands().changeOrder(report, change);
    this.#judge(outcome, "A leg has not the size of what its entry filled");
  }

  /** True once something has been wrong for so long. */
  #lasts(what: string, isWrong: boolean, ms = BROKERS_TURN_MS): boolean {
    if (!isWrong) {
      this.#since.delete(what);
      return false;
    }
    const now = this.#deps.elapsed();
    const since = this.#since.get(what) ?? now;
    this.#since.set(what, since);
    return now - since >= ms;
  }

  #judge(outcome: CommandOutcome | SubmitOutcome, what: string): void {
    if (outcome.kind === "accepted") {
      this.#failures = 0;
      return;
    }
    this.#notBefore = this.#deps.elapsed() + RETRY_MS;
    this.#failures += 1;
    if (this.#failures < ATTEMPTS) return;
    this.#isLeftAlone = true;
    this.#alarm(`${what}: ${outcome.reason}`);
  }

  #alarm(reason: string): void {
    const { entry, place, order } = this.#asked;
    const { session, onTrouble } = this.#deps;
    const exits = this.#wanted().map((leg) => (leg === "target" ? "TAKE_PROFIT" : "STOP_LOSS"));
    onTrouble(session.accountOf(place.account.id), {
      entry: orderId(String(entry)),
      contract: order.contract,
      exits,
      reason,
    });
  }

  #wanted(): readonly Leg[] {
    const { takeProfit, stopLoss } = this.#asked.order.bracket ?? {};
    return [
      ...(takeProfit === undefined ? [] : (["target"] as const)),
      ...(stopLoss === undefined ? [] : (["stop"] as const)),
    ];
  }

  /** What the entry has filled and its legs have not closed yet. */
  #toProtect(entry: OrderView): number {
    const closed = LEGS.map((leg) => filled(this.#legView(leg)?.fills ?? []));
    return filled(entry.fills) - closed.reduce((sum, qty) => sum + qty, 0);
  }

  /** Never more than is held: a flatten or a hand may have closed what the entry filled. */
  #leftToProtect(entry: OrderView): number {
    const { place, order } = this.#asked;
    const held = this.#deps.session.store
      .all("position")
      .filter((one) => one.accountId === place.account.id && one.contractId === place.contract.id)
      .reduce((sum, { netPos }) => sum + sign(order.side) * netPos, 0);
    return Math.min(this.#toProtect(entry), held);
  }

  /** A broker may let legs wait for the whole entry: what is filled so far is not protected then. */
  #sayIfHeld(): void {
    const isHeld = LEGS.some((leg) => this.#report(leg)?.ordStatus === "HELD");
    if (!this.#lasts("held", isHeld) || this.#isSaid) return;
    this.#isSaid = true;
    this.#alarm("The exits do not work yet for what the entry has filled");
  }

  #works(leg: Leg): boolean {
    const view = this.#legView(leg);
    return view !== undefined && !hasEnded(view.order.ordStatus);
  }

  /** Whether an order was ever at the exchange. */
  #hasWorked(id: number): boolean {
    const { store } = this.#deps.session;
    return store.of("executionReport", id).some(({ execType }) => execType === "New");
  }

  #firstPx({ fills, contract }: OrderView): Ticks | undefined {
    const [first] = fills;
    return first && toTicks(first.price, contract.tickSize);
  }

  #legView(leg: Leg): OrderView | undefined {
    const id = this.#legs[leg];
    return id === undefined ? undefined : this.#view(id);
  }

  #report(leg: Leg): OrderReport | undefined {
    const { store } = this.#deps.session;
    const view = this.#legView(leg);
    return view && toOrderReport(store, view, standingOf(store, view));
  }

  #view(id: number): OrderView | undefined {
    return this.#deps.session.view(id);
  }
}
