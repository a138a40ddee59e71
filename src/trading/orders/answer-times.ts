/** Time that a caller waits for an outcome, in place of the product's own, ms. */
export interface AnswerTimes {
  /** In place of `ACCEPT_WITHIN_MS`. */
  readonly acceptMs: number;
  readonly alertMs: number;
  readonly callMs: number;
}
