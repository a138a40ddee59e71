/**
 * Settings of every gateway that a test starts: nothing is refused for its number.
 * A test that is about a limit sets that limit itself.
 */
export const ROOMY = {
  PORT: "0",
  RATE_LIMIT_PER_MINUTE: "1000000",
  WEBHOOK_RATE_LIMIT_PER_MINUTE: "1000000",
  MAX_ORDERS_PER_MINUTE: "1000000",
  DEFAULT_MAX_ORDERS_PER_MINUTE: "1000000",
} as const;
