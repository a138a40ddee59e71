import type { ContractCode } from "../../domain/contracts/contract.ts";
import {
  type ClOrdId,
  clOrdId,
  execId,
  isOwnClOrdId,
  legOf,
  orderId,
  sentIdOf,
} from "../../domain/ids.ts";
import type {
  Fill,
  OpaqueOrder,
  OrderPrices,
  OrderReport,
  OrderRole,
  OrdStatus,
  TimeInForce,
} from "../../domain/order.ts";
import {
  declaredPrice,
  declaredType,
  mayHave,
  needs,
  ORDER_PRICES,
  type OrderPrice,
  type OrdType,
} from "../../domain/declared/order-types.ts";
import { isClosed } from "../../domain/order.ts";
import { ticks, type TickSize } from "../../domain/contracts/price.ts";
import type { BrokerTerms } from "../../domain/broker-terms.ts";
import type { EntityStore } from "./entity-store.ts";
import { feeOf } from "./fill-fees.ts";
import { lastReportAt, reportsOn, versionInForce } from "./order-parts.ts";
import { isOrdStatus } from "./order-status.ts";
import {
  isAction,
  parseInstant,
  PRICE_FIELDS,
  toOrdStatus,
  toOrdType,
  toSide,
  toTimeInForce,
  toTradeDay,
} from "./parse.ts";
import { toTicks } from "../price-numbers.ts";
import type {
  TradovateExecutionReport,
  TradovateFill,
  TradovateOrder,
  TradovateOrderVersion,
} from "./wire.ts";

/** A contract as it is called here, and what a price of it is counted in. */
export interface KnownContract {
  readonly code: ContractCode;
  /** As Tradovate writes it: `ESZ6`. Absent where it does not tell. */
  readonly name?: string;
  readonly tickSize: TickSize;
  /** Present where our table lacks it. */
  readonly terms?: BrokerTerms;
}

/** Undefined until the broker has said which contract the id stands for. */
export type ContractById = (contractId: number) => KnownContract | undefined;

/** One order with all that belongs to it, joined from the entities that Tradovate splits it into. */
export interface OrderView {
  readonly order: TradovateOrder;
  /** The values in force now. */
  readonly version: TradovateOrderVersion;
  readonly ordType: OrdType;
  readonly timeInForce: TimeInForce;
  readonly clOrdId: ClOrdId | undefined;
  readonly contract: KnownContract;
  /** Oldest first. */
  readonly fills: readonly TradovateFill[];
  /** What it had filled besides: in an earlier session, of which the broker lists no fills. */
  readonly earlierQty: number;
}

/** Undefined while something is missing without which the order cannot be told. */
export function viewOrder(
  store: EntityStore,
  id: number,
  contractById: ContractById,
): OrderView | undefined {
  const order = store.get("order", id);
  if (order === undefined) return undefined;
  const version = versionInForce(store, id);
  const contract = contractById(order.contractId ?? 0);
  // Its name is on its way, or still to be asked for; without it the order would look like foreign.
  const isNamed = store.isNameSettled(id);
  if (version === undefined || contract === undefined || !isNamed) return undefined;
  const ordType = toOrdType(version.orderType);
  const timeInForce = toTimeInForce(version.timeInForce);
  if (ordType === undefined || timeInForce === undefined) return undefined;
  if (oddityOf(store, id, version) !== undefined) return undefined;
  return {
    order,
    version,
    ordType,
    timeInForce,
    clOrdId: nameOf(store, id),
    contract,
    fills: standing(store.of("fill", id)),
    earlierQty: earlierQty(store, id),
  };
}

/**
 * What keeps an order from ever being understood, as a sentence; undefined where all of it is there,
 * or may still come.
 */
export function oddityOf(
  store: EntityStore,
  id: number,
  version = versionInForce(store, id),
): string | undefined {
  const order = store.get("order", id);
  if (order === undefined) return undefined;
  if (order.contractId === undefined) {
    const { spreadDefinitionId: spread } = order;
    return spread === undefined
      ? "It names no contract"
      : `It names no contract but a spread (${spread})`;
  }
  const { action } = order;
  if (!isAction(action)) return `It neither buys nor sells but does "${String(action)}"`;
  // Whatever a word means, of an order that has filled nothing can still come.
  if (!isOrdStatus(order.ordStatus) && !hasFilled(store, id, version)) {
    return `Its status "${order.ordStatus}" is not known here`;
  }
  if (version === undefined) {
    return store.arePartsSettled(id) ? "Its quantity and prices are not told" : undefined;
  }
  const { orderType, timeInForce } = version;
  const ordType = toOrdType(orderType);
  if (ordType === undefined) return `Its type "${orderType}" is not known here`;
  if (toTimeInForce(timeInForce) === undefined) {
    return `Its time in force "${timeInForce}" is not known here`;
  }
  return lacksPrice(version, ordType) ? `It is a ${orderType} order without its price` : undefined;
}

