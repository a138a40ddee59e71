const MINUTES_5_MS = 5 * 60_000;
/** Far above what two questions for bars take. */
const CLEAR_MS = 15_000;

/** Waits out the end of a bar: one that ends between two answers would be in the second alone. */
export async function clearOfBarEnd(): Promise<void> {
  const leftMs = MINUTES_5_MS - (Date.now() % MINUTES_5_MS);
  if (leftMs > CLEAR_MS) return;
  await new Promise((resolve) => setTimeout(resolve, leftMs + 1_000));
}
