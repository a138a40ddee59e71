// Amounts that may be unknown, of any size.

export type Known = bigint | undefined;

export const big = (amount: number | undefined): Known =>
  amount === undefined ? undefined : BigInt(amount);
export const plus = (...all: readonly Known[]): Known =>
  all.reduce((a, b) => (a === undefined || b === undefined ? undefined : a + b), 0n);
export const known = (all: readonly Known[]) => all.filter((one) => one !== undefined);
/** Of what is known of them. */
export const least = (first: bigint, ...all: readonly Known[]): bigint =>
  known(all).reduce((a, b) => (b < a ? b : a), first);
export const most = (first: bigint, ...all: readonly Known[]): bigint =>
  known(all).reduce((a, b) => (b > a ? b : a), first);
