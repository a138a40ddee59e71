/** The store could not be reached, or refused to write. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
  /** False when the command may have been carried out although its answer never came. */
  readonly certainlyNotWritten: boolean;

  constructor(message: string, options: { certainlyNotWritten: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.certainlyNotWritten = options.certainlyNotWritten;
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
