const MONEY = new Intl.NumberFormat("en", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: "exceptZero",
});

/** What was won or lost, with its sign and currency. */
export const moneyText = (amount: number, currency: string | null): string =>
  `${MONEY.format(amount)} ${currency ?? "(currency not known)"}`;

/** The class that tells a gain from a loss. */
export const moneyTone = (amount: number): string =>
  amount > 0 ? "gain" : amount < 0 ? "loss" : "";

/** "1 contract", "2 contracts". */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** "12 ms", "1.4 s". */
export function msText(ms: number | undefined): string {
  if (ms === undefined) return "–";
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Number((ms / 1_000).toFixed(1))} s`;
}

/** A signed quantity: "long 2", "short 1", "flat". */
export function qtyText(netQty: number): string {
  if (netQty === 0) return "flat";
  return `${netQty > 0 ? "long" : "short"} ${Math.abs(netQty)}`;
}