function hasFilled(
  store: EntityStore,
  id: number,
  version: TradovateOrderVersion | undefined,
): boolean {
  const fills = standing(store.of("fill", id));
  const cumQty = cumQtyOf({ fills, earlierQty: earlierQty(store, id) });
  return version !== undefined && cumQty > 0 && cumQty >= version.orderQty;
}

/** Where it works is not known then, nor what it protects. */
function lacksPrice(version: TradovateOrderVersion, ordType: OrdType): boolean {
  return ORDER_PRICES.some(
    (name) =>
      needs(ordType, name) &&
      declaredPrice(name).counts === "price" &&
      writtenIn(version, ordType, name) === undefined,
  );
}

/** Some samples give a stop its level as `price`; both are read, one is sent. */
function writtenIn(version: TradovateOrderVersion, ordType: OrdType, name: OrderPrice) {
  const written = version[PRICE_FIELDS[name]];
  return written ?? (name === "stopPx" && ordType === "STOP" ? version.price : undefined);
}

/** What an order was placed as; undefined for what carries no identifier. */
export function nameOf(store: EntityStore, id: number): ClOrdId | undefined {
  const name = store.nameOf(id);
  return name === undefined ? undefined : clOrdId(name);
}

/** An order that works and is not understood, as what it is. */
export function toOpaque(
  store: EntityStore,
  order: TradovateOrder,
  contractById: ContractById,
): OpaqueOrder {
  const { id, action, contractId } = order;
  const contract = contractId === undefined ? undefined : contractById(contractId)?.code;
  const name = nameOf(store, id);
  return {
    orderId: orderId(String(id)),
    problem: oddityOf(store, id) ?? "Tradovate has not told all of it",
    ...(name !== undefined && { clOrdId: name }),
    ...(contract !== undefined && { contract }),
    ...(isAction(action) && { side: toSide(action) }),
  };
}

/**
 * What an order had filled by fills that the broker does not list any more, by its own figures. What
 * came after the snapshot has its fills.
 */
function earlierQty(store: EntityStore, id: number): number {
  const isEarlier = (one: { readonly id: number; readonly orderId: number }) =>
    one.id <= store.horizon && one.orderId === id;
  const reports = reportsOn(store, id).filter(isEarlier);
  const said = reports.findLast(({ cumQty }) => cumQty !== undefined)?.cumQty;
  return Math.max(0, (said ?? traded(reports)) - filled(store.of("fill", id).filter(isEarlier)));
}

const traded = (reports: readonly TradovateExecutionReport[]): number =>
  reports
    .filter(({ execType }) => execType === "Trade")
    .reduce((sum, { lastQty = 0 }) => sum + lastQty, 0);

/** How much of an order is told: its first fills, and the status that goes with them. */
export interface Standing {
  readonly fills: readonly TradovateFill[];
  readonly ordStatus: OrdStatus;
  readonly transactTimeAt: number;
}

/** How an order stands after everything that is known of it. */
function standingOf(store: EntityStore, view: OrderView): Standing {
  const { order, version, fills } = view;
  const cumQty = cumQtyOf(view);
  const { orderQty } = version;
  return {
    fills,
    ordStatus: toOrdStatus(order.ordStatus, { cumQty, orderQty }),
    transactTimeAt: Math.max(
      parseInstant(order.timestamp),
      ...fills.map(({ timestamp }) => parseInstant(timestamp)),
      lastReportAt(store, order.id),
    ),
  };
}

/** How much of an order has filled, after these of its fills. */
export const cumQtyOf = ({ fills, earlierQty }: Pick<OrderView, "fills" | "earlierQty">): number =>
  earlierQty + filled(fills);

/** Those that count; the others were taken back. */
export const standing = (fills: readonly TradovateFill[]): readonly TradovateFill[] =>
  fills.filter(({ active }) => active !== false);

export const filled = (fills: readonly TradovateFill[]): number =>
  fills.reduce((sum, { qty }) => sum + qty, 0);

