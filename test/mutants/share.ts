/** The normal distribution's quantile for 95 % in the middle. */
const Z = 1.96;

/** Wilson's interval of a share, in which the true one lies 95 times in 100. */
export function interval(hits: number, of: number): readonly [from: number, to: number] {
  const share = hits / of;
  const middle = (share + Z ** 2 / (2 * of)) / (1 + Z ** 2 / of);
  const half =
    (Z / (1 + Z ** 2 / of)) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  return [middle - half, middle + half];
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
