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
  "OVERTAKEN_BY_EXIT",
  "LIMIT_EXCEEDED",
  "NOT_UNDERSTOOD",
  "CONTRACT_DISPUTED",
  "KILL_SWITCH_ON",
  "LOCKED",
  "GUARD_REFUSED",
  "RISK_TOO_SMALL",
  "SIZE_UNKNOWN",
  "BROKER_ORDER_REJECTED",
] as const satisfies readonly ErrorCode[];

/** What can become of an alert. */
export const ALERT_ERRORS = [
  ...PLACING_ERRORS.filter((code) => code !== "OUTCOME_UNKNOWN"),
  "WEBHOOK_PAUSED",
  "SENDER_NOT_ALLOWED",
  "UNRESOLVED_PLACEHOLDER",
  "SYMBOL_NOT_ALLOWED",
  "SIDE_NOT_ALLOWED",
  "ALERT_TOO_OLD",
  "NO_POSITION",
  "POSITION_HELD",
  "POSITION_MISMATCH",
  "PROTECTION_REPLACE_FAILED",
] as const satisfies readonly ErrorCode[];

/** What can become of a change to a working order. */
export const MODIFYING_ERRORS = [
  ...LANE_ERRORS,
  "OVERTAKEN_BY_EXIT",
  "LIMIT_EXCEEDED",
  "NOT_UNDERSTOOD",
  "CONTRACT_DISPUTED",
  "KILL_SWITCH_ON",
  "LOCKED",
  "GUARD_REFUSED",
  "MODIFY_REJECTED",
] as const satisfies readonly ErrorCode[];
