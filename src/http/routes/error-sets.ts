import type { ErrorCode } from "../../errors.ts";

/** What can become of anything that waits on an account's lane. */
export const LANE_ERRORS = [
  "NOT_FOUND",
  "ACCOUNT_INACTIVE",
  "OUTCOME_UNKNOWN",
  "BROKER_UNAVAILABLE",
  "INTENT_EXPIRED",
] as const satisfies readonly ErrorCode[];

/** What can become of an order on top of that. */
export const PLACING_ERRORS = [
  ...LANE_ERRORS,
  "UNKNOWN_SYMBOL",
  "SYMBOL_MISMATCH",
  "LIMIT_EXCEEDED",
  "KILL_SWITCH_ON",
  "BROKER_ORDER_REJECTED",
] as const satisfies readonly ErrorCode[];

/** What can become of a change to a working order. */
export const MODIFYING_ERRORS = [
  ...LANE_ERRORS,
  "LIMIT_EXCEEDED",
  "KILL_SWITCH_ON",
  "MODIFY_REJECTED",
] as const satisfies readonly ErrorCode[];
