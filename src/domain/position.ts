import type { ContractCode } from "./contracts/contract.ts";
import { type Side, sign } from "./order.ts";
import type { AveragePrice, Ticks } from "./contracts/price.ts";

/** Contracts bought or sold at one price and not closed yet. */
export interface Lot {
  readonly qty: number;
  readonly px: Ticks;
}

/**
 * What is held of one contract. Fills close the oldest lot first, as the clearing houses and most
 * futures brokers count: so every figure stays an integer, however long a position lives.
 */
export interface Position {
  readonly contract: ContractCode;
  /** Positive long, negative short, 0 flat: always the sum of all signed fills. */
  readonly netQty: number;
  /** Open lots, oldest first; all on the side of `netQty`. */
  readonly lots: readonly Lot[];
  /** Ticks × contracts won (or, negative, lost) by all that was closed. */
  readonly realizedTicks: number;
}

export const flat = (contract: ContractCode): Position => ({
  contract,
  netQty: 0,
  lots: [],
  realizedTicks: 0,
});

/** The position after one fill. */
export function applyFill(
  position: Position,
  { side, lastQty, lastPx }: { side: Side; lastQty: number; lastPx: Ticks },
): Position {
  const direction = sign(side);
  const opens = position.netQty === 0 || Math.sign(position.netQty) === direction;
  const netQty = position.netQty + direction * lastQty;
  if (opens) {
    return { ...position, netQty, lots: addLot(position.lots, { qty: lastQty, px: lastPx }) };
  }

  const { lots, left, ticksGained } = closeLots(position.lots, lastQty, lastPx, -direction);
  const realizedTicks = position.realizedTicks + ticksGained;
  return {
    ...position,
    netQty,
    realizedTicks,
    lots: left > 0 ? [{ qty: left, px: lastPx }] : lots,
  };
}

/** The average price of what is open; undefined when flat. */
export function averagePrice({ lots }: Position): AveragePrice | undefined {
  if (lots.length === 0) return undefined;
  let numerator = 0;
  let denominator = 0;
  for (const { qty, px } of lots) {
    numerator += qty * px;
    denominator += qty;
  }
  return { numerator, denominator };
}

/** Ticks × contracts that closing everything at `px` would win. */
export function openTicks({ lots, netQty }: Position, px: Ticks): number {
  const direction = Math.sign(netQty);
  return lots.reduce((total, lot) => total + direction * lot.qty * (px - lot.px), 0);
}

/** Fills in a row at one price are one lot, so that a position built in many steps stays small. */
function addLot(lots: readonly Lot[], lot: Lot): readonly Lot[] {
  const last = lots.at(-1);
  if (last?.px !== lot.px) return [...lots, lot];
  return [...lots.slice(0, -1), { qty: last.qty + lot.qty, px: lot.px }];
}

function closeLots(lots: readonly Lot[], qty: number, px: Ticks, direction: number) {
  let left = qty;
  let ticksGained = 0;
  const remaining: Lot[] = [];
  for (const lot of lots) {
    const closed = Math.min(lot.qty, left);
    left -= closed;
    ticksGained += direction * closed * (px - lot.px);
    if (lot.qty > closed) remaining.push({ qty: lot.qty - closed, px: lot.px });
  }
  return { lots: remaining, left, ticksGained };
}

/** What is held, in words: a signed quantity of contracts, never 0. */
export const heldText = (netQty: number): string =>
  `${netQty > 0 ? "long" : "short"} ${Math.abs(netQty)}`;
