import type { Product } from "../src/domain/contracts/product.ts";
import { agriculture } from "./contracts/agriculture.ts";
import { currencies } from "./contracts/currencies.ts";
import { energies } from "./contracts/energy.ts";
import { equityIndex } from "./contracts/equity-index.ts";
import { interestRates } from "./contracts/interest-rates.ts";
import { metals } from "./contracts/metals.ts";

/**
 * Every futures root the gateway knows. Edit a row in `config/contracts/` to change its ticks,
 * months or roll. If a broker gives a contract another tick size or value, nothing is opened in it.
 */
export const contracts: readonly Product[] = [
  ...equityIndex,
  ...energies,
  ...metals,
  ...interestRates,
  ...currencies,
  ...agriculture,
];
