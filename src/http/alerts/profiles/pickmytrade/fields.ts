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
const IN_PERCENT = "cannot be a percentage here: write a price";
const MOVED_BY_ALERT = "is not done here: move the stop with an alert that has update_sl and sl";

/** What the service offers and we do not, and what to do instead. */
export const REFUSED: Readonly<Record<string, string>> = {
  risk_percentage: "cannot size an order here: leave it 0, and give quantity",
  dollar_tp: `${BY_POINTS_OR_MONEY} in tp, or takeProfit with ticks under the native profile`,
  dollar_sl: `${BY_POINTS_OR_MONEY} in sl, or stopLoss with ticks under the native profile`,
  percentage_tp: `${IN_PERCENT} in tp`,
  percentage_sl: `${IN_PERCENT} in sl`,
  trail: MOVED_BY_ALERT,
  trail_trigger: MOVED_BY_ALERT,
  trail_stop: MOVED_BY_ALERT,
  trail_freq: MOVED_BY_ALERT,
  breakeven: MOVED_BY_ALERT,
  breakeven_offset: MOVED_BY_ALERT,
  lmt_to_market_wait: "is not done here: leave it 0, and send a market order when you want one",
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
  trailing_stop: MOVED_BY_ALERT,
  trailOffset: MOVED_BY_ALERT,
  trail_offset: MOVED_BY_ALERT,
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

/** What an entry is placed by. A close and a moved exit use little of it and refuse some. */
export const ENTRY = [
  "tp",
  "sl",
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
  "advance_tp_sl",
  "multiple_accounts",
  "inst_type",
  ...CONTROLS,
] as const;
