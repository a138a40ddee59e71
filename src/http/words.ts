import {
  DECLARED_TYPES,
  ORD_TYPES,
  type OrderType,
  type OrdType,
} from "../domain/declared/order-types.ts";
import { type IntentKind, type IntentState, OUTCOME_KINDS } from "../domain/intent.ts";
import type { OrderRole, OrdStatus, Side, TimeInForce } from "../domain/order.ts";

/** The API's words for the domain's. Each table is the only place where the two meet. */

export const ACTIONS = ["buy", "sell"] as const;
export const DURATIONS = ["day", "gtc", "ioc", "fok"] as const;

export type Action = (typeof ACTIONS)[number];
export type Duration = (typeof DURATIONS)[number];

export const SIDE_OF: Readonly<Record<Action, Side>> = { buy: "BUY", sell: "SELL" };
export const ACTION_OF: Readonly<Record<Side, Action>> = { BUY: "buy", SELL: "sell" };

export const POSITION_SIDES = ["long", "short"] as const;
export type PositionSide = (typeof POSITION_SIDES)[number];

/** A position is on the side on which it was opened. */
export const SIDE_OF_POSITION: Readonly<Record<PositionSide, Side>> = {
  long: "BUY",
  short: "SELL",
};
export const POSITION_SIDE_OF: Readonly<Record<Side, PositionSide>> = {
  BUY: "long",
  SELL: "short",
};

export const ORDER_TYPES = ORD_TYPES.map((ordType) => DECLARED_TYPES[ordType].word);
export const ORD_TYPE_OF = Object.fromEntries(
  ORD_TYPES.map((ordType) => [DECLARED_TYPES[ordType].word, ordType]),
) as Readonly<Record<OrderType, OrdType>>;
export const ORDER_TYPE_OF = Object.fromEntries(
  ORD_TYPES.map((ordType) => [ordType, DECLARED_TYPES[ordType].word]),
) as Readonly<Record<OrdType, OrderType>>;

export const TIME_IN_FORCE_OF: Readonly<Record<Duration, TimeInForce>> = {
  day: "DAY",
  gtc: "GTC",
  ioc: "IOC",
  fok: "FOK",
};
export const DURATION_OF: Readonly<Record<TimeInForce, Duration>> = {
  DAY: "day",
  GTC: "gtc",
  IOC: "ioc",
  FOK: "fok",
};

export const ORDER_STATUSES = [
  "pending",
  "held",
  "working",
  "partiallyFilled",
  "filled",
  "canceled",
  "expired",
  "rejected",
] as const;

/** An order whose cancel is on its way may still fill, so for its owner it is working. */
export const STATUS_OF: Readonly<Record<OrdStatus, (typeof ORDER_STATUSES)[number]>> = {
  PENDING_NEW: "pending",
  HELD: "held",
  NEW: "working",
  PARTIALLY_FILLED: "partiallyFilled",
  PENDING_CANCEL: "working",
  FILLED: "filled",
  CANCELED: "canceled",
  EXPIRED: "expired",
  REJECTED: "rejected",
};

export const ROLES = ["entry", "takeProfit", "stopLoss"] as const;
export const ROLE_OF: Readonly<Record<OrderRole, (typeof ROLES)[number]>> = {
  ORDER: "entry",
  TAKE_PROFIT: "takeProfit",
  STOP_LOSS: "stopLoss",
};

export const INTENT_KINDS = [
  "place",
  "cancel",
  "modify",
  "protect",
  "flatten",
  "cancelEntries",
  "adjust",
  "timeout",
] as const;
export const KIND_OF: Readonly<Record<IntentKind, (typeof INTENT_KINDS)[number]>> = {
  PLACE: "place",
  CANCEL: "cancel",
  MODIFY: "modify",
  PROTECT: "protect",
  FLATTEN: "flatten",
  CANCEL_ENTRIES: "cancelEntries",
  ADJUST: "adjust",
  TIMEOUT: "timeout",
};

export const INTENT_STATES = ["prepared", "sending", ...OUTCOME_KINDS] as const;
export const INTENT_STATE_OF: Readonly<Record<IntentState, (typeof INTENT_STATES)[number]>> = {
  PREPARED: "prepared",
  SENDING: "sending",
  DONE: "done",
  DENIED: "denied",
  REJECTED: "rejected",
  UNPROTECTED: "unprotected",
  NOTSENT: "notSent",
  EXPIRED: "expired",
  OVERTAKEN: "overtaken",
  WITHDRAWN: "withdrawn",
  UNKNOWN: "unknown",
  UNFINISHED: "unfinished",
  HELD: "held",
  LOST: "lost",
};