export function toOrderReport(
  store: EntityStore,
  view: OrderView,
  { fills, ordStatus, transactTimeAt }: Standing,
): OrderReport {
  const { order, version, ordType, timeInForce, contract, earlierQty } = view;
  const cumQty = cumQtyOf({ fills, earlierQty });
  // Of what filled earlier the price is not known, and so the average of all is not.
  const hasAverage = cumQty > 0 && earlierQty === 0;
  const text = isClosed(ordStatus) ? textOf(store, order) : undefined;
  const parent = parentOf(store, view);
  return {
    orderId: orderId(String(order.id)),
    ...(view.clOrdId !== undefined && { clOrdId: view.clOrdId }),
    contract: contract.code,
    ...(contract.terms !== undefined && { terms: contract.terms }),
    side: toSide(order.action),
    ordType,
    timeInForce,
    ordStatus,
    orderQty: version.orderQty,
    cumQty,
    leavesQty: isClosed(ordStatus) ? 0 : Math.max(0, version.orderQty - cumQty),
    ...(hasAverage && { avgPx: { numerator: turnover(fills, contract), denominator: cumQty } }),
    ...pricesOf(version, ordType, contract.tickSize),
    role: roleOf(view),
    ...(parent !== undefined && { parentOrderId: orderId(String(parent)) }),
    ...(order.ocoId !== undefined && { linkedOrderId: orderId(String(order.ocoId)) }),
    ...(text !== undefined && { text }),
    transactTimeAt,
  };
}

/** The order as a read answers it. */
export function reportOf(store: EntityStore, view: OrderView): OrderReport {
  return toOrderReport(store, view, standingOf(store, view));
}

/**
 * One fill as it is told and listed. It says its own contract: of an order that is not understood,
 * the fills are.
 */
export function toFill(
  store: EntityStore,
  { contract, clOrdId: name }: Pick<OrderView, "contract" | "clOrdId">,
  fill: TradovateFill,
): Fill {
  const { tradeDate } = fill;
  const tradeDay = tradeDate && toTradeDay(tradeDate);
  return {
    execId: execId(String(fill.id)),
    orderId: orderId(String(fill.orderId)),
    ...(name !== undefined && { clOrdId: name }),
    contract: contract.code,
    ...(contract.terms !== undefined && { terms: contract.terms }),
    side: toSide(fill.action),
    lastQty: fill.qty,
    lastPx: toTicks(fill.price, contract.tickSize),
    ...feeOf(store, fill.id),
    ...(tradeDay !== undefined && { tradeDay }),
    transactTimeAt: parseInstant(fill.timestamp),
    ...(fill.active === false && { takenBack: true }),
  };
}

/** The broker's words on an order's end, from the last of its commands that says anything. */
export function textOf(store: EntityStore, { id }: Pick<TradovateOrder, "id">): string | undefined {
  const commands = store.of("command", id).map((command) => command.id);
  for (const command of [...new Set([id, ...commands])].reverse()) {
    const said = wordsOfCommand(store, command);
    if (said !== undefined) return said;
  }
  return undefined;
}

/** What the broker said of one command that it did not carry out. */
export function wordsOfCommand(store: EntityStore, command: number): string | undefined {
  const reports = [...store.of("commandReport", command), ...store.of("executionReport", command)];
  for (const { text, rejectReason } of reports.reverse()) {
    if (text !== undefined && text !== "") return text;
    if (rejectReason !== undefined && rejectReason !== "Success") return rejectReason;
  }
  return undefined;
}

function turnover(fills: readonly TradovateFill[], { tickSize }: KnownContract): number {
  return fills.reduce((sum, { qty, price }) => sum + qty * toTicks(price, tickSize), 0);
}

function pricesOf(version: TradovateOrderVersion, ordType: OrdType, size: TickSize): OrderPrices {
  const told = ORDER_PRICES.flatMap((name) => {
    const written = mayHave(ordType, name) ? writtenIn(version, ordType, name) : undefined;
    if (written === undefined) return [];
    const inTicks = toTicks(written, size);
    // Which sign the distance has is not documented: how far it is counts.
    const isDistance = declaredPrice(name).counts === "distance";
    return [[name, isDistance ? ticks(Math.abs(inTicks)) : inTicks]];
  });
  return Object.fromEntries(told) as OrderPrices;
}

/** A leg that was placed after its entry's fill is linked to it by its name only. */
function parentOf(store: EntityStore, { order, clOrdId: name }: OrderView): number | undefined {
  if (order.parentId !== undefined) return order.parentId;
  if (name === undefined || legOf(name) === undefined) return undefined;
  return store.named(sentIdOf(name));
}

/** By its own name, else by its links: Tradovate knows no roles. */
function roleOf({ clOrdId: name, order, ordType }: OrderView): OrderRole {
  const named = name !== undefined && isOwnClOrdId(name) ? legOf(name) : undefined;
  if (named !== undefined) return named;
  if (order.parentId === undefined && order.ocoId === undefined) return "ORDER";
  return declaredType(ordType).exit ?? "STOP_LOSS";
}
