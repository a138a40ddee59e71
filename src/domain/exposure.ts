import { declaredType, needs, waitsForTrigger } from "./declared/order-types.ts";
import { type ContractCode, isUnnamed } from "./contracts/contract.ts";
import type { OpenPosition } from "./contracts/exit-contract.ts";
import { areOnePair, isEntryWorking } from "./legs.ts";
import {
  endsAtOnce,
  isClosed,
  isForeign,
  mayBeIn,
  type NewOrderSingle,
  type OpaqueOrder,
  type OrderReport,
  type Side,
  SIDES,
  sign,
} from "./order.ts";

/** A position of which not even the quantity can be read. */
export interface OpaquePosition {
  /** The missing part, as one sentence for a person. */
  readonly problem: string;
  /** Absent where that cannot be read either. */
  readonly contract?: ContractCode;
}

/** What a broker shows of an account. */
export interface AccountSnapshot {
  readonly positions: readonly OpenPosition[];
  /** Positions that cannot be read. */
  readonly opaquePositions: readonly OpaquePosition[];
  readonly working: readonly OrderReport[];
  /** What works as well, and is not understood. */
  readonly opaque: readonly OpaqueOrder[];
}

/**
 * What is held of one contract and what may come of it. Quantities are signed: positive long,
 * negative short.
 */
export interface Exposure {
  readonly contract: ContractCode;
  /** As the broker shows it. */
  readonly netQty: number;
  /** Once what is being filled at the market has filled. */
  readonly expectedQty: number;
  /** The positions that all the other working orders may lead to as well, whichever of them fill. */
  readonly range: Range;
  /** The orders that still work in the contract, legs that wait for their entry left out. */
  readonly working: readonly OrderReport[];
}

/** Without bounds where something is not understood: no limit can be held to it then. */
export type Range =
  | { readonly kind: "known"; readonly lowQty: number; readonly highQty: number }
  | Unclear;

/** `doubt` says what is not understood, as part of a sentence. */
export interface Unclear {
  readonly kind: "unclear";
  readonly doubt: string;
}

/** The largest position on an order's side that may come of it. */
export type WorstQty = { readonly kind: "known"; readonly qty: number } | Unclear;

/** What of an order decides its risk. */
export type RiskOrder = Pick<
  NewOrderSingle,
  "side" | "orderQty" | "ordType" | "timeInForce" | "bracket"
>;

/** How much of a plain order may go on working as an exit; 0 where all of it is an entry. */
export interface ExitCut {
  readonly order: OrderReport;
  /** Always less than it has. */
  readonly leavesQty: number;
}

/** Whether the position in a contract may be one that cannot be read. */
export function isUnread(
  contract: ContractCode,
  { positions, opaquePositions }: Pick<AccountSnapshot, "positions" | "opaquePositions">,
): boolean {
  const isRead = positions.some((one) => one.contract === contract);
  return opaquePositions.some((one) =>
    one.contract === undefined ? !isRead : one.contract === contract,
  );
}

/** Reckons one contract up from what the broker shows: orders are read first, and positions after. */
export function exposureOf(contract: ContractCode, snapshot: AccountSnapshot): Exposure {
  const netQty = snapshot.positions.find((one) => one.contract === contract)?.netQty ?? 0;
  const working = snapshot.working.filter(
    (order) =>
      order.contract === contract &&
      order.leavesQty > 0 &&
      // A leg that waits closes only what its entry opens.
      order.ordStatus !== "HELD" &&
      !isClosed(order.ordStatus),
  );
  const filling = working.filter((order) => isFilling(order, working));
  const expectedQty = filling.reduce(
    (qty, { side, leavesQty }) => qty + sign(side) * leavesQty,
    netQty,
  );
  const doubt = doubtAbout(contract, snapshot);
  const range: Range =
    doubt === undefined
      ? {
          kind: "known",
          lowQty: expectedQty - restingQty("SELL", working),
          highQty: expectedQty + restingQty("BUY", working),
        }
      : { kind: "unclear", doubt };
  return { contract, netQty, expectedQty, range, working };
}

/**
 * What is held of a contract and needs exits once all is filled that is being filled at the market:
 * an order with a bracket brings its own. Never less than what is held.
 */
