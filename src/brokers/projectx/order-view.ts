import type { ContractCode } from "../../domain/contracts/contract.ts";
import { type ClOrdId, execId, orderId } from "../../domain/ids.ts";
import { formatScaled, sumOf } from "../../domain/contracts/decimal.ts";
import { declaredType, type OrdType } from "../../domain/declared/order-types.ts";
import {
  type Fill,
  isClosed,
  type OpaqueOrder,
  type OrderPrices,
  type OrderReport,
  type OrderRole,
  type OrdStatus,
} from "../../domain/order.ts";
import type { KnownContract } from "./contract-desk.ts";
import type { EntityStore } from "./entity-store.ts";
import { clOrdIdOf, readLegTag } from "./leg-tags.ts";
import {
  CURRENCY,
  hasEnded,
  isOrderStatus,
  parseInstant,
  toOrdStatus,
  toOrdType,
  toSide,
} from "./parse.ts";
import { scaledOf, toTicks } from "../price-numbers.ts";
import { ORDER_STATUS, type ProjectXOrder, type ProjectXSide, type ProjectXTrade } from "./wire.ts";

/** Undefined until the broker has said which contract the id stands for. */
export type ContractById = (contractId: string) => KnownContract | undefined;

/** An order of which enough is known to tell it, with its trades. */
export interface OrderView {
  readonly order: ProjectXOrder;
  readonly status: number;
  readonly side: ProjectXSide;
  readonly size: number;
  readonly ordType: OrdType;
  readonly clOrdId: ClOrdId | undefined;
  readonly contract: KnownContract;
  /** Those that stand, oldest first. */
  readonly trades: readonly ProjectXTrade[];
}

/** Undefined while something is missing without which the order cannot be told. */
export function viewOrder(
  store: EntityStore,
  id: string,
  contractById: ContractById,
): OrderView | undefined {
  const order = store.order(id);
  if (order === undefined || oddityOf(store, order) !== undefined) return undefined;
  const { side, size, contractId = "" } = order;
  const status = statusOf(store, order);
  const [ordType, contract] = [toOrdType(order.type), contractById(contractId)];
  if (status === undefined || side === undefined || size === undefined) return undefined;
  if (ordType === undefined || contract === undefined) return undefined;
  const trades = store.tradesOf(id);
  return { order, status, side, size, ordType, clOrdId: nameOf(order), contract, trades };
}

/**
 * How an order stands. A leg that waits for an entry which has ended without a fill has ended with it,
 * whether or not that is said of it.
 */
export function statusOf(store: EntityStore, { status, parentOrderId }: ProjectXOrder) {
  const entry = store.order(parentOrderId ?? "");
  if (status !== ORDER_STATUS.suspended || entry === undefined) return status;
  const isOver = hasEnded(entry.status) && entry.status !== ORDER_STATUS.filled;
  const hasFilled = (entry.fillVolume ?? 0) > 0 || store.tradesOf(entry.id).length > 0;
  return isOver && !hasFilled ? ORDER_STATUS.cancelled : status;
}

/** A leg that is used up while its entry works on may grow with the entry's next fill. */
export function mayGrow(store: EntityStore, { status, parentOrderId }: ProjectXOrder): boolean {
  const entry = store.order(parentOrderId ?? "");
  return entry !== undefined && !hasEnded(entry.status) && !hasEnded(status);
}

/** What keeps an order from being understood, as a sentence; undefined where all of it is there. */
export function oddityOf(store: EntityStore, order: ProjectXOrder): string | undefined {
  const { contractId, side, size, status, type } = order;
  if (contractId === undefined) return "It names no contract";
  if (side === undefined) return "Whether it buys or sells is not told";
  if (size === undefined) return "Its quantity is not told";
  const isUsedUp = size > 0 && filled(store.tradesOf(order.id)) >= size;
  // Whatever a word means, of an order that has filled everything nothing can still come.
  if (!isOrderStatus(status) && !isUsedUp) return `Its status ${status ?? ""} is not known here`;
  const ordType = toOrdType(type);
  if (ordType === undefined) return `Its type ${type ?? ""} is not known here`;
  // A leg that waits for its entry has no prices yet.
  if (hasEnded(status) || status === ORDER_STATUS.suspended) return undefined;
  return lacksPrice(order, ordType) ? "The price it waits for is not told" : undefined;
}

