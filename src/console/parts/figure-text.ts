const formats = new Map<string, Intl.NumberFormat>();

/** With the decimals that the currency has: none of yen. */
function formatOf(currency: string | null, signDisplay: "auto" | "exceptZero"): Intl.NumberFormat {
  const key = `${currency} ${signDisplay}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const digits = decimalsOf(currency);
  const format = new Intl.NumberFormat("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay,
  });
  formats.set(key, format);
  return format;
}

function decimalsOf(currency: string | null): number {
  if (currency === null) return 2;
  try {
    const format = new Intl.NumberFormat("en", { style: "currency", currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

const NO_CURRENCY = "(currency not known)";

/** What was won or lost, with its sign and currency. */
export const moneyText = (amount: number, currency: string | null): string =>
  `${formatOf(currency, "exceptZero").format(amount)} ${currency ?? NO_CURRENCY}`;

/** What there is, with its currency. */
export const amountText = (amount: number, currency: string | null): string =>
  `${formatOf(currency, "auto").format(amount)} ${currency ?? NO_CURRENCY}`;

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

/** How long ago, in one unit: "12 s", "3 min", "5 h", "2 days". */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
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
