import { priceText } from "./price-text.ts";

/** A price as it is quoted; all of its digits are in its title. */
export function Price({ price, tickSize }: { price: number | null; tickSize: number | null }) {
  if (price === null) return <span class="quiet">No market data</span>;
  return <span title={String(price)}>{priceText(price, tickSize)}</span>;
}
