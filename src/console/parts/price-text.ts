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
