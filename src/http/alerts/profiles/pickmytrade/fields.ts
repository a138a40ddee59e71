import { CONTROLS } from "../../alert-profile.ts";
import type { OrdType } from "../../../../domain/declared/order-types.ts";

/** What an order type is called there; a stop-limit is spelt in three ways. */
export const ORD_TYPE_OF = {
  MKT: "MARKET",
  MARKET: "MARKET",
  LMT: "LIMIT",
  LIMIT: "LIMIT",
  STP: "STOP",
  STOP: "STOP",
  STPLMT: "STOP_LIMIT",
  "STP LMT": "STOP_LIMIT",
  STOPLIMIT: "STOP_LIMIT",
} as const satisfies Readonly<Record<string, OrdType>>;

const BY_POINTS_OR_MONEY =
  "means points on one page of the service and money on another, and we do not guess: write a price";

/** What cannot be told exactly, of an entry or of a part of it. */
export const REFUSED_IN_EXITS: Readonly<Record<string, string>> = {
  dollar_tp: `${BY_POINTS_OR_MONEY} in tp, or percentage_tp`,
  dollar_sl: `${BY_POINTS_OR_MONEY} in sl, or percentage_sl`,
};

/** What the service offers and we do not, and what to do instead. */
export const REFUSED: Readonly<Record<string, string>> = {
  ...REFUSED_IN_EXITS,
  lmt_to_market_wait:
    "is not done here, since no page says in which unit it counts: leave it 0, or send a market order when you want one",
  // Only an echo in the service's own log, where nothing says what it does.
  reverse_action: "has no documented meaning: leave it false",
};

const POSITION_FORM = "belongs to the target-position form: set the webhook's profile to position";

/** Words of other services; an order that overlooked them would be another one. */
export const FOREIGN: Readonly<Record<string, string>> = {
  action: "is another service's word: write data",
  command: "is another service's word: write data",
  ticker: "is another service's word: write symbol",
  instrument: "is another service's word: write symbol",
  qty: "is another service's word: write quantity",
  contracts: "is another service's word: write quantity",
  size: "is another service's word: write quantity",
  type: "is another service's word: write order_type",
  limitPrice: "is another service's word: write price with order_type LMT",
  limit_price: "is another service's word: write price with order_type LMT",
  stopPrice: "is another service's word: write price with order_type STP",
  stop_price: "is another service's word: write price with order_type STP",
  timeInForce: "is another service's word: write tif",
  bracket: "is another service's word: write tp and sl",
  takeProfit: "is another service's word: write tp",
  take_profit: "is another service's word: write tp",
  tp_price: "is another service's word: write tp",
  stopLoss: "is another service's word: write sl",
  stop_loss: "is another service's word: write sl",
  sl_price: "is another service's word: write sl",
  trailing_stop: "is another service's word: write trail 1 with trail_stop",
  trailOffset: "is another service's word: write trail 1 with trail_stop",
  trail_offset: "is another service's word: write trail 1 with trail_stop",
  position: POSITION_FORM,
  position_size: POSITION_FORM,
  market_position: POSITION_FORM,
  sentiment: POSITION_FORM,
};

/** Who, when and on whose behalf: here the webhook's token says it. */
export const IGNORED = [
  "token",
  "t",
  "date",
  "strategy_name",
  "platform",
  "broker",
  "account_id",
  "connection_name",
  "created_first",
  "main_token_type",
  "by_socket",
  "watch_user",
  "main_order_id",
] as const;

/** What an entry says of its exits, and each part of one. */
export const EXITS = [
  "tp",
  "sl",
  "percentage_tp",
  "percentage_sl",
  "trail",
  "trail_stop",
  "trail_trigger",
  "trail_freq",
  "breakeven",
  "breakeven_offset",
] as const;

/** What an entry is placed by. A close and a moved exit use little of it and refuse some. */
export const ENTRY = [
  ...EXITS,
  "advance_tp_sl",
  "risk_percentage",
  "price",
  "quantity",
  "order_type",
  "stp_limit_stp_price",
  "gtd_in_second",
  "tif",
  "comment",
  "full_closed",
  "pyramid",
  "same_direction_ignore",
  "duplicate_position_allow",
  "reverse_order_close",
] as const;

/** In their right spelling. */
export const KNOWN = [
  ...Object.keys(REFUSED),
  ...ENTRY,
  "data",
  "symbol",
  "update_tp",
  "update_sl",
  "multiple_accounts",
  "inst_type",
  ...CONTROLS,
] as const;
