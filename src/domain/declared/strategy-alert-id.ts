/**
 * The `alertId` of every message for a strategy that we print, in the charting platform's placeholders. A message
 * that is sent again has the same one. Two fills of one bar can share the order's id and the second, and differ by
 * the position after them alone.
 */
export const STRATEGY_ALERT_ID =
  "{{strategy.order.id}} {{timenow}} {{strategy.market_position}} {{strategy.market_position_size}}";

/** Whether a sender's id ends with the position after the fill, as that one does. */
export const namesPosition = (id: string): boolean => /\b(?:long|short|flat) \d+$/.test(id.trim());
