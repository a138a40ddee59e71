/** A figure that was measured several times: its median, and how far the runs lay apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: medianOf(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The middle value, or what lies half-way between the two of an even number; NaN of nothing. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [below = Number.NaN, above = below] = sorted.slice(
    Math.ceil(half) - 1,
    Math.floor(half) + 1,
  );
  return (below + above) / 2;
}

/** The nearest-rank percentile; NaN of nothing. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.max(0, rank - 1)] ?? Number.NaN;
}

/** Of each round by itself: the percentile of what its answers took, ms. */
export const spreadOfPercentile = (
  rounds: readonly { readonly answers: readonly { readonly ms: number }[] }[],
  percent: number,
): Spread =>
  spreadOf(
    rounds.map(({ answers }) =>
      percentile(
        answers.map(({ ms }) => ms),
        percent,
      ),
    ),
  );

export const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
