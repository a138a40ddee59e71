import type { Product } from "../../src/domain/contracts/product.ts";
import { ALL_MONTHS, cbot, cfe, cme, eurex, QUARTERS, ticks } from "./markets.ts";

const FRIDAY = 5;

/** The third Friday, or the day before where it is a holiday, as on Juneteenth 2026. */
const thirdFriday = {
  cycle: QUARTERS,
  lastTrade: { kind: "weekday", weekday: FRIDAY, nth: 3 },
  roll: { kind: "monday-before-third-friday" },
} as const;

const chicago = { ...cme, ...thirdFriday };
const dow = { ...cbot, ...thirdFriday };
const europe = { ...eurex, ...thirdFriday };

/** Listed for twelve quarters and the next three months; its last day is a Thursday. */
const nikkei = {
  ...cme,
  cycle: ALL_MONTHS,
  liquid: QUARTERS,
  lastTrade: { kind: "weekday", weekday: FRIDAY, nth: 2, businessDaysBefore: 1 },
  // The Monday of the week it ends in.
  roll: { kind: "before-last-trade", businessDays: 3 },
} as const;

const volatility = {
  ...cfe,
  cycle: ALL_MONTHS,
  lastTrade: { kind: "vix-wednesday" },
  // Settled in cash at an opening auction: the week before, volume is in the next month.
  roll: { kind: "before-last-trade", businessDays: 3 },
} as const;

export const equityIndex: readonly Product[] = [
  { ...chicago, root: "ES", name: "E-mini S&P 500", ...ticks("0.25", "50", "12.50") },
  {
    ...chicago,
    root: "MES",
    market: "ES",
    name: "Micro E-mini S&P 500",
    ...ticks("0.25", "5", "1.25"),
  },
  { ...chicago, root: "NQ", name: "E-mini Nasdaq-100", ...ticks("0.25", "20", "5.00") },
  {
    ...chicago,
    root: "MNQ",
    market: "NQ",
    name: "Micro E-mini Nasdaq-100",
    ...ticks("0.25", "2", "0.50"),
  },
  { ...chicago, root: "RTY", name: "E-mini Russell 2000", ...ticks("0.10", "50", "5.00") },
  {
    ...chicago,
    root: "M2K",
    market: "RTY",
    name: "Micro E-mini Russell 2000",
    ...ticks("0.10", "5", "0.50"),
  },
  { ...chicago, root: "EMD", name: "E-mini S&P MidCap 400", ...ticks("0.10", "100", "10.00") },
  { ...dow, root: "YM", name: "E-mini Dow", ...ticks("1", "5", "5.00") },
  { ...dow, root: "MYM", market: "YM", name: "Micro E-mini Dow", ...ticks("1", "0.5", "0.50") },
  { ...nikkei, root: "NKD", name: "Nikkei 225 (dollar)", ...ticks("5", "5", "25.00") },
  {
    ...nikkei,
    root: "NIY",
    name: "Nikkei 225 (yen)",
    currency: "JPY",
    ...ticks("5", "500", "2500"),
  },
  { ...europe, root: "FESX", name: "Euro Stoxx 50", ...ticks("1", "10", "10") },
  {
    ...europe,
    root: "FSXE",
    market: "FESX",
    name: "Micro Euro Stoxx 50",
    ...ticks("0.5", "1", "0.5"),
  },
  { ...europe, root: "FDAX", name: "DAX", ...ticks("1", "25", "25") },
  { ...europe, root: "FDXM", market: "FDAX", name: "Mini-DAX", ...ticks("1", "5", "5") },
  { ...europe, root: "FDXS", market: "FDAX", name: "Micro-DAX", ...ticks("1", "1", "1") },
  { ...volatility, root: "VX", name: "VIX", ...ticks("0.05", "1000", "50.00") },
  { ...volatility, root: "VXM", market: "VX", name: "Mini VIX", ...ticks("0.01", "100", "1.00") },
];
