import { MOST_PLACES } from "../price-numbers.ts";
import { type Minor, toMinor } from "../../domain/money.ts";
import type { OrdStatus, Side } from "../../domain/order.ts";
import type { OrdType } from "../../domain/declared/order-types.ts";
import {
  ORDER_STATUS,
  POSITION_TYPE,
  type ProjectXAccount,
  type ProjectXAnswer,
  type ProjectXContract,
  type ProjectXEntities,
  type ProjectXEntityType,
  type ProjectXOrder,
  type ProjectXPosition,
  type ProjectXSide,
  type ProjectXTrade,
} from "./wire.ts";

type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An id as text, however it is sent; undefined for what can be none. */
export function toId(value: unknown): string | undefined {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  }
  const isId = typeof value === "string" && /^[A-Za-z0-9-]{1,64}$/.test(value) && value !== "0";
  return isId ? value : undefined;
}

/** An id as a request says it: a number, as is documented, unless a number would be another id. */
export function toWireId(id: string): number | string {
  const value = Number(id);
  return Number.isSafeInteger(value) && String(value) === id ? value : id;
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
const countOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
const flagOf = (value: unknown): boolean | undefined =>
  typeof value === "boolean" ? value : undefined;
const sideOf = (value: unknown): ProjectXSide | undefined =>
  value === 0 || value === 1 ? value : undefined;

/** Without the fields that are not there. */
function present<Value extends object>(value: {
  readonly [Name in keyof Value]: Value[Name] | undefined;
}) {
  const told = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(told) as { [Name in keyof Value]?: Value[Name] };
}

const PARSERS: {
  readonly [Type in ProjectXEntityType]: (fields: Fields) => ProjectXEntities[Type] | undefined;
} = { account: toAccount, order: toOrder, position: toPosition, trade: toTrade };

/** Undefined for what lacks something without which it is of nobody. */
export function parseEntity<Type extends ProjectXEntityType>(
  type: Type,
  value: unknown,
): ProjectXEntities[Type] | undefined {
  return isRecord(value) ? PARSERS[type](value) : undefined;
}

function toAccount(fields: Fields): ProjectXAccount | undefined {
  const id = toId(fields["id"]);
  if (id === undefined) return undefined;
  const rest = present({
    balance: numberOf(fields["balance"]),
    canTrade: flagOf(fields["canTrade"]),
    simulated: flagOf(fields["simulated"]),
  });
  // An account that is not called anything goes by its number.
  return { id, name: textOf(fields["name"]) ?? id, ...rest };
}

/** Whatever else it lacks: that it is there must be known. */
function toOrder(fields: Fields): ProjectXOrder | undefined {
  const [id, accountId] = [toId(fields["id"]), toId(fields["accountId"])];
  if (id === undefined || accountId === undefined) return undefined;
  const rest = present<Omit<ProjectXOrder, "id" | "accountId">>({
    contractId: textOf(fields["contractId"]),
    creationTimestamp: textOf(fields["creationTimestamp"]),
    updateTimestamp: textOf(fields["updateTimestamp"]),
    status: countOf(fields["status"]),
    type: countOf(fields["type"]),
    side: sideOf(fields["side"]),
    size: countOf(fields["size"]),
    limitPrice: numberOf(fields["limitPrice"]),
    stopPrice: numberOf(fields["stopPrice"]),
    fillVolume: countOf(fields["fillVolume"]),
    filledPrice: numberOf(fields["filledPrice"]),
    customTag: textOf(fields["customTag"]),
    parentOrderId: toId(fields["parentOrderId"]),
    linkedOrderId: toId(fields["linkedOrderId"]),
  });
  return { id, accountId, ...rest };
}

function toPosition(fields: Fields): ProjectXPosition | undefined {
  const [id, accountId] = [toId(fields["id"]), toId(fields["accountId"])];
  if (id === undefined || accountId === undefined) return undefined;
  const rest = present<Omit<ProjectXPosition, "id" | "accountId">>({
    contractId: textOf(fields["contractId"]),
    type: countOf(fields["type"]),
    size: countOf(fields["size"]),
    averagePrice: numberOf(fields["averagePrice"]),
  });
  return { id, accountId, ...rest };
}

/** What a trade did to the position must never be guessed. */
function toTrade(fields: Fields): ProjectXTrade | undefined {
  const [id, accountId] = [toId(fields["id"]), toId(fields["accountId"])];
  const [orderId, contractId] = [toId(fields["orderId"]), textOf(fields["contractId"])];
  const [side, size, price] = [
    sideOf(fields["side"]),
    countOf(fields["size"]),
    numberOf(fields["price"]),
  ];
  if (id === undefined || accountId === undefined || orderId === undefined) return undefined;
  if (contractId === undefined || side === undefined) return undefined;
  if (size === undefined || size === 0 || price === undefined) return undefined;
  const rest = present({
    profitAndLoss: numberOf(fields["profitAndLoss"]),
    fees: numberOf(fields["fees"]),
    commissions: numberOf(fields["commissions"]),
  });
  const creationTimestamp = textOf(fields["creationTimestamp"]) ?? "";
  const voided = fields["voided"] === true;
  return {
    id,
    accountId,
    orderId,
    contractId,
    creationTimestamp,
    side,
    size,
    price,
    voided,
    ...rest,
  };
}

export function parseContract(value: unknown): ProjectXContract | undefined {
  if (!isRecord(value)) return undefined;
  const id = textOf(value["id"]);
  if (id === undefined) return undefined;
  const rest = present({
    name: textOf(value["name"]),
    symbolId: textOf(value["symbolId"]),
    tickSize: numberOf(value["tickSize"]),
    tickValue: numberOf(value["tickValue"]),
  });
  return { id, ...rest };
}

/** Undefined where it is no answer of ProjectX. */
export function parseAnswer(value: unknown): ProjectXAnswer | undefined {
  if (!isRecord(value)) return undefined;
  const success = flagOf(value["success"]);
  if (success === undefined) return undefined;
  const rest = present({
    errorCode: countOf(value["errorCode"]),
    errorMessage: textOf(value["errorMessage"]),
  });
  return { success, ...rest, body: value };
}

/** What an answer lists under a name; undefined where there is no such list. */
export function listOf(answer: ProjectXAnswer, name: string): readonly unknown[] | undefined {
  const list = answer.body[name];
  return Array.isArray(list) ? (list as readonly unknown[]) : undefined;
}

/**
 * What events of the hub carry, wrapped (`{action, data}`) or bare, one or a list of them. `action` is
 * 0 for made, 1 for changed and 2 for gone; undefined where it is not told.
 */
export function unwrapEvents(
  payload: unknown,
): readonly { readonly action: number | undefined; readonly data: unknown }[] {
  if (Array.isArray(payload)) return (payload as readonly unknown[]).flatMap(unwrapEvents);
  if (!isRecord(payload) || !("data" in payload)) return [{ action: undefined, data: payload }];
  const action = countOf(payload["action"]);
  const { data } = payload;
  return Array.isArray(data)
    ? (data as readonly unknown[]).map((one) => ({ action, data: one }))
    : [{ action, data }];
}

/** Unix ms; 0 for a date that cannot be read or is not there. */
export function parseInstant(text: string | undefined): number {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? 0 : at;
}

export const toSide = (side: ProjectXSide): Side => (side === 0 ? "BUY" : "SELL");
export const toProjectXSide = (side: Side): ProjectXSide => (side === "BUY" ? 0 : 1);

/** Positive long, negative short; undefined where either the side or the size cannot be read. */
export function toNetQty({ type, size }: ProjectXPosition): number | undefined {
  if (size === 0) return 0;
  if (type === POSITION_TYPE.long) return size;
  return type === POSITION_TYPE.short && size !== undefined ? -size : undefined;
}

const ORD_TYPES: ReadonlyMap<number, OrdType> = new Map([
  [1, "LIMIT"],
  [2, "MARKET"],
  [3, "STOP_LIMIT"],
  [4, "STOP"],
]);

/**
 * Undefined for every other type: what `trailPrice` of a trailing stop counts is not known, and orders
 * that join a quote work as none of ours does.
 */
export const toOrdType = (type: number | undefined): OrdType | undefined =>
  type === undefined ? undefined : ORD_TYPES.get(type);

const ENDED: ReadonlySet<number> = new Set([
  ORDER_STATUS.filled,
  ORDER_STATUS.cancelled,
  ORDER_STATUS.expired,
  ORDER_STATUS.rejected,
]);
const OPEN: ReadonlySet<number> = new Set([
  ORDER_STATUS.none,
  ORDER_STATUS.open,
  ORDER_STATUS.pending,
  ORDER_STATUS.pendingCancellation,
  ORDER_STATUS.suspended,
]);

/** Nothing of the order can still come, by its own word. */
export const hasEnded = (status: number | undefined): boolean =>
  status !== undefined && ENDED.has(status);

/** A word that is none of these may mean anything. */
export const isOrderStatus = (status: number | undefined): boolean =>
  status !== undefined && (ENDED.has(status) || OPEN.has(status));

/** How an order stands that has filled so much; of an unknown word, that it may still do anything. */
export function toOrdStatus(status: number | undefined, cumQty: number): OrdStatus {
  switch (status ?? ORDER_STATUS.none) {
    case ORDER_STATUS.open:
      return cumQty > 0 ? "PARTIALLY_FILLED" : "NEW";
    case ORDER_STATUS.filled:
      return "FILLED";
    case ORDER_STATUS.cancelled:
      return "CANCELED";
    case ORDER_STATUS.expired:
      return "EXPIRED";
    case ORDER_STATUS.rejected:
      return "REJECTED";
    case ORDER_STATUS.pendingCancellation:
      return "PENDING_CANCEL";
    case ORDER_STATUS.suspended:
      return "HELD";
    default:
      return cumQty > 0 ? "PARTIALLY_FILLED" : "PENDING_NEW";
  }
}

/** Everything is in dollars: the broker names no currency, and its accounts have no other. */
export const CURRENCY = "USD";

export const toAmount = (value: number): Minor | undefined =>
  toMinor(String(value), CURRENCY) ?? toMinor(value.toFixed(MOST_PLACES), CURRENCY);
