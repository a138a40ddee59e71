import type { Ticks } from "../../domain/contracts/price.ts";
import { sign } from "../../domain/order.ts";
import type { WantedEntry, WantedLeg } from "./bracket-book.ts";
import { winsBy } from "./entry-exits.ts";
import { type LegRole, readLegTag } from "./leg-tags.ts";
import { statusOf } from "./order-view.ts";
import { heldQty } from "./order-purpose.ts";
import { hasEnded } from "./parse.ts";
import { toTicks } from "../price-numbers.ts";
import type { SessionView } from "./session-view.ts";
import { ORDER_STATUS, type ProjectXOrder } from "./wire.ts";

/** An entry with its legs as the broker has told of them until now. Quantities are contracts. */
export interface BracketView {
  readonly entry: ProjectXOrder;
  readonly isEntryOver: boolean;
  readonly filledQty: number;
  /** What its legs have closed of it. */
  readonly closedQty: number;
  /** How much is held on the entry's side; undefined where that cannot be read. */
  readonly heldQty: number | undefined;
  /** Where it filled first, in ticks. */
  readonly firstFill: Ticks | undefined;
  readonly legs: readonly SeenLeg[];
}

export interface SeenLeg {
  readonly role: LegRole;
  readonly order: ProjectXOrder;
  /** 1 is the broker's own. */
  readonly attempt: number;
  readonly leavesQty: number;
  readonly level: Ticks | undefined;
}

type Session = Pick<SessionView, "store" | "contracts">;

/** Undefined while the broker has not told of the entry. */
export function viewBracket(session: Session, wanted: WantedEntry): BracketView | undefined {
  const { store, contracts } = session;
  const { account, tag, contractId, side } = wanted;
  const entry = store.byTag(account, tag) ?? store.order(wanted.orderId ?? "");
  const contract = contracts.byId(contractId);
  if (entry === undefined || contract === undefined) return undefined;
  const own = legsOf(session, wanted, entry);
  const held = heldQty(store, { account, contractId });
  const [first] = store.tradesOf(entry.id);
  const firstPrice = first?.price ?? entry.filledPrice;
  return {
    entry,
    isEntryOver: hasEnded(entry.status),
    filledQty: filledOf(session, entry),
    closedQty: own.reduce((sum, { order }) => sum + filledOf(session, order), 0),
    heldQty: held === undefined ? undefined : held * sign(side),
    firstFill: firstPrice === undefined ? undefined : toTicks(firstPrice, contract.tickSize),
    legs: own.filter(({ order }) => !hasEnded(statusOf(store, order))),
  };
}

/** A leg that waits for its entry closes nothing yet. */
export const isLive = ({ order }: SeenLeg): boolean => order.status !== ORDER_STATUS.suspended;

/** What an exit that nobody of this entry has would close: exits of other entries count for themselves. */
export function coveredByOthers(session: Session, wanted: WantedEntry, role: LegRole): number {
  const { store } = session;
  const { account, tag, contractId, side } = wanted;
  return store
    .ordersOf(account)
    .filter((order) => order.contractId === contractId && !hasEnded(statusOf(store, order)))
    .filter((order) => order.status !== ORDER_STATUS.suspended)
    .filter((order) => order.side === (side === "BUY" ? 1 : 0))
    .filter((order) => {
      const leg = readLegTag(order.customTag ?? "");
      return leg?.role === role && leg.entry !== tag;
    })
    .reduce((sum, order) => sum + leavesOf(session, order), 0);
}

/** Where a leg is to be, once that can be said. */
export function levelOf(
  { level, distance }: WantedLeg,
  { side }: WantedEntry,
  role: LegRole,
  firstFill: Ticks | undefined,
): Ticks | undefined {
  if (level !== undefined || distance === undefined || firstFill === undefined) return level;
  return (firstFill + sign(side) * winsBy(role) * distance) as Ticks;
}

function legsOf(
  { store, contracts }: Session,
  { account, tag }: WantedEntry,
  { id: entryId }: ProjectXOrder,
): readonly SeenLeg[] {
  return store.ordersOf(account).flatMap((order) => {
    const leg = readLegTag(order.customTag ?? "");
    const isOwn = leg?.entry === tag || (leg === undefined && order.parentOrderId === entryId);
    const role = leg?.role ?? (order.limitPrice === undefined ? "STOP_LOSS" : "TAKE_PROFIT");
    if (!isOwn) return [];
    const size = contracts.byId(order.contractId ?? "")?.tickSize;
    const price = role === "TAKE_PROFIT" ? order.limitPrice : order.stopPrice;
    const level = price === undefined || size === undefined ? undefined : toTicks(price, size);
    const leavesQty = leavesOf({ store, contracts }, order);
    return [{ role, order, attempt: leg?.attempt ?? 1, leavesQty, level }];
  });
}

function leavesOf(session: Session, order: ProjectXOrder): number {
  return Math.max(0, (order.size ?? 0) - filledOf(session, order));
}

function filledOf({ store }: Session, { id, fillVolume = 0 }: ProjectXOrder): number {
  const traded = store.tradesOf(id).reduce((sum, { size }) => sum + size, 0);
  return Math.max(fillVolume, traded);
}
