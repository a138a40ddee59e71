import { type Action, filledOf, isLiveLeg, type View, type WorkingOrder } from "./view.ts";

/** An order that a call was answered with. */
export interface Entry {
  readonly orderId: string;
  readonly symbol: string;
  readonly action: Action;
  /** Undefined for a close of a flatten whose size was not told. */
  qty: number | undefined;
  /** Ioc and fok: what is not filled at once is gone. */
  readonly endsAtOnce: boolean;
  limitTicks: number | undefined;
  stopTicks: number | undefined;
  isCanceled: boolean;
}

/** Where a leg was asked to be: at a price, or so far from its entry's first fill. */
export type Level = { readonly ticks: number } | { readonly distance: number };

export interface Leg {
  readonly role: "takeProfit" | "stopLoss";
  readonly orderId: string;
  level: Level | undefined;
}

/** One or two exits that close the same contracts. */
export interface Pair {
  readonly symbol: string;
  readonly exit: Action;
  readonly legs: readonly Leg[];
  readonly size: number;
  /** The entry with whose fills the pair grows. */
  readonly parentId: string | undefined;
  /** What of the entry's fills is part of `size` already. */
  readonly parentFilled: number;
  /** What was taken off because the position had become smaller. */
  cut: number;
  /** A call has ended it. */
  hasEnded: boolean;
}

/**
 * What one account was asked and what it was answered. Nothing here knows how a market or a gateway
 * works: how much is filled is always read from the trade history.
 */
export class Book {
  readonly entries = new Map<string, Entry>();
  pairs: readonly Pair[] = [];
  readonly #former = new Set<string>();

  addEntry(entry: Entry): void {
    this.entries.set(entry.orderId, entry);
  }

  /** A leg that was changed in place keeps its id, and is part of the new pair only. */
  addPair(pair: Omit<Pair, "cut" | "hasEnded">): void {
    const ids = new Set(pair.legs.map(({ orderId }) => orderId));
    const isFormer = ({ legs }: Pair) => legs.some(({ orderId }) => ids.has(orderId));
    for (const { legs } of this.pairs.filter(isFormer)) {
      for (const { orderId } of legs) this.#former.add(orderId);
    }
    const others = this.pairs.filter((one) => !isFormer(one));
    this.pairs = [...others, { ...pair, cut: 0, hasEnded: false }];
  }

  knows(orderId: string): boolean {
    const isLeg = this.pairOf(orderId) !== undefined || this.#former.has(orderId);
    return isLeg || this.entries.has(orderId);
  }

  pairOf(orderId: string): Pair | undefined {
    return this.pairs.find(({ legs }) => legs.some((leg) => leg.orderId === orderId));
  }

  /** Ends the pairs that have a leg which can fill now, on any of these symbols. */
  endLivePairs(before: View, symbols: ReadonlySet<string>, exit?: Action): void {
    for (const { orderId } of before.working.filter(isLiveLeg)) {
      const pair = this.pairOf(orderId);
      const isMeant = pair !== undefined && symbols.has(pair.symbol);
      if (isMeant && (exit === undefined || pair.exit === exit)) pair.hasEnded = true;
    }
  }

  /** The remainder of an entry is gone: so are legs that never went live. */
  cancelEntry(orderId: string, view: View): void {
    const entry = this.entries.get(orderId);
    if (entry !== undefined) entry.isCanceled = true;
    for (const pair of this.pairs) {
      if (pair.parentId === orderId && filledOf(view, orderId) === 0) pair.hasEnded = true;
    }
  }

  /** A failed replacement may have put legs back whose ids no answer names. */
  adoptLegs({ working }: View): Pair | undefined {
    const legs = working.filter(({ orderId, role }) => role !== "entry" && !this.knows(orderId));
    const [first] = legs;
    if (first === undefined) return undefined;
    const { symbol, action, qty } = first;
    const noParent = { parentId: undefined, parentFilled: 0 };
    this.addPair({ symbol, exit: action, size: qty, legs: legs.map(toLeg), ...noParent });
    return this.pairs.at(-1);
  }

  /** A close that found nobody to trade with rests, and no answer names it. */
  adoptCloses({ working }: View): void {
    for (const { orderId, symbol, action, type, role } of working) {
      if (role !== "entry" || type !== "market" || this.knows(orderId)) continue;
      this.addEntry({
        orderId,
        symbol,
        action,
        qty: undefined,
        endsAtOnce: false,
        limitTicks: undefined,
        stopTicks: undefined,
        isCanceled: false,
      });
    }
  }

  /** From a quiet moment on, what a smaller position has taken off its legs stays off. */
  keepCuts(view: View): void {
    for (const pair of this.pairs) {
      if (pair.hasEnded) continue;
      const { left, legs } = standing(pair, view);
      const live = Math.max(0, ...legs.filter(isLiveLeg).map(({ remainingQty }) => remainingQty));
      if (left > live) pair.cut += left - live;
      const isBegun = pair.parentId === undefined || filledOf(view, pair.parentId) > 0;
      if (isBegun && legs.length === 0) pair.hasEnded = true;
    }
  }
}

/** How much of a pair is still to protect by what was asked and traded, and its legs as they are. */
export function standing(
  pair: Pair,
  view: View,
): { readonly left: number; readonly legs: readonly WorkingOrder[] } {
  const ids = new Set(pair.legs.map(({ orderId }) => orderId));
  const legs = view.working.filter(({ orderId }) => ids.has(orderId));
  if (pair.hasEnded) return { left: 0, legs };
  const grown = pair.parentId === undefined ? 0 : filledOf(view, pair.parentId) - pair.parentFilled;
  const closed = [...ids].reduce((sum, id) => sum + filledOf(view, id), 0);
  return { left: Math.max(0, pair.size + grown - closed - pair.cut), legs };
}

function toLeg({ role, orderId, limitTicks, stopTicks }: WorkingOrder): Leg {
  const ticks = limitTicks ?? stopTicks;
  if (role === "entry" || ticks === null) throw new Error(`Order ${orderId} is no leg`);
  return { role, orderId, level: { ticks } };
}
