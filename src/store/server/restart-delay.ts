const FIRST_MS = 50;
const LONGEST_MS = 5_000;
/** After so long a life, the next death counts as the first. */
const STABLE_MS = 30_000;

/**
 * How long to wait before starting again what has ended after `livedMs`; `previousMs` is what was
 * waited the time before. One death is mended at once; what dies again and again, or cannot start,
 * gets ever more time.
 */
export function restartDelayMs(previousMs: number, livedMs = 0): number {
  if (livedMs > STABLE_MS) return 0;
  return Math.min(Math.max(previousMs * 2, FIRST_MS), LONGEST_MS);
}
