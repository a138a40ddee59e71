import type { Product } from "../../src/domain/contracts/product.ts";
import { ALL_MONTHS, cbot, cme, eurex, QUARTERS, ticks } from "./markets.ts";

const WEDNESDAY = 3;

const treasury = {
  ...cbot,
  cycle: QUARTERS,
  roll: { kind: "before-first-notice", businessDays: 3, noticeDays: 1 },
} as const;

/** The seventh business day before the last one: the eighth from the end of the month. */
const longTreasury = { ...treasury, lastTrade: { kind: "nth-last-business-day", nth: 8 } } as const;
const shortTreasury = {
  ...treasury,
  lastTrade: { kind: "nth-last-business-day", nth: 1 },
} as const;

/** Settled in cash two business days before the first day on which the large ones are delivered. */
const microTreasury = {
  ...treasury,
  lastTrade: { kind: "nth-last-business-day", nth: 2, monthOffset: -1 },
} as const;

const monthly = {
  cycle: ALL_MONTHS,
  lastTrade: { kind: "nth-last-business-day", nth: 1 },
  roll: { kind: "before-last-trade", businessDays: 3 },
} as const;

const microYield = { ...cbot, ...monthly, ...ticks("0.001", "1000", "1.00") };

/** Months that are not the nearest trade in twice this tick, which the broker enforces. */
const overnightRate = { ...monthly, ...ticks("0.0025", "4167", "10.4175") };

/** Delivery is on the 10th, or the exchange day after; trading ends two exchange days earlier. */
const german = {
  ...eurex,
  cycle: QUARTERS,
  lastTrade: { kind: "before-date", day: 10, businessDaysBefore: 2, whenClosed: "next-open-day" },
  roll: { kind: "before-last-trade", businessDays: 2 },
} as const;

export const interestRates: readonly Product[] = [
  { ...longTreasury, root: "ZB", name: "U.S. Treasury Bond", ...ticks("0.03125", "1000", "31.25") },
  {
    ...longTreasury,
    root: "UB",
    name: "Ultra U.S. Treasury Bond",
    ...ticks("0.03125", "1000", "31.25"),
  },
  {
    ...longTreasury,
    root: "ZN",
    name: "10-Year T-Note",
    ...ticks("0.015625", "1000", "15.625"),
  },
  {
    ...longTreasury,
    root: "TN",
    name: "Ultra 10-Year T-Note",
    ...ticks("0.015625", "1000", "15.625"),
  },
  { ...shortTreasury, root: "ZF", name: "5-Year T-Note", ...ticks("0.0078125", "1000", "7.8125") },
  { ...shortTreasury, root: "ZT", name: "2-Year T-Note", ...ticks("0.00390625", "2000", "7.8125") },
  {
    ...microTreasury,
    root: "MTN",
    market: "TN",
    name: "Micro Ultra 10-Year T-Note",
    ...ticks("0.015625", "100", "1.5625"),
  },
  {
    ...microTreasury,
    root: "MWN",
    market: "UB",
    name: "Micro Ultra T-Bond",
    ...ticks("0.03125", "100", "3.125"),
  },
  { ...cbot, ...overnightRate, root: "ZQ", name: "30-Day Federal Funds" },
  { ...cme, ...overnightRate, root: "SR1", name: "One-Month SOFR" },
  {
    ...cme,
    root: "SR3",
    name: "Three-Month SOFR",
    // Months that are not the nearest trade in twice this tick, which the broker enforces.
    ...ticks("0.0025", "2500", "6.25"),
    cycle: ALL_MONTHS,
    liquid: QUARTERS,
    // Named after the month its quarter starts in: SR3Z6 ends in March 2027.
    lastTrade: {
      kind: "weekday",
      weekday: WEDNESDAY,
      nth: 3,
      businessDaysBefore: 1,
      monthOffset: 3,
    },
    roll: { kind: "before-last-trade", businessDays: 5 },
    listedMonths: 108,
  },
  { ...microYield, root: "2YY", name: "2-Year Yield" },
  { ...microYield, root: "5YY", name: "5-Year Yield" },
  { ...microYield, root: "10Y", name: "10-Year Yield" },
  { ...microYield, root: "30Y", name: "30-Year Yield" },
  { ...german, root: "FGBL", name: "Euro-Bund", ...ticks("0.01", "1000", "10") },
  { ...german, root: "FGBM", name: "Euro-Bobl", ...ticks("0.01", "1000", "10") },
  { ...german, root: "FGBS", name: "Euro-Schatz", ...ticks("0.005", "1000", "5") },
];
