/**
 * What trades at the simulated exchanges. The numbers are copied from the pages named beside them
 * and never from the gateway's own contract table: a test holds the two against each other, so that a
 * wrong tick in either is seen.
 */
export interface SimulatedProduct {
  readonly root: string;
  readonly description: string;
  readonly exchange: "CME" | "CBOT" | "NYMEX" | "COMEX" | "CFE" | "EUREX";
  readonly currency: "USD" | "EUR" | "JPY" | "CAD" | "CHF";
  /** Exact decimals. */
  readonly tickSize: string;
  readonly tickValue: string;
  readonly valuePerPoint: number;
  /** The active months, as month codes. */
  readonly months: string;
  /** The day a contract ends on. Holidays are not counted. */
  readonly ends: (year: number, month: number) => Date;
}

type Terms = Omit<
  SimulatedProduct,
  "root" | "description" | "tickSize" | "tickValue" | "valuePerPoint"
>;
type Row = readonly [
  root: string,
  description: string,
  tickSize: string,
  tickValue: string,
  valuePerPoint: number,
];

const QUARTERS = "HMUZ";
const ALL = "FGHJKMNQUVXZ";
const [WEDNESDAY, FRIDAY] = [3, 5];

const thirdFriday: Terms["ends"] = (year, month) => nthWeekday(year, month, FRIDAY, 3);
const beforeSecondFriday: Terms["ends"] = (year, month) =>
  daysAfter(nthWeekday(year, month, FRIDAY, 2), -1);
const beforeThirdWednesday: Terms["ends"] = (year, month) =>
  daysAfter(nthWeekday(year, month, WEDNESDAY, 3), -2);
const lastFriday: Terms["ends"] = (year, month) =>
  daysAfter(nthWeekday(year, month + 1, FRIDAY, 1), -7);
const thirtyDaysBeforeNext: Terms["ends"] = (year, month) =>
  daysAfter(nthWeekday(year, month + 1, FRIDAY, 3), -30);
const fromEnd =
  (nth: number, monthsBefore = 0): Terms["ends"] =>
  (year, month) =>
    nthLastWeekday(year, month - monthsBefore, nth);

/** Of the month before; where the 25th is no business day, one day more. */
const before25th =
  (days: number): Terms["ends"] =>
  (year, month) => {
    const day = new Date(Date.UTC(year, month - 2, 25, 14, 30));
    const isOpen = day.getUTCDay() % 6 !== 0;
    return businessDaysBefore(day, isOpen ? days : days + 1);
  };

const index = { exchange: "CME", currency: "USD", months: QUARTERS, ends: thirdFriday } as const;
const nikkei = { ...index, ends: beforeSecondFriday };
const eurex = { ...index, exchange: "EUREX", currency: "EUR" } as const;
const gas = { exchange: "NYMEX", currency: "USD", months: ALL, ends: fromEnd(3, 1) } as const;
const metal = { exchange: "COMEX", currency: "USD", ends: fromEnd(3) } as const;
const gold = { ...metal, months: "GJMQZ" };
const silver = { ...metal, months: "HKNUZ" };
const settledBefore = { ends: fromEnd(3, 1) };
const fx = { ...index, ends: beforeThirdWednesday };
const crypto = { exchange: "CME", currency: "USD", months: ALL, ends: lastFriday } as const;
const rate = { exchange: "CBOT", currency: "USD", months: ALL, ends: fromEnd(1) } as const;

