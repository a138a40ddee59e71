/** The store could not be reached, or refused to write. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /** False when the command may have been carried out although its answer never came. */
  readonly certainlyNotWritten: boolean;

  constructor(message: string, options: { certainlyNotWritten: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.certainlyNotWritten = options.certainlyNotWritten;
  }
}
