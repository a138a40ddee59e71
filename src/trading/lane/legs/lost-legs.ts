import { areOnePair } from "../../../domain/legs.ts";
import { type ExecutionReport, isForeign, type OrderReport } from "../../../domain/order.ts";
import { isCovered } from "../../reads/protection.ts";
import type { Snapshot } from "../read-snapshot.ts";

/** A broker that ends a pair over the change of one leg does it at once. */
const CHANGE_TELLS_MS = 2_000;
/** An adapter may place the leg again by itself; so long that is waited for. */
export const GONE_FOR_MS = 5_000;

interface Heard {
  readonly leg: OrderReport;
  readonly at: number;
}

/**
 * Legs of one account that were cancelled right after they, or the other leg of their pair, were
 * changed. The gateway did not ask for that; brokers have been reported to do it.
 */
export class LostLegs {
  #changed: readonly Heard[] = [];
  #gone: readonly Heard[] = [];

  onReport({ execType, order }: ExecutionReport, now: number): void {
    if (order.role === "ORDER" || isForeign(order)) return;
    this.#changed = this.#changed.filter(({ at }) => now - at < CHANGE_TELLS_MS);
    if (execType === "REPLACED") this.#changed = [...this.#changed, { leg: order, at: now }];
    if (order.ordStatus === "FILLED") this.#forget(order);
    const isOfChange = this.#changed.some(({ leg }) => isOfPair(leg, order));
    if (execType !== "CANCELED" || !isOfChange) return;
    this.#gone = [...this.#gone, { leg: order, at: now }];
  }

  /** Those that are missing still, each once. `now` is when the reading began. */
  confirm(
    { positions, working }: Pick<Snapshot, "positions" | "working">,
    now: number,
  ): readonly OrderReport[] {
    const missing = this.#gone.filter(({ leg: { contract, side, role } }) => {
      const netQty = positions.find((one) => one.contract === contract)?.netQty ?? 0;
      const isHeld = side === "SELL" ? netQty > 0 : netQty < 0;
      return isHeld && role !== "ORDER" && !isCovered({ contract, netQty }, role, working);
    });
    const isDue = ({ at }: Heard) => now - at >= GONE_FOR_MS;
    this.#gone = missing.filter((one) => !isDue(one));
    return missing.filter(isDue).map(({ leg }) => leg);
  }

  /** Whether a leg may be lost, and it is too early to say so. */
  isWaiting(): boolean {
    return this.#gone.length > 0;
  }

  /** The other leg of one that fills is cancelled for that. */
  #forget(filled: OrderReport): void {
    this.#changed = this.#changed.filter(({ leg }) => !isOfPair(leg, filled));
    this.#gone = this.#gone.filter(({ leg }) => !isOfPair(leg, filled));
  }
}

function isOfPair(one: OrderReport, other: OrderReport): boolean {
  return one.orderId === other.orderId || areOnePair(one, other);
}