const lacksPrice = ({ limitPrice, stopPrice }: ProjectXOrder, ordType: OrdType): boolean =>
  (ordType === "LIMIT" && limitPrice === undefined) ||
  (ordType === "STOP" && stopPrice === undefined) ||
  (ordType === "STOP_LIMIT" && (limitPrice === undefined || stopPrice === undefined));

/** How the gateway calls an order; undefined for what carries no identifier. */
export const nameOf = ({ customTag }: Pick<ProjectXOrder, "customTag">): ClOrdId | undefined =>
  customTag === undefined ? undefined : clOrdIdOf(customTag);

/** An order that works and is not understood, as what it is. */
export function toOpaque(
  store: EntityStore,
  order: ProjectXOrder,
  contractById: ContractById,
  problem = oddityOf(store, order) ?? "ProjectX has not told all of it",
): OpaqueOrder {
  const name = nameOf(order);
  const contract = contractById(order.contractId ?? "")?.code;
  return {
    orderId: orderId(order.id),
    problem,
    ...(name !== undefined && { clOrdId: name }),
    ...(contract !== undefined && { contract }),
    ...(order.side !== undefined && { side: toSide(order.side) }),
  };
}

/** The order of a trade where nothing else is known of it. */
export const toUnlisted = (
  { orderId: id, side }: ProjectXTrade,
  contract: ContractCode,
): OpaqueOrder => ({
  orderId: orderId(id),
  problem: "ProjectX lists it no more",
  contract,
  side: toSide(side),
});

/** How much of an order is told: its first trades, and the status that goes with them. */
export interface Standing {
  readonly trades: readonly ProjectXTrade[];
  /** What it had filled besides, of which the broker lists no trades. */
  readonly earlierQty: number;
  readonly ordStatus: OrdStatus;
  readonly transactTimeAt: number;
}

export const filled = (trades: readonly ProjectXTrade[]): number =>
  trades.reduce((sum, { size }) => sum + size, 0);

/** Filled quantity of the order beyond its known trades, those that were taken back among them. */
export const untold = (order: ProjectXOrder, every: readonly ProjectXTrade[]): number =>
  Math.max(0, (order.fillVolume ?? 0) - filled(every));

/** The order as a read answers it: how it stands after everything that is known of it. */
export function reportOf(store: EntityStore, view: OrderView): OrderReport {
  const { order, trades, size, status } = view;
  const earlierQty = untold(order, store.everyTradeOf(order.id));
  const cumQty = earlierQty + filled(trades);
  const isUsedUp = cumQty >= size && size > 0 && !mayGrow(store, order);
  return toOrderReport(store, view, {
    trades,
    earlierQty,
    ordStatus: isUsedUp ? "FILLED" : toOrdStatus(status, cumQty),
    transactTimeAt: Math.max(
      updatedAt(order),
      ...trades.map(({ creationTimestamp }) => parseInstant(creationTimestamp)),
    ),
  });
}

export const updatedAt = ({ creationTimestamp, updateTimestamp }: ProjectXOrder): number =>
  Math.max(parseInstant(creationTimestamp), parseInstant(updateTimestamp));

export function toOrderReport(
  store: EntityStore,
  view: OrderView,
  { trades, earlierQty, ordStatus, transactTimeAt }: Standing,
): OrderReport {
  const { order, contract, size } = view;
  const cumQty = earlierQty + filled(trades);
  const parent = parentOf(store, view);
  const linked = linkOf(store, order);
  // Of what filled earlier the price is not known, and so the average of all is not.
  const hasAverage = cumQty > 0 && earlierQty === 0;
  return {
    orderId: orderId(order.id),
    ...(view.clOrdId !== undefined && { clOrdId: view.clOrdId }),
    contract: contract.code,
    ...(contract.terms !== undefined && { terms: contract.terms }),
    side: toSide(view.side),
    ordType: view.ordType,
    // The service knows none: what exits are placed with rests until it is canceled.
    timeInForce: roleOf(store, view) === "ORDER" ? "DAY" : "GTC",
    ordStatus,
    orderQty: size,
    cumQty,
    leavesQty: isClosed(ordStatus) ? 0 : Math.max(0, size - cumQty),
    ...(hasAverage && { avgPx: { numerator: turnover(trades, contract), denominator: cumQty } }),
    ...pricesOf(view),
    role: roleOf(store, view),
    ...(parent !== undefined && { parentOrderId: orderId(parent) }),
    ...(linked !== undefined && { linkedOrderId: orderId(linked) }),
    transactTimeAt,
  };
}

