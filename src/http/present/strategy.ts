import type { StrategyView } from "../../trading/strategies/strategy-views.ts";
import { presentEvaluation } from "./evaluation.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

/** A strategy as its user has set it, and how it stands. */
export function presentStrategy(view: StrategyView, describe: DescribeContract) {
  const { strategy, state, reason, nextAt, newest } = view;
  return {
    id: strategy.strategyId,
    name: strategy.name,
    accountId: strategy.accountId,
    symbol: strategy.symbol,
    barMinutes: strategy.barMinutes,
    barCount: strategy.barCount,
    indicators: strategy.indicators,
    conditions: strategy.conditions,
    qty: strategy.qty,
    bracket: strategy.bracket ?? null,
    schedule: strategy.schedule ?? null,
    mode: strategy.mode,
    enabled: strategy.enabled,
    state,
    reason: reason ?? null,
    nextEvaluationAt: presentTimeOrNull(nextAt),
    lastEvaluation: newest === undefined ? null : presentEvaluation(newest, describe),
    version: strategy.version,
    createdAt: presentTime(strategy.createdAt),
    changedAt: presentTime(strategy.changedAt),
  };
}
