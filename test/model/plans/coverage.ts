import type { OrderReport } from "../../../src/domain/order.ts";
import type { AccountView } from "../../simulators/exchange/desk.ts";

/** What the broker held at one moment, and what stood there to stop it. */
export interface Moment {
  /** By a steady clock, ms. */
  readonly at: number;
  /** Signed. */
  readonly held: number;
  /** Contracts for which stops work that close what is held. */
  readonly stopped: number;
  /** The same of targets. */
  readonly targeted: number;
  /** Where each stop stands, by its order. */
  readonly stops: ReadonlyMap<string, number>;
  /** An entry that may still fill. */
  readonly isEntering: boolean;
}

/** How the account was covered over a whole run. */
export interface Coverage {
  /** The longest time in which stops closed less than was held, ms. */
  readonly nakedMs: number;
  /**
   * The longest time in which they closed more while the gateway was there, ms, and by how many contracts
   * at most, also while it was not.
   */
  readonly doubledMs: number;
  readonly doubledBy: number;
  /** Stops that went back, in words. */
  readonly movedBack: readonly string[];
  /** What was held has turned around without an order that asked for it. */
  readonly hasTurned: boolean;
  readonly hasHeld: boolean;
}

export function momentOf(view: AccountView, at: number): Moment {
  const held = view.positions[0]?.netQty ?? 0;
  const closes = held > 0 ? "SELL" : "BUY";
  const live = view.workingOrders.filter(({ ordStatus }) => ordStatus !== "HELD");
  // Whatever an adapter calls them: an exit that was changed may be an order of its own.
  const exits = held === 0 ? [] : live.filter(({ side }) => side === closes);
  const stops = exits.filter(({ stopPx }) => stopPx !== undefined);
  const leaves = (orders: readonly OrderReport[]) =>
    orders.reduce((sum, { leavesQty }) => sum + leavesQty, 0);
  return {
    at,
    held,
    stopped: leaves(stops),
    targeted: leaves(exits.filter(({ stopPx }) => stopPx === undefined)),
    stops: new Map(stops.map(({ orderId, stopPx = 0 }) => [orderId, Number(stopPx)])),
    isEntering: live.some(({ side }) => side !== closes),
  };
}

const SETTLES_MS = 2_000;

/** Looks at the moments of one account in their order. */
export class CoverageWatch {
  #nakedSince: number | undefined;
  #doubledSince: number | undefined;
  #last: Moment | undefined;
  /** Whether a gateway is there to do anything. */
  isUp = true;
  #side = 0;
  #openedAt = 0;
  readonly #found = { nakedMs: 0, doubledMs: 0, doubledBy: 0, hasTurned: false, hasHeld: false };
  readonly #movedBack: string[] = [];

  see(moment: Moment): void {
    const { at, held, stopped } = moment;
    const size = Math.abs(held);
    this.#nakedSince = stopped < size ? (this.#nakedSince ?? at) : undefined;
    if (this.#nakedSince !== undefined) {
      this.#found.nakedMs = Math.max(this.#found.nakedMs, at - this.#nakedSince);
    }
    const isDoubled = held !== 0 && stopped > size;
    this.#doubledSince = isDoubled && this.isUp ? (this.#doubledSince ?? at) : undefined;
    if (this.#doubledSince !== undefined) {
      this.#found.doubledMs = Math.max(this.#found.doubledMs, at - this.#doubledSince);
    }
    if (isDoubled) this.#found.doubledBy = Math.max(this.#found.doubledBy, stopped - size);
    this.#seeStops(moment);
    if (held * this.#side < 0) this.#found.hasTurned = true;
    if (held !== 0) this.#found.hasHeld = true;
    this.#last = moment;
  }

  /** On which side it is to be held from now on. */
  enter(side: 1 | -1): void {
    this.#side = side;
  }

  get last(): Moment | undefined {
    return this.#last;
  }

  get coverage(): Coverage {
    return { ...this.#found, movedBack: this.#movedBack };
  }

  #seeStops({ at, held, stops, isEntering }: Moment): void {
    const last = this.#last;
    if (last === undefined || last.held * held <= 0) {
      this.#openedAt = at;
      return;
    }
    // A broker counts a distance from the order's price until the first fill is known.
    if (isEntering || at - this.#openedAt < SETTLES_MS) return;
    for (const [order, level] of stops) {
      const before = last.stops.get(order);
      if (before !== undefined && (level - before) * Math.sign(held) < 0) {
        this.#movedBack.push(`stop ${order} went from ${before} to ${level}, ${held} held`);
      }
    }
  }
}
