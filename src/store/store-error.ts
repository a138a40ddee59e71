import { StoreError } from "../trading/store-error.ts";

/**
 * What ioredis says when a command was never written to the socket. That the "max retries per
 * request" are used up says nothing of the kind: such a command was on its way.
 */
const NEVER_WRITTEN = /Stream isn't writeable|enableOfflineQueue/i;
/** What Redis answers when it refuses a write before it changes anything. */
const REFUSED =
  /^(OOM|NOSCRIPT|READONLY|MISCONF|NOREPLICAS|LOADING|CLUSTERDOWN|NOAUTH|NOPERM|MASTERDOWN|EXECABORT)\b/;

/** A script's own write is refused behind the words of the script. */
const FULL = /(^|: -?)OOM\b/;
const SLOW = /^(Command timed out|Redis does not answer)/;

/** Whether Redis refused a write because its memory is full, and has written nothing. */
export const isOfFullMemory = (error: unknown): boolean =>
  error instanceof Error && FULL.test(error.message);

/** Turns the ways a Redis command can fail into one error that says whether it may have happened. */
export async function translateStoreErrors<Value>(command: Promise<Value>): Promise<Value> {
  try {
    return await command;
  } catch (error) {
    throw toStoreError(error);
  }
}

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const isFull = isOfFullMemory(error);
  const certainlyNotWritten = isFull || NEVER_WRITTEN.test(message) || REFUSED.test(message);
  const why = isFull ? "full" : SLOW.test(message) ? "slow" : undefined;
  return new StoreError(`Redis: ${message}`, { certainlyNotWritten, why, cause: error });
}
