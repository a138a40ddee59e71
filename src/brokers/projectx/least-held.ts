import { sign } from "../../domain/order.ts";
import type { WantedEntry } from "./bracket-book.ts";
import type { BracketView } from "./bracket-view.ts";
import type { SessionView } from "./session-view.ts";

/**
 * The least that was held on the entry's side since it filled last, as far as trades tell, by what is held
 * now. More than that was opened later, by others: exits of the entry are none of theirs.
 */
export function leastHeldQty(
  { store }: Pick<SessionView, "store">,
  { account, contractId, side }: WantedEntry,
  { entry, heldQty = 0 }: BracketView,
): number {
  const trades = store.tradesIn(account).filter((trade) => trade.contractId === contractId);
  const last = trades.findLastIndex(({ orderId }) => orderId === entry.id);
  if (last < 0) return heldQty;
  let before = heldQty;
  const then = trades
    .slice(last + 1)
    .toReversed()
    .map((trade) => {
      before -= (trade.side === 0 ? trade.size : -trade.size) * sign(side);
      return before;
    });
  return Math.min(heldQty, ...then);
}
