import { formatScaled, rescale } from "../../domain/contracts/decimal.ts";
import type { Fill } from "../../domain/order.ts";
import type { EntityStore } from "./entity-store.ts";
import { scaledOf } from "../price-numbers.ts";
import type { TradovateFillFee } from "./wire.ts";

/** What is paid for a fill, to whom, and in which currency that is. */
const PARTS = [
  ["clearingFee", "clearingCurrencyId"],
  ["exchangeFee", "exchangeCurrencyId"],
  ["nfaFee", "nfaCurrencyId"],
  ["brokerageFee", "brokerageCurrencyId"],
  ["ipFee", "ipCurrencyId"],
  ["commission", "commissionCurrencyId"],
  ["orderRoutingFee", "orderRoutingCurrencyId"],
] as const satisfies readonly (readonly [keyof TradovateFillFee, keyof TradovateFillFee])[];

/**
 * The sum of everything that a fill cost. Empty where the broker named nothing, and where it named
 * amounts in several currencies, which have no sum.
 */
export function feeOf(
  store: Pick<EntityStore, "get">,
  fill: number,
): Pick<Fill, "fee" | "feeCurrency"> {
  const costs = store.get("fillFee", fill);
  const told = PARTS.flatMap(([amount, currency]) => {
    const value = costs?.[amount];
    return typeof value === "number" && Number.isFinite(value)
      ? [{ amount: scaledOf(value), currency: costs?.[currency] }]
      : [];
  });
  if (told.length === 0) return {};
  const paid = told.filter(({ amount }) => amount.units !== 0n);
  const currencies = [...new Set((paid.length === 0 ? told : paid).map((one) => one.currency))];
  if (currencies.length > 1) return {};
  const scale = Math.max(...told.map(({ amount }) => amount.scale));
  const units = told.reduce((sum, { amount }) => sum + rescale(amount, scale), 0n);
  const currency = store.get("currency", currencies[0] ?? 0)?.name;
  return {
    fee: formatScaled({ units, scale }, 2),
    ...(currency !== undefined && /^[A-Z]{3}$/.test(currency) && { feeCurrency: currency }),
  };
}
