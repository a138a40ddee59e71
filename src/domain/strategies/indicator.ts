/** Which price of a bar an average is taken of. `typical` is (high + low + close) / 3. */
export const PRICE_SOURCES = ["open", "high", "low", "close", "typical"] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/** Of one price and one period: a series of numbers. */
export const AVERAGES = ["sma", "ema", "wma", "rma", "rsi", "roc"] as const;
/** Of whole bars and one period: a series of numbers. */
export const BAR_SERIES = ["atr", "adx", "cci"] as const;

/** One indicator with its parameters. Periods are bars. */
export type IndicatorTerms =
  | {
      readonly type: (typeof AVERAGES)[number];
      readonly period: number;
      /** Absent: close. */
      readonly source?: PriceSource;
    }
  | { readonly type: (typeof BAR_SERIES)[number]; readonly period: number }
  | {
      readonly type: "macd";
      /** Less than `slow`. */
      readonly fast: number;
      readonly slow: number;
      readonly signal: number;
      readonly source?: PriceSource;
    }
  | {
      readonly type: "bollinger";
      readonly period: number;
      /** How many standard deviations the bands are away. */
      readonly deviations: number;
      readonly source?: PriceSource;
    }
  | {
      readonly type: "stochastic";
      readonly period: number;
      /** Over how many bars %K is smoothed, and %D after it. */
      readonly smoothK: number;
      readonly smoothD: number;
    }
  | { readonly type: "donchian"; readonly period: number };

export type IndicatorType = IndicatorTerms["type"];

/** The series of an indicator that has several; those that are not listed are one series. */
export const INDICATOR_PARTS = {
  macd: ["macd", "signal", "histogram"],
  bollinger: ["upper", "middle", "lower"],
  stochastic: ["k", "d"],
  donchian: ["upper", "middle", "lower"],
} as const satisfies Partial<Record<IndicatorType, readonly string[]>>;

/** The names of an indicator's series; undefined where it is one series without a name. */
export function partsOf(type: IndicatorType): readonly string[] | undefined {
  return type in INDICATOR_PARTS
    ? INDICATOR_PARTS[type as keyof typeof INDICATOR_PARTS]
    : undefined;
}

/** One bar's number of an indicator, or of each of its parts by name. */
export type IndicatorValue = number | Readonly<Record<string, number>>;

/** How many bars it must have seen before it has a value. */
export function barsNeeded(terms: IndicatorTerms): number {
  switch (terms.type) {
    case "sma":
    case "ema":
    case "wma":
    case "rma":
    case "atr":
    case "cci":
    case "bollinger":
    case "donchian":
      return terms.period;
    case "rsi":
    case "roc":
      return terms.period + 1;
    case "adx":
      return 2 * terms.period - 1;
    case "macd":
      return terms.slow + terms.signal - 1;
    case "stochastic":
      return terms.period + terms.smoothK + terms.smoothD - 2;
  }
}
