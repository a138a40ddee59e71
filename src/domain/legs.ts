import type { OrderKey } from "./book/lots.ts";
import type { ContractCode } from "./contracts/contract.ts";
import { sentIdOf } from "./ids.ts";
import { isClosed, isForeign, type OrderReport, SIDES, sign } from "./order.ts";

/** The entry whose contracts a leg closes, and how many of these are held. */
export interface LegLots {
  readonly entry: OrderKey;
  readonly leftQty: number;
}

/** Orders are read first and positions after them, so that a fill in between is in the positions. */
export interface LegView {
  readonly working: readonly OrderReport[];
  readonly positions: readonly {
    readonly contract: ContractCode;
    readonly netQty: number;
    /** Once what is being filled at the market has filled. */
    readonly expectedQty: number;
  }[];
  /** Legs that were reported as filled; the other one of their pair may still be there. */
  readonly filled: readonly OrderReport[];
  /** The broker itself ends or shrinks one leg when the other one fills. */
  readonly nativeOco: boolean;
  /** For how much of a contract an exit plan has placed pairs whose forerunners it is about to shrink. */
  readonly takenOver?: ReadonlyMap<ContractCode, number>;
  /** By the book of a leg's contract: undefined where none is kept, or it does not explain what is held. */
  readonly lotsOf?: ((leg: OrderReport) => LegLots | undefined) | undefined;
}

/** Why a leg must not work for as much as it does. */
export type LegCutReason =
  | "noPosition"
  | "opposesPosition"
  /** Nothing is left for it to close, and what its entry still fills has no exit any more. */
  | "entryGoesOn"
  | "siblingFilled"
  | "positionIsSmaller"
  /** A plain order that could open or grow a position. */
  | "killSwitchOn";

export interface LegCut {
  readonly leg: OrderReport;
  /** How much of it may go on working; 0 ends it. Always less than it has. */
  readonly leavesQty: number;
  readonly why: LegCutReason;
}

/** All live legs of which the fill of one ends or shrinks the others. */
interface Pair {
  readonly legs: OrderReport[];
  /** Its legs grow with its entry. */
  readonly isGrowing: boolean;
  /** How much of the position it may protect, as far as it is judged. */
  leavesQty: number;
  why: LegCutReason;
}

/** Order ids are numbers that grow at every broker we know, though some are written with letters. */
const byId = new Intl.Collator("en", { numeric: true });

/** A leg of ours that can fill now and is not about to end. */
export function isLiveLeg(order: OrderReport): boolean {
  const { role, ordStatus, leavesQty } = order;
  const isWaiting = ordStatus === "HELD" || ordStatus === "PENDING_CANCEL";
  return (
    role !== "ORDER" && !isForeign(order) && !isWaiting && !isClosed(ordStatus) && leavesQty > 0
  );
}

/** Whether a leg waits for its entry, which ends it. Of what is no leg a person has put it aside. */
export const waitsForEntry = ({ ordStatus, role }: Pick<OrderReport, "ordStatus" | "role">) =>
  ordStatus === "HELD" && role !== "ORDER";

/** Whether two legs were placed as one pair. */
export function areOnePair(one: OrderReport, other: OrderReport): boolean {
  if (one.linkedOrderId === other.orderId || other.linkedOrderId === one.orderId) return true;
  if (one.clOrdId === undefined || other.clOrdId === undefined) return false;
  return sentIdOf(one.clOrdId) === sentIdOf(other.clOrdId);
}

/**
 * What is to be taken from legs so that none of them can open a position: none works without a
 * position that it reduces, and together they protect no more of a contract than is held. A leg is
 * only ever made smaller, and only as far as that is needed. Where nothing is held on their side yet
 * and an order is being filled at the market, they stay for what that will open: it is never without
 * the legs that came with it. What a plan's new pair protects beside its forerunners is the plan's to
 * take from just those: another entry's legs would have to go otherwise.
 */
