import type { Product } from "../../src/domain/contracts/product.ts";
import { tickSize } from "../../src/domain/contracts/price.ts";
import { earlyCloses } from "../early-closes.ts";
import type { holidays } from "../holidays.ts";
import { tradingHours } from "../trading-hours.ts";

/** What all products of a market have in common. */
export type Market = Pick<
  Product,
  "exchange" | "prefixes" | "currency" | "timeZone" | "listedMonths" | "hours" | "shortDays"
> & { readonly calendar: keyof typeof holidays };

export const ALL_MONTHS = "FGHJKMNQUVXZ";
export const QUARTERS = "HMUZ";

/**
 * More than nearly all exchanges list: gold and the Nikkei reach six years ahead. The bound keeps a
 * one-digit year from meaning the contract ten years after one that expired within the last three.
 */
const SEVEN_YEARS = 84;

const unitedStates = { currency: "USD", listedMonths: SEVEN_YEARS } as const;

/**
 * The names of one of CME Group's exchanges: as TradingView, as IQFeed and what is built on it (`_GBX`), and
 * as ISO 10383 (`mic`) call it, and those of the platform that all of them trade on.
 */
const ofGroup = (name: string, mic: string): readonly string[] => [
  name,
  `${name}_MINI`,
  `${name}_GBX`,
  mic,
  "GLOBEX",
  "GLBX",
  "CME_GROUP",
];

export const cme: Market = {
  ...unitedStates,
  exchange: "CME",
  prefixes: ofGroup("CME", "XCME"),
  calendar: "CME",
  hours: tradingHours.globex,
  shortDays: earlyCloses.financials,
  timeZone: "America/Chicago",
};

export const cbot: Market = { ...cme, exchange: "CBOT", prefixes: ofGroup("CBOT", "XCBT") };

export const nymex: Market = {
  ...unitedStates,
  exchange: "NYMEX",
  prefixes: ofGroup("NYMEX", "XNYM"),
  calendar: "CME",
  hours: tradingHours.globex,
  shortDays: earlyCloses.energyAndMetals,
  timeZone: "America/New_York",
};

export const comex: Market = { ...nymex, exchange: "COMEX", prefixes: ofGroup("COMEX", "XCEC") };

export const cfe: Market = {
  ...unitedStates,
  exchange: "CFE",
  prefixes: ["CFE", "CBOE", "CBOEFTS", "XCBF"],
  calendar: "CFE",
  hours: tradingHours.globex,
  shortDays: earlyCloses.volatility,
  timeZone: "America/Chicago",
};

/** Each of its products has hours of its own. */
export const iceUs: Omit<Market, "hours"> = {
  ...unitedStates,
  exchange: "ICE US",
  prefixes: ["ICEUS", "ICE", "NYBOT", "ICEFU", "IFUS"],
  calendar: "ICE_US",
  shortDays: earlyCloses.softs,
  timeZone: "America/New_York",
};

export const iceEu: Market = {
  ...unitedStates,
  exchange: "ICE EU",
  prefixes: ["ICEEUR", "ICEEU", "ICE", "IFEU", "IPE"],
  calendar: "ICE_EU",
  hours: tradingHours.iceEnergy,
  shortDays: earlyCloses.iceOil,
  timeZone: "Europe/London",
};

export const eurex: Market = {
  exchange: "EUREX",
  prefixes: ["EUREX", "XEUR", "DTB"],
  currency: "EUR",
  calendar: "EUREX",
  hours: tradingHours.eurex,
  shortDays: earlyCloses.none,
  timeZone: "Europe/Berlin",
  listedMonths: SEVEN_YEARS,
};

/** Tick size, what a point of the quoted price is worth, and what a tick is worth. */
export function ticks(
  size: string,
  pointValue: string,
  tickValue: string,
): Pick<Product, "tickSize" | "pointValue" | "tickValue"> {
  return { tickSize: tickSize(size), pointValue, tickValue };
}
