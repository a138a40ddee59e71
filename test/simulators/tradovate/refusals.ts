import { REASONS } from "../../../src/brokers/paper/exchange/check-order.ts";
import { type Answer, failure } from "./answer.ts";
import type { AccountEntity } from "./entities.ts";

/** Why an order is turned down, in the words of a `commandReport`. */
export interface Refusal {
  readonly rejectReason: string;
  readonly text: string;
}

/** The one text of a risk rejection that is public [CAP 2026-08-18]. */
export const MAX_QTY: Refusal = {
  rejectReason: "MaxOrderQtyLimitReached",
  text: "Your maximum order quantity has been met.",
};
export const PARENT_REJECTED: Refusal = {
  rejectReason: "ParentRejected",
  text: "The parent order was rejected",
};

const BY_REASON: Readonly<Record<string, string>> = {
  [REASONS.closed]: "SessionClosed",
  [REASONS.noQuote]: "NoQuote",
  [REASONS.unknownContract]: "InvalidContract",
  [REASONS.expiredContract]: "InvalidContract",
  [REASONS.tooLate]: "TooLate",
  [REASONS.unknownOrder]: "TooLate",
  [REASONS.triggered]: "TooLate",
  [REASONS.price]: "InvalidPrice",
  [REASONS.stopPx]: "InvalidPrice",
  [REASONS.wrongSide]: "InvalidPrice",
  [REASONS.takeProfitSide]: "InvalidPrice",
  [REASONS.stopLossSide]: "InvalidPrice",
  [REASONS.stopLossReached]: "InvalidPrice",
  [REASONS.legs]: "InvalidPrice",
};

/** The core's refusal in the broker's enumeration; which reason goes with which is our guess. */
export function refusalOf(reason: string): Refusal {
  return { rejectReason: BY_REASON[reason] ?? "OtherExecutionRelated", text: reason };
}

/** What an account that may not trade answers; cancels are always taken. The reasons are guesses. */
export function accountRefusal(account: AccountEntity): Answer | undefined {
  const { active, closed, archived, readonly, restricted } = account;
  if (closed === true || archived === true) return failure("AccountClosed", "Account is closed");
  if (readonly === true) return failure("Unauthorized", "Account is read-only");
  if (restricted === true) return failure("LiquidationOnly", "Account is restricted");
  return active ? undefined : failure("TradingLocked", "Account is not active");
}
