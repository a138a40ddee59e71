import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { Intent } from "../../../src/domain/intent.ts";
import { isForeign, type OrderReport, type Side, sign } from "../../../src/domain/order.ts";
import {
  type Ask,
  closable,
  type History,
  isDoneWhole,
  isFilling,
  type Moment,
  named,
  netIn,
  opens,
} from "./history.ts";

/** Nobody is told "done" of a position whose stop was asked for and is not there. */
export function protectionStandsOrIsToldOf(history: History): string[] {
  return history.moments
    .filter(({ isSettled }) => isSettled)
    .flatMap((moment) => {
      const contracts = new Set(history.asks.flatMap(({ contracts: its }) => its));
      return [...contracts].flatMap((contract) => {
        const ask = lastAbout(history, contract, moment);
        if (ask === undefined || !isDoneWhole(ask) || !asksForStop(ask.intent)) return [];
        if (hasOthersFill(history, ask, contract, moment)) return [];
        const net = netIn(moment, contract);
        const wanted = toProtect(history, ask, net, moment);
        const stands = stopsOf(moment.working, contract, net);
        return stands >= wanted
          ? []
          : [`a stop for ${stands} of ${wanted} ${contract} (${net} held) after ${named(ask)}`];
      });
    });
}

const lastAbout = ({ asks }: History, contract: ContractCode, { at }: Moment): Ask | undefined =>
  asks.findLast((ask) => ask.askedAt < at && ask.contracts.includes(contract));

/**
 * What somebody else's order has opened since asks for nothing, nor does what a leg has closed too
 * much of: the market may reach it in the moment before it is cut, or together with another exit.
 */
const hasOthersFill = (
  { fills }: History,
  ask: Ask,
  contract: ContractCode,
  { at }: Moment,
): boolean =>
  fills.some(
    (fill) =>
      fill.contract === contract &&
      fill.at > ask.askedAt &&
      fill.at < at &&
      (fill.ask !== ask || fill.order.role !== "ORDER") &&
      opens(fill),
  );

function asksForStop(intent: Intent): boolean {
  switch (intent.kind) {
    case "PLACE":
      return intent.order.bracket?.stopLoss !== undefined;
    case "ADJUST":
      return intent.terms.bracket?.stopLoss !== undefined;
    case "PROTECT":
      if ("levels" in intent) return intent.levels.stopLoss !== undefined;
      return "written" in intent && intent.written.stopLoss !== undefined;
    case "TIMEOUT":
      return intent.bracket?.stopLoss !== undefined;
    case "CANCEL":
    case "MODIFY":
    case "FLATTEN":
    case "CANCEL_ENTRIES":
      return false;
  }
}

/** An order protects what it opens; a target and a protection protect the position. */
function toProtect(history: History, ask: Ask, net: number, { at }: Moment): number {
  const { intent } = ask;
  if (intent.kind === "ADJUST" && intent.aim.to === "position") {
    return net * intent.aim.netQty > 0 ? Math.abs(net) : 0;
  }
  if (intent.kind === "PROTECT") return Math.abs(net);
  const own = history.fills.filter((fill) => fill.ask === ask && fill.at < at);
  // What its own legs have closed is done with.
  const opened = own.reduce((sum, { order, side, before, after }) => {
    if (order.role !== "ORDER") return sum + after - before;
    const grown = Math.max(0, after * sign(side)) - Math.max(0, before * sign(side));
    return sum + grown * sign(side);
  }, 0);
  return opened * net > 0 ? Math.min(Math.abs(opened), Math.abs(net)) : 0;
}

function stopsOf(working: readonly OrderReport[], contract: ContractCode, net: number): number {
  return working
    .filter((order) => order.contract === contract && sign(order.side) * net < 0)
    .filter(({ ordType, stopPx, ordStatus }) => {
      const isStop = stopPx !== undefined || ordType === "STOP";
      return isStop && ordStatus !== "HELD";
    })
    .reduce((sum, { leavesQty }) => sum + leavesQty, 0);
}

