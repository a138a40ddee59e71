/** Why something was ended: its time was over, or whoever asked for it gave it up. */
export type Stopped = { readonly stoppedBy: "limit" | "signal" };

export interface TimeLimit {
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/**
 * Runs something until its time is over or the outer signal is aborted, also if it does not heed its
 * own signal. `AbortSignal.any` would leave something behind on the outer signal for each run, and
 * that one may live as long as the process.
 */
export async function withTimeLimit<Value>(
  { signal, limitMs }: TimeLimit,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | Stopped> {
  if (signal.aborted) return { stoppedBy: "signal" };
  const inner = new AbortController();
  let cleanUp = () => {};
  const stopped = new Promise<Stopped>((resolve) => {
    const stop = (stoppedBy: Stopped["stoppedBy"]) => {
      resolve({ stoppedBy });
      inner.abort();
    };
    const onAbort = () => stop("signal");
    const timer = setTimeout(() => stop("limit"), limitMs);
    signal.addEventListener("abort", onAbort, { once: true });
    cleanUp = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
  });
  try {
    return await Promise.race([stopped, run(inner.signal)]);
  } finally {
    cleanUp();
  }
}
