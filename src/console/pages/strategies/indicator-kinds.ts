import type { Indicator, IndicatorType, PriceSource } from "./types.ts";

export type Parameter = Exclude<keyof Indicator, "type" | "source">;

/**
 * Where an indicator is drawn: over the bars, or below them together with those of the same scale.
 */
export type Pane = "price" | "percent" | "macd" | "atr" | "cci" | "roc";

interface Kind {
  readonly label: string;
  /** What it has to be told, and what is offered for it. */
  readonly parameters: Readonly<Partial<Record<Parameter, string>>>;
  /** Whether it is of a price that may be chosen; the others look at whole bars. */
  readonly hasSource: boolean;
  readonly pane: Pane;
}

const average = (label: string): Kind => ({
  label,
  parameters: { period: "20" },
  hasSource: true,
  pane: "price",
});

/** Every kind of indicator. The rules are the gateway's; a test holds both to the same answers. */
export const KINDS: Readonly<Record<IndicatorType, Kind>> = {
  ema: average("Exponential average (EMA)"),
  sma: average("Simple average (SMA)"),
  wma: average("Weighted average (WMA)"),
  rma: average("Wilder's average (RMA)"),
  rsi: {
    label: "Relative strength (RSI)",
    parameters: { period: "14" },
    hasSource: true,
    pane: "percent",
  },
  macd: {
    label: "MACD",
    parameters: { fast: "12", slow: "26", signal: "9" },
    hasSource: true,
    pane: "macd",
  },
  bollinger: {
    label: "Bollinger bands",
    parameters: { period: "20", deviations: "2" },
    hasSource: true,
    pane: "price",
  },
  donchian: {
    label: "Donchian channel",
    parameters: { period: "20" },
    hasSource: false,
    pane: "price",
  },
  atr: {
    label: "Average true range (ATR)",
    parameters: { period: "14" },
    hasSource: false,
    pane: "atr",
  },
  stochastic: {
    label: "Stochastic",
    parameters: { period: "14", smoothK: "3", smoothD: "3" },
    hasSource: false,
    pane: "percent",
  },
  adx: {
    label: "Trend strength (ADX)",
    parameters: { period: "14" },
    hasSource: false,
    pane: "percent",
  },
  cci: {
    label: "Commodity channel (CCI)",
    parameters: { period: "20" },
    hasSource: false,
    pane: "cci",
  },
  roc: {
    label: "Rate of change (ROC)",
    parameters: { period: "10" },
    hasSource: true,
    pane: "roc",
  },
};

export const TYPES = Object.keys(KINDS) as readonly IndicatorType[];

export const parametersOf = (type: IndicatorType): readonly Parameter[] =>
  Object.keys(KINDS[type].parameters) as Parameter[];

/** The series of an indicator that has several; a test compares them with the gateway's. */
export const PARTS: Readonly<Partial<Record<IndicatorType, readonly string[]>>> = {
  macd: ["macd", "signal", "histogram"],
  bollinger: ["upper", "middle", "lower"],
  stochastic: ["k", "d"],
  donchian: ["upper", "middle", "lower"],
};

export const PARAMETER_WORDS: Readonly<Record<Parameter, string>> = {
  period: "Period, bars",
  fast: "Fast, bars",
  slow: "Slow, bars",
  signal: "Signal, bars",
  deviations: "Deviations",
  smoothK: "%K over, bars",
  smoothD: "%D over, bars",
};

export const SOURCES: readonly (readonly [PriceSource, string])[] = [
  ["close", "Close"],
  ["open", "Open"],
  ["high", "High"],
  ["low", "Low"],
  ["typical", "Typical"],
];

/** "ema 9", "macd 12 26 9 of open". */
export function indicatorInWords(indicator: Indicator): string {
  const { source, type } = indicator;
  const figures = parametersOf(type).map((name) => indicator[name]);
  const of = source === undefined || source === "close" ? [] : [`of ${source}`];
  return [type, ...figures, ...of].join(" ");
}
