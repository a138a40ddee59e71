import { type BookFill, leftOf, lotsOf, netOf, withUntold } from "../../../domain/book/lots.ts";
import { execId } from "../../../domain/ids.ts";
import { opposite, sign } from "../../../domain/order.ts";
import type { BracketBook, WantedEntry } from "./bracket-book.ts";
import { type BracketView, viewBracket } from "./bracket-view.ts";
import { filled } from "../order-view.ts";
import { toSide } from "../parse.ts";
import type { SessionView } from "../session-view.ts";
import type { ProjectXOrder, ProjectXTrade } from "../wire.ts";

export interface HeldLotsDeps {
  readonly session: Pick<SessionView, "store" | "contracts">;
  readonly book: BracketBook;
}

/** An entry whose contracts are looked for. */
interface Seen {
  readonly entry: WantedEntry;
  readonly view: BracketView;
}

/**
 * How much of what is held belongs to which entry, of all entries in a contract on one side, by the rule of
 * the book (`domain/book/lots.ts`). A leg closes its own entry's contracts. A command of ours that has taken
 * exits from an entry closes that entry's next. All other closes take the oldest contracts, also those of other people.
 */
export function heldLots(
  { session, book }: HeldLotsDeps,
  { account, contractId, side }: WantedEntry,
): ReadonlyMap<WantedEntry, number> {
  const isBeside = (one: WantedEntry) =>
    one.account === account && one.contractId === contractId && one.side === side;
  const seen = book
    .all()
    .filter(isBeside)
    .flatMap((entry): Seen[] => {
      const view = viewBracket(session, entry);
      return view === undefined ? [] : [{ entry, view }];
    });
  const trades = session.store
    .tradesIn(account)
    .filter((trade) => trade.contractId === contractId && !trade.voided);
  const fills = toFills(trades, seen);
  const held = (seen[0]?.view.heldQty ?? 0) * sign(side);
  const trip = { fills, unexplained: held - netOf({ fills, unexplained: 0 }) };
  const orders = seen.flatMap(({ entry: { tag }, view }) => [
    { order: tag, side, cumQty: view.filledQty },
    ...legsOf(view).map(({ order, filledQty }) => ({
      order: order.id,
      side: opposite(side),
      cumQty: filledQty,
      closes: [tag],
    })),
  ]);
  const told = withUntold(trip, orders, 0);
  // The entry is known before its legs: nothing is owed.
  const lots = lotsOf(told, 0, netOf(told));
  return new Map(seen.map(({ entry }) => [entry, leftOf(lots, [entry.tag])]));
}

function toFills(trades: readonly ProjectXTrade[], seen: readonly Seen[]): readonly BookFill[] {
  const byOrder = new Map(
    seen.flatMap((one) => [
      [one.view.entry.id, one] as const,
      ...legsOf(one.view).map(({ order }) => [order.id, one] as const),
    ]),
  );
  const qtyIn = (orders: readonly ProjectXOrder[]) =>
    filled(trades.filter(({ orderId }) => orders.some(({ id }) => id === orderId)));
  // Contracts that were filled before all trades that are known are held, too.
  const open = new Map(
    seen.map((one) => {
      const { entry, filledQty, closedQty } = one.view;
      const closed = closedQty - qtyIn(legsOf(one.view).map(({ order }) => order));
      return [one, Math.max(0, filledQty - qtyIn([entry]) - closed)];
    }),
  );
  const bare = new Map(seen.map((one) => [one, bareQty(one)]));
  return trades.flatMap((trade, nth): BookFill[] => {
    const { id, orderId, size } = trade;
    const side = toSide(trade.side);
    const fill = { execId: execId(id), order: orderId, side, at: nth + 1, heardAt: 0 };
    const own = byOrder.get(orderId);
    if (own !== undefined) {
      const isEntry = orderId === own.view.entry.id;
      const { tag } = own.entry;
      open.set(own, (open.get(own) ?? 0) + (isEntry ? size : -size));
      return [{ ...fill, qty: size, ...(isEntry ? { order: tag } : { closes: [tag] }) }];
    }
    let left = size;
    const parts = seen.flatMap((one): BookFill[] => {
      if (side === one.entry.side) return [];
      const [most, spared] = [open.get(one) ?? 0, bare.get(one) ?? 0];
      const qty = Math.max(0, Math.min(left, most, spared));
      if (qty === 0) return [];
      left -= qty;
      open.set(one, most - qty);
      bare.set(one, spared - qty);
      return [{ ...fill, execId: execId(`${id} ${one.entry.tag}`), qty, closes: [one.entry.tag] }];
    });
    return left === 0 ? parts : [...parts, { ...fill, qty: left }];
  });
}

/** For so much of an entry commands of ours have taken the exits away. */
const bareQty = ({ entry }: Seen): number =>
  Math.min(
    ...[...entry.legs.values()].map(({ isEnded, waivedQty }) =>
      isEnded ? Number.POSITIVE_INFINITY : waivedQty,
    ),
  );

const legsOf = ({ legs, goneLegs }: BracketView) => [...legs, ...goneLegs];
