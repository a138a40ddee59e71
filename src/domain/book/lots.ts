import type { AveragePrice, Ticks } from "../contracts/price.ts";
import { type ClOrdId, type ExecId, execId, legOf, sentIdOf } from "../ids.ts";
import { type Fill, opposite, type Side, sign } from "../order.ts";

/** An order as the book names it: its `clOrdId`, of a leg with its ending, else the broker's id. */
export type OrderKey = string;

/** One execution, as far as it says whose contracts these are. */
export interface BookFill {
  readonly execId: ExecId;
  readonly order: OrderKey;
  readonly side: Side;
  readonly qty: number;
  /** Absent where only its order says that something has filled. */
  readonly px?: Ticks;
  /**
   * The entries whose lots it closes before any other's: of a leg its own entry, of a plan's pair or close
   * the plan's entries. Empty: the oldest first, as absent, but it is an exit and opens nothing before what it
   * closes is known.
   */
  readonly closes?: readonly OrderKey[];
  /** Unix ms by the broker's clock, which orders fills among themselves and nothing else. */
  readonly at: number;
  /** By a steady clock of this process, ms: when the book heard of it. */
  readonly heardAt: number;
  /** Nothing of it counts, though its order may still count it as filled. */
  readonly isTakenBack?: true;
}

/** The fills of one contract. */
export interface Trip {
  readonly fills: readonly BookFill[];
  /** Signed: held without a fill that is known. Reconciliation moves it after two equal readings. */
  readonly unexplained: number;
}

/** Contracts that one order has opened. Without an `owner` it is not known which. */
export interface Lot {
  readonly owner?: OrderKey;
  readonly side: Side;
  readonly openedQty: number;
  readonly leftQty: number;
}

export interface Lots {
  /** All that was opened, oldest first; a closed lot has nothing left. */
  readonly lots: readonly Lot[];
  /** Contracts that an exit has closed whose entry's fill is not known yet: no other's lots are taken for them. */
  readonly owed: readonly { readonly entry: OrderKey; readonly side: Side; readonly qty: number }[];
}

export const NO_TRIP: Trip = { fills: [], unexplained: 0 };

/** The instants of quantities without a fill: before all fills, or after them. */
const BEFORE_ALL = 0;
const AFTER_ALL = Number.MAX_SAFE_INTEGER;

/** An exit's fill may be known so long before its entry's, ms. */
const OWED_FOR_MS = 60_000;

/** A fill that is recorded, as the book reads it; as it was known before, where it was. */
function toBookFill(fill: Fill, heardAt: number, before?: BookFill): BookFill {
  const { clOrdId, orderId, side, lastQty, lastPx, transactTimeAt } = fill;
  const closes = fill.closes ?? before?.closes ?? closedByLeg(clOrdId);
  return {
    execId: fill.execId,
    // The broker may name its order at one time, and not at another.
    order: clOrdId ?? before?.order ?? orderId,
    side,
    qty: lastQty,
    px: lastPx,
    ...(closes !== undefined && { closes }),
    at: transactTimeAt,
    heardAt: before?.heardAt ?? heardAt,
    ...(fill.takenBack === true && { isTakenBack: true }),
  };
}

/** The trip with fills that are recorded, or recorded otherwise than before, or taken back. */
export function withFills(trip: Trip, told: readonly Fill[], heardAt: number): Trip {
  const known = new Map(trip.fills.map((fill) => [fill.execId, fill]));
  for (const fill of told) {
    known.set(fill.execId, toBookFill(fill, heardAt, known.get(fill.execId)));
  }
  return { ...trip, fills: [...known.values()] };
}

/** The entry whose contracts a leg closes, by its name. */
export const closedByLeg = (id: ClOrdId | undefined): readonly OrderKey[] | undefined =>
  id !== undefined && legOf(id) !== undefined ? [sentIdOf(id)] : undefined;

/**
 * The lots of a trip: worked out anew from all of its fills at each reading, in the order in which they
 * happened. A fill that comes late, or is taken back, changes all that came after it as if it had been known in
 * time. While the book explains all that is `held`, signed, no fill is missing, and nothing is owed.
 */
export function lotsOf(trip: Trip, elapsed: number, held?: number): Lots {
  const { fills, unexplained } = trip;
  const walk = new Walk(netOf(trip) === held ? Number.POSITIVE_INFINITY : elapsed);
  walk.open(unexplained > 0 ? "BUY" : "SELL", Math.abs(unexplained));
  for (const fill of inOrder(fills)) walk.take(fill);
  return walk;
}

/** The quantity that the book explains, signed. While it is not the position, something is not known yet. */
export const netOf = ({ fills, unexplained }: Trip): number => netQtyOf(fills) + unexplained;

