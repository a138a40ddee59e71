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

/** A price to the digits of its tick: 25101 with ticks of 0.25 is "25101.00". */
export function priceText(price: number, tickSize: number | null): string {
  if (tickSize === null) return String(price);
  const digits = digitsOf(tickSize);
  const exact = price.toFixed(digits);
  // An average lies between ticks: two digits tell enough of it, the rest is in its title.
  return Math.abs(Number(exact) - price) < tickSize / 1_000
    ? exact
    : price.toFixed(Math.max(2, digits));
}

/** How many digits a tick has behind its point; small ones print as "5e-7". */
function digitsOf(tickSize: number): number {
  const [digits = "", exponent = "0"] = String(tickSize).split("e-");
  return (digits.split(".")[1]?.length ?? 0) + Number(exponent);
}
