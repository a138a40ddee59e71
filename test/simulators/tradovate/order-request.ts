import type { Side, TimeInForce as CoreTimeInForce } from "../../../src/domain/order.ts";
import type { OrdType } from "../../../src/domain/declared/order-types.ts";
import type { Ticks } from "../../../src/domain/contracts/price.ts";
import { type Answer, badRequest, failure, ok } from "./answer.ts";
import { type Listed, toTicks } from "./contract-directory.ts";
import type { Action, OrderType, TimeInForce } from "./entities.ts";

export type Body = Readonly<Record<string, unknown>>;

/** What one order is to be, of the request or of one of its brackets. */
export interface OrderWish {
  readonly action: Action;
  readonly clOrdId: string | undefined;
  readonly orderType: OrderType;
  readonly price: number | undefined;
  readonly stopPrice: number | undefined;
  readonly pegDifference: number | undefined;
  readonly maxShow: number | undefined;
  readonly timeInForce: TimeInForce | undefined;
  readonly expireTime: string | undefined;
  readonly text: string | undefined;
}

/** The same in the matching core's words. */
export interface CoreTerms {
  readonly side: Side;
  readonly ordType: OrdType;
  readonly timeInForce: CoreTimeInForce;
  readonly price?: Ticks;
  readonly stopPx?: Ticks;
  readonly trailOffset?: Ticks;
}

const ACTIONS: readonly unknown[] = ["Buy", "Sell"];
const ORDER_TYPES: readonly unknown[] = [
  "Limit",
  "LimitIfTouched",
  "MIT",
  "Market",
  "QTS",
  "Stop",
  "StopLimit",
  "TrailingStop",
  "TrailingStopLimit",
] satisfies OrderType[];
const TIMES: readonly unknown[] = ["Day", "FOK", "GTC", "GTD", "IOC"] satisfies TimeInForce[];
const LONGEST = { clOrdId: 64, text: 64, customTag50: 64 } as const;

/** Whether the value was read, or what is answered instead. */
export type Read<T> = { readonly value: T } | { readonly answer: Answer };

/** The fields that say what an order is. Fields that nobody knows are passed over. */
export function readWish(body: Body): Read<OrderWish> {
  if (!ACTIONS.includes(body["action"])) return wrong("action");
  if (!ORDER_TYPES.includes(body["orderType"])) return wrong("orderType");
  const numbers = ["price", "stopPrice", "pegDifference", "maxShow"];
  const badNumber = numbers.find((name) => !isOptional(body[name], "number"));
  if (badNumber !== undefined) return wrong(badNumber);
  const texts = ["clOrdId", "expireTime", "text"];
  const badText = texts.find((name) => !isOptional(body[name], "string"));
  if (badText !== undefined) return wrong(badText);
  const time = body["timeInForce"];
  if (time !== undefined && time !== null && !TIMES.includes(time)) return wrong("timeInForce");
  for (const [name, longest] of Object.entries(LONGEST)) {
    const value = body[name];
    if (typeof value === "string" && value.length > longest) return violated(name, value, longest);
  }
  return {
    value: {
      action: body["action"] as Action,
      clOrdId: textOf(body["clOrdId"]),
      orderType: body["orderType"] as OrderType,
      price: numberOf(body["price"]),
      stopPrice: numberOf(body["stopPrice"]),
      pegDifference: numberOf(body["pegDifference"]),
      maxShow: numberOf(body["maxShow"]),
      timeInForce: textOf(time) as TimeInForce | undefined,
      expireTime: textOf(body["expireTime"]),
      text: textOf(body["text"]),
    },
  };
}

/** A quantity that is no number is a malformed request, one that is not positive a violation. */
export function readQty(body: Body): Read<number> {
  const qty = body["orderQty"];
  if (typeof qty !== "number") return wrong("orderQty");
  if (Number.isSafeInteger(qty) && qty > 0) return { value: qty };
  const description = "Order quantity must be a positive whole number";
  return { answer: ok({ violations: [{ constraint: "orderQty>0", value: qty, description }] }) };
}

/**
 * What the core has nothing like is worked as what comes next to it: where the market touches an MIT
 * order, it fills at its price. On the wire it stays what it is.
 */