/** The quantity of some entries' lots that is left. */
export const leftOf = ({ lots }: Lots, owners: readonly OrderKey[]): number =>
  sum(
    lots.filter(({ owner }) => owner !== undefined && owners.includes(owner)),
    "leftQty",
  );

/** The quantity that an order has opened, and not only closed of what was held on the other side. */
export const openedBy = ({ lots }: Lots, owner: OrderKey): number =>
  sum(
    lots.filter((lot) => lot.owner === owner),
    "openedQty",
  );

/** The quantity that an order has filled, as far as fills tell, also if it was taken back. */
export const toldOf = ({ fills }: Trip, order: OrderKey): number =>
  sum(
    fills.filter((fill) => fill.order === order),
    "qty",
  );

/** The last fill of a trip, in the order in which they happened; "", which is no fill's, of one without any. */
export const newestOf = ({ fills }: Trip): ExecId => inOrder(fills).at(-1)?.execId ?? execId("");

/** When an order has filled first by the broker's clock, as far as fills tell. */
export const firstFillAt = (trip: Trip, order: OrderKey): number | undefined =>
  inOrder(trip.fills).find((fill) => fill.order === order)?.at;

/** The average price at which an order has filled, as far as fills tell. */
export function averageOf({ fills }: Trip, order: OrderKey): AveragePrice | undefined {
  const own = counted(fills).filter((fill) => fill.order === order);
  if (own.length === 0) return undefined;
  const numerator = own.reduce((total, { qty, px = Number.NaN }) => total + qty * px, 0);
  return { numerator, denominator: sum(own, "qty") };
}

/**
 * Whether a position on a side that was held after a fill, or came after it, was closed since, whatever is held
 * now. A fill that is not in the trip was before all that is.
 */
export function wasClosedSince(
  { fills, unexplained }: Trip,
  since: ExecId | undefined,
  held: Side,
): boolean {
  // The fill itself may have been taken back: it still says when.
  const sorted = byTime(fills);
  const from = sorted.findIndex(({ execId: id }) => id === since) + 1;
  let net = unexplained + netQtyOf(sorted.slice(0, from));
  let isHeld = net * sign(held) > 0;
  // It was closed without a fill that is known.
  if (!isHeld && unexplained * sign(held) < 0) return true;
  for (const { side, qty } of counted(sorted.slice(from))) {
    net += sign(side) * qty;
    if (isHeld && net * sign(held) <= 0) return true;
    isHeld ||= net * sign(held) > 0;
  }
  return false;
}

/** An order whose fills may have come without its name. */
export interface NamedOrder {
  /** The broker's. */
  readonly id: OrderKey;
  readonly name: ClOrdId;
  /** Absent while only its fills say it. */
  readonly closes?: readonly OrderKey[];
}

/** The trip with the names of orders whose fills came without them. */
export function withNames(trip: Trip, orders: readonly NamedOrder[]): Trip {
  const known = new Map<OrderKey, NamedOrder>(
    orders.flatMap((order) => [[order.id, order] as const, [order.name, order] as const]),
  );
  if (!trip.fills.some(({ order }) => known.has(order))) return trip;
  const fills = trip.fills.map((fill): BookFill => {
    const order = known.get(fill.order);
    if (order === undefined) return fill;
    // As it would have been had it come with this name.
    const isNamed = String(fill.closes) !== String(closedByLeg(fill.order as ClOrdId));
    const closes = order.closes ?? (isNamed ? fill.closes : closedByLeg(order.name));
    return { ...fill, order: order.name, ...(closes && { closes }) };
  });
  return { ...trip, fills };
}

/** An order of ours as the broker shows it, which may have filled more than fills tell. */
export interface ShownOrder extends Pick<BookFill, "order" | "side" | "closes"> {
  readonly cumQty: number;
  /** Its fills were all known at a time: of more than are known now it fills nothing anew. */
  readonly isTold?: true | undefined;
}

/**
 * The trip with the quantities that orders of ours have filled and no fill explains yet. An unexplained
 * quantity is theirs first, as far as it goes: it was there before all that is known. The rest happened just now.
 */
export function withUntold(trip: Trip, orders: readonly ShownOrder[], heardAt: number): Trip {
  let { unexplained } = trip;
  const untold = orders.flatMap(({ order, side, cumQty, closes, isTold }): BookFill[] => {
    const qty = cumQty - toldOf(trip, order);
    if (qty <= 0) return [];
    const claimed = Math.min(qty, Math.max(0, unexplained * sign(side)));
    unexplained -= claimed * sign(side);
    const fill = { order, side, heardAt, ...(closes && { closes }) };
    return [
      { ...fill, execId: execId(`earlier ${order}`), qty: claimed, at: BEFORE_ALL },
      {
        ...fill,
        execId: execId(`untold ${order}`),
        qty: isTold === true ? 0 : qty - claimed,
        at: AFTER_ALL,
      },
    ].filter((one) => one.qty > 0);
  });
  return { unexplained, fills: [...trip.fills, ...untold] };
}