export function qtyToProtect(contract: ContractCode, snapshot: AccountSnapshot): number {
  const bringsExits = ({ orderId }: OrderReport) =>
    snapshot.working.some(({ parentOrderId }) => parentOrderId === orderId);
  const bare = snapshot.working.filter((order) => !bringsExits(order));
  const { netQty, expectedQty } = exposureOf(contract, { ...snapshot, working: bare });
  const isGrowing = netQty === 0 || (netQty > 0 ? expectedQty > netQty : expectedQty < netQty);
  return isGrowing ? expectedQty : netQty;
}

/** Every contract that something is held of or works in, in the order in which they are shown. */
export function exposuresOf(snapshot: AccountSnapshot): readonly Exposure[] {
  const contracts = [...snapshot.positions, ...snapshot.working].map(({ contract }) => contract);
  return [...new Set(contracts)].map((contract) => exposureOf(contract, snapshot));
}

/**
 * Whether an order fills at the market, so that only its cancel could keep it from doing so: one
 * that does not rest, and a stop that has begun to fill. A leg fills piece by piece with its entry.
 */
export function isFilling(order: OrderReport, working: readonly OrderReport[]): boolean {
  if (endsAtOnce(order)) return true;
  const isTriggered =
    waitsForTrigger(order.ordType) && !needs(order.ordType, "price") && order.cumQty > 0;
  return isTriggered && !isEntryWorking(order, { working });
}

/**
 * Whether an order could open or grow a position, or turn it around. It reduces when it is no larger than
 * what is surely held on the other side, together with the plain orders that rest on its side where it is
 * to rest as well. Legs are no rivals: they are cut to what an exit leaves. An order that takes a bracket
 * along adds: its legs are orders too.
 */
export function adds(order: RiskOrder, exposure: Exposure): boolean {
  const qty = order.orderQty + besideQty(order, exposure);
  return order.bracket !== undefined || qty > openAgainst(order.side, exposure);
}

/** How much of an order closes what is surely held. */
export function closableBy(order: RiskOrder, exposure: Exposure): number {
  const held = openAgainst(order.side, exposure);
  return Math.max(0, Math.min(order.orderQty, held - besideQty(order, exposure)));
}

/** The plain orders that rest on the side of an order that is to rest as well. */
function besideQty(order: RiskOrder, { working }: Exposure): number {
  if (endsAtOnce(order)) return 0;
  return leavesOf(
    working.filter(
      (one) => one.side === order.side && one.role === "ORDER" && !isFilling(one, working),
    ),
  );
}

/** Whether an order only closes what is surely held. A bracket of its own is not looked at. */
export function onlyCloses(
  { side, orderQty }: Pick<RiskOrder, "side" | "orderQty">,
  exposure: Pick<Exposure, "netQty" | "expectedQty">,
): boolean {
  return orderQty <= openAgainst(side, exposure);
}

/**
 * What an order on that side closes for sure: what is held, and will still be once everything has
 * filled that fills at the market, for that may end unfilled. Negative where it closes nothing.
 */
export function openAgainst(
  side: Side,
  { netQty, expectedQty }: Pick<Exposure, "netQty" | "expectedQty">,
): number {
  return Math.min(-sign(side) * netQty, -sign(side) * expectedQty);
}

/**
 * The largest position on the order's side that it and everything that works on that side could lead
 * to, exits that may fill first among it. What is still being filled on the other side may fill last.
 * Beside an order that ends at once our own legs of the position that it turns around do not count:
 * they are cut right after it.
 */
export function worstQty(order: RiskOrder, { netQty, range, working }: Exposure): WorstQty {
  if (range.kind === "unclear") return range;
  const filling = working.filter((one) => one.side === order.side && isFilling(one, working));
  const held = netQty * sign(order.side) + leavesOf(filling);
  const isCutAfter = (one: OrderReport) => one.role !== "ORDER" && !isForeign(one);
  const counted =
    endsAtOnce(order) && held < 0 ? working.filter((one) => !isCutAfter(one)) : working;
  const most = held + restingQty(order.side, counted) + order.orderQty;
  return { kind: "known", qty: Math.max(0, most) };
}

