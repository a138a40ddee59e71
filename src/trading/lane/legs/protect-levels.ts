import type { LegPlan } from "../../../domain/carried-plan.ts";
import { type Bracket, type LegLevel, type OrderReport, sign } from "../../../domain/order.ts";
import {
  type AveragePrice,
  formatTicks,
  roundAverage,
  tickSize as sizeOf,
  type Ticks,
} from "../../../domain/contracts/price.ts";
import type { BrokerPosition } from "../../ports.ts";
import type { LaneDeps } from "../lane-deps.ts";
import { exitSide } from "./legs.ts";

/** Where a position's exits stand, or are to stand. */
export type Levels = Pick<LegPlan, "takeProfitPx" | "stopLossPx">;

/** The levels of legs that stand: of several, the ones that the market reaches first. */
export function levelsOf(legs: readonly OrderReport[]): Levels {
  // A sell above the market is reached at the lowest one first, a stop below it at the highest.
  const reachedFirst = (prices: readonly (Ticks | undefined)[], direction: number) =>
    prices
      .filter((price) => price !== undefined)
      .toSorted((one, other) => direction * (one - other))[0];
  const direction = legs[0]?.side === "BUY" ? -1 : 1;
  const ofRole = (role: OrderReport["role"]) => legs.filter((leg) => leg.role === role);
  const profits = ofRole("TAKE_PROFIT").map(({ price }) => price);
  const losses = ofRole("STOP_LOSS").map(({ stopPx }) => stopPx);
  const takeProfitPx = reachedFirst(profits, direction);
  const stopLossPx = reachedFirst(losses, -direction);
  return {
    ...(takeProfitPx !== undefined && { takeProfitPx }),
    ...(stopLossPx !== undefined && { stopLossPx }),
  };
}

/**
 * The levels that were asked for. A distance counts from the average price, to the nearest tick;
 * undefined where the broker does not tell that price.
 */
export function levelsFor(
  { takeProfit, stopLoss }: Bracket,
  { netQty, avgPx }: BrokerPosition,
): Levels | undefined {
  const direction = netQty > 0 ? 1 : -1;
  const takeProfitPx = takeProfit && priceOf(takeProfit, avgPx, direction);
  const stopLossPx = stopLoss && priceOf(stopLoss, avgPx, -direction);
  const isMissing = (level: LegLevel | undefined, px: Ticks | undefined) =>
    level !== undefined && px === undefined;
  if (isMissing(takeProfit, takeProfitPx) || isMissing(stopLoss, stopLossPx)) return undefined;
  return {
    ...(takeProfitPx !== undefined && { takeProfitPx }),
    ...(stopLossPx !== undefined && { stopLossPx }),
  };
}

/**
 * Whether all that is held has each exit that was asked for: at its price, or, where it was asked for
 * by distance, wherever its own fill has put it.
 */
export function areAsAsked(
  { takeProfit, stopLoss }: Bracket,
  { netQty }: BrokerPosition,
  legs: readonly OrderReport[],
): boolean {
  const isThere = (role: OrderReport["role"], level: LegLevel | undefined) => {
    if (level === undefined) return true;
    const ofRole = legs.filter((leg) => leg.role === role);
    const covered = ofRole.reduce((sum, { leavesQty }) => sum + leavesQty, 0);
    const isAt = ({ price, stopPx }: OrderReport) =>
      level.by === "distance" || level.price === (role === "STOP_LOSS" ? stopPx : price);
    return covered >= Math.abs(netQty) && ofRole.every(isAt);
  };
  return isThere("TAKE_PROFIT", takeProfit) && isThere("STOP_LOSS", stopLoss);
}

function priceOf(
  level: LegLevel,
  average: AveragePrice | undefined,
  direction: number,
): Ticks | undefined {
  if (level.by === "price") return level.price;
  if (average === undefined) return undefined;
  return (roundAverage(average) + direction * level.distance) as Ticks;
}

/** The levels that are not yet where they were asked to be. */
export function changedLevels(before: Levels, asked: Levels): Levels {
  const { takeProfitPx, stopLossPx } = asked;
  return {
    ...(takeProfitPx !== undefined && takeProfitPx !== before.takeProfitPx && { takeProfitPx }),
    ...(stopLossPx !== undefined && stopLossPx !== before.stopLossPx && { stopLossPx }),
  };
}

/** What is to be checked of levels before anything is changed for them. */
export interface LevelCheck {
  readonly position: BrokerPosition;
  /** All that are to stand. */
  readonly levels: Levels;
  /** Those of them that are to be sent. */
  readonly sent: Levels;
}

/** Why levels may not be sent, in words; undefined when they may. */
export function problemOf(deps: LaneDeps, check: LevelCheck): string | undefined {
  if (isCrossed(check)) return "the take-profit would lie on the wrong side of the stop-loss";
  const { takeProfitPx, stopLossPx } = check.sent;
  const { contract, terms } = check.position;
  const isTooLow = [takeProfitPx, stopLossPx].some((level) => level !== undefined && level <= 0);
  if (isTooLow && deps.describe(contract, terms).mayBeNegative !== true) return TOO_LOW;
  return (
    atOnce(deps, check.position, "stop-loss", stopLossPx) ??
    atOnce(deps, check.position, "take-profit", takeProfitPx)
  );
}

const TOO_LOW = "a level would lie at 0 or below, where this contract has no prices";

function isCrossed({ position, levels: { takeProfitPx, stopLossPx } }: LevelCheck): boolean {
  if (takeProfitPx === undefined || stopLossPx === undefined) return false;
  return sign(exitSide(position)) * (takeProfitPx - stopLossPx) >= 0;
}

/** A level that the market has reached already would trade as soon as it is sent. */
function atOnce(
  { describe }: LaneDeps,
  { contract, terms, netQty, markPx }: BrokerPosition,
  leg: "take-profit" | "stop-loss",
  level: Ticks | undefined,
): string | undefined {
  if (markPx === undefined || level === undefined) return undefined;
  const winning = Math.sign(netQty) * (leg === "take-profit" ? 1 : -1);
  if (winning * (level - markPx) > 0) return undefined;
  const { tickSize } = describe(contract, terms);
  const at = (price: Ticks) =>
    tickSize === undefined ? "" : ` at ${formatTicks(price, sizeOf(tickSize))}`;
  const above = level > markPx ? "above" : "below";
  const where = level === markPx ? "at the market" : `${above} the market`;
  const market = level === markPx ? "" : at(markPx);
  return `the ${leg}${at(level)} is ${where}${market} and would close the position at once`;
}
