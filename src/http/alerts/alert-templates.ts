import { STRATEGY_ALERT_ID } from "../../domain/declared/strategy-alert-id.ts";
import type { WebhookOptions } from "../../domain/alert.ts";
import type { AlertProfile } from "../../domain/declared/webhook-options.ts";

const FIRED_AT = "{{timenow}}";

/**
 * A message for an alert on a strategy, ready to be pasted, in the words of each profile. What a
 * charting platform puts in for the placeholders is read as it is.
 */
export const ALERT_TEMPLATES: Readonly<Record<AlertProfile, string>> = {
  native: JSON.stringify({
    action: "{{strategy.order.action}}",
    symbol: "{{ticker}}",
    qty: "{{strategy.order.contracts}}",
    firedAt: FIRED_AT,
    alertId: STRATEGY_ALERT_ID,
  }),
  traderspost: JSON.stringify({
    ticker: "{{ticker}}",
    action: "{{strategy.order.action}}",
    sentiment: "{{strategy.market_position}}",
    quantity: "{{strategy.order.contracts}}",
    price: "{{close}}",
    time: FIRED_AT,
    alertId: STRATEGY_ALERT_ID,
  }),
  crosstrade: [
    "command=PLACE",
    "instrument={{ticker}}",
    "action={{strategy.order.action}}",
    "qty={{strategy.order.contracts}}",
    "order_type=MARKET",
    "tif=DAY",
    `firedAt=${FIRED_AT}`,
    `alertId=${STRATEGY_ALERT_ID}`,
  ].join("; "),
  pickmytrade: JSON.stringify({
    symbol: "{{ticker}}",
    date: FIRED_AT,
    data: "{{strategy.order.action}}",
    quantity: "{{strategy.order.contracts}}",
    price: "{{close}}",
    order_type: "MKT",
    alertId: STRATEGY_ALERT_ID,
  }),
  position: JSON.stringify({
    symbol: "{{ticker}}",
    action: "{{strategy.order.action}}",
    market_position: "{{strategy.market_position}}",
    market_position_size: "{{strategy.market_position_size}}",
    prev_market_position: "{{strategy.prev_market_position}}",
    prev_market_position_size: "{{strategy.prev_market_position_size}}",
    firedAt: FIRED_AT,
    alertId: STRATEGY_ALERT_ID,
  }),
};

/** The native message that says the strategy's position: its orders beside an exit plan must not open anything. */
const NATIVE_POSITION = JSON.stringify({
  symbol: "{{ticker}}",
  position: "{{strategy.position_size}}",
  prev_market_position: "{{strategy.prev_market_position}}",
  prev_market_position_size: "{{strategy.prev_market_position_size}}",
  firedAt: FIRED_AT,
  alertId: STRATEGY_ALERT_ID,
});

/** The message for an alert on a strategy that is sent to a webhook with these options. */
export function messageFor({ profile = "native", exitPlan, sentBy }: WebhookOptions): string {
  const saysPosition = exitPlan !== undefined && sentBy !== "indicator";
  return profile === "native" && saysPosition ? NATIVE_POSITION : ALERT_TEMPLATES[profile];
}
