import { type ClOrdId, legIdOf, type OrderId, orderId } from "../../domain/ids.ts";
import {
  type NewOrderSingle,
  opposite,
  type OrderChange,
  type OrderReport,
  type ProtectionOrder,
  sign,
} from "../../domain/order.ts";
import type { Ticks } from "../../domain/contracts/price.ts";
import { netPosOf } from "./position-check.ts";
import { type ExitLevels, exitLevels, holdingOf, type Placement } from "./order-bodies.ts";
import { hasEnded } from "./order-status.ts";
import { filled, type OrderView, reportOf } from "./order-view.ts";
import { toTicks } from "../price-numbers.ts";
import type { TradovateSession } from "./session.ts";

export type Leg = "target" | "stop";
export const LEGS: readonly Leg[] = ["target", "stop"];
export const ROLES = { target: "TAKE_PROFIT", stop: "STOP_LOSS" } as const;

/** Tradovate's ids of the exits that are there. */
export interface LegIds {
  readonly target?: number | undefined;
  readonly stop?: number | undefined;
}

/** The same as an answer names them. */
export interface LegNames {
  readonly takeProfitOrderId?: OrderId;
  readonly stopLossOrderId?: OrderId;
}

export function legNames({ target, stop }: LegIds): LegNames {
  return {
    ...(target !== undefined && { takeProfitOrderId: orderId(String(target)) }),
    ...(stop !== undefined && { stopLossOrderId: orderId(String(stop)) }),
  };
}

/** An entry with the exits that it was placed with. */
export interface WatchedEntry extends LegIds {
  readonly place: Placement;
  readonly order: NewOrderSingle;
  readonly entry: number;
}

/** So long after a change of a pair its end is put down to the change. */
const CHANGE_TELLS_MS = 10_000;

/** What is known of one entry's exits: which they are, how they stand, and what they should be. */
export class BracketLegs {
  readonly #session: TradovateSession;
  readonly #elapsed: () => number;
  readonly #asked: WatchedEntry;
  readonly #ids: Record<Leg, number | undefined>;
  /** Placed by us after the fill, and not by the broker with the entry. */
  readonly #isOurs = { target: false, stop: false };
  /** Where our commands have put the legs since. */
  #levels: ExitLevels = {};
  #changedAt: number | undefined;

  constructor(session: TradovateSession, asked: WatchedEntry, elapsed: () => number) {
    this.#session = session;
    this.#asked = asked;
    this.#elapsed = elapsed;
    this.#ids = { target: asked.target, stop: asked.stop };
  }

  /** Undefined while something is missing without which the entry cannot be told. */
  entry(): OrderView | undefined {
    return this.#session.view(this.#asked.entry);
  }

  /** The broker may call it filled before it reports its fills. */
  mayStillFill({ order, version, earlierQty }: OrderView): boolean {
    if (!hasEnded(order.ordStatus)) return true;
    // A fill that was taken back was reported.
    const told = this.#session.store.of("fill", order.id);
    return order.ordStatus === "Filled" && filled(told) + earlierQty < version.orderQty;
  }

