import type { AnswerTimes } from "../../src/trading/orders/answer-times.ts";
import { HANGS_AFTER_MS } from "./wait.ts";

/**
 * Settings of every gateway that a test starts: nothing is refused for its number.
 * A test that is about a limit sets that limit itself.
 */
export const ROOMY = {
  PORT: "0",
  RATE_LIMIT_PER_MINUTE: "1000000",
  WEBHOOK_RATE_LIMIT_PER_MINUTE: "1000000",
  MAX_ORDERS_PER_MINUTE: "1000000",
  // The API takes no more of one account.
  DEFAULT_MAX_ORDERS_PER_MINUTE: "10000",
  // Simulators trade at any time, on whatever day a test runs.
  MARKET_HOURS: "always",
} as const;

/**
 * Answer times of every gateway in the process of a test: a busy machine must not turn a settled answer
 * into a pending one, or refuse a request for its age. A test that is about a late answer sets
 * `answersOnTime` on its gateway.
 */
const UNHURRIED: AnswerTimes = {
  acceptMs: HANGS_AFTER_MS / 2,
  alertMs: HANGS_AFTER_MS / 2,
  callMs: HANGS_AFTER_MS / 2,
};

export const answerTimesOf = ({ answersOnTime = false }: AnswerOptions) =>
  answersOnTime ? undefined : UNHURRIED;

export interface AnswerOptions {
  /** Callers get an answer within the product's own times. */
  readonly answersOnTime?: boolean | undefined;
}
