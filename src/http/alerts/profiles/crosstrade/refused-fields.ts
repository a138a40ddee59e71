const BY_ITS_OWN_ID =
  "names one order by the sender's own id, which the gateway does not keep: use /v1/orders with its orderId";

/** Commands that are not carried out, and what to do instead. */
export const REFUSED_COMMANDS: Readonly<Record<string, string>> = {
  CANCEL: `CANCEL ${BY_ITS_OWN_ID}`,
  CHANGE: `CHANGE ${BY_ITS_OWN_ID}`,
  CANCELREPLACE: `CANCELREPLACE ${BY_ITS_OWN_ID}, or CANCELORDERS and then PLACE`,
  CLOSESTRATEGY:
    "CLOSESTRATEGY closes an ATM strategy, which there is none of here: use CLOSEPOSITION",
};

const WRITE_LEGS = "ATM strategies are not run here: write take_profit and stop_loss";
const ONE_WINDOW =
  "the gateway trades whenever the market does: send no alerts outside of the window";

/** Fields that ask for what the gateway does not do, with what to do instead. */
export const REFUSED_FIELDS: Readonly<Record<string, string>> = {
  stop_loss_limit: "a stop-loss is a stop order here, filled whatever the price: write stop_loss",
  stop_loss_stop: "a stop-loss is a stop order here: write stop_loss with this price",
  strategy: WRITE_LEGS,
  atm_strategy: WRITE_LEGS,
  append_atm: WRITE_LEGS,
  strategy_id: WRITE_LEGS,
  atm_targets: WRITE_LEGS,
  atm_stops: WRITE_LEGS,
  atm_qtys: WRITE_LEGS,
  atm_trail: WRITE_LEGS,
  atm_breakeven: WRITE_LEGS,
  atm_breakeven_offset: WRITE_LEGS,
  oco_id: "orders cannot be linked by a name: write take_profit and stop_loss with the entry",
  max_show: "part of an order cannot be hidden: leave it out",
  cancel_after: "orders are not cancelled after a time: send CANCELORDERS then",
  delay: "alerts are carried out at once: delay them where they are sent",
  max_positions: "positions are limited by the account's limits: PUT /v1/accounts/:id/limits",
  max_position: "positions are limited by the account's limits: PUT /v1/accounts/:id/limits",
  rate_limit: "alerts are limited by the webhook's rateLimitPerMinute, not by their body",
  start_time: ONE_WINDOW,
  end_time: ONE_WINDOW,
  closing_only_after: ONE_WINDOW,
  strategy_tag:
    "strategies cannot lock a symbol: give each its own account, and so its own webhook",
  strategy_exit_block: "is not done here: use require_market_position",
  sl: "is not a field of CrossTrade's: write stop_loss",
  tp: "is not a field of CrossTrade's: write take_profit",
  sl_price: "is not a field of CrossTrade's: write stop_loss",
  tp_price: "is not a field of CrossTrade's: write take_profit",
  trail_stop: "is not a field of CrossTrade's: write order_type=trailingstop with trail_offset",
};