const TYPES: Readonly<Record<OrderType, OrdType>> = {
  Market: "MARKET",
  Limit: "LIMIT",
  LimitIfTouched: "LIMIT",
  MIT: "LIMIT",
  QTS: "LIMIT",
  Stop: "STOP",
  StopLimit: "STOP_LIMIT",
  TrailingStop: "TRAILING_STOP",
  TrailingStopLimit: "TRAILING_STOP",
};
const WITHOUT_LIKE: ReadonlySet<OrderType> = new Set(["LimitIfTouched", "MIT", "QTS"]);
const CORE_TIMES: Readonly<Partial<Record<TimeInForce, CoreTimeInForce>>> = {
  Day: "DAY",
  GTC: "GTC",
  IOC: "IOC",
  FOK: "FOK",
};

/** Every service that trades trailing stops says where they start. */
export function lacksStart({ orderType, stopPrice }: OrderWish): boolean {
  return orderType === "TrailingStop" && stopPrice === undefined;
}

export const NO_START = failure("InvalidPrice", "Stop price is required");

/** In the core's words; what it cannot do is `Unsupported`, a price off tick `InvalidPrice`. */
export function toCoreTerms(wish: OrderWish, { tickSize }: Listed): Read<CoreTerms> {
  const ordType = TYPES[wish.orderType];
  const timeInForce = CORE_TIMES[wish.timeInForce ?? "Day"];
  if (timeInForce === undefined) {
    return { answer: failure("Unsupported", `${wish.timeInForce} is not supported`) };
  }
  const ticksOf = (value: number | undefined) =>
    value === undefined ? undefined : toTicks(value, tickSize);
  const isStop = ordType === "STOP";
  // The official examples give a stop's trigger as `price`; users found that `stopPrice` works.
  const stopPrice = isStop ? (wish.stopPrice ?? wish.price) : wish.stopPrice;
  const trail = wish.pegDifference === undefined ? undefined : Math.abs(wish.pegDifference);
  const asked = WITHOUT_LIKE.has(wish.orderType)
    ? [wish.price ?? wish.stopPrice, undefined, undefined]
    : [isStop ? undefined : wish.price, stopPrice, trail];
  const [price, stopPx, trailOffset] = asked.map(ticksOf);
  const isOff = asked.some(
    (value, n) => value !== undefined && [price, stopPx, trailOffset][n] === undefined,
  );
  if (isOff) return { answer: failure("InvalidPrice", "Invalid price increment") };
  const isMissing =
    ((ordType === "LIMIT" || ordType === "STOP_LIMIT") && price === undefined) ||
    ((ordType === "STOP" || ordType === "STOP_LIMIT") && stopPx === undefined) ||
    (ordType === "TRAILING_STOP" && trailOffset === undefined);
  if (isMissing) return { answer: failure("InvalidPrice", "Price is required") };
  return {
    value: {
      side: wish.action === "Buy" ? "BUY" : "SELL",
      ordType,
      timeInForce,
      ...(price !== undefined && { price }),
      ...(stopPx !== undefined && { stopPx }),
      ...(trailOffset !== undefined && { trailOffset }),
    },
  };
}

function wrong(name: string): { readonly answer: Answer } {
  return { answer: badRequest(`Missing or malformed field: ${name}`) };
}

function violated(name: string, value: string, longest: number): { readonly answer: Answer } {
  const description = `${name} is longer than ${longest}`;
  return { answer: ok({ violations: [{ constraint: `length<=${longest}`, value, description }] }) };
}

function isOptional(value: unknown, type: "number" | "string"): boolean {
  return value === undefined || value === null || typeof value === type;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A number that some clients send as text. */
export function idOf(value: unknown): number | undefined {
  const id = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof id === "number" && Number.isSafeInteger(id) ? id : undefined;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what is undefined, which the wire has no word for. */
export function definedOf<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}

/** An order at the market that nobody described. */
export function marketWish(action: Action): OrderWish {
  return {
    action,
    clOrdId: undefined,
    orderType: "Market",
    price: undefined,
    stopPrice: undefined,
    pegDifference: undefined,
    maxShow: undefined,
    timeInForce: "Day",
    expireTime: undefined,
    text: undefined,
  };
}