interface OpenLot {
  readonly owner?: OrderKey;
  readonly side: Side;
  readonly openedQty: number;
  leftQty: number;
}

class Walk implements Lots {
  readonly #elapsed: number;
  readonly lots: OpenLot[] = [];
  readonly owed: { entry: OrderKey; side: Side; qty: number }[] = [];
  /** Those of which something may be left, oldest first. A trip may have thousands of fills. */
  readonly #open = new Queue();
  readonly #openOf = new Map<OrderKey | undefined, Queue>();

  constructor(elapsed: number) {
    this.#elapsed = elapsed;
  }

  open(side: Side, openedQty: number, owner?: OrderKey): void {
    if (openedQty === 0) return;
    const lot = { side, openedQty, leftQty: openedQty, ...(owner !== undefined && { owner }) };
    this.lots.push(lot);
    this.#open.push(lot);
    const own = this.#openOf.get(owner) ?? new Queue();
    this.#openOf.set(owner, own);
    own.push(lot);
  }

  take({ order, side, qty, closes = [], heardAt }: BookFill): void {
    let rest = qty;
    for (const owner of closes) rest = this.#closeOf(owner, side, rest);
    const [entry] = closes;
    // Its entry may be older than all fills that are known: then its contracts are no one's.
    if (entry !== undefined) rest = this.#closeOf(undefined, side, rest);
    if (entry !== undefined && rest > 0 && this.#elapsed - heardAt < OWED_FOR_MS) {
      this.owed.push({ entry, side: opposite(side), qty: rest });
      return;
    }
    rest = this.#open.close(side, rest);
    this.open(side, rest, order);
  }

  #closeOf(owner: OrderKey | undefined, side: Side, qty: number): number {
    return this.#openOf.get(owner)?.close(side, qty) ?? qty;
  }
}

class Queue {
  readonly #lots: OpenLot[] = [];
  #first = 0;

  push(lot: OpenLot): void {
    this.#lots.push(lot);
  }

  /** Closes the oldest lots first; answers the quantity that is left over. */
  close(side: Side, qty: number): number {
    let rest = qty;
    for (; this.#first < this.#lots.length; this.#first += 1) {
      const lot = this.#lots[this.#first];
      if (lot === undefined || (lot.side === side && lot.leftQty > 0)) break;
      const closed = Math.min(rest, lot.leftQty);
      lot.leftQty -= closed;
      rest -= closed;
      if (lot.leftQty > 0) break;
    }
    return rest;
  }
}

const inOrder = (fills: readonly BookFill[]): readonly BookFill[] => byTime(counted(fills));

/**
 * Brokers count their fills of one instant. A quantity without a fill stays in the order of its orders. An exit that is
 * counted before its own entry comes right after that.
 */
function byTime(fills: readonly BookFill[]): readonly BookFill[] {
  const sorted = fills.toSorted(
    (one, other) =>
      one.at - other.at ||
      (one.at === BEFORE_ALL || one.at === AFTER_ALL ? 0 : byNumber(one, other)),
  );
  // A trip may have thousands of fills, and few are of one instant.
  const isEarly = ({ closes, at }: BookFill, nth: number) =>
    closes !== undefined && sorted[nth + 1]?.at === at;
  if (!sorted.some(isEarly)) return sorted;
  const lastOf = new Map(sorted.map(({ at, order }, nth) => [`${at} ${order}`, nth]));
  const placed = sorted.map((fill, nth) => {
    const after = (fill.closes ?? []).map((id) => lastOf.get(`${fill.at} ${id}`) ?? nth);
    const place = Math.max(nth, ...after);
    return { fill, place, isMoved: place > nth };
  });
  return placed
    .toSorted(
      (one, other) => one.place - other.place || Number(one.isMoved) - Number(other.isMoved),
    )
    .map(({ fill }) => fill);
}

const byNumber = ({ execId: one }: BookFill, { execId: other }: BookFill): number =>
  one.length - other.length || (one < other ? -1 : Number(one > other));

const counted = (fills: readonly BookFill[]): readonly BookFill[] =>
  fills.filter(({ isTakenBack }) => isTakenBack !== true);

const netQtyOf = (fills: readonly BookFill[]): number =>
  counted(fills).reduce((net, { side, qty }) => net + sign(side) * qty, 0);

const sum = <Name extends string>(
  all: readonly Readonly<Record<Name, number>>[],
  name: Name,
): number => all.reduce((total, one) => total + one[name], 0);
