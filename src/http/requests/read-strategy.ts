import type { Static } from "@sinclair/typebox";
import type { IndicatorTerms, IndicatorType } from "../../domain/strategies/indicator.ts";
import type { Indicators } from "../../domain/strategies/strategy.ts";
import { errors, type Problem } from "../../errors.ts";
import type {
  EvaluationRequest,
  StrategyChange,
  StrategyRequest,
} from "../../trading/strategies/strategy-requests.ts";
import { readInstant } from "./read-range.ts";
import { accountOf } from "./path-ids.ts";
import type { EvaluateStrategyBody } from "../schemas/evaluation.ts";
import type { ChangeStrategyBody, CreateStrategyBody, IndicatorBody } from "../schemas/strategy.ts";

type WrittenIndicator = Static<typeof IndicatorBody>;
type Parameter = Exclude<keyof WrittenIndicator, "type">;

const NEEDS: Readonly<Record<IndicatorType, readonly Parameter[]>> = {
  sma: ["period"],
  ema: ["period"],
  wma: ["period"],
  rma: ["period"],
  rsi: ["period"],
  roc: ["period"],
  atr: ["period"],
  adx: ["period"],
  cci: ["period"],
  donchian: ["period"],
  macd: ["fast", "slow", "signal"],
  bollinger: ["period", "deviations"],
  stochastic: ["period", "smoothK", "smoothD"],
};

/** Of a price that may be chosen; the others look at whole bars. */
const TAKES_SOURCE: ReadonlySet<IndicatorType> = new Set([
  "sma",
  "ema",
  "wma",
  "rma",
  "rsi",
  "roc",
  "macd",
  "bollinger",
]);

/** A new strategy from its body. Throws VALIDATION_FAILED that names all that is wrong with it. */
export function readNewStrategy(body: Static<typeof CreateStrategyBody>): StrategyRequest {
  const { accountId, indicators = {}, ...terms } = body;
  return { ...terms, accountId: accountOf(accountId), indicators: readIndicators(indicators) };
}

export function readStrategyChange(body: Static<typeof ChangeStrategyBody>): StrategyChange {
  const { accountId, indicators, ...terms } = body;
  return {
    ...terms,
    ...(accountId !== undefined && { accountId: accountOf(accountId) }),
    ...(indicators !== undefined && { indicators: readIndicators(indicators) }),
  };
}

export function readEvaluation(body: Static<typeof EvaluateStrategyBody>): EvaluationRequest {
  const { bars, position, dryRun } = body;
  const problems: Problem[] = [];
  if (position !== undefined && !dryRun) {
    const message = "belongs to a dryRun: what the account holds is not for a request to say";
    problems.push({ path: "position", message });
  }
  const given = bars?.map(({ time, ...prices }, n) => ({
    ...prices,
    startsAt: readInstant(`bars.${n}.time`, time, problems) ?? 0,
  }));
  if (problems.length > 0) throw errors.validationFailed(problems);
  return {
    dryRun,
    ...(position !== undefined && { position }),
    ...(given !== undefined && { bars: given }),
  };
}

function readIndicators(written: Readonly<Record<string, WrittenIndicator>>): Indicators {
  const problems: Problem[] = [];
  for (const [name, indicator] of Object.entries(written)) {
    problems.push(...problemsOf(indicator, `indicators.${name}`));
  }
  if (problems.length > 0) throw errors.validationFailed(problems);
  // Each has exactly the parameters of its type.
  return written as Readonly<Record<string, IndicatorTerms>>;
}

function problemsOf({ type, ...given }: WrittenIndicator, path: string): readonly Problem[] {
  const needed = NEEDS[type];
  const allowed = TAKES_SOURCE.has(type) ? [...needed, "source"] : needed;
  const missing = needed.filter((name) => given[name] === undefined);
  const unknown = Object.keys(given).filter((name) => !allowed.includes(name as Parameter));
  return [
    ...missing.map((name) => ({ path: `${path}.${name}`, message: `is needed for ${type}` })),
    ...unknown.map((name) => ({ path: `${path}.${name}`, message: `is no parameter of ${type}` })),
  ];
}