export function legCuts(view: LegView): readonly LegCut[] {
  const legs = view.working.filter(isLiveLeg);
  const contracts = new Set(legs.map(({ contract }) => contract));
  return [...contracts].flatMap((contract) => {
    const held = view.positions.find((each) => each.contract === contract);
    const { netQty, expectedQty } = held ?? { netQty: 0, expectedQty: 0 };
    return SIDES.flatMap((side) => {
      const onSide = legs.filter((leg) => leg.contract === contract && leg.side === side);
      const [openNow, openSoon] = [-sign(side) * netQty, -sign(side) * expectedQty];
      const openQty = openNow > 0 ? openNow : openSoon;
      if (openQty <= 0) return onSide.map((leg) => endOf(leg, netQty, view));
      const pairs = pairsOf(onSide, view);
      if (!view.nativeOco) for (const pair of pairs) followFills(pair, view);
      giveWay(pairs, openQty + (view.takenOver?.get(contract) ?? 0), view);
      return pairs.flatMap(cutsOf);
    });
  });
}

function endOf(leg: OrderReport, netQty: number, view: LegView): LegCut {
  if (isEntryWorking(leg, view)) return { leg, leavesQty: 0, why: "entryGoesOn" };
  return { leg, leavesQty: 0, why: netQty === 0 ? "noPosition" : "opposesPosition" };
}

function pairsOf(legs: readonly OrderReport[], view: LegView): readonly Pair[] {
  const groups: OrderReport[][] = [];
  for (const leg of legs) {
    const group = groups.find((known) => known.some((other) => areOnePair(leg, other)));
    if (group === undefined) groups.push([leg]);
    else group.push(leg);
  }
  return groups.map((group) => ({
    legs: group,
    isGrowing: group.some((leg) => isEntryWorking(leg, view)),
    leavesQty: Math.max(profitOf(group).leavesQty, lossOf(group).leavesQty),
    why: "positionIsSmaller",
  }));
}

/** What one leg has filled, the broker takes from the other; where it does not, we do. */
function followFills(pair: Pair, { filled }: LegView): void {
  if (pair.isGrowing) return;
  const left = restOfSibling(pair.legs, filled);
  if (left === undefined || left >= pair.leavesQty) return;
  pair.leavesQty = left;
  pair.why = "siblingFilled";
}

/**
 * What is left of the leg that has filled more. Undefined when none has filled, and when the other
 * one is the larger of the two from the start: then the difference protects something else.
 */
function restOfSibling(
  legs: readonly OrderReport[],
  filled: readonly OrderReport[],
): number | undefined {
  const [profit, loss] = [profitOf(legs), lossOf(legs)];
  const [less, more] = profit.leavesQty < loss.leavesQty ? [profit, loss] : [loss, profit];
  if (less.leavesQty > 0) {
    return less.cumQty > 0 && more.orderQty <= less.orderQty ? less.leavesQty : undefined;
  }
  const sibling = filled.find((gone) => legs.some((leg) => areOnePair(gone, leg)));
  return sibling !== undefined && more.orderQty <= sibling.orderQty ? 0 : undefined;
}

/**
 * Takes what the pairs protect beyond the position: first from those whose contracts are closed, as far
 * as the book says whose they are. One that grows with its entry is not ended for that: nothing else would
 * protect what its entry fills next.
 */
function giveWay(pairs: readonly Pair[], openQty: number, view: LegView): void {
  let excess = qtyOf(pairs) - openQty;
  if (excess <= 0) return;
  for (const { own, leftQty } of byEntry(pairs, view).values()) {
    const staysQty = Math.max(leftQty, own.some(({ isGrowing }) => isGrowing) ? 1 : 0);
    excess -= shrink(own, Math.min(excess, qtyOf(own) - staysQty), view);
  }
  shrink(pairs, excess, view);
}

/** The pairs of each entry whose contracts are known. */
function byEntry(pairs: readonly Pair[], { lotsOf }: LegView) {
  const entries = new Map<OrderKey, { readonly own: Pair[]; readonly leftQty: number }>();
  for (const pair of pairs) {
    const [lots] = pair.legs.flatMap((leg) => lotsOf?.(leg) ?? []);
    if (lots === undefined) continue;
    const { own, leftQty } = entries.get(lots.entry) ?? { own: [], leftQty: lots.leftQty };
    entries.set(lots.entry, { own: [...own, pair], leftQty });
  }
  return entries;
}

