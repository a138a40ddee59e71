/** How a store is that answers late. */
export const TOO_SLOW = "is too slow: its disk or its machine is overloaded";

/** The store could not be reached, or refused to write. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
  /** False when the command may have been carried out although its answer never came. */
  readonly certainlyNotWritten: boolean;
  /** Why it failed, if that is known: its memory is full, or it takes too long to answer. */
  readonly why: "full" | "slow" | undefined;

  constructor(
    message: string,
    options: { certainlyNotWritten: boolean; why?: StoreError["why"] | undefined; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.certainlyNotWritten = options.certainlyNotWritten;
    this.why = options.why;
  }
}

/**
 * Another process may be the owner by now: nothing was sent, and what is under way is left for it as
 * it stands. Whoever works a lane goes on from it as from a store that did not answer.
 */
export class LeaseLostError extends StoreError {
  override readonly name = "LeaseLostError";

  constructor(message: string) {
    super(message, { certainlyNotWritten: true });
  }
}
