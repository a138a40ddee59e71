/** Time that a caller waits for an outcome, in place of the product's own, ms. */
export interface AnswerTimes {
  readonly alertMs: number;
  readonly callMs: number;
}
