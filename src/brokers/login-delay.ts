const FIRST_MS = 250;
const LONGEST_MS = 30_000;
/** A broker that lets in and drops at once is not asked ever faster than one that lets nobody in. */
const STOOD_MS = 10_000;

/** How many sessions in a row have failed, the one included that was connected for `stoodMs`. */
export function failuresAfter(failures: number, stoodMs: number): number {
  return stoodMs >= STOOD_MS ? 0 : failures + 1;
}

/** Half of it is chance: many connections that broke together do not come back together. */
export function loginDelayMs(failures: number, random: () => number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
  return longest * (0.5 + random() / 2);
}
