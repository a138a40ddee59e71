import type { OrdStatus, Side, TimeInForce } from "../../domain/order.ts";
import { ORD_TYPES, type OrderPrice, type OrdType } from "../../domain/declared/order-types.ts";
import { isRecord } from "./frames.ts";
import { isOrdStatus } from "./order-status.ts";
import type {
  TradovateAction,
  TradovateDay,
  TradovateEntities,
  TradovateEntityType,
  TradovateLogin,
  TradovateOrderVersion,
  TradovatePenalty,
} from "./wire.ts";

/** A number is a finite one, an integer one that can be counted on; a quantity is never negative. */
type Kind = "number" | "integer" | "quantity" | "string" | "boolean" | "day";

/** What an entity must have to be of use; everything else may be missing or new. */
const NEEDS: { readonly [Type in TradovateEntityType]: Readonly<Record<string, Kind>> } = {
  // Whatever else it lacks: what is held there must be known, and closed.
  account: {},
  cashBalance: { accountId: "number", currencyId: "number" },
  marginSnapshot: {},
  userAccountAutoLiq: {},
  accountRiskStatus: {},
  currency: { name: "string" },
  position: { accountId: "number", contractId: "number", netPos: "integer" },
  // Whatever else it lacks: that it is there must be known.
  order: { accountId: "number" },
  orderVersion: { orderId: "number", orderQty: "quantity", orderType: "string" },
  command: { orderId: "number", commandType: "string", commandStatus: "string" },
  commandReport: { commandId: "number", commandStatus: "string" },
  executionReport: {
    commandId: "number",
    orderId: "number",
    timestamp: "string",
    execType: "string",
  },
  fill: {
    orderId: "number",
    contractId: "number",
    timestamp: "string",
    action: "string",
    qty: "quantity",
    price: "number",
  },
  fillFee: {},
  contract: { name: "string" },
  contractMaturity: { productId: "number", expirationMonth: "number" },
  product: { name: "string", valuePerPoint: "number", tickSize: "number" },
};

/** What may be missing: of another kind than this it says nothing that can be read, and is absent. */
const MAY_HAVE: {
  readonly [Type in TradovateEntityType]?: {
    readonly [Field in keyof TradovateEntities[Type]]?: Kind;
  };
} = {
  account: { active: "boolean" },
  cashBalance: { tradeDate: "day", amount: "number", realizedPnL: "number" },
  marginSnapshot: { initialMargin: "number", maintenanceMargin: "number" },
  position: { netPrice: "number" },
  order: { spreadDefinitionId: "number", ocoId: "number", parentId: "number" },
  orderVersion: {
    price: "number",
    stopPrice: "number",
    pegDifference: "number",
    timeInForce: "string",
  },
  command: { clOrdId: "string" },
  commandReport: { rejectReason: "string", text: "string" },
  executionReport: {
    cumQty: "quantity",
    lastQty: "quantity",
    rejectReason: "string",
    text: "string",
  },
  fill: { tradeDate: "day", active: "boolean" },
  contract: { contractMaturityId: "number" },
  product: { currencyId: "number" },
};

export const ENTITY_TYPES = Object.keys(NEEDS) as readonly TradovateEntityType[];

/** Those that have no id but their account's: after one was deleted, the next may be made under it. */
export const hasAccountsId = (type: TradovateEntityType): boolean => OF_ACCOUNTS.has(type);

const OF_ACCOUNTS: ReadonlySet<TradovateEntityType> = new Set([
  "marginSnapshot",
  "userAccountAutoLiq",
  "accountRiskStatus",
]);

export function isEntityType(name: string): name is TradovateEntityType {
  return Object.hasOwn(NEEDS, name);
}

/** Ids have about 12 digits: more than 32 bits hold, fewer than a double can count. */
export const isId = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0;

/** Undefined for what lacks something that the gateway could not do without. */
export function parseEntity<Type extends TradovateEntityType>(
  type: Type,
  value: unknown,
): TradovateEntities[Type] | undefined {
  if (!isRecord(value)) return undefined;
  const readable = withoutOdd(type, WITH_DEFAULTS[type]?.(value) ?? value);
  return isWhole(type, readable) ? readable : undefined;
}

function withoutOdd(
  type: TradovateEntityType,
  entity: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const odd = Object.entries(MAY_HAVE[type] ?? {}).flatMap(([field, kind]) =>
    field in entity && !isOfKind(entity[field], kind) ? [field] : [],
  );
  if (odd.length === 0) return entity;
  return Object.fromEntries(Object.entries(entity).filter(([field]) => !odd.includes(field)));
}

const WITH_DEFAULTS: {
  readonly [Type in TradovateEntityType]?: (
    value: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>;
} = { account: withName, order: withAllWords };

/** An account that is not called anything goes by its number. */
function withName(account: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { id, name } = account;
  return { ...account, name: typeof name === "string" ? name : String(id) };
}

/** An order whose words are missing has none that is known. */
function withAllWords(order: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const textOf = (name: string) => (typeof order[name] === "string" ? order[name] : "");
  const [timestamp, action, ordStatus] = ["timestamp", "action", "ordStatus"].map(textOf);
  const { contractId, ...rest } = order;
  return { ...rest, timestamp, action, ordStatus, ...(isId(contractId) && { contractId }) };
}

function isWhole<Type extends TradovateEntityType>(
  type: Type,
  value: unknown,
): value is TradovateEntities[Type] {
  if (!isRecord(value) || !isId(value["id"])) return false;
  // What a fill did to the position must never be guessed.
  if (type === "fill" && !isAction(value["action"])) return false;
  return Object.entries(NEEDS[type]).every(([field, kind]) => isOfKind(value[field], kind));
}

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case "number":
      return Number.isFinite(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "quantity":
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case "string":
    case "boolean":
      return typeof value === kind;
    case "day":
      return isRecord(value) && toTradeDay(value) !== undefined;
  }
}

