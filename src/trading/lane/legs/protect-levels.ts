import type { LegPlan } from "../../../domain/carried-plan.ts";
import { type Bracket, type LegLevel, type OrderReport, sign } from "../../../domain/order.ts";
import {
  type AveragePrice,
  formatTicks,
  roundAverage,
  tickSize as sizeOf,
  type Ticks,
} from "../../../domain/contracts/price.ts";
import { closingPrice, type Quote } from "../../../domain/quote.ts";
import { type ExitLevel, isReached, isSafeUnseen } from "../../../domain/reached-exit.ts";
import type { BrokerPosition } from "../../ports.ts";
import type { LaneDeps } from "../lane-deps.ts";
import { exitSide, nameOf } from "./legs.ts";

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
  /** The fresh prices of the contract. */
  readonly quote: Quote | undefined;
}

/** Why levels may not be sent, in words; undefined when they may. */
export function problemOf(deps: LaneDeps, check: LevelCheck): string | undefined {
  if (isCrossed(check)) return "the take-profit would lie on the wrong side of the stop-loss";
  const { takeProfitPx, stopLossPx } = check.sent;
  const { contract, terms } = check.position;
  const isTooLow = [takeProfitPx, stopLossPx].some((level) => level !== undefined && level <= 0);
  if (isTooLow && deps.describe(contract, terms).mayBeNegative !== true) return TOO_LOW;
  return atOnce(deps, check, "STOP_LOSS") ?? atOnce(deps, check, "TAKE_PROFIT");
}

/**
 * Why the take-profit may not be sent although nothing is known to be wrong with it, in words: no fresh
 * price says where the market is, and a broker fills a target that the market has passed at once.
 */
export function targetDoubt(
  deps: LaneDeps,
  { position, sent, quote }: LevelCheck,
): string | undefined {
  const level = levelIn(sent, "TAKE_PROFIT");
  if (level === undefined || marketOf(position, quote) !== undefined) return undefined;
  if (isSafeUnseen(level, position.netQty, position.avgPx)) return undefined;
  const where = position.netQty > 0 ? "below" : "above";
  return `no fresh price says whether the take-profit${atPrice(deps, position, level.px)} is ${where} the market, where it would close the position at once`;
}

const TOO_LOW = "a level would lie at 0 or below, where this contract has no prices";

function isCrossed({ position, levels: { takeProfitPx, stopLossPx } }: LevelCheck): boolean {
  if (takeProfitPx === undefined || stopLossPx === undefined) return false;
  return sign(exitSide(position)) * (takeProfitPx - stopLossPx) >= 0;
}

/** A level that the market has reached already would trade as soon as it is sent. */
function atOnce(
  deps: LaneDeps,
  { position, sent, quote }: LevelCheck,
  role: ExitLevel["role"],
): string | undefined {
  const level = levelIn(sent, role);
  const market = marketOf(position, quote);
  if (level === undefined || market === undefined) return undefined;
  if (!isReached(level, position.netQty, market)) return undefined;
  const at = (price: Ticks) => atPrice(deps, position, price);
  const above = level.px > market ? "above" : "below";
  const where = level.px === market ? "at the market" : `${above} the market${at(market)}`;
  return `the ${nameOf(level)}${at(level.px)} is ${where} and would close the position at once`;
}

function levelIn(
  { takeProfitPx, stopLossPx }: Levels,
  role: ExitLevel["role"],
): ExitLevel | undefined {
  const px = role === "TAKE_PROFIT" ? takeProfitPx : stopLossPx;
  return px === undefined ? undefined : { role, px };
}

const marketOf = ({ netQty }: BrokerPosition, quote: Quote | undefined): Ticks | undefined =>
  quote && closingPrice(quote, netQty)?.px;

function atPrice({ describe }: LaneDeps, { contract, terms }: BrokerPosition, px: Ticks): string {
  const { tickSize } = describe(contract, terms);
  return tickSize === undefined ? "" : ` at ${formatTicks(px, sizeOf(tickSize))}`;
}
