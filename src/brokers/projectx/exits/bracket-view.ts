import type { Ticks } from "../../../domain/contracts/price.ts";
import { sign } from "../../../domain/order.ts";
import type { WantedEntry, WantedLeg } from "./bracket-book.ts";
import { winsBy } from "./entry-exits.ts";
import { type LegRole, readLegTag } from "../leg-tags.ts";
import { statusOf } from "../order-view.ts";
import { heldQty } from "../order-purpose.ts";
import { hasEnded } from "../parse.ts";
import { toTicks } from "../../price-numbers.ts";
import type { SessionView } from "../session-view.ts";
import { ORDER_STATUS, ORDER_TYPE, type ProjectXOrder } from "../wire.ts";

/** An entry with its legs as the broker has told of them until now. Quantities are contracts. */
export interface BracketView {
  readonly entry: ProjectXOrder;
  readonly isEntryOver: boolean;
  readonly filledQty: number;
  /** What its legs have closed of it. */
  readonly closedQty: number;
  /** How much is held on the entry's side; undefined where that cannot be read. */
  readonly heldQty: number | undefined;
  /** Where it filled first; undefined while no trade of it is told. */
  readonly firstFill: Ticks | undefined;
  /** Where it filled on average, by the order itself: the nearest tick. */
  readonly averageFill: Ticks | undefined;
  /** Those that have not ended. */
  readonly legs: readonly SeenLeg[];
  /** Those that have. */
  readonly goneLegs: readonly SeenLeg[];
}

export interface SeenLeg {
  readonly role: LegRole;
  readonly order: ProjectXOrder;
  /** 1 is the broker's own. */
  readonly attempt: number;
  readonly filledQty: number;
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
  const isGone = ({ order }: SeenLeg) => hasEnded(statusOf(store, order));
  const held = heldQty(store, { account, contractId });
  const toLevel = (price: number | undefined) =>
    price === undefined ? undefined : toTicks(price, contract.tickSize);
  return {
    entry,
    isEntryOver: hasEnded(entry.status),
    filledQty: filledOf(session, entry),
    closedQty: own.reduce((sum, leg) => sum + leg.filledQty, 0),
    heldQty: held === undefined ? undefined : held * sign(side),
    firstFill: toLevel(store.tradesOf(entry.id)[0]?.price),
    averageFill: toLevel(entry.filledPrice),
    legs: own.filter((leg) => !isGone(leg)),
    goneLegs: own.filter(isGone),
  };
}

/** A leg that waits for its entry closes nothing yet. */
export const isLive = ({ order }: SeenLeg): boolean => order.status !== ORDER_STATUS.suspended;

export const liveLegs = ({ legs }: BracketView, role: LegRole): readonly SeenLeg[] =>
  legs.filter((seen) => seen.role === role && isLive(seen));

/** For how much exits of one kind work now. */
export const workingQty = (legs: readonly SeenLeg[]): number =>
  legs.reduce((sum, { leavesQty }) => sum + leavesQty, 0);

/** What an entry has filled and its legs have not closed. */
export const openQty = ({ filledQty, closedQty }: BracketView): number =>
  Math.max(0, filledQty - closedQty);

/** For how much of that a leg is wanted. */
export const wantedQty = (view: BracketView, { isEnded, waivedQty }: WantedLeg): number =>
  isEnded ? 0 : Math.max(0, openQty(view) - waivedQty);

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
  session: Session,
  { account, tag }: WantedEntry,
  { id: entryId }: ProjectXOrder,
): readonly SeenLeg[] {
  const { store, contracts } = session;
  const told = new Set([...store.legsFor(account, tag), ...store.childrenOf(entryId)]);
  return [...told].map((order) => {
    const leg = readLegTag(order.customTag ?? "");
    const role = leg?.role ?? (order.type === ORDER_TYPE.limit ? "TAKE_PROFIT" : "STOP_LOSS");
    const size = contracts.byId(order.contractId ?? "")?.tickSize;
    const price = role === "TAKE_PROFIT" ? order.limitPrice : order.stopPrice;
    const level = price === undefined || size === undefined ? undefined : toTicks(price, size);
    const filledQty = filledOf(session, order);
    const leavesQty = Math.max(0, (order.size ?? 0) - filledQty);
    return { role, order, attempt: leg?.attempt ?? 1, filledQty, leavesQty, level };
  });
}

function filledOf({ store }: Session, { id, fillVolume = 0 }: ProjectXOrder): number {
  const traded = store.tradesOf(id).reduce((sum, { size }) => sum + size, 0);
  return Math.max(fillVolume, traded);
}