/** Legs are for what is held: one for more could open the other side. */
export const noLegClosesMoreThanIsHeld = (history: History): string[] =>
  history.moments
    .filter((moment) => moment.isSettled && !hasOpenedNothing(history, moment))
    .flatMap(legsForMore);

/** A trade that only takes something off brings no exits for what it does not open. */
export const whatOpensNothingBringsNoLegs = (history: History): string[] =>
  history.moments
    .filter((moment) => moment.isSettled && hasOpenedNothing(history, moment))
    .flatMap(legsForMore);

/** Whether the moment ends an order with legs that has opened nothing. */
function hasOpenedNothing({ fills }: History, { ask }: Moment): boolean {
  if (ask?.intent.kind !== "PLACE" || ask.intent.order.bracket === undefined) return false;
  return fills.every((fill) => fill.ask !== ask || !opens(fill));
}

const legsForMore = (moment: Moment): string[] =>
  legSizes(moment.working).flatMap(({ contract, side, qty }) => {
    const held = closable(netIn(moment, contract), side);
    if (qty <= held) return [];
    const after = moment.ask === undefined ? "" : ` after ${named(moment.ask)}`;
    return [`legs ${side} ${qty} ${contract}, ${held} are held${after}`];
  });

interface LegSize {
  readonly contract: ContractCode;
  readonly side: Side;
  qty: number;
}

/** Of the two legs of a pair only one can fill. */
function legSizes(working: readonly OrderReport[]): readonly LegSize[] {
  const sizes = new Map<string, LegSize>();
  for (const leg of working) {
    if (leg.role === "ORDER" || leg.ordStatus === "HELD") continue;
    const other = working.find(({ orderId }) => orderId === leg.linkedOrderId);
    if (other !== undefined && other.role === "STOP_LOSS") continue;
    const { contract, side, leavesQty } = leg;
    const size = sizes.get(`${contract} ${side}`) ?? { contract, side, qty: 0 };
    size.qty += leavesQty;
    sizes.set(`${contract} ${side}`, size);
  }
  return [...sizes.values()];
}

/** A stop that somebody has placed on an open position is theirs to end. */
export function aPlainStopStaysWithItsPosition(history: History): string[] {
  return history.moments.flatMap((moment) => {
    const before = history.before(moment);
    if (before === undefined || !moment.isSettled) return [];
    if (hasFlattened(history, before, moment)) return [];
    // Of what is being filled a target takes what leads away from it.
    if (moment.ask?.what === "target" && before.working.some(isFilling)) return [];
    return [...before.net].flatMap(([contract, net]) => {
      const left = netIn(moment, contract);
      if (net * left <= 0) return [];
      const stood = plainStops(before, contract, net);
      const filled = history.fills
        .filter((fill) => fill.contract === contract && fill.at > before.at && fill.at < moment.at)
        .filter(({ order }) => isPlainStop(order, net))
        .reduce((sum, fill) => sum + Math.abs(fill.after - fill.before), 0);
      const stands = plainStops(moment, contract, left) + filled;
      // One for more than is held is an entry too.
      if (stood > Math.min(Math.abs(net), Math.abs(left)) || stands >= stood) return [];
      const why = moment.ask === undefined ? "while time went by" : `by ${named(moment.ask)}`;
      return [`a stop for ${stood} of ${net} ${contract} is one for ${stands} of ${left} ${why}`];
    });
  });
}

/** A flatten that found too few to trade with has cancelled exits for what is still held. */
const hasFlattened = ({ asks }: History, before: Moment, moment: Moment): boolean =>
  asks.some(
    ({ intent, askedAt, endedAt = Infinity }) =>
      intent.kind === "FLATTEN" && askedAt < moment.at && endedAt > before.at,
  );

function plainStops({ working }: Moment, contract: ContractCode, net: number): number {
  return working
    .filter((order) => order.contract === contract && isPlainStop(order, net))
    .reduce((sum, { leavesQty }) => sum + leavesQty, 0);
}

const isPlainStop = (order: OrderReport, net: number): boolean =>
  sign(order.side) * net < 0 &&
  order.role === "ORDER" &&
  order.ordType === "STOP" &&
  !isForeign(order);