  names(): LegNames {
    return legNames(this.#ids);
  }

  idOf(leg: Leg): number | undefined {
    return this.#ids[leg];
  }

  legOf(order: number): Leg | undefined {
    return LEGS.find((leg) => this.#ids[leg] === order);
  }

  /** The exits that were asked for with the entry. */
  wanted(): readonly Leg[] {
    const { takeProfit, stopLoss } = this.#asked.order.bracket ?? {};
    const isWanted = { target: takeProfit !== undefined, stop: stopLoss !== undefined };
    return LEGS.filter((leg) => isWanted[leg]);
  }

  isOurs(leg: Leg): boolean {
    return this.#isOurs[leg];
  }

  /** We have placed the leg ourselves. */
  own(leg: Leg, id: number): void {
    this.#ids[leg] = id;
    this.#isOurs[leg] = true;
  }

  /** One of the legs is being changed. */
  noteChange(): void {
    this.#changedAt = this.#elapsed();
  }

  /** A change of ours says where the leg is to be from now on. */
  noteLevel(leg: Leg, { price, stopPx }: OrderChange): void {
    if (leg === "target" && price !== undefined) {
      this.#levels = { ...this.#levels, takeProfit: price };
    }
    if (leg === "stop" && stopPx !== undefined) {
      this.#levels = { ...this.#levels, stopLoss: stopPx };
    }
  }

  /** The order that places these legs; undefined when no level of theirs is known. */
  exits(
    entry: OrderView,
    { legs, orderQty }: { readonly legs: readonly Leg[]; readonly orderQty: number },
  ): ProtectionOrder | undefined {
    const { order } = this.#asked;
    const { takeProfit, stopLoss } = { ...exitLevels(order, firstPx(entry)), ...this.#levels };
    const hasTarget = legs.includes("target") && takeProfit !== undefined;
    const hasStop = legs.includes("stop") && stopLoss !== undefined;
    if (!hasTarget && !hasStop) return undefined;
    return {
      contract: order.contract,
      side: opposite(order.side),
      orderQty,
      ...(hasTarget && { takeProfit: { clOrdId: this.#nameOf("target"), price: takeProfit } }),
      ...(hasStop && { stopLoss: { clOrdId: this.#nameOf("stop"), stopPx: stopLoss } }),
    };
  }

  /**
   * A leg by distance was placed at the entry's own price; the first fill may be a better one. A leg that
   * lies elsewhere by then was moved by a person, and stays there.
   */
  shifted(entry: OrderView): ExitLevels {
    const { order } = this.#asked;
    const placed = exitLevels(order, order.price ?? order.stopPx);
    const { takeProfit, stopLoss } = exitLevels(order, firstPx(entry));
    const followsTarget = this.report("target")?.price === placed.takeProfit;
    const followsStop = this.report("stop")?.stopPx === placed.stopLoss;
    return {
      ...(takeProfit !== undefined &&
        takeProfit !== placed.takeProfit &&
        followsTarget && { takeProfit }),
      ...(stopLoss !== undefined && stopLoss !== placed.stopLoss && followsStop && { stopLoss }),
    };
  }

  works(leg: Leg): boolean {
    const view = this.#view(leg);
    return view !== undefined && !hasEnded(view.order.ordStatus);
  }

  report(leg: Leg): OrderReport | undefined {
    const view = this.#view(leg);
    return view && reportOf(this.#session.store, view);
  }

  missing(entry: OrderView): readonly Leg[] {
    return this.wanted().filter((leg) => this.isMissing(leg, entry));
  }

  /**
   * A leg that is not there, that ended before it ever worked, or that was canceled right after a
   * change of the pair, as has been reported of Tradovate: nobody of ours has ended it.
   */
  isMissing(leg: Leg, entry: OrderView): boolean {
    const id = this.#ids[leg] ?? this.#findByName(leg);
    if (id === undefined) return true;
    const view = this.#session.view(id);
    if (view === undefined) return true;
    const { ordStatus } = view.order;
    if (!hasEnded(ordStatus) || view.fills.length > 0) return false;
    if (!this.#hasWorked(id)) return hasEnded(entry.order.ordStatus);
    return ordStatus === "Canceled" && this.#wasJustChanged();
  }

  /** What the entry has filled and its legs have not closed yet. */
  toProtect(entry: OrderView): number {
    const closed = LEGS.map((leg) => filled(this.#view(leg)?.fills ?? []));
    return filled(entry.fills) - closed.reduce((sum, qty) => sum + qty, 0);
  }

  /** Never more than is held: a flatten or a hand may have closed what the entry filled. */
  leftToProtect(entry: OrderView): number {
    const { place, order } = this.#asked;
    const netPos = netPosOf(this.#session.store.all("position"), holdingOf(place));
    return Math.min(this.toProtect(entry), sign(order.side) * netPos);
  }

  #view(leg: Leg): OrderView | undefined {
    const id = this.#ids[leg];
    return id === undefined ? undefined : this.#session.view(id);
  }

  /** Ours came through after all where the broker has an order of its name. */
  #findByName(leg: Leg): number | undefined {
    const id = this.#session.store.named(this.#nameOf(leg));
    if (id !== undefined) this.own(leg, id);
    return id;
  }

  #nameOf(leg: Leg): ClOrdId {
    return legIdOf(this.#asked.order.clOrdId, ROLES[leg]);
  }

  /** Whether an order was ever at the exchange. */
  #hasWorked(id: number): boolean {
    const reports = this.#session.store.of("executionReport", id);
    return reports.some(({ execType }) => execType === "New");
  }

  #wasJustChanged(): boolean {
    const at = this.#changedAt;
    const isFresh = at !== undefined && this.#elapsed() - at < CHANGE_TELLS_MS;
    return isFresh && LEGS.every((leg) => (this.#view(leg)?.fills ?? []).length === 0);
  }
}

function firstPx({ fills, contract }: OrderView): Ticks | undefined {
  const [first] = fills;
  return first && toTicks(first.price, contract.tickSize);
}
