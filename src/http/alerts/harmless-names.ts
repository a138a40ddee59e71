/**
 * Names that charting platforms, and the messages that people publish for them, send beside an order
 * and that ask for nothing. TradingView's placeholders (its help centre, "How to use a variable value
 * in alert"): where the bar stood, when it fired, and what its strategy calls the order. They pass as
 * plain values, and are named in the answer.
 */
const PLAIN = words(`
  time timenow timestamp date bar bar_time bar_index interval timeframe exchange
  open high low close hl2 hlc3 ohlc4 volume price signalPrice
  order_id order_price order_comment order_alert_message
  prev_market_position prev_market_position_size
  prevMarketPosition prevMarketPositionSize prev_position prev_position_size
  comment message alert_message alert_name note notes title name description
  id strategy strategy_name source version platform currency
  key api_key token secret passphrase password license licence auth
`);

/** What senders may keep of their own: TradersPost documents `extras`, and passes it on unread. */
const HOLDING_ANYTHING = words("extras meta metadata tags");

/** `{{plot_0}}` to `{{plot_19}}`. */
const PLOT = /^plot\d{1,2}$/;

/** Whether a field of this name asks for nothing, whatever its value is. */
export function isHarmless(name: string, value: unknown): boolean {
  const bare = bareName(name);
  if (HOLDING_ANYTHING.has(bare)) return true;
  const isPlain = typeof value !== "object" || value === null;
  return isPlain && (PLAIN.has(bare) || PLOT.test(bare));
}

/** A name without its case and its parting marks. */
export function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s.-]/g, "");
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/).map(bareName));
}
