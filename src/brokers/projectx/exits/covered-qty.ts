import { declaredType } from "../../../domain/declared/order-types.ts";
import { isOwnClOrdId } from "../../../domain/ids.ts";
import type { BracketBook, WantedEntry, WantedLeg } from "./bracket-book.ts";
import { liveLegs, viewBracket, wantedQty, workingQty } from "./bracket-view.ts";
import { clOrdIdOf, type LegRole, readLegTag } from "../leg-tags.ts";
import { filled, statusOf } from "../order-view.ts";
import { hasEnded, toOrdType } from "../parse.ts";
import type { SessionView } from "../session-view.ts";
import { ORDER_STATUS, type ProjectXOrder } from "../wire.ts";

export interface CoveredQtyDeps {
  readonly session: Pick<SessionView, "store" | "contracts">;
  readonly book: BracketBook;
  /** For how much an exit of the leg may be at the broker that it has not shown. */
  readonly unseenQty: (leg: WantedLeg) => number;
  /** How much of what is held is which entry's. */
  readonly lots: ReadonlyMap<WantedEntry, number>;
}

/**
 * For how much of what is held exits of one kind are there, or are to be, that are not this entry's.
 * What was placed last counts as held last, as the gateway's own look at legs has it: an older entry has
 * what newer ones leave it.
 */
export function coveredQty(deps: CoveredQtyDeps, wanted: WantedEntry, role: LegRole): number {
  const { session, book, unseenQty, lots } = deps;
  const { account, contractId, side } = wanted;
  let isNewer = false;
  let qty = strangersQty(deps, wanted, role);
  for (const other of book.all()) {
    if (other === wanted) isNewer = true;
    const isBeside = other.account === account && other.contractId === contractId;
    if (other === wanted || !isBeside || other.side !== side) continue;
    const view = viewBracket(session, other);
    const leg = other.legs.get(role);
    if (view === undefined || leg === undefined) continue;
    const working = workingQty(liveLegs(view, role)) + unseenQty(leg);
    const due = Math.min(wantedQty(view, leg), lots.get(other) ?? 0);
    qty += isNewer ? Math.max(working, due) : working;
  }
  return qty;
}

/** Pairs that the gateway has placed, and what rests there by hand. */
function strangersQty(
  { session: { store }, book }: CoveredQtyDeps,
  { account, contractId, side }: WantedEntry,
  role: LegRole,
): number {
  const isExit = (order: ProjectXOrder): boolean =>
    order.contractId === contractId &&
    order.side === (side === "BUY" ? 1 : 0) &&
    order.status !== ORDER_STATUS.suspended &&
    !hasEnded(statusOf(store, order));
  const isStranger = ({ customTag, type }: ProjectXOrder): boolean => {
    const leg = customTag === undefined ? undefined : readLegTag(customTag);
    if (leg !== undefined) return leg.role === role && book.of(account, leg.entry) === undefined;
    const ordType = toOrdType(type);
    const isOwn = customTag !== undefined && isOwnClOrdId(clOrdIdOf(customTag));
    return !isOwn && ordType !== undefined && declaredType(ordType).exit === role;
  };
  return store
    .ordersOf(account)
    .filter((order) => isExit(order) && isStranger(order))
    .reduce((sum, order) => sum + leavesOf(store, order), 0);
}

function leavesOf(store: SessionView["store"], { id, size = 0, fillVolume = 0 }: ProjectXOrder) {
  return Math.max(0, size - Math.max(fillVolume, filled(store.tradesOf(id))));
}