export const PRODUCTS: readonly SimulatedProduct[] = [
  // CME Group, "Contract Specs" of each; NQ as Tradovate's documentation shows the entity.
  ...rows(
    index,
    ["ES", "E-mini S&P 500", "0.25", "12.50", 50],
    ["MES", "Micro E-mini S&P 500", "0.25", "1.25", 5],
    ["NQ", "E-mini NASDAQ 100", "0.25", "5.00", 20],
    ["MNQ", "Micro E-mini NASDAQ-100", "0.25", "0.50", 2],
    ["RTY", "E-mini Russell 2000", "0.10", "5.00", 50],
    ["M2K", "Micro E-mini Russell 2000", "0.10", "0.50", 5],
  ),
  ...rows(
    { ...index, exchange: "CBOT" },
    ["YM", "E-mini Dow", "1", "5.00", 5],
    ["MYM", "Micro E-mini Dow", "1", "0.50", 0.5],
  ),
  // cmegroup.com/articles/faqs/faq-micro-nikkei-futures, nikkei-225-yen.contractSpecs
  ...rows(nikkei, ["NKD", "Nikkei/USD", "5", "25.00", 5]),
  ...rows({ ...nikkei, currency: "JPY" }, ["NIY", "Nikkei/Yen", "5", "2500", 500]),
  // eurex.com, EURO STOXX 50 Index Futures; "Micro Product Suite"
  ...rows(
    eurex,
    ["FESX", "EURO STOXX 50", "1", "10", 10],
    ["FSXE", "Micro-EURO STOXX 50", "0.5", "0.50", 1],
    ["FDXS", "Micro-DAX", "1", "1", 1],
  ),
  // Cboe's notice of the smaller increment of VXM
  ...rows({ ...crypto, exchange: "CFE", ends: thirtyDaysBeforeNext }, [
    "VXM",
    "Mini VIX",
    "0.01",
    "1.00",
    100,
  ]),
  // cmegroup.com/articles/faqs/micro-henry-hub-natural-gas-futures-and-options
  ...rows(
    gas,
    ["NG", "Henry Hub Natural Gas", "0.001", "10.00", 10_000],
    ["QG", "E-mini Natural Gas", "0.005", "12.50", 2_500],
    ["MNG", "Micro Henry Hub Natural Gas", "0.001", "1.00", 1_000],
  ),
  // cmegroup.com gold, e-micro-gold, 1-ounce-gold, silver, copper and platinum "Contract Specs";
  // the ticks of QO and QI from CME Group's settlement procedures
  ...rows(gold, ["GC", "Gold", "0.10", "10.00", 100], ["MGC", "Micro Gold", "0.10", "1.00", 10]),
  ...rows(
    { ...gold, ...settledBefore },
    ["QO", "E-mini Gold", "0.25", "12.50", 50],
    ["1OZ", "1-Ounce Gold", "0.25", "0.25", 1],
  ),
  ...rows(
    silver,
    ["SI", "Silver", "0.005", "25.00", 5_000],
    ["SIL", "Micro Silver", "0.005", "5.00", 1_000],
    ["HG", "Copper", "0.0005", "12.50", 25_000],
  ),
  ...rows(
    { ...silver, ...settledBefore },
    ["QI", "E-mini Silver", "0.0125", "31.25", 2_500],
    ["QC", "E-mini Copper", "0.002", "25.00", 12_500],
    ["MHG", "Micro Copper", "0.0005", "1.25", 2_500],
  ),
  ...rows({ ...metal, exchange: "NYMEX", months: "FJNV" }, ["PL", "Platinum", "0.10", "5.00", 50]),
  // cmegroup.com/trading/fx/g10/monthlies, cmegroup.com/markets/microsuite/fx (before and after 2025)
  ...rows(
    fx,
    ["6E", "Euro FX", "0.00005", "6.25", 125_000],
    ["6J", "Japanese Yen", "0.0000005", "6.25", 12_500_000],
    ["6B", "British Pound", "0.0001", "6.25", 62_500],
    ["6C", "Canadian Dollar", "0.00005", "5.00", 100_000],
    ["M6E", "Micro EUR/USD", "0.0001", "1.25", 12_500],
    ["M6A", "Micro AUD/USD", "0.0001", "1.00", 10_000],
    ["M6B", "Micro GBP/USD", "0.0001", "0.625", 6_250],
    ["MCD", "Micro CAD/USD", "0.0001", "1.00", 10_000],
    ["MJY", "Micro JPY/USD", "0.000001", "1.25", 1_250_000],
    ["MSF", "Micro CHF/USD", "0.0001", "1.25", 12_500],
  ),
  ...rows({ ...fx, currency: "CAD" }, ["M6C", "Micro USD/CAD", "0.0001", "1", 10_000]),
  ...rows({ ...fx, currency: "JPY" }, ["M6J", "Micro USD/JPY", "0.01", "100", 10_000]),
  ...rows({ ...fx, currency: "CHF" }, ["M6S", "Micro USD/CHF", "0.0001", "1", 10_000]),
  // cmegroup.com bitcoin "Contract Specs", "Introduction to SOL and Micro SOL futures", "XRP Futures"
  ...rows(
    crypto,
    ["BTC", "Bitcoin", "5", "25.00", 5],
    ["SOL", "Solana", "0.05", "25.00", 500],
    ["MSL", "Micro Solana", "0.05", "1.25", 25],
    ["XRP", "XRP", "0.0005", "25.00", 50_000],
    ["MXP", "Micro XRP", "0.0005", "1.25", 2_500],
  ),
  // cmegroup.com 30-day federal funds, one-month SOFR, micro treasury yields
  ...rows(
    rate,
    ["ZQ", "30 Day Federal Funds", "0.0025", "10.4175", 4_167],
    ["2YY", "2-Year Yield", "0.001", "1.00", 1_000],
    ["5YY", "5-Year Yield", "0.001", "1.00", 1_000],
    ["10Y", "10-Year Yield", "0.001", "1.00", 1_000],
    ["30Y", "30-Year Yield", "0.001", "1.00", 1_000],
  ),
  ...rows({ ...rate, exchange: "CME" }, ["SR1", "One-Month SOFR", "0.0025", "10.4175", 4_167]),
  // cmegroup.com crude oil, micro WTI and e-mini crude oil "Contract Specs"
  ...rows({ ...gas, ends: before25th(3) }, ["CL", "Crude Oil", "0.01", "10.00", 1_000]),
  ...rows(
    { ...gas, ends: before25th(4) },
    ["MCL", "Micro WTI Crude Oil", "0.01", "1.00", 100],
    ["QM", "E-mini Crude Oil", "0.025", "12.50", 500],
  ),
  // cmegroup.com 10-year note, T-bond and micro ether "Contract Specs"
  ...rows(
    { ...rate, months: QUARTERS, ends: fromEnd(8) },
    ["ZN", "10-Year T-Note", "0.015625", "15.625", 1_000],
    ["ZB", "U.S. Treasury Bond", "0.03125", "31.25", 1_000],
  ),
  ...rows(crypto, ["MET", "Micro Ether", "0.50", "0.05", 0.1]),
];

function rows(terms: Terms, ...table: readonly Row[]): readonly SimulatedProduct[] {
  return table.map(([root, description, tickSize, tickValue, valuePerPoint]) => ({
    ...terms,
    root,
    description,
    tickSize,
    tickValue,
    valuePerPoint,
  }));
}

function daysAfter(date: Date, days: number): Date {
  return new Date(date.getTime() + days * 86_400_000);
}

function nthWeekday(year: number, month: number, weekday: number, nth: number): Date {
  const first = new Date(Date.UTC(year, month - 1, 1, 14, 30));
  return daysAfter(first, ((weekday - first.getUTCDay() + 7) % 7) + (nth - 1) * 7);
}

function nthLastWeekday(year: number, month: number, nth: number): Date {
  return businessDaysBefore(new Date(Date.UTC(year, month, 1, 14, 30)), nth);
}

function businessDaysBefore(date: Date, days: number): Date {
  let day = date;
  for (let counted = 0; counted < days;) {
    day = daysAfter(day, -1);
    if (day.getUTCDay() % 6 !== 0) counted += 1;
  }
  return day;
}