/** `2026-11-26`; undefined for what is no day. */
export function toTradeDay(day: Readonly<Record<string, unknown>> | TradovateDay) {
  const { year, month, day: date } = day;
  const parts = [year, month, date];
  if (!parts.every((part) => Number.isSafeInteger(part) && Number(part) > 0)) return undefined;
  const [yyyy, mm, dd] = parts.map((part) => String(part).padStart(2, "0"));
  const text = `${yyyy}-${mm}-${dd}`;
  return Number.isNaN(Date.parse(text)) || text.length !== ISO_LENGTH ? undefined : text;
}

const ISO_LENGTH = 10;

export const isAction = (value: unknown): value is TradovateAction =>
  value === "Buy" || value === "Sell";

/** Undefined where it is no answer of a login; every field is checked for its type. */
export function parseLogin(value: unknown): TradovateLogin | undefined {
  if (!isRecord(value)) return undefined;
  const { errorText, accessToken, mdAccessToken, expirationTime, userStatus, userId } = value;
  return {
    ...(typeof errorText === "string" && { errorText }),
    ...(typeof accessToken === "string" && { accessToken }),
    ...(typeof mdAccessToken === "string" && mdAccessToken !== "" && { mdAccessToken }),
    ...(typeof expirationTime === "string" && { expirationTime }),
    ...(typeof userStatus === "string" && { userStatus }),
    ...(isId(userId) && { userId }),
  };
}

/** Undefined where the answer is none. */
export function parsePenalty(value: unknown): TradovatePenalty | undefined {
  if (!isRecord(value) || typeof value["p-ticket"] !== "string") return undefined;
  const { "p-ticket": ticket, "p-time": seconds, "p-captcha": captcha, "p-message": words } = value;
  return {
    ticket,
    waitMs: typeof seconds === "number" && seconds > 0 ? Math.ceil(seconds * 1_000) : 0,
    isCaptcha: captcha === true,
    message: typeof words === "string" && words !== "" ? words : undefined,
  };
}

/** Unix ms; 0 for a date that cannot be read. Seconds and milliseconds may be missing. */
export function parseInstant(text: string): number {
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : at;
}

export const toSide = (action: TradovateAction): Side => (action === "Sell" ? "SELL" : "BUY");
export const toAction = (side: Side): TradovateAction => (side === "BUY" ? "Buy" : "Sell");

const ORDER_TYPES: Readonly<Record<OrdType, string>> = {
  MARKET: "Market",
  LIMIT: "Limit",
  STOP: "Stop",
  STOP_LIMIT: "StopLimit",
  TRAILING_STOP: "TrailingStop",
};

/** Tradovate's names of an order's own prices. */
export const PRICE_FIELDS = {
  price: "price",
  stopPx: "stopPrice",
  trailOffset: "pegDifference",
} as const satisfies Readonly<Record<OrderPrice, keyof TradovateOrderVersion>>;

export const toOrderType = (ordType: OrdType): string => ORDER_TYPES[ordType];

/**
 * Undefined for every other type, documented or not: MIT, LimitIfTouched, QTS and TrailingStopLimit
 * work as none of ours does, so that the nearest one would be an order of another meaning.
 */
export const toOrdType = (orderType: string): OrdType | undefined =>
  ORD_TYPES.find((ordType) => ORDER_TYPES[ordType] === orderType);

const TIMES: Readonly<Record<TimeInForce, string>> = {
  DAY: "Day",
  GTC: "GTC",
  IOC: "IOC",
  FOK: "FOK",
};

export const toTradovateTime = (timeInForce: TimeInForce): string => TIMES[timeInForce];

const TIMES_IN_FORCE: ReadonlyMap<string, TimeInForce> = new Map([
  ["Day", "DAY"],
  ["GTC", "GTC"],
  ["GTD", "GTC"],
  ["IOC", "IOC"],
  ["FOK", "FOK"],
]);

/**
 * Good-till-date is shown as good till canceled; an order that does not say is a day order. Undefined
 * for a word that is not known here.
 */
export const toTimeInForce = (text = "Day"): TimeInForce | undefined => TIMES_IN_FORCE.get(text);

/** How an order stands that has filled so much of what it asked for. */
export function toOrdStatus(
  status: string,
  { cumQty, orderQty }: { readonly cumQty: number; readonly orderQty: number },
): OrdStatus {
  switch (status) {
    case "Working":
    case "PendingReplace":
      return cumQty > 0 ? "PARTIALLY_FILLED" : "NEW";
    case "Suspended":
      return "HELD";
    case "PendingCancel":
      return "PENDING_CANCEL";
    case "Filled":
      return "FILLED";
    case "Completed":
      return cumQty >= orderQty ? "FILLED" : "CANCELED";
    case "Canceled":
      return "CANCELED";
    case "Expired":
      return "EXPIRED";
    case "Rejected":
      return "REJECTED";
    // Unknown, PendingNew, and what a later version of the service may call it.
    default:
      return cumQty > 0 && cumQty >= orderQty && !isOrdStatus(status) ? "FILLED" : "PENDING_NEW";
  }
}
