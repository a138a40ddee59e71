import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "../trading/store-error.ts";

const PATIENCE_MS = 20_000;
const RETRY_MS = 200;

/**
 * Does what may be done twice until the store lets it: at a start no caller waits, and a store that
 * is slow or just coming back is no reason to give up.
 */
export async function retryUntilDeadline<Value>(
  work: () => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof StoreError) || performance.now() > deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}
