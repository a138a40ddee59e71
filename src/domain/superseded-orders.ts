import type { Intent } from "./intent.ts";
import { endsAtOnce, isForeign, type OrderReport, type Side, sign } from "./order.ts";
import { type ExitCut, exitCuts, isFilling, type Exposure } from "./exposure.ts";

/** The identifier's end of the order that an adjustment opens or grows with. */
export const ADJUST_ENTRY_NTH = 100;

/**
 * What has to end before an adjustment, because what comes of it cannot be told beside it: orders that
 * are being filled at the market, unless they lead just where the position is to be, and what an
 * earlier target still has resting on the way to its own. A target that rests itself is the only one
 * of ours on its side, and a target of nothing leaves none of them on either. Without these the
 * position could become more than was asked for.
 */
export function supersededBy(
  { aim, terms }: Pick<Extract<Intent, { kind: "ADJUST" }>, "aim" | "terms">,
  exposures: readonly Exposure[],
): readonly OrderReport[] {
  if (aim.to === "position" && aim.netQty === 0) {
    return exposures
      .flatMap(ownOf)
      .filter((one) => !one.isFilling && isOfAdjustment(one.order))
      .map(({ order }) => order);
  }
  if (aim.to === "position") {
    const side: Side = aim.netQty > 0 ? "BUY" : "SELL";
    const mustCount = (order: OrderReport) =>
      order.side === side && (!endsAtOnce(terms) || isOfAdjustment(order));
    const [only, other] = exposures.filter(({ expectedQty }) => expectedQty !== 0);
    const isOnItsWay = only?.expectedQty === aim.netQty && other === undefined;
    return exposures
      .flatMap(ownOf)
      .filter((one) => (one.isFilling ? !isOnItsWay : mustCount(one.order)))
      .map(({ order }) => order);
  }
  // Of a part that is to go: what still grows it meanwhile would be closed before it is held.
  const takesOff = (expectedQty: number) =>
    aim.to === "close" ||
    (aim.to === "enter" && aim.whenOpposite === "reduceIfLess" && sign(aim.side) * expectedQty < 0);
  return exposures
    .filter(({ expectedQty }) => takesOff(expectedQty))
    .flatMap((exposure) =>
      ownOf(exposure)
        .filter((one) => one.isFilling && sign(one.order.side) * exposure.expectedQty > 0)
        .map(({ order }) => order),
    );
}

/** How much of our plain orders must go where what rests in the symbol is to be cancelled first. */
export function restingBeside(
  exposure: Exposure,
  /** The positions that may stay open: their exits stay too. */
  stays: readonly number[],
): readonly ExitCut[] {
  return exitCuts(exposure, stays).filter(({ order }) => !isForeign(order));
}

/**
 * Orders of ours that could open or grow a position on that side, each by itself: of two exits that
 * rest for the same position neither is an entry, and of an order that is larger than it a part is.
 */
export function entriesOn(side: Side, exposure: Exposure): readonly OrderReport[] {
  const { netQty, expectedQty } = exposure;
  const closable = Math.max(0, -sign(side) * netQty, -sign(side) * expectedQty);
  return ownOf(exposure)
    .map(({ order }) => order)
    .filter((order) => order.side === side && order.leavesQty > closable);
}

const ownOf = ({ working }: Exposure) =>
  working
    .filter((order) => order.role === "ORDER" && !isForeign(order))
    .map((order) => ({ order, isFilling: isFilling(order, working) }));

const isOfAdjustment = ({ clOrdId }: OrderReport): boolean =>
  clOrdId?.endsWith(`-${ADJUST_ENTRY_NTH}`) === true;
