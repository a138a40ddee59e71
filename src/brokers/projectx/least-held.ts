import { sign } from "../../domain/order.ts";
import type { BracketBook, WantedEntry } from "./bracket-book.ts";
import { type BracketView, openQty, viewBracket } from "./bracket-view.ts";
import type { SessionView } from "./session-view.ts";

export interface LeastHeldDeps {
  readonly session: Pick<SessionView, "store" | "contracts">;
  readonly book: BracketBook;
}

/**
 * The least that was held on the entry's side since it filled last, as far as trades tell, by what is held
 * now. More than that was opened later, by others: exits of the entry are none of theirs. What newer
 * entries have filled, and their exits closed, is apart from it at every moment.
 */
export function leastHeldQty(
  deps: LeastHeldDeps,
  wanted: WantedEntry,
  { entry, heldQty = 0 }: BracketView,
): number {
  const { account, contractId, side } = wanted;
  const newer = newerViews(deps, wanted);
  const apart = new Set(newer.flatMap(ordersOf));
  const trades = deps.session.store
    .tradesIn(account)
    .filter((trade) => trade.contractId === contractId && !apart.has(trade.orderId));
  const last = trades.findLastIndex(({ orderId }) => orderId === entry.id);
  if (last < 0) return heldQty;
  const now = heldQty - newer.reduce((sum, view) => sum + openQty(view), 0);
  let before = now;
  const then = trades
    .slice(last + 1)
    .toReversed()
    .map((trade) => {
      before -= (trade.side === 0 ? trade.size : -trade.size) * sign(side);
      return before;
    });
  return Math.min(now, ...then);
}

/** Entries in the same contract, on the same side, that were placed later. */
function newerViews({ session, book }: LeastHeldDeps, wanted: WantedEntry): readonly BracketView[] {
  const { account, contractId, side } = wanted;
  const all = book.all();
  return all
    .slice(all.indexOf(wanted) + 1)
    .filter((other) => other.account === account && other.contractId === contractId)
    .filter((other) => other.side === side)
    .flatMap((other) => viewBracket(session, other) ?? []);
}

const ordersOf = ({ entry, legs, goneLegs }: BracketView): readonly string[] => [
  entry.id,
  ...[...legs, ...goneLegs].map(({ order }) => order.id),
];
