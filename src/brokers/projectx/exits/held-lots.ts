import { sign } from "../../../domain/order.ts";
import type { BracketBook, WantedEntry } from "./bracket-book.ts";
import { type BracketView, viewBracket } from "./bracket-view.ts";
import type { EntityStore } from "../entity-store.ts";
import { filled } from "../order-view.ts";
import { toSide } from "../parse.ts";
import type { SessionView } from "../session-view.ts";

export interface HeldLotsDeps {
  readonly session: Pick<SessionView, "store" | "contracts">;
  readonly book: BracketBook;
}

/** What is held of one entry, as far as its trades were followed. */
interface Lot {
  readonly entry: WantedEntry;
  readonly view: BracketView;
  qty: number;
  /** For so much of it commands of ours have taken the exits away. */
  bareQty: number;
}

/**
 * How much of what is held belongs to which entry, as far as trades tell: of all entries in a contract on
 * one side. What its legs close is the entry's own. What others close is first what others have opened,
 * then what is to be without exits, then the oldest entry's. What others open is no entry's.
 */
export function heldLots(
  { session, book }: HeldLotsDeps,
  { account, contractId, side }: WantedEntry,
): ReadonlyMap<WantedEntry, number> {
  const { store } = session;
  const lots = book
    .all()
    .filter((one) => one.account === account && one.contractId === contractId && one.side === side)
    .flatMap((entry) => {
      const view = viewBracket(session, entry);
      return view === undefined ? [] : [lotOf(store, entry, view)];
    });
  const byOrder = new Map(lots.flatMap((lot) => ordersOf(lot).map((id) => [id, lot] as const)));
  const trades = store
    .tradesIn(account)
    .filter((trade) => trade.contractId === contractId && !trade.voided)
    .map((trade) => ({
      lot: byOrder.get(trade.orderId),
      qty: sign(toSide(trade.side)) * sign(side) * trade.size,
    }));
  const held = lots[0]?.view.heldQty ?? 0;
  const known = trades.reduce((sum, { qty }) => sum + qty, 0);
  // What was there before all that is told.
  let others = held - known - lots.reduce((sum, { qty }) => sum + qty, 0);
  for (const { lot, qty } of trades) {
    if (qty > 0 && lot !== undefined) lot.qty += qty;
    else if (qty > 0) others += qty;
    else others = close(lots, -qty, { lot, others });
  }
  return new Map(lots.map(({ entry, qty }) => [entry, qty]));
}

/** What was filled before the first trade that is told counts too. */
function lotOf(store: Pick<EntityStore, "tradesOf">, entry: WantedEntry, view: BracketView): Lot {
  const { filledQty, closedQty, legs, goneLegs } = view;
  const traded = filled(store.tradesOf(view.entry.id));
  const tradedBack = [...legs, ...goneLegs].reduce(
    (sum, { order }) => sum + filled(store.tradesOf(order.id)),
    0,
  );
  const bare = [...entry.legs.values()].map(({ isEnded, waivedQty }) =>
    isEnded ? Number.POSITIVE_INFINITY : waivedQty,
  );
  const qty = Math.max(0, filledQty - traded - (closedQty - tradedBack));
  return { entry, view, qty, bareQty: Math.min(...bare) };
}

/** Takes so much from what is held, the lot's own first; answers what is left of what others have opened. */
function close(
  lots: readonly Lot[],
  closedQty: number,
  { lot: own, others }: { readonly lot: Lot | undefined; readonly others: number },
): number {
  let left = closedQty;
  const take = (lot: Lot, most: number): number => {
    const taken = Math.max(0, Math.min(left, most, lot.qty));
    lot.qty -= taken;
    left -= taken;
    return taken;
  };
  if (own !== undefined) take(own, left);
  const ofOthers = Math.max(0, Math.min(left, others));
  left -= ofOthers;
  for (const lot of lots) lot.bareQty -= take(lot, lot.bareQty);
  for (const lot of lots) take(lot, left);
  return others - ofOthers - left;
}

const ordersOf = ({ view: { entry, legs, goneLegs } }: Lot): readonly string[] => [
  entry.id,
  ...[...legs, ...goneLegs].map(({ order }) => order.id),
];
