import { type ContractCode, parseContractCode, rootOfCode } from "./contract.ts";
import { type NewOrderSingle, type Side, sign } from "../order.ts";
import type { Holding } from "../alert.ts";

/** One open position: positive long, negative short. */
export interface OpenPosition {
  readonly contract: ContractCode;
  readonly netQty: number;
}

/** What of an order decides which month it is for. */
export type AimedOrder = Pick<NewOrderSingle, "contract" | "side" | "orderQty">;

/** Where an order goes of which only the root was named. */
export type ExitContract =
  | { readonly kind: "use"; readonly contract: ContractCode }
  /** It is more than the nearest month holds: that is to be closed, and only the rest opens anything. */
  | { readonly kind: "turn"; readonly held: OpenPosition };

/**
 * Exits use the contract that is held, not the front month that the order carries ("Rules for
 * money" 8). An order is an exit when it is opposite to another month of its root, the front month
 * is flat, and the nearest month held covers it. Only for orders whose symbol named no month.
 */
export function exitContract(order: AimedOrder, positions: readonly OpenPosition[]): ExitContract {
  if (positions.length === 0) return { kind: "use", contract: order.contract };
  const root = rootOfCode(order.contract);
  const ofRoot = positions.filter(
    ({ contract, netQty }) => netQty !== 0 && rootOfCode(contract) === root,
  );
  const inFront = ofRoot.some(({ contract }) => contract === order.contract);
  const held = ofRoot
    .filter(({ netQty }) => netQty * sign(order.side) < 0)
    .toSorted((one, other) => monthOf(one) - monthOf(other));
  const [nearest] = held;
  if (inFront || nearest === undefined) return { kind: "use", contract: order.contract };

  return order.orderQty <= Math.abs(nearest.netQty)
    ? { kind: "use", contract: nearest.contract }
    : { kind: "turn", held: nearest };
}

/**
 * The part of an order that closes the month that is held. Only at the market can the rest follow in
 * the front month once that is done: an order that rests, or ends unfilled, may close nothing, and
 * beside it the rest would open a second month.
 */
export function closingPart<Order extends AimedOrder & Pick<NewOrderSingle, "bracket">>(
  order: Order,
  { contract, netQty }: OpenPosition,
  symbolOf: (contract: ContractCode) => string,
): ClosingPart<Order> {
  const qty = Math.abs(netQty);
  const left = order.orderQty - qty;
  const why = `the other ${left} would open the front month ${symbolOf(order.contract)} beside it. A market order closes the one and then opens the other`;
  return cutTo({ ...order, contract }, qty, { symbol: symbolOf(contract), why });
}

/** The same of an order that turns around what is held in its own month, and that may not open anything. */
export function closingHalf<Order extends AimedOrder & Pick<NewOrderSingle, "bracket">>(
  order: Order,
  qty: number,
  { symbol, refusal }: { readonly symbol: string; readonly refusal: string },
): ClosingPart<Order> {
  const why = `the other ${order.orderQty - qty} would open a position. ${refusal}`;
  return cutTo(order, qty, { symbol, why });
}

interface ClosingPart<Order> {
  readonly order: Order;
  /** What of it was not sent, and why, in words. */
  readonly problem: string;
}

function cutTo<Order extends AimedOrder & Pick<NewOrderSingle, "bracket">>(
  order: Order,
  qty: number,
  { symbol, why }: { readonly symbol: string; readonly why: string },
): ClosingPart<Order> {
  const { bracket, ...bare } = order;
  const without = bracket === undefined ? "" : " without their take-profit and stop-loss";
  const problem = `Only ${qty} of ${order.orderQty} were sent${without}, to close what is held in ${symbol}: ${why}`;
  return { order: { ...bare, orderQty: qty } as Order, problem };
}

/** Why an order beside what is held in another month is refused, and what its sender can do. */
export function mismatchReason(
  { contract, orderQty, bracket }: AimedOrder & Pick<NewOrderSingle, "bracket">,
  held: OpenPosition,
  symbolOf: (contract: ContractCode) => string,
): string {
  const month = symbolOf(held.contract);
  const holds = `${Math.abs(held.netQty)} ${month}${held.netQty < 0 ? " short" : ""}`;
  const order = `an order of ${orderQty}${bracket === undefined ? "" : " with a bracket"}`;
  return (
    `The account holds ${holds}, not the front month ${symbolOf(contract)}: ` +
    `${order} would leave both open. Close ${month} first, or name a contract`
  );
}

/** Counts months, so that the nearest expiry of one root comes first. */
export function monthOf({ contract }: OpenPosition): number {
  const { year = 0, month = 0 } = parseContractCode(contract) ?? {};
  return year * 12 + month;
}

export const sideOf = (netQty: number): Side => (netQty > 0 ? "BUY" : "SELL");

export const holdingOf = ({ netQty }: OpenPosition): Holding => (netQty > 0 ? "LONG" : "SHORT");

export const isOnSide = (one: OpenPosition, holding: Holding | undefined): boolean =>
  holding === undefined || holdingOf(one) === holding;

export const totalQty = (positions: readonly OpenPosition[]): number =>
  positions.reduce((total, { netQty }) => total + Math.abs(netQty), 0);

/** As part of a sentence. */
export const positionsInWords = (
  positions: readonly OpenPosition[],
  symbolOf: (contract: ContractCode) => string,
): string =>
  positions
    .map((one) => {
      const word = holdingOf(one).toLowerCase();
      return `${Math.abs(one.netQty)} ${symbolOf(one.contract)} ${word}`;
    })
    .join(" and ");
