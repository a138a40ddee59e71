import { barsNeeded, type IndicatorTerms, partsOf } from "../domain/strategies/indicator.ts";
import {
  type ConditionName,
  CONDITIONS,
  type StrategyRules,
} from "../domain/strategies/strategy.ts";
import type { Problem } from "../errors.ts";
import type {
  Computed,
  EngineInputs,
  IndicatorValues,
  PriceBar,
  Series,
} from "../trading/strategies/ports.ts";
import { checkCondition } from "./check-condition.ts";
import {
  createConditionLanguage,
  isFreeName,
  PRICE_SERIES,
  VISIBLE_VALUES,
} from "./condition-language.ts";
import { evaluateCondition, TooFewValuesError } from "./evaluate-condition.ts";
import { readClock } from "./read-clock.ts";
import { computeIndicator, type IndicatorSeries } from "./indicators.ts";

/**
 * How many bars times how long a period all indicators of a strategy may have together: some 15 ms of
 * a core for the costliest of them.
 */
const MOST_INDICATOR_STEPS = 200_000;

const NAME = /^[a-z][A-Za-z0-9_]{0,31}$/;

/** Indicators by `trading-signals`, conditions in CEL by `@marcbachmann/cel-js`, where it is called. */
export function createStrategyEngine() {
  return { check, compute, series };
}

function check(rules: StrategyRules): readonly Problem[] {
  const problems = [...checkIndicators(rules)];
  // A condition about indicators that are not right would be blamed for them.
  return problems.length > 0 ? problems : checkConditions(rules);
}

function checkIndicators({ indicators, barCount }: StrategyRules): readonly Problem[] {
  const problems: Problem[] = [];
  let steps = 0;
  for (const [name, terms] of Object.entries(indicators)) {
    const path = `indicators.${name}`;
    if (!NAME.test(name)) {
      const message = "is no name: a small letter, then at most 31 letters, digits and _";
      problems.push({ path, message });
    } else if (!isFreeName(name)) {
      problems.push({ path, message: "is a word of conditions already" });
    }
    if (terms.type === "macd" && terms.fast >= terms.slow) {
      problems.push({ path: `${path}.fast`, message: "must be less than slow" });
    }
    const needed = barsNeeded(terms);
    if (needed > barCount) {
      const message = `needs ${needed} bars, and barCount is ${barCount}`;
      problems.push({ path, message });
    }
    steps += barCount * needed;
  }
  if (steps > MOST_INDICATOR_STEPS) {
    const message = `take ${steps} steps together (barCount times the bars each needs), and may take ${MOST_INDICATOR_STEPS}`;
    problems.push({ path: "indicators", message });
  }
  return problems;
}

function checkConditions({ indicators, conditions, barCount }: StrategyRules): readonly Problem[] {
  const problems: Problem[] = [];
  const language = createConditionLanguage(indicators);
  for (const name of CONDITIONS) {
    const text = conditions[name];
    const problem = text === undefined ? undefined : checkCondition(text, language, barCount);
    if (problem === undefined) continue;
    const place = problem.at === 0 ? "" : ` (at character ${problem.at + 1})`;
    problems.push({ path: `conditions.${name}`, message: `${problem.message}${place}` });
  }
  if (conditions.enterLong === undefined && conditions.enterShort === undefined) {
    problems.push({ path: "conditions", message: "need enterLong, enterShort or both" });
  }
  return problems;
}

function compute(rules: StrategyRules, inputs: EngineInputs): Computed {
  const { indicators, conditions } = rules;
  const { bars } = inputs;
  const computed = computeAll(indicators, bars);
  const values = newestValues(indicators, computed);
  const language = createConditionLanguage(indicators);
  const context = contextOf(inputs, indicators, computed);
  const isTrue: Partial<Record<ConditionName, boolean>> = {};
  let without: ReturnType<typeof whyNot> | undefined;
  for (const name of CONDITIONS) {
    const text = conditions[name];
    if (text === undefined) continue;
    try {
      isTrue[name] = evaluateCondition(language.parse(text).ast, context) === true;
    } catch (error) {
      without ??= whyNot(error, name, bars.length);
    }
  }
  return { kind: "computed", ...without, values, conditions: isTrue };
}

function whyNot(error: unknown, name: ConditionName, count: number) {
  if (!(error instanceof Error)) throw error;
  const { summary = error.message } = error as Error & { readonly summary?: string };
  if (error instanceof TooFewValuesError) {
    const bars = count === 1 ? "1 bar is" : `${count} bars are`;
    const reason = `${name} asks for values that are not there yet: ${bars} too few`;
    return { kind: "notReady", reason } as const;
  }
  return { kind: "failed", reason: `${name} has no value: ${summary}` } as const;
}

type Computing = Readonly<Record<string, IndicatorSeries>>;

function computeAll(indicators: StrategyRules["indicators"], bars: readonly PriceBar[]): Computing {
  return Object.fromEntries(
    Object.entries(indicators).map(([name, terms]) => [name, computeIndicator(terms, bars)]),
  );
}

function newestValues(
  indicators: StrategyRules["indicators"],
  computed: Computing,
): IndicatorValues {
  const entries = Object.entries(indicators).map(([name, { type }]) => {
    const parts = partsOf(type);
    const newest = (part: string) => computed[name]?.[part]?.at(-1) ?? null;
    if (parts === undefined) return [name, newest("")] as const;
    const numbers = parts.map((part) => [part, newest(part)] as const);
    const isWhole = numbers.every(([, value]) => value !== null);
    return [
      name,
      isWhole ? (Object.fromEntries(numbers) as Record<string, number>) : null,
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** Everything that conditions can see. */
function contextOf(
  { bars, position: { netQty, averagePrice }, at, timeZone }: EngineInputs,
  indicators: StrategyRules["indicators"],
  computed: Computing,
): Record<string, unknown> {
  const prices = PRICE_SERIES.map((name) => [name, newestFirst(bars.map((bar) => bar[name]))]);
  const own = Object.entries(indicators).map(([name, terms]) => [
    name,
    visible(terms, computed[name] ?? {}),
  ]);
  return {
    ...Object.fromEntries(prices),
    ...Object.fromEntries(own),
    position: {
      net: netQty,
      qty: Math.abs(netQty),
      side: netQty === 0 ? "flat" : netQty > 0 ? "long" : "short",
      // A rule about a price that nobody knows has no value: an invented one would never stop out.
      ...(averagePrice !== undefined ? { averagePrice } : netQty === 0 && { averagePrice: 0 }),
    },
    time: readClock(at, timeZone),
  };
}

function visible({ type }: IndicatorTerms, series: IndicatorSeries): unknown {
  const parts = partsOf(type);
  if (parts === undefined) return newestFirst(series[""] ?? []);
  return Object.fromEntries(parts.map((part) => [part, newestFirst(series[part] ?? [])]));
}

/** As far back as there are numbers without a gap. */
function newestFirst(series: Series): readonly number[] {
  const values: number[] = [];
  for (let index = series.length - 1; index >= 0 && values.length < VISIBLE_VALUES; index -= 1) {
    const value = series[index];
    if (value === null || value === undefined) break;
    values.push(value);
  }
  return values;
}

function series(
  { indicators }: Pick<StrategyRules, "indicators">,
  bars: readonly PriceBar[],
): Readonly<Record<string, Series>> {
  const named = Object.entries(computeAll(indicators, bars)).flatMap(([name, parts]) =>
    Object.entries(parts).map(([part, values]) => [part === "" ? name : `${name}.${part}`, values]),
  );
  return Object.fromEntries(named) as Record<string, Series>;
}
