import { intentIdOf } from "../../domain/ids.ts";
import {
  type Fill,
  isForeign,
  isOpaque,
  levelOf,
  type OpaqueOrder,
  type OrderReport,
  type OrderRole,
  understood,
  type WorkingOrder,
} from "../../domain/order.ts";
import type { BrokerPosition } from "../../trading/ports.ts";
import type { Protection } from "../../trading/reads/protection.ts";
import type { Holding, HoldingMark } from "../../trading/reads/read-holdings.ts";
import { ACTION_OF, DURATION_OF, ORDER_TYPE_OF, ROLE_OF, STATUS_OF } from "../words.ts";
import {
  presentAverage,
  presentMoney,
  presentOpenPnl,
  presentOpenTicks,
  presentPrice,
  presentPrices,
  presentTime,
  presentTimeOrNull,
  presentWholeTicks,
} from "./figures.ts";
import { sideOf } from "./holding.ts";
import type { TradesPage } from "../../trading/reads/account-reads.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";
import type { AccountView } from "../../trading/connections/ports.ts";
import type { AsOf } from "../../trading/reads/ports.ts";

export function presentAccount(account: AccountView) {
  const { accountId, name, connectionId, broker, environment } = account;
  const { currency, active, cannotCancel, connectionStatus } = account;
  return {
    id: accountId,
    name,
    connectionId,
    broker,
    environment,
    currency: currency ?? null,
    active,
    cannotCancel: cannotCancel ?? null,
    connectionStatus,
  };
}

export function presentPositions(
  { value, asOf, live }: AsOf<readonly Holding[]>,
  describe: DescribeContract,
) {
  const positions = value.map((holding) => presentHolding(holding, describe));
  return { positions, asOf: presentTime(asOf), live };
}

/** A position, and what stands between it and a loss. */
export function presentHolding(
  { position, mark, protection, exits }: Holding,
  describe: DescribeContract,
) {
  const terms = describe(position.contract, position.terms);
  const levelsOf = (orders: readonly OrderReport[]) =>
    orders.map((order) => ({
      qty: order.leavesQty,
      price: presentPrice(levelOf(order), terms),
      trailOffset: presentPrice(order.trailOffset, terms),
    }));
  return {
    ...presentPosition(position, mark, describe),
    // What is no size is unknown.
    tickSize: Number(terms.tickSize) || null,
    tickValue: Number(terms.tickValue) || null,
    protection: presentProtectionState(protection),
    stopLosses: exits === undefined ? null : levelsOf(exits.STOP_LOSS),
    takeProfits: exits === undefined ? null : levelsOf(exits.TAKE_PROFIT),
  };
}

function presentProtectionState(protection: Protection) {
  const { kind } = protection;
  return {
    state: kind,
    missing: kind === "missing" ? protection.exits.map((exit) => ROLE_OF[exit]) : [],
    openedBy: kind === "noneAsked" ? (protection.openedBy ?? null) : null,
    reason: kind === "unknown" ? protection.reason : null,
  };
}

function presentPosition(
  position: BrokerPosition,
  mark: HoldingMark | undefined,
  describe: DescribeContract,
) {
  const { netQty, avgPx } = position;
  const marked = {
    netQty,
    ...(avgPx !== undefined && { avgPx }),
    ...(mark !== undefined && { markPx: mark.px }),
  };
  const terms = describe(position.contract, position.terms);
  return {
    symbol: terms.symbol,
    side: sideOf(position.netQty),
    qty: Math.abs(position.netQty),
    averagePrice: presentAverage(position.avgPx, terms),
    markPrice: presentPrice(mark?.px, terms),
    markedAt: presentTimeOrNull(mark?.at),
    markStale: mark === undefined || mark.isStale,
    unrealizedPnl: presentOpenPnl(marked, terms),
    unrealizedTicks: presentOpenTicks(marked),
    realizedPnl: presentMoney(position.realizedPnl),
    realizedTicks: presentWholeTicks(position.realizedPnl, terms),
    currency: terms.currency ?? null,
  };
}

