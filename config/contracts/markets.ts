import type { Product } from "../../src/domain/contracts/product.ts";
import { tickSize } from "../../src/domain/contracts/price.ts";
import type { holidays } from "../holidays.ts";

/** What all products of a market have in common. */
export type Market = Pick<
  Product,
  "exchange" | "prefixes" | "currency" | "timeZone" | "listedMonths"
> & { readonly calendar: keyof typeof holidays };

export const ALL_MONTHS = "FGHJKMNQUVXZ";
export const QUARTERS = "HMUZ";

/**
 * More than nearly all exchanges list: gold and the Nikkei reach six years ahead. The bound keeps a
 * one-digit year from meaning the contract ten years after one that expired within the last three.
 */
const SEVEN_YEARS = 84;

const unitedStates = { currency: "USD", listedMonths: SEVEN_YEARS } as const;

export const cme: Market = {
  ...unitedStates,
  exchange: "CME",
  prefixes: ["CME", "CME_MINI"],
  calendar: "CME",
  timeZone: "America/Chicago",
};

export const cbot: Market = { ...cme, exchange: "CBOT", prefixes: ["CBOT", "CBOT_MINI"] };

export const nymex: Market = {
  ...unitedStates,
  exchange: "NYMEX",
  prefixes: ["NYMEX", "NYMEX_MINI"],
  calendar: "CME",
  timeZone: "America/New_York",
};

export const comex: Market = { ...nymex, exchange: "COMEX", prefixes: ["COMEX", "COMEX_MINI"] };

export const cfe: Market = {
  ...unitedStates,
  exchange: "CFE",
  prefixes: ["CFE", "CBOE", "CBOEFTS"],
  calendar: "CFE",
  timeZone: "America/Chicago",
};

export const iceUs: Market = {
  ...unitedStates,
  exchange: "ICE US",
  prefixes: ["ICEUS", "ICE", "NYBOT"],
  calendar: "ICE_US",
  timeZone: "America/New_York",
};

export const iceEu: Market = {
  ...unitedStates,
  exchange: "ICE EU",
  prefixes: ["ICEEUR", "ICEEU", "ICE"],
  calendar: "ICE_EU",
  timeZone: "Europe/London",
};

export const eurex: Market = {
  exchange: "EUREX",
  prefixes: ["EUREX"],
  currency: "EUR",
  calendar: "EUREX",
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
