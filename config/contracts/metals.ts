import type { Product } from "../../src/domain/contracts/product.ts";
import { ALL_MONTHS, comex, nymex, ticks } from "./markets.ts";

// Besides their active months, the large contracts are listed for the next three (copper for the
// next twenty-four) whatever these are.

/** Delivered on the third last business day; holders get notice from the end of the month before. */
const metal = {
  lastTrade: { kind: "nth-last-business-day", nth: 3 },
  roll: { kind: "before-first-notice", businessDays: 3, noticeDays: 1 },
} as const;

/**
 * Settled in cash, and unlike the contract it settles against already in the month before its name
 * (COMEX specifications: "the third last business day of the month prior to the contract month").
 */
const beforeDelivery = {
  lastTrade: { kind: "nth-last-business-day", nth: 3, monthOffset: -1 },
} as const;

// October gold is listed but hardly trades: the front month goes from August to December.
const gold = { ...comex, ...metal, cycle: ALL_MONTHS, liquid: "GJMQZ" };
const smallGold = { ...gold, cycle: "GJMQVZ" };
const silver = { ...comex, ...metal, cycle: ALL_MONTHS, liquid: "HKNUZ" };
const copper = { ...comex, ...metal, cycle: ALL_MONTHS, liquid: "HKNUZ" };

export const metals: readonly Product[] = [
  { ...gold, root: "GC", name: "Gold", ...ticks("0.10", "100", "10.00") },
  { ...smallGold, root: "MGC", market: "GC", name: "Micro Gold", ...ticks("0.10", "10", "1.00") },
  {
    ...smallGold,
    ...beforeDelivery,
    root: "QO",
    market: "GC",
    name: "E-mini Gold",
    ...ticks("0.25", "50", "12.50"),
  },
  {
    ...smallGold,
    ...beforeDelivery,
    root: "1OZ",
    market: "GC",
    name: "1-Ounce Gold",
    ...ticks("0.25", "1", "0.25"),
  },
  { ...silver, root: "SI", name: "Silver", ...ticks("0.005", "5000", "25.00") },
  {
    ...silver,
    root: "SIL",
    market: "SI",
    name: "1,000-oz. Silver",
    ...ticks("0.005", "1000", "5.00"),
  },
  {
    ...silver,
    ...beforeDelivery,
    root: "QI",
    market: "SI",
    name: "E-mini Silver",
    ...ticks("0.0125", "2500", "31.25"),
  },
  { ...copper, root: "HG", name: "Copper", ...ticks("0.0005", "25000", "12.50") },
  {
    ...copper,
    ...beforeDelivery,
    root: "MHG",
    market: "HG",
    name: "Micro Copper",
    ...ticks("0.0005", "2500", "1.25"),
  },
  {
    ...copper,
    ...beforeDelivery,
    root: "QC",
    market: "HG",
    name: "E-mini Copper",
    ...ticks("0.002", "12500", "25.00"),
  },
  {
    ...nymex,
    ...metal,
    root: "PL",
    name: "Platinum",
    ...ticks("0.10", "50", "5.00"),
    cycle: ALL_MONTHS,
    liquid: "FJNV",
  },
  {
    ...nymex,
    ...metal,
    root: "PA",
    name: "Palladium",
    ...ticks("0.50", "100", "50.00"),
    cycle: ALL_MONTHS,
    liquid: "HMUZ",
  },
];
