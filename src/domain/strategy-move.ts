import { type Side, sign } from "./order.ts";

/** The order of a strategy that led to the position that its message names. */
export interface StrategyMove {
  readonly side: Side;
  /** Signed: the strategy's position before it. */
  readonly from?: number;
  /** When it filled, Unix ms by the sender's clock, if that is certain to the second. */
  readonly filledAt?: number;
}

/** A strategy's message as it was carried out. */
export interface CarriedMove {
  readonly netQty: number;
  readonly move: StrategyMove;
  /** Signed: the account's position right before. */
  readonly found: number;
}

interface Target {
  readonly netQty: number;
  readonly strategy?: StrategyMove;
}

/**
 * Whether the account would have to go the other way than the strategy went. The message then comes out of
 * its order, or the account is not where the strategy was.
 */
export function contradicts({ netQty, strategy }: Target, held: number): boolean {
  return strategy !== undefined && (netQty - held) * sign(strategy.side) < 0;
}

/**
 * Whether a message that came later than this one in the strategy, but earlier to us, has been carried out. Such
 * a message began where this one leads, and found the account where this one begins.
 */
export function isLate({ netQty, strategy }: Target, earlier: readonly CarriedMove[]): boolean {
  const from = strategy?.from;
  if (from === undefined || from === netQty) return false;
  return earlier.some(
    ({ move, found }) => move.from === netQty && found === from && !filledAfter(strategy, move),
  );
}

/**
 * Whether a message that follows this one in the strategy came to us before it, and gave way to it unsent:
 * such a message began where this one leads, and the account is still where this one begins.
 */
export function hasReplacedLater(
  { netQty, strategy }: Target,
  replaced: readonly StrategyMove[],
  held: number,
): boolean {
  const from = strategy?.from;
  if (from !== held || from === netQty) return false;
  return replaced.some((move) => move.from === netQty && !filledAfter(strategy, move));
}

/** Whether the strategy's own order only took out. */
export const onlyTookOut = (target: Target): boolean =>
  isBeyond(target, target.strategy?.from ?? 0);

/** Whether more is held on the side of a target than it leaves there; of a target that is flat: anything. */
export function isBeyond({ netQty }: Target, held: number): boolean {
  if (netQty === 0) return held !== 0;
  return held * netQty > 0 && Math.abs(held) > Math.abs(netQty);
}

function filledAfter(one: StrategyMove | undefined, other: StrategyMove): boolean {
  const [at, otherAt] = [one?.filledAt, other.filledAt];
  return at !== undefined && otherAt !== undefined && at > otherAt;
}

/** How long apart two messages of one bar may arrive, ms. */
export const ONE_BAR_MS = 60_000;

/** With the position before it in another size, as a multiplier or a group's member has it. */
export function movedBy(strategy: StrategyMove, sized: (netQty: number) => number): StrategyMove {
  return strategy.from === undefined ? strategy : { ...strategy, from: sized(strategy.from) };
}

export const CAME_LATE =
  "A later message of the strategy came before it and was carried out, so the account is where the strategy went";

export const TAKEN_OUT_LATE =
  "A later message of the strategy was carried out before this one, which takes out: the account may hold less than the strategy";

export const LATER_REPLACED =
  "A later message of the strategy came before this one and gave way to it, wholly or in part: the account may not be where the strategy went";

export function contradiction({ netQty, strategy }: Target, held: number): string {
  const went = strategy?.side === "BUY" ? "bought" : "sold";
  const others = strategy?.side === "BUY" ? "sell" : "buy";
  return `The strategy ${went} to reach ${inWords(netQty)}, and the account, which is ${inWords(held)}, would have to ${others}: a message is missing, or came out of its order`;
}

function inWords(netQty: number): string {
  if (netQty === 0) return "flat";
  return `${netQty > 0 ? "long" : "short"} ${Math.abs(netQty)}`;
}
