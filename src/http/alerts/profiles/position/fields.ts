import { CONTROLS } from "../../alert-profile.ts";

/** Where a body says where the position stands, and by which names: those of public bodies. */
export interface PlaceNames {
  /** long, short or flat. */
  readonly sides: readonly string[];
  /** Contracts held now, negative when they are short; some senders leave the sign away. */
  readonly signed: readonly string[];
  /** Contracts held now, without a sign. */
  readonly sizes: readonly string[];
}

const USUAL: PlaceNames = {
  sides: ["market_position", "marketPosition", "sentiment", "direction", "current_position"],
  signed: ["position_size", "positionSize", "newPositionSize"],
  sizes: ["market_position_size", "marketPositionSize", "target_quantity", "targetQuantity"],
};

/** The body itself. */
export const TOP: PlaceNames = USUAL;

/** By the name of the object inside. */
export const INSIDE: Readonly<Record<string, PlaceNames>> = {
  strategy: USUAL,
  strategy_info: USUAL,
  position: { sides: ["side"], signed: [], sizes: ["size"] },
  market: { sides: [], signed: ["position_size"], sizes: [] },
};

export const HOLDING_OF = {
  long: "LONG",
  bullish: "LONG",
  short: "SHORT",
  bearish: "SHORT",
  flat: "FLAT",
} as const;

export const SYMBOLS = ["symbol", "ticker", "instrument", "tv_instrument"] as const;
export const ORDER_TYPES = ["orderType", "order_type", "type", "pricetype"] as const;

const NO_PRICE =
  "belongs to an order that waits: this form trades at the market; write a native position instead";
const OUR_LEGS =
  "is another service's word: write takeProfit and stopLoss with price, ticks or offset";
const NO_TRAIL = "is not done here: leave it out, and move the stop with a native protect";
const NO_DELAY = "is not done here: alerts are carried out when they come";
const WEBHOOKS =
  "is not read in this form: the webhook says whose it is, of one account or a group";
const NO_SIZING = "cannot size a position here: give the position's size in contracts";

/** What would change the order, and is not done in this form. */
export const REFUSED: Readonly<Record<string, string>> = {
  limit: NO_PRICE,
  limitPrice: NO_PRICE,
  stop: NO_PRICE,
  stopPrice: NO_PRICE,
  bracket: OUR_LEGS,
  sl: OUR_LEGS,
  tp: OUR_LEGS,
  sl_price: OUR_LEGS,
  tp_price: OUR_LEGS,
  percentage_sl: OUR_LEGS,
  percentage_tp: OUR_LEGS,
  dollar_sl: OUR_LEGS,
  dollar_tp: OUR_LEGS,
  stopLossTarget: OUR_LEGS,
  profitTarget: OUR_LEGS,
  trail: NO_TRAIL,
  trailing: NO_TRAIL,
  trail_stop: NO_TRAIL,
  trailing_stop: NO_TRAIL,
  trail_offset: NO_TRAIL,
  trail_amount: NO_TRAIL,
  trail_percent: NO_TRAIL,
  trail_trigger: NO_TRAIL,
  breakeven: NO_TRAIL,
  delay: NO_DELAY,
  cancel_after: NO_DELAY,
  gtd_in_second: NO_DELAY,
  risk: NO_SIZING,
  risk_percent: NO_SIZING,
  risk_percentage: NO_SIZING,
  percent: NO_SIZING,
  entryOrder: NO_SIZING,
  leverage: "is the broker's on futures: leave it out",
  disclosed_quantity: "is not done here: leave it 0",
  accounts: WEBHOOKS,
  multiple_accounts: WEBHOOKS,
  out_of_sync: "is CrossTrade's: set the webhook's profile to crosstrade",
  require_market_position: "is CrossTrade's: set the webhook's profile to crosstrade",
  flatten_first: "is not needed: the account is brought to the position from wherever it is",
};

/** Units of an order's size that leave a position's size in contracts. */
export const PLAIN_UNITS = ["fixed_quantity", "base", "contract", "contracts", "units"] as const;

/** What the body itself may say beside the position, in the right spelling. */
export const KNOWN = [
  ...SYMBOLS,
  ...ORDER_TYPES,
  "timeInForce",
  "cancelFirst",
  ...CONTROLS,
] as const;

const ORDER_BEHIND = [
  "order",
  "order_action",
  "order_contracts",
  "order_price",
  "order_id",
  "order_comment",
  "quantity",
  "qty",
  "contracts",
  "size",
  "amount",
  "side",
  "reverse",
  "price",
  "id",
  "data",
  "command",
  "isFirstOrder",
  "product",
] as const;
const CHART = [
  "trigger_price",
  "signalPrice",
  "open",
  "high",
  "low",
  "close",
  "volume",
  "bar",
  "bar_time",
  "interval",
  "time",
  "timenow",
  "timestamp",
  "trigger_time",
  "date",
] as const;
/** The strategy's position before its order: long, short or flat, or contracts with their sign. */
export const SIDES_BEFORE = [
  "prev_market_position",
  "prevMarketPosition",
  "prev_position",
  "previous_position",
  "prev_side",
] as const;
/** The contracts of it; some senders leave the sign away. */
export const SIZES_BEFORE = [
  "prev_market_position_size",
  "prevMarketPositionSize",
  "prev_position_size",
  "previous_position_size",
  "prev_size",
] as const;
const SENDER = [
  "strategy",
  "strategy_name",
  "market",
  "general",
  "currency",
  "account",
  "destination",
  "sync_strategy",
  "bot_uuid",
  "pointer",
  "source",
  "version",
  "event_id",
  "comment",
  "message",
  "alert_message",
  "key",
  "secret",
  "token",
  "signalToken",
  "apikey",
  "passphrase",
  "password",
  "license",
] as const;

/** What led there, when, and from whom: where the position stands says what to do. */
export const IGNORED = [
  ...ORDER_BEHIND,
  ...CHART,
  ...SIDES_BEFORE,
  ...SIZES_BEFORE,
  ...SENDER,
] as const;

/** Said of the order that led there. Any other word is none we know, and is shown as unread. */
export const ORDER_ACTIONS: ReadonlySet<string> = new Set([
  "buy",
  "sell",
  "long",
  "short",
  "flat",
  "exit",
  "close",
  "entry",
  "enter",
  "add",
  "reduce",
  "reverse",
  "enter_long",
  "enter_short",
  "exit_long",
  "exit_short",
]);
