import { endsAtOnce, sign } from "./order.ts";
import { onlyCloses, type Exposure, type RiskOrder } from "./exposure.ts";

/** An order as its bracket fits what is held. */
export type Fitted<Order> =
  | { readonly kind: "fits"; readonly order: Order; readonly problem?: string }
  /** It cannot go with its bracket, and must not go without. */
  | { readonly kind: "unfit"; readonly reason: string };

export const OPENS_NOTHING = "It opens nothing, so its take-profit and stop-loss are not placed";

/**
 * A bracket is for what an order opens. One that only takes something off is an exit and goes
 * without: its legs would be those of a trade that does not exist. One that turns the position around
 * at once takes it along, and what its legs are too large is cut right after the fill; so does one
 * that would be an exit only of what is still being filled, and may never be. One that turns it around
 * later, bit by bit, is unfit: the first bit opens nothing, its legs would be ended, and what is filled
 * after it would have none.
 */
export function fitBracket<Order extends RiskOrder>(
  order: Order,
  exposure: Pick<Exposure, "netQty" | "expectedQty">,
): Fitted<Order> {
  const { expectedQty } = exposure;
  const closable = Math.max(0, -expectedQty * sign(order.side));
  if (order.bracket === undefined || closable === 0) return { kind: "fits", order };
  if (onlyCloses(order, exposure)) {
    const { bracket: _, ...exit } = order;
    return { kind: "fits", order: exit as Order, problem: OPENS_NOTHING };
  }
  if (endsAtOnce(order)) return { kind: "fits", order };
  const held = `${closable} ${expectedQty > 0 ? "long" : "short"}`;
  const reason = `The account holds ${held}: an order that rests, turns that around and has a bracket could stand without its exits while it fills. Close the position first, leave the bracket out, or send it at the market; nothing was sent`;
  return { kind: "unfit", reason };
}