/** One trade as it is told and listed; it says its own contract. */
export function toFill(
  trade: ProjectXTrade,
  { contract, clOrdId: name }: Pick<OrderView, "contract" | "clOrdId">,
): Fill {
  const { profitAndLoss } = trade;
  return {
    execId: execId(trade.id),
    orderId: orderId(trade.orderId),
    ...(name !== undefined && { clOrdId: name }),
    contract: contract.code,
    ...(contract.terms !== undefined && { terms: contract.terms }),
    side: toSide(trade.side),
    lastQty: trade.size,
    lastPx: toTicks(trade.price, contract.tickSize),
    ...(profitAndLoss !== undefined && { realizedPnl: formatScaled(scaledOf(profitAndLoss), 2) }),
    ...feeOf(trade),
    transactTimeAt: parseInstant(trade.creationTimestamp),
    ...(trade.voided && { takenBack: true }),
  };
}

/** Fees and commissions are two columns of one bill; empty where neither is told. */
export function feeOf({
  fees,
  commissions,
}: Pick<ProjectXTrade, "fees" | "commissions">): Pick<Fill, "fee" | "feeCurrency"> {
  const told = [fees, commissions].filter((one) => one !== undefined);
  if (told.length === 0) return {};
  return { fee: formatScaled(sumOf(...told.map(scaledOf)), 2), feeCurrency: CURRENCY };
}

function turnover(trades: readonly ProjectXTrade[], { tickSize }: KnownContract): number {
  return trades.reduce((sum, { size, price }) => sum + size * toTicks(price, tickSize), 0);
}

function pricesOf({ order, ordType, contract }: OrderView): OrderPrices {
  const { limitPrice, stopPrice } = order;
  const hasLimit = ordType === "LIMIT" || ordType === "STOP_LIMIT";
  const hasStop = ordType === "STOP" || ordType === "STOP_LIMIT";
  return {
    ...(hasLimit && limitPrice !== undefined && { price: toTicks(limitPrice, contract.tickSize) }),
    ...(hasStop && stopPrice !== undefined && { stopPx: toTicks(stopPrice, contract.tickSize) }),
  };
}

/** The hub names the entry; answers do not, and then the leg's tag says it. */
function parentOf(store: EntityStore, { order }: OrderView): string | undefined {
  if (order.parentOrderId !== undefined) return order.parentOrderId;
  return entryByTag(store, order)?.id;
}

export function entryByTag(store: EntityStore, order: ProjectXOrder): ProjectXOrder | undefined {
  const leg = order.customTag === undefined ? undefined : readLegTag(order.customTag);
  return leg === undefined ? undefined : store.byTag(order.accountId, leg.entry);
}

/** Only the target names its stop; the link holds both ways. */
function linkOf(store: EntityStore, { id, linkedOrderId, parentOrderId }: ProjectXOrder) {
  if (linkedOrderId !== undefined || parentOrderId === undefined) return linkedOrderId;
  return store.childrenOf(parentOrderId).find((sibling) => sibling.linkedOrderId === id)?.id;
}

/** By its own name, else by its entry: ProjectX knows no roles. */
function roleOf(store: EntityStore, view: OrderView): OrderRole {
  const leg = readLegTag(view.order.customTag ?? "");
  if (leg !== undefined) return leg.role;
  if (parentOf(store, view) === undefined) return "ORDER";
  return declaredType(view.ordType).exit ?? "STOP_LOSS";
}
