/** Times of a request in place of the product's own, ms. */
export interface AnswerTimes {
  /** From its receipt to its acceptance, in place of `ACCEPT_WITHIN_MS`. */
  readonly acceptMs?: number;
  /** How long an acceptance waits for a run that is ahead of it, in place of `ACCEPTED_WITHIN_MS`. */
  readonly aheadMs?: number;
  /** Wait of an alert's sender, and of a caller of `/v1`, for the outcome. */
  readonly alertMs?: number;
  readonly callMs?: number;
}
