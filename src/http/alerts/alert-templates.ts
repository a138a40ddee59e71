import type { AlertProfile } from "../../domain/declared/webhook-options.ts";

/** Charting platforms fill these in; the id makes an alert that is sent again the same one. */
const ALERT_ID = "{{strategy.order.id}} {{timenow}}";

/**
 * A message for an alert on a strategy, ready to be pasted, in the words of each profile. What a
 * charting platform puts in for the placeholders is read as it is.
 */
export const ALERT_TEMPLATES: Readonly<Record<AlertProfile, string>> = {
  native: JSON.stringify({
    action: "{{strategy.order.action}}",
    symbol: "{{ticker}}",
    qty: "{{strategy.order.contracts}}",
    alertId: ALERT_ID,
  }),
  traderspost: JSON.stringify({
    ticker: "{{ticker}}",
    action: "{{strategy.order.action}}",
    sentiment: "{{strategy.market_position}}",
    quantity: "{{strategy.order.contracts}}",
    price: "{{close}}",
    time: "{{timenow}}",
    alertId: ALERT_ID,
  }),
  crosstrade: [
    "command=PLACE",
    "instrument={{ticker}}",
    "action={{strategy.order.action}}",
    "qty={{strategy.order.contracts}}",
    "order_type=MARKET",
    "tif=DAY",
    `alertId=${ALERT_ID}`,
  ].join("; "),
  pickmytrade: JSON.stringify({
    symbol: "{{ticker}}",
    date: "{{timenow}}",
    data: "{{strategy.order.action}}",
    quantity: "{{strategy.order.contracts}}",
    price: "{{close}}",
    order_type: "MKT",
    alertId: ALERT_ID,
  }),
  position: JSON.stringify({
    symbol: "{{ticker}}",
    market_position: "{{strategy.market_position}}",
    market_position_size: "{{strategy.market_position_size}}",
    alertId: ALERT_ID,
  }),
};
