import {
  ADX,
  ATR,
  BollingerBands,
  CCI,
  DonchianChannels,
  EMA,
  MACD,
  ROC,
  RSI,
  SMA,
  StochasticOscillator,
  WMA,
  WSMA,
} from "trading-signals";
import type { IndicatorTerms, PriceSource } from "../domain/strategies/indicator.ts";
import type { PriceBar, Series } from "../trading/strategies/ports.ts";

/** The series of one indicator by the names of its parts; `""` where it has only one. */
export type IndicatorSeries = Readonly<Record<string, Series>>;

/** What a library's indicator has in common: one number, or several, for each bar. */
interface Running<Input, Result> {
  readonly update: (input: Input, replace: boolean) => Result | null;
  readonly isStable: boolean;
}

/** An indicator over all of the bars, oldest first; null where it has no number yet. */
export function computeIndicator(
  terms: IndicatorTerms,
  bars: readonly PriceBar[],
): IndicatorSeries {
  switch (terms.type) {
    case "sma":
      return ofPrices(new SMA(terms.period), terms.source, bars);
    case "ema":
      return ofPrices(new EMA(terms.period), terms.source, bars);
    case "wma":
      return ofPrices(new WMA(terms.period), terms.source, bars);
    case "rma":
      // Wilder's, which begins with the mean of its first period; the library's RMA does not.
      return ofPrices(new WSMA(terms.period), terms.source, bars);
    case "rsi":
      return computeRsi(terms, bars);
    case "roc":
      return ofPrices(new ROC(terms.period), terms.source, bars);
    case "atr":
      return { "": run(new ATR(terms.period), bars, (value) => value) };
    case "adx":
      return computeAdx(terms.period, bars);
    case "cci":
      return { "": run(new CCI(terms.period), bars, (value) => value) };
    case "macd":
      return computeMacd(terms, bars);
    case "bollinger": {
      const { period, deviations, source } = terms;
      const prices = pricesOf(bars, source);
      const bands = results(new BollingerBands(period, deviations), prices);
      return {
        upper: part(bands, "upper"),
        middle: part(bands, "middle"),
        lower: part(bands, "lower"),
      };
    }
    case "stochastic":
      return computeStochastic(terms, bars);
    case "donchian": {
      const channel = results(new DonchianChannels(terms.period), bars);
      return {
        upper: part(channel, "upper"),
        middle: part(channel, "middle"),
        lower: part(channel, "lower"),
      };
    }
  }
}

/** Bars at the beginning that have no range would leave a division by zero in it for good. */
function computeAdx(period: number, bars: readonly PriceBar[]): IndicatorSeries {
  const moved = bars.findIndex(({ high, low }) => high !== low);
  const still = moved === -1 ? bars.length : moved;
  const values = run(new ADX(period), bars.slice(still), (value) => value);
  return { "": [...Array<null>(still).fill(null), ...values] };
}

/** Without a gain or a loss there is no share of gains; the library says that all of it are. */
function computeRsi(
  { period, source }: { readonly period: number; readonly source?: PriceSource },
  bars: readonly PriceBar[],
): IndicatorSeries {
  const prices = pricesOf(bars, source);
  const moved = prices.findIndex((price) => price !== prices[0]);
  const still = moved === -1 ? bars.length : moved;
  const values = run(new RSI(period), prices, (value) => value);
  return { "": values.map((value, index) => (index < still ? null : value)) };
}

/**
 * Within bars that have no range there is no place in the range; the library says the lowest. Neither
 * has an average one that such a place is missing in.
 */
function computeStochastic(
  { period, smoothK, smoothD }: Extract<IndicatorTerms, { type: "stochastic" }>,
  bars: readonly PriceBar[],
): IndicatorSeries {
  const terms = { kPeriod: period, kSlowingPeriod: smoothK, dPeriod: smoothD };
  const both = results(new StochasticOscillator(terms), bars);
  const isFlat = bars.map((_, index) => {
    const seen = bars.slice(Math.max(0, index + 1 - period), index + 1);
    return Math.max(...seen.map(({ high }) => high)) === Math.min(...seen.map(({ low }) => low));
  });
  const whole = (values: Series, count: number): Series =>
    values.map((value, index) =>
      isFlat.slice(Math.max(0, index + 1 - count), index + 1).includes(true) ? null : value,
    );
  return {
    k: whole(part(both, "stochK"), smoothK),
    d: whole(part(both, "stochD"), smoothK + smoothD - 1),
  };
}

/** Its line is there before its signal; a value is both of them. */
function computeMacd(
  { fast, slow, signal, source }: Extract<IndicatorTerms, { type: "macd" }>,
  bars: readonly PriceBar[],
): IndicatorSeries {
  const average = new EMA(signal);
  const macd = new MACD(new EMA(fast), new EMA(slow), average);
  const lines = pricesOf(bars, source).map((price) => {
    const line = macd.update(price, false);
    return average.isStable ? line : null;
  });
  return {
    macd: part(lines, "macd"),
    signal: part(lines, "signal"),
    histogram: part(lines, "histogram"),
  };
}

function ofPrices(
  indicator: Running<number, number>,
  source: PriceSource | undefined,
  bars: readonly PriceBar[],
): IndicatorSeries {
  return { "": run(indicator, pricesOf(bars, source), (value) => value) };
}

function run<Input, Result>(
  indicator: Running<Input, Result>,
  inputs: readonly Input[],
  read: (result: Result) => number,
): Series {
  return results(indicator, inputs).map((result) =>
    result === null ? null : finite(read(result)),
  );
}

function results<Input, Result>(
  indicator: Running<Input, Result>,
  inputs: readonly Input[],
): readonly (Result | null)[] {
  return inputs.map((input) => {
    const result = indicator.update(input, false);
    // Some answer numbers before they have seen a whole period.
    return indicator.isStable ? result : null;
  });
}

function part<Name extends string>(
  lines: readonly (Readonly<Record<Name, number>> | null)[],
  name: Name,
): Series {
  return lines.map((line) => (line === null ? null : finite(line[name])));
}

/** A division by zero is no number that conditions should meet. */
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

function pricesOf(bars: readonly PriceBar[], source: PriceSource = "close"): readonly number[] {
  if (source === "typical") return bars.map(({ high, low, close }) => (high + low + close) / 3);
  return bars.map((bar) => bar[source]);
}
