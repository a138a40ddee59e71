/** No strategy can be saved with it: it takes some 10^14 steps. */
export const ENDLESS = ["a", "b", "c", "d", "e", "f", "g"].reduceRight(
  (inner, name) => `close.exists(${name}, ${inner})`,
  "close[0] < 0.0",
);
