import { numberOr } from "../../parts/typed-text.ts";
import type { Indicator, IndicatorType, PriceSource } from "./types.ts";

type Parameter = Exclude<keyof Indicator, "type" | "source">;

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

/** One row of a form's indicators. */
export interface IndicatorTyped {
  /** Which row it is, however it is called. */
  readonly row: number;
  readonly name: string;
  readonly type: IndicatorType;
  readonly source: PriceSource;
  /** As text. */
  readonly parameters: Readonly<Partial<Record<Parameter, string>>>;
}

export type IndicatorsTyped = readonly IndicatorTyped[];

const newRow = (rows: IndicatorsTyped): number => Math.max(0, ...rows.map(({ row }) => row)) + 1;

export const withNew = (rows: IndicatorsTyped): IndicatorsTyped => [
  ...rows,
  { row: newRow(rows), name: "", type: "ema", source: "close", parameters: KINDS.ema.parameters },
];

/** What the new type has of what was typed already stays. */
export function asType(indicator: IndicatorTyped, type: IndicatorType): IndicatorTyped {
  const kept = parametersOf(type).map(
    (name) => [name, indicator.parameters[name] ?? KINDS[type].parameters[name]] as const,
  );
  return { ...indicator, type, parameters: Object.fromEntries(kept) };
}

export const typedIndicators = (indicators: Readonly<Record<string, Indicator>>): IndicatorsTyped =>
  Object.entries(indicators).map(([name, { source = "close", type, ...figures }], row) => ({
    row,
    name,
    type,
    source,
    parameters: Object.fromEntries(
      parametersOf(type).map((parameter) => [parameter, String(figures[parameter] ?? "")]),
    ),
  }));

/** By their names; of two with one name only the last is left, see `nameProblems`. */
export const indicatorsOf = (rows: IndicatorsTyped): Record<string, Indicator> =>
  Object.fromEntries(rows.map((row) => [nameOf(row), indicatorOf(row)]));

export const nameOf = ({ name }: IndicatorTyped): string => name.trim();

/** What is no number goes as text, and is refused by its name. */
function indicatorOf({ type, source, parameters }: IndicatorTyped): Indicator {
  const figures = parametersOf(type).map(
    (name) => [name, numberOr((parameters[name] ?? "").trim())] as const,
  );
  return {
    type,
    ...Object.fromEntries(figures),
    ...(KINDS[type].hasSource && source !== "close" && { source }),
  };
}

/** What cannot even be asked: rows without a name, or with another one's, by their `row`. */
export function nameProblems(rows: IndicatorsTyped): ReadonlyMap<number, string> {
  const problems = new Map<number, string>();
  for (const [place, row] of rows.entries()) {
    const name = nameOf(row);
    const isTaken = rows.slice(0, place).some((other) => nameOf(other) === name);
    if (name === "") problems.set(row.row, "Needs a name, by which conditions know it");
    else if (isTaken) problems.set(row.row, "Is the name of another indicator too");
  }
  return problems;
}
