import { denialsOf } from "../../domain/denials.ts";
import type { ErrorCode } from "../../errors.ts";

/** The errors of anything that waits on an account's lane. */
export const LANE_ERRORS: readonly ErrorCode[] = [
  "NOT_FOUND",
  "ACCOUNT_INACTIVE",
  "OUTCOME_UNKNOWN",
  "BROKER_UNAVAILABLE",
  "INTENT_EXPIRED",
  "CLOSED_IN_PART",
];

/** The errors of an order. */
export const PLACING_ERRORS: readonly ErrorCode[] = [
  ...LANE_ERRORS,
  ...denialsOf("order"),
  "UNKNOWN_SYMBOL",
  "OVERTAKEN_BY_EXIT",
  "BROKER_ORDER_REJECTED",
];

/** The errors of an alert. */
export const ALERT_ERRORS: readonly ErrorCode[] = [
  ...PLACING_ERRORS.filter((code) => code !== "OUTCOME_UNKNOWN"),
  ...denialsOf("alert"),
  "WEBHOOK_PAUSED",
  "SENDER_NOT_ALLOWED",
  "UNRESOLVED_PLACEHOLDER",
  "PROTECTION_REPLACE_FAILED",
];

/** The errors of a change to a working order. */
export const MODIFYING_ERRORS: readonly ErrorCode[] = [
  ...LANE_ERRORS,
  ...denialsOf("change"),
  "OVERTAKEN_BY_EXIT",
  "MODIFY_REJECTED",
];