export function presentTrades(
  { items, nextCursor, keptSinceAt }: TradesPage,
  describe: DescribeContract,
) {
  const trades = items.map((fill) => presentTrade(fill, describe));
  return { trades, nextCursor: nextCursor ?? null, keptSince: presentTimeOrNull(keptSinceAt) };
}

function presentTrade(fill: Fill, describe: DescribeContract) {
  const terms = describe(fill.contract, fill.terms);
  return {
    id: fill.execId,
    orderId: fill.orderId,
    symbol: terms.symbol,
    side: ACTION_OF[fill.side],
    qty: fill.lastQty,
    price: presentPrice(fill.lastPx, terms),
    realizedPnl: presentMoney(fill.realizedPnl),
    currency: terms.currency ?? null,
    fee: presentMoney(fill.fee),
    feeCurrency: fill.feeCurrency ?? null,
    time: presentTime(fill.transactTimeAt),
    takenBack: fill.takenBack === true,
  };
}

export function presentWorkingOrders(orders: readonly WorkingOrder[], describe: DescribeContract) {
  const known = understood(orders);
  return {
    orders: orders.map((order) =>
      isOpaque(order)
        ? presentOpaqueOrder(order, describe)
        : presentWorkingOrder(order, known, describe),
    ),
  };
}

/** An order that nobody here understands: what is not known of it is null, and `problem` says why. */
function presentOpaqueOrder(order: OpaqueOrder, describe: DescribeContract) {
  const { orderId, contract, side, clOrdId, problem } = order;
  return {
    orderId,
    symbol: contract === undefined ? null : describe(contract).symbol,
    action: side === undefined ? null : ACTION_OF[side],
    type: null,
    qty: null,
    filledQty: null,
    remainingQty: null,
    ...presentPrices({}, { tickSize: undefined }),
    timeInForce: null,
    status: null,
    role: null,
    parentOrderId: null,
    linkedOrderId: null,
    bracket: null,
    source: isForeign(order) ? "foreign" : "gateway",
    intentId: clOrdId === undefined ? null : (intentIdOf(clOrdId) ?? null),
    updatedAt: null,
    problem,
  };
}

function presentWorkingOrder(
  order: OrderReport,
  all: readonly OrderReport[],
  describe: DescribeContract,
) {
  const terms = describe(order.contract, order.terms);
  return {
    orderId: order.orderId,
    symbol: terms.symbol,
    action: ACTION_OF[order.side],
    type: ORDER_TYPE_OF[order.ordType],
    qty: order.orderQty,
    filledQty: order.cumQty,
    remainingQty: order.leavesQty,
    ...presentPrices(order, terms),
    timeInForce: DURATION_OF[order.timeInForce],
    status: STATUS_OF[order.ordStatus],
    role: ROLE_OF[order.role],
    parentOrderId: order.parentOrderId ?? null,
    linkedOrderId: order.linkedOrderId ?? null,
    bracket: bracketOf(order, all),
    source: isForeign(order) ? "foreign" : "gateway",
    intentId: order.clOrdId === undefined ? null : (intentIdOf(order.clOrdId) ?? null),
    updatedAt: presentTime(order.transactTimeAt),
    problem: null,
  };
}

/** The legs of an entry that may still fill; null for an order without any. */
function bracketOf({ orderId }: OrderReport, all: readonly OrderReport[]) {
  const legs = all.filter(({ parentOrderId }) => parentOrderId === orderId);
  if (legs.length === 0) return null;
  const idOf = (role: OrderRole) => legs.find((leg) => leg.role === role)?.orderId ?? null;
  return { takeProfitOrderId: idOf("TAKE_PROFIT"), stopLossOrderId: idOf("STOP_LOSS") };
}
