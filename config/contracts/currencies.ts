import type { LastTradeRule, Product } from "../../src/domain/contracts/product.ts";
import { earlyCloses } from "../early-closes.ts";
import { tradingHours } from "../trading-hours.ts";
import { ALL_MONTHS, cme, iceUs, QUARTERS, ticks } from "./markets.ts";

const WEDNESDAY = 3;
const FRIDAY = 5;

function beforeThirdWednesday(businessDaysBefore: number): LastTradeRule {
  return { kind: "weekday", weekday: WEDNESDAY, nth: 3, businessDaysBefore };
}

/** Twenty quarters are listed, and of most currencies the next three months. */
const currency = {
  ...cme,
  calendar: "CME_FX",
  cycle: ALL_MONTHS,
  liquid: QUARTERS,
  lastTrade: beforeThirdWednesday(2),
  roll: { kind: "monday-before-third-friday" },
} as const;

/** Two quarters are listed of the small contracts. */
const smallCurrency = { ...currency, cycle: QUARTERS };

/** Canadian dollars settle in one day, all others in two. */
const canadian = { lastTrade: beforeThirdWednesday(1) };

/**
 * The last Friday if that is a business day of London or of the United States, else the day before
 * (CME Rulebook, chapters 348 and 350). The American calendar alone tells: no last Friday is a
 * holiday over there while London works, and London's Boxing Day moves nothing. Until autumn 2021
 * the rule asked for both, which never made a difference.
 */
const crypto = {
  ...cme,
  cycle: ALL_MONTHS,
  lastTrade: { kind: "weekday", weekday: FRIDAY, nth: "last" },
  roll: { kind: "before-last-trade", businessDays: 2 },
} as const;

export const currencies: readonly Product[] = [
  { ...currency, root: "6E", name: "Euro FX", ...ticks("0.00005", "125000", "6.25") },
  { ...currency, root: "6B", name: "British Pound", ...ticks("0.0001", "62500", "6.25") },
  { ...currency, root: "6J", name: "Japanese Yen", ...ticks("0.0000005", "12500000", "6.25") },
  { ...currency, root: "6A", name: "Australian Dollar", ...ticks("0.00005", "100000", "5.00") },
  {
    ...currency,
    ...canadian,
    root: "6C",
    name: "Canadian Dollar",
    ...ticks("0.00005", "100000", "5.00"),
  },
  { ...currency, root: "6S", name: "Swiss Franc", ...ticks("0.00005", "125000", "6.25") },
  { ...currency, root: "6N", name: "New Zealand Dollar", ...ticks("0.00005", "100000", "5.00") },
  { ...currency, root: "6M", name: "Mexican Peso", ...ticks("0.00001", "500000", "5.00") },
  {
    ...smallCurrency,
    root: "M6E",
    market: "6E",
    name: "Micro EUR/USD",
    ...ticks("0.0001", "12500", "1.25"),
  },
  {
    ...smallCurrency,
    root: "M6A",
    market: "6A",
    name: "Micro AUD/USD",
    ...ticks("0.0001", "10000", "1.00"),
  },
  {
    ...smallCurrency,
    root: "M6B",
    market: "6B",
    name: "Micro GBP/USD",
    ...ticks("0.0001", "6250", "0.625"),
  },
  {
    ...smallCurrency,
    root: "E7",
    market: "6E",
    name: "E-mini Euro FX",
    ...ticks("0.0001", "62500", "6.25"),
  },
  {
    ...smallCurrency,
    root: "J7",
    market: "6J",
    name: "E-mini Japanese Yen",
    ...ticks("0.000001", "6250000", "6.25"),
  },
  {
    ...smallCurrency,
    ...canadian,
    root: "MCD",
    market: "6C",
    name: "Micro CAD/USD",
    ...ticks("0.0001", "10000", "1.00"),
  },
  {
    ...smallCurrency,
    root: "MJY",
    market: "6J",
    name: "Micro JPY/USD",
    ...ticks("0.000001", "1250000", "1.25"),
  },
  {
    ...smallCurrency,
    root: "MSF",
    market: "6S",
    name: "Micro CHF/USD",
    ...ticks("0.0001", "12500", "1.25"),
  },
  // Quoted the other way round: a tick is worth the currency that a dollar is counted in.
  {
    ...smallCurrency,
    ...canadian,
    root: "M6C",
    name: "Micro USD/CAD",
    currency: "CAD",
    ...ticks("0.0001", "10000", "1.00"),
  },
  {
    ...smallCurrency,
    root: "M6J",
    name: "Micro USD/JPY",
    currency: "JPY",
    ...ticks("0.01", "10000", "100"),
  },
  {
    ...smallCurrency,
    root: "M6S",
    name: "Micro USD/CHF",
    currency: "CHF",
    ...ticks("0.0001", "10000", "1.00"),
  },
  {
    ...iceUs,
    root: "DX",
    name: "U.S. Dollar Index",
    ...ticks("0.005", "1000", "5.00"),
    calendar: "ICE_US_FX",
    hours: tradingHours.dollarIndex,
    shortDays: earlyCloses.dollarIndex,
    cycle: QUARTERS,
    lastTrade: beforeThirdWednesday(2),
    roll: { kind: "monday-before-third-friday" },
  },
  { ...crypto, root: "BTC", name: "Bitcoin", ...ticks("5", "5", "25.00") },
  { ...crypto, root: "MBT", market: "BTC", name: "Micro Bitcoin", ...ticks("5", "0.1", "0.50") },
  { ...crypto, root: "ETH", name: "Ether", ...ticks("0.50", "50", "25.00") },
  { ...crypto, root: "MET", market: "ETH", name: "Micro Ether", ...ticks("0.50", "0.1", "0.05") },
  { ...crypto, root: "SOL", name: "Solana", ...ticks("0.05", "500", "25.00") },
  { ...crypto, root: "MSL", market: "SOL", name: "Micro Solana", ...ticks("0.05", "25", "1.25") },
  { ...crypto, root: "XRP", name: "XRP", ...ticks("0.0005", "50000", "25.00") },
  { ...crypto, root: "MXP", market: "XRP", name: "Micro XRP", ...ticks("0.0005", "2500", "1.25") },
];
