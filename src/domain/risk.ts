import { type NewOrderSingle, type OrderReport, type Side, sign } from "./order.ts";

/** What an order would do to the position in its contract. Quantities are contracts. */
export interface RiskAssessment {
  /** Whether it could open or grow a position, or turn it around. */
  readonly adds: boolean;
  /** The largest position on the order's side that it and the resting entries could lead to. */
  readonly worstQty: number;
}

/** What of an order decides its risk. */
export type RiskOrder = Pick<
  NewOrderSingle,
  "side" | "orderQty" | "ordType" | "timeInForce" | "bracket"
>;

/**
 * An order reduces risk when it is opposite to the position and, with what already rests on its
 * side, no larger; everything else adds. An order that ends at once is not held up by what rests:
 * an exit at the market is always an exit. One with a bracket always adds: its legs are orders too.
 * `working` are the account's working orders in the same contract.
 */
export function assessRisk(
  order: RiskOrder,
  netQty: number,
  working: readonly Pick<OrderReport, "side" | "leavesQty" | "role">[],
): RiskAssessment {
  const held = netQty * sign(order.side);
  const resting = restingQty(order.side, working);
  const exits = order.orderQty + (endsAtOnce(order) ? 0 : resting);
  return {
    adds: order.bracket !== undefined || held >= 0 || exits > -held,
    worstQty: Math.max(0, held + order.orderQty + resting),
  };
}

/** Whether the order is filled or gone as soon as the broker has worked it. */
export function endsAtOnce({
  ordType,
  timeInForce,
}: Pick<NewOrderSingle, "ordType" | "timeInForce">): boolean {
  return ordType === "MARKET" || timeInForce === "IOC" || timeInForce === "FOK";
}

/**
 * The resting orders that could open or grow a position: all on the position's own side, and of
 * those opposite to it whatever exceeds it, the oldest being kept.
 */
export function riskyResting<Order extends Pick<OrderReport, "side" | "leavesQty" | "role">>(
  netQty: number,
  working: readonly Order[],
): readonly Order[] {
  let toReduce = Math.abs(netQty);
  return working.filter((order) => {
    if (order.role !== "ORDER") return false;
    const isReducing = netQty * sign(order.side) < 0 && order.leavesQty <= toReduce;
    if (isReducing) toReduce -= order.leavesQty;
    return !isReducing;
  });
}

function restingQty(
  side: Side,
  working: readonly Pick<OrderReport, "side" | "leavesQty" | "role">[],
): number {
  return working
    .filter((order) => order.side === side && order.role === "ORDER")
    .reduce((total, { leavesQty }) => total + leavesQty, 0);
}
