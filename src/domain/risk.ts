import type { OrderReport, Side } from "./order.ts";
import { sign } from "./order.ts";

/** What an order would do to the position in its contract. Quantities are contracts. */
export interface RiskAssessment {
  /** Whether it would open or grow a position, or turn it around. */
  readonly adds: boolean;
  /** The largest position on the order's side that it and the resting entries could lead to. */
  readonly worstQty: number;
}

/**
 * An order reduces risk when it is opposite to the position and no larger; everything else adds.
 * `working` are the account's working orders in the same contract.
 */
export function assessRisk(
  order: { readonly side: Side; readonly orderQty: number },
  netQty: number,
  working: readonly Pick<OrderReport, "side" | "leavesQty" | "role">[],
): RiskAssessment {
  const held = netQty * sign(order.side);
  const adds = held >= 0 || order.orderQty > -held;
  const resting = working
    .filter(({ side, role }) => side === order.side && role === "ORDER")
    .reduce((total, { leavesQty }) => total + leavesQty, 0);
  return { adds, worstQty: Math.max(0, held + order.orderQty + resting) };
}