/**
 * What is to be taken from plain orders so that none of them can open or grow a position: all of
 * those on the position's own side, and of its exits what together they have beyond it. Of rivals
 * the stops stay, and then the oldest. `stays` is the position that they are held against: as long
 * as an order is being filled, the larger one of what is held and what will be. What is being filled
 * itself closes what is held, whatever comes after it.
 */
export function exitCuts(
  { netQty, expectedQty, working }: Exposure,
  stays: readonly number[] = [netQty, expectedQty],
): readonly ExitCut[] {
  const plain = working.filter(({ role }) => role === "ORDER");
  return SIDES.flatMap((side) => {
    const mostOf = (held: readonly number[]) =>
      Math.max(0, ...held.map((qty) => -sign(side) * qty));
    const onSide = plain.filter((order) => order.side === side);
    const [filling, resting] = [
      onSide.filter((order) => isFilling(order, working)),
      onSide.filter((order) => !isFilling(order, working)),
    ];
    // What is being filled takes nothing from the stop that stands until it has.
    return [
      // It is too late to make it smaller.
      ...cutTo(mostOf([netQty, ...stays]), filling).map(({ order }) => ({ order, leavesQty: 0 })),
      ...cutTo(mostOf(stays), resting.toSorted(stopsFirst)),
    ];
  });
}

function cutTo(qty: number, orders: readonly OrderReport[]): readonly ExitCut[] {
  let left = qty;
  return orders.flatMap((order): ExitCut[] => {
    const leavesQty = Math.min(left, order.leavesQty);
    left -= leavesQty;
    return leavesQty < order.leavesQty ? [{ order, leavesQty }] : [];
  });
}

const stopsFirst = (one: OrderReport, other: OrderReport): number =>
  Number(isStop(other)) - Number(isStop(one));

const isStop = ({ ordType }: OrderReport): boolean => declaredType(ordType).exit === "STOP_LOSS";

/** What may fill on one side beside what is being filled; of a pair only the larger leg. */
function restingQty(side: Side, working: readonly OrderReport[]): number {
  if (working.length === 0) return 0;
  const onSide = working.filter((order) => order.side === side);
  return groupsOf(onSide).reduce((sum, group) => {
    const filling = leavesOf(group.filter((order) => isFilling(order, working)));
    return sum + Math.max(0, largest(group) - filling);
  }, 0);
}

/** Orders of which the fill of one ends or shrinks the others; most stand alone. */
function groupsOf(orders: readonly OrderReport[]): readonly (readonly OrderReport[])[] {
  const groups: OrderReport[][] = [];
  for (const order of orders) {
    const group = groups.find((known) =>
      known.some((one) => one.role !== "ORDER" && order.role !== "ORDER" && areOnePair(one, order)),
    );
    if (group === undefined) groups.push([order]);
    else group.push(order);
  }
  return groups;
}

function largest(group: readonly OrderReport[]): number {
  const ofRole = (role: OrderReport["role"]) => group.filter((order) => order.role === role);
  return (
    leavesOf(ofRole("ORDER")) +
    Math.max(leavesOf(ofRole("TAKE_PROFIT")), leavesOf(ofRole("STOP_LOSS")))
  );
}

/** An order that may be in the contract, or a position that may be it, and is not understood. */
function doubtAbout(
  contract: ContractCode,
  { positions, opaquePositions, working, opaque }: AccountSnapshot,
): string | undefined {
  const [unread] = opaquePositions;
  if (unread !== undefined) return `not all that is held can be read (${unread.problem})`;
  const order = opaque.find((one) => mayBeIn(one, contract));
  if (order !== undefined) return `order ${order.orderId} is not understood (${order.problem})`;
  const nameless = working.find((one) => isUnnamed(one.contract));
  if (nameless !== undefined) {
    return `order ${nameless.orderId} is in a contract whose name the broker does not tell`;
  }
  const position = positions.find((one) => isUnnamed(one.contract));
  if (position === undefined) return undefined;
  return `the account holds ${position.netQty} of a contract whose name the broker does not tell (${position.contract})`;
}

const leavesOf = (orders: readonly OrderReport[]): number =>
  orders.reduce((sum, { leavesQty }) => sum + leavesQty, 0);
