import type { Product } from "../../src/domain/product.ts";
import { comex, nymex, ticks } from "./markets.ts";

/** Delivered on the third last business day; holders get notice from the end of the month before. */
const metal = {
  lastTrade: { kind: "nth-last-business-day", nth: 3 },
  roll: { kind: "before-first-notice", businessDays: 3, noticeDays: 1 },
} as const;

// October gold is listed but hardly trades: the front month goes from August to December.
const gold = { ...comex, ...metal, cycle: "GJMQVZ", liquid: "GJMQZ" };
const silver = { ...comex, ...metal, cycle: "HKNUZ" };
const copper = { ...comex, ...metal, cycle: "HKNUZ" };

export const metals: readonly Product[] = [
  { ...gold, root: "GC", name: "Gold", ...ticks("0.10", "100", "10.00") },
  { ...gold, root: "MGC", name: "Micro Gold", ...ticks("0.10", "10", "1.00") },
  { ...silver, root: "SI", name: "Silver", ...ticks("0.005", "5000", "25.00") },
  { ...silver, root: "SIL", name: "1,000-oz. Silver", ...ticks("0.005", "1000", "5.00") },
  { ...copper, root: "HG", name: "Copper", ...ticks("0.0005", "25000", "12.50") },
  {
    ...copper,
    root: "MHG",
    name: "Micro Copper",
    ...ticks("0.0005", "2500", "1.25"),
    // Settled in cash, and unlike HG already in the month before its name (COMEX specification:
    // "the third last business day of the month prior to the contract month").
    lastTrade: { kind: "nth-last-business-day", nth: 3, monthOffset: -1 },
  },
  {
    ...nymex,
    ...metal,
    root: "PL",
    name: "Platinum",
    ...ticks("0.10", "50", "5.00"),
    cycle: "FJNV",
  },
  {
    ...nymex,
    ...metal,
    root: "PA",
    name: "Palladium",
    ...ticks("0.50", "100", "50.00"),
    cycle: "HMUZ",
  },
];