/**
 * Takes so much from pairs: first from those that have lost a leg or a part of one, for it was their fill
 * that closed it, and then from the oldest, as brokers close the oldest lots first. A pair that grows with its
 * entry is the last one: what its entry fills next is protected again. Answers how much was taken.
 */
function shrink(pairs: readonly Pair[], most: number, view: LegView): number {
  const oldestFirst = [...pairs].sort(
    (a, b) => Number(a.isGrowing) - Number(b.isGrowing) || byId.compare(firstId(a), firstId(b)),
  );
  const wanted = Math.max(0, most);
  let left = wanted;
  const take = (pair: Pair, qty: number) => {
    const taken = Math.max(0, Math.min(left, qty, pair.leavesQty));
    pair.leavesQty -= taken;
    left -= taken;
  };
  for (const pair of oldestFirst) {
    if (!pair.isGrowing) take(pair, pair.leavesQty - matchedQty(pair, view));
  }
  for (const pair of oldestFirst) take(pair, pair.leavesQty);
  return wanted - left;
}

const qtyOf = (pairs: readonly Pair[]): number =>
  pairs.reduce((sum, { leavesQty }) => sum + leavesQty, 0);

/** How much of a pair both its legs work for; all of it when it never had but one. */
function matchedQty({ legs, leavesQty }: Pair, { working, filled }: LegView): number {
  const [profit, loss] = [profitOf(legs).leavesQty, lossOf(legs).leavesQty];
  if (profit > 0 && loss > 0) return Math.min(profit, loss);
  const hasLost = legs.some(
    ({ linkedOrderId }) =>
      linkedOrderId !== undefined && !working.some(({ orderId }) => orderId === linkedOrderId),
  );
  const hasFilled = filled.some((gone) => legs.some((leg) => areOnePair(gone, leg)));
  return hasLost || hasFilled ? 0 : leavesQty;
}

/** Brings the legs of each kind down to what the pair may protect, the newest one kept longest. */
function cutsOf({ legs, leavesQty, isGrowing, why: reason }: Pair): readonly LegCut[] {
  const why = isGrowing && leavesQty === 0 ? "entryGoesOn" : reason;
  return [ofRole(legs, "TAKE_PROFIT"), ofRole(legs, "STOP_LOSS")].flatMap((kind) => {
    let left = leavesQty;
    const newestFirst = [...kind].sort((a, b) => byId.compare(b.orderId, a.orderId));
    return newestFirst.flatMap((leg): LegCut[] => {
      const keeps = Math.min(leg.leavesQty, left);
      left -= keeps;
      return keeps < leg.leavesQty ? [{ leg, leavesQty: keeps, why }] : [];
    });
  });
}

/** Whether the leg grows: its entry may still fill. */
export function isEntryWorking(
  { parentOrderId }: OrderReport,
  { working }: Pick<LegView, "working">,
): boolean {
  return (
    parentOrderId !== undefined &&
    working.some(({ orderId, ordStatus }) => orderId === parentOrderId && !isClosed(ordStatus))
  );
}

const ofRole = (legs: readonly OrderReport[], role: OrderReport["role"]) =>
  legs.filter((leg) => leg.role === role);

const profitOf = (legs: readonly OrderReport[]) => total(ofRole(legs, "TAKE_PROFIT"));
const lossOf = (legs: readonly OrderReport[]) => total(ofRole(legs, "STOP_LOSS"));

function total(legs: readonly OrderReport[]) {
  const sum = (of: (leg: OrderReport) => number) => legs.reduce((all, leg) => all + of(leg), 0);
  return {
    orderQty: sum(({ orderQty }) => orderQty),
    cumQty: sum(({ cumQty }) => cumQty),
    leavesQty: sum(({ leavesQty }) => leavesQty),
  };
}

const firstId = ({ legs }: Pair): string =>
  legs.map(({ orderId }) => orderId).reduce((a, b) => (byId.compare(a, b) <= 0 ? a : b));
