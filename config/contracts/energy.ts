import type { LastTradeRule, Product } from "../../src/domain/contracts/product.ts";
import { ALL_MONTHS, iceEu, nymex, ticks } from "./markets.ts";

/** Volume leaves an expiring energy contract five to seven business days before its last day. */
const energy = {
  ...nymex,
  cycle: ALL_MONTHS,
  roll: { kind: "before-last-trade", businessDays: 5 },
  mayBeNegative: true,
} as const;

/** Listed for ten years and more; the bound for one-digit years is just below. */
const longStrip = { listedMonths: 108 } as const;

/** NYMEX Rulebook, chapter 200: before the 25th of the month before delivery. */
function beforeThe25th(businessDaysBefore: number): LastTradeRule {
  return {
    kind: "before-date",
    day: 25,
    businessDaysBefore,
    whenClosed: "one-more",
    monthOffset: -1,
  };
}

function lastOfMonthBefore(nth: number): LastTradeRule {
  return { kind: "nth-last-business-day", nth, monthOffset: -1 };
}

const refined = { ...energy, lastTrade: lastOfMonthBefore(1) };

/**
 * The last London business day of the second month before; the February contract ends a day
 * earlier, since that month is December and no oil contract ends on the eve of a new year.
 */
const brentLastTrade: LastTradeRule = {
  kind: "nth-last-business-day",
  nth: 1,
  nthFor: { 2: 2 },
  monthOffset: -2,
};

export const energies: readonly Product[] = [
  {
    ...energy,
    ...longStrip,
    root: "CL",
    name: "Crude Oil",
    ...ticks("0.01", "1000", "10.00"),
    lastTrade: beforeThe25th(3),
  },
  {
    ...energy,
    root: "MCL",
    market: "CL",
    name: "Micro WTI Crude Oil",
    ...ticks("0.01", "100", "1.00"),
    lastTrade: beforeThe25th(4),
  },
  {
    ...energy,
    root: "QM",
    market: "CL",
    name: "E-mini Crude Oil",
    ...ticks("0.025", "500", "12.50"),
    lastTrade: beforeThe25th(4),
  },
  {
    ...energy,
    ...longStrip,
    root: "NG",
    name: "Henry Hub Natural Gas",
    ...ticks("0.001", "10000", "10.00"),
    lastTrade: lastOfMonthBefore(3),
  },
  {
    ...energy,
    root: "QG",
    market: "NG",
    name: "E-mini Natural Gas",
    ...ticks("0.005", "2500", "12.50"),
    lastTrade: lastOfMonthBefore(4),
  },
  {
    ...energy,
    root: "MNG",
    market: "NG",
    name: "Micro Henry Hub Natural Gas",
    ...ticks("0.001", "1000", "1.00"),
    lastTrade: lastOfMonthBefore(4),
  },
  { ...refined, root: "RB", name: "RBOB Gasoline", ...ticks("0.0001", "42000", "4.20") },
  { ...refined, root: "HO", name: "NY Harbor ULSD", ...ticks("0.0001", "42000", "4.20") },
  {
    ...energy,
    ...longStrip,
    root: "BZ",
    name: "Brent Last Day Financial",
    ...ticks("0.01", "1000", "10.00"),
    calendar: "LONDON",
    lastTrade: brentLastTrade,
  },
  {
    ...energy,
    ...iceEu,
    ...longStrip,
    root: "B",
    aliases: ["BRN"],
    name: "Brent Crude",
    prefixRequired: true,
    ...ticks("0.01", "1000", "10.00"),
    lastTrade: brentLastTrade,
  },
  {
    ...energy,
    ...iceEu,
    root: "G",
    aliases: ["ULS"],
    name: "Low Sulphur Gasoil",
    prefixRequired: true,
    ...ticks("0.25", "100", "25.00"),
    lastTrade: { kind: "before-date", day: 14, businessDaysBefore: 2, whenClosed: "nothing" },
  },
];
