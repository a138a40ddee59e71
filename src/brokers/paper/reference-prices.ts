import { parseDecimal, rescale } from "../../domain/contracts/decimal.ts";
import { type Ticks, ticks } from "../../domain/contracts/price.ts";
import { marketOf, type Product } from "../../domain/contracts/product.ts";

/** The part of a row of the contract table that decides at which price the demo trades it. */
export type PricedProduct = Pick<Product, "root" | "market" | "tickSize">;

/** Plausible price levels of 2026 by market, around which the seeded feed moves. Not market data. */
const PRICES: Readonly<Record<string, string>> = {
  ES: "6850",
  NQ: "25200",
  RTY: "2480",
  YM: "47500",
  EMD: "3310",
  NKD: "50500",
  NIY: "50500",
  CL: "61.50",
  NG: "4.250",
  RB: "1.9200",
  HO: "2.3600",
  BZ: "65.40",
  GC: "4150",
  SI: "51.500",
  HG: "5.1000",
  PL: "1580",
  PA: "1420",
  ZB: "117.5",
  UB: "121.25",
  ZN: "113",
  TN: "115.5",
  ZF: "109.5",
  ZT: "104.25",
  SR3: "96.500",
  SR1: "96.250",
  ZQ: "96.250",
  ZC: "435",
  ZW: "540",
  KE: "530",
  ZO: "310",
  ZS: "1120",
  ZM: "318",
  ZL: "50.40",
  LE: "215",
  HE: "82",
  GF: "325",
  "6E": "1.16500",
  "6B": "1.3150",
  "6J": "0.0065000",
  "6A": "0.65400",
  "6C": "0.71500",
  "6S": "1.26000",
  "6N": "0.57000",
  "6M": "0.05420",
  M6C: "1.3980",
  M6J: "153.80",
  M6S: "0.7940",
  BTC: "98000",
  ETH: "3300",
  SOL: "140",
  XRP: "2.2000",
  "2YY": "3.600",
  "5YY": "3.750",
  "10Y": "4.100",
  "30Y": "4.700",
  DX: "99.500",
  KC: "385",
  SB: "14.80",
  CC: "5600",
  CT: "64.50",
  LBR: "600.00",
  OJ: "180",
  B: "65.40",
  G: "690",
  FESX: "5700",
  FDAX: "24000",
  FGBL: "129",
  FGBM: "118",
  FGBS: "107",
  VX: "19.50",
};

const UNKNOWN_ROOT_TICKS = ticks(1_000);

/** The reference price of a root in ticks, rounded down to one; 1,000 ticks of what is unknown. */
export function referenceTicks(product: PricedProduct | undefined): Ticks {
  const price = parseDecimal(product === undefined ? "" : (PRICES[marketOf(product)] ?? ""));
  const tick = product === undefined ? undefined : parseDecimal(product.tickSize);
  if (price === undefined || tick === undefined) return UNKNOWN_ROOT_TICKS;
  const scale = Math.max(price.scale, tick.scale);
  return ticks(Number(rescale(price, scale) / rescale(tick, scale)));
}
