import type { LastTradeRule, Product, RollRule } from "../../src/domain/contracts/product.ts";
import { earlyCloses } from "../early-closes.ts";
import { tradingHours } from "../trading-hours.ts";
import { cbot, cme, iceUs, ticks } from "./markets.ts";

// Cent-quoted products are in cents, as brokers and charts quote them: a point is one cent.

const grain = {
  ...cbot,
  hours: tradingHours.grains,
  shortDays: earlyCloses.agriculture,
  lastTrade: { kind: "before-date", day: 15, businessDaysBefore: 1, whenClosed: "nothing" },
  roll: { kind: "before-first-notice", businessDays: 3, noticeDays: 1 },
} as const;

const livestock = {
  ...cme,
  hours: tradingHours.livestock,
  shortDays: earlyCloses.agriculture,
};

/** Settled in cash: volume goes to the next month over the last week. */
const cashSettled: RollRule = { kind: "before-last-trade", businessDays: 5 };

/**
 * `noticeDays` are the exchange's: coffee seven and cocoa ten business days before the first
 * business day of the month, cotton five from the end of the month before.
 */
function soft(lastTrade: LastTradeRule, noticeDays: number) {
  const roll: RollRule = { kind: "before-first-notice", businessDays: 3, noticeDays };
  return { ...iceUs, lastTrade, roll };
}

function fromEndOfMonth(nth: number, monthOffset = 0): LastTradeRule {
  return { kind: "nth-last-business-day", nth, monthOffset };
}

export const agriculture: readonly Product[] = [
  { ...grain, root: "ZC", name: "Corn", ...ticks("0.25", "50", "12.50"), cycle: "HKNUZ" },
  { ...grain, root: "ZW", name: "Chicago Wheat", ...ticks("0.25", "50", "12.50"), cycle: "HKNUZ" },
  { ...grain, root: "KE", name: "KC Wheat", ...ticks("0.25", "50", "12.50"), cycle: "HKNUZ" },
  { ...grain, root: "ZO", name: "Oats", ...ticks("0.25", "50", "12.50"), cycle: "HKNUZ" },
  { ...grain, root: "ZS", name: "Soybeans", ...ticks("0.25", "50", "12.50"), cycle: "FHKNQUX" },
  {
    ...grain,
    root: "ZM",
    name: "Soybean Meal",
    ...ticks("0.10", "100", "10.00"),
    cycle: "FHKNQUVZ",
  },
  { ...grain, root: "ZL", name: "Soybean Oil", ...ticks("0.01", "600", "6.00"), cycle: "FHKNQUVZ" },
  {
    ...livestock,
    root: "LE",
    name: "Live Cattle",
    ...ticks("0.025", "400", "10.00"),
    cycle: "GJMQVZ",
    lastTrade: fromEndOfMonth(1),
    // Notices begin in the first days of the delivery month.
    roll: { kind: "before-first-notice", businessDays: 3, noticeDays: 1 },
  },
  {
    ...livestock,
    root: "HE",
    name: "Lean Hogs",
    ...ticks("0.025", "400", "10.00"),
    cycle: "GJKMNQVZ",
    lastTrade: { kind: "nth-business-day", nth: 10 },
    roll: cashSettled,
  },
  {
    ...livestock,
    root: "GF",
    name: "Feeder Cattle",
    ...ticks("0.025", "500", "12.50"),
    cycle: "FHJKQUVX",
    lastTrade: { kind: "feeder-cattle-thursday" },
    roll: cashSettled,
  },
  {
    // Hours, size and tick by CME Group's page and its questions and answers on lumber, the last day by its
    // rule of the business day before the 16th. Notices come after that day.
    ...cme,
    root: "LBR",
    hours: tradingHours.lumber,
    shortDays: earlyCloses.agriculture,
    name: "Lumber",
    ...ticks("0.50", "27.50", "13.75"),
    cycle: "FHKNUX",
    lastTrade: { kind: "before-date", day: 16, businessDaysBefore: 1, whenClosed: "nothing" },
    roll: { kind: "before-last-trade", businessDays: 5 },
  },
  {
    // One business day before last notice day, which is seven before the last business day.
    ...soft(fromEndOfMonth(9), 7),
    root: "KC",
    hours: tradingHours.coffee,
    name: "Coffee C",
    ...ticks("0.05", "375", "18.75"),
    cycle: "HKNUZ",
  },
  {
    ...soft(fromEndOfMonth(1, -1), 0),
    root: "SB",
    hours: tradingHours.sugar,
    name: "Sugar No. 11",
    ...ticks("0.01", "1120", "11.20"),
    cycle: "HKNV",
  },
  {
    // One business day before last notice day, which is ten before the last business day.
    ...soft(fromEndOfMonth(12), 10),
    root: "CC",
    hours: tradingHours.cocoa,
    name: "Cocoa",
    ...ticks("1", "10", "10.00"),
    cycle: "HKNUZ",
  },
  {
    ...soft(fromEndOfMonth(17), 5),
    root: "CT",
    hours: tradingHours.cotton,
    name: "Cotton No. 2",
    ...ticks("0.01", "500", "5.00"),
    cycle: "HKNVZ",
    // October cotton is listed but hardly trades.
    liquid: "HKNZ",
  },
  {
    // The fourteenth business day before the last one.
    ...soft(fromEndOfMonth(15), 0),
    root: "OJ",
    hours: tradingHours.orangeJuice,
    name: "Orange Juice",
    ...ticks("0.05", "150", "7.50"),
    cycle: "FHKNUX",
  },
];
