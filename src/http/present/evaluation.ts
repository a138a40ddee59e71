import type { LoggedEvaluation, PriceBar } from "../../trading/strategies/ports.ts";
import { outcomeInWords } from "./alert-words.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";
import type { StrategyChart, StrategyView } from "../../trading/strategies/strategy-views.ts";
import { OUTCOME_KINDS } from "../../domain/intent.ts";

/** One evaluation with all that it saw, decided and came to. */
export function presentEvaluation(evaluation: LoggedEvaluation, describe: DescribeContract) {
  const { contract, outcome, missedFromAt, missedSlots } = evaluation;
  return {
    id: evaluation.evaluationId,
    accountId: evaluation.accountId,
    trigger: evaluation.trigger,
    dryRun: evaluation.dryRun === true,
    decision: evaluation.verdict,
    reason: evaluation.reason ?? null,
    outcome: evaluationOutcome(evaluation),
    outcomeReason: outcome === undefined ? null : outcomeInWords(outcome, describe),
    intentId: evaluation.sends === true ? evaluation.evaluationId : null,
    symbol: contract === undefined ? null : describe(contract).symbol,
    slotAt: presentTimeOrNull(evaluation.slotAt),
    startedAt: presentTime(evaluation.openedAt),
    endedAt: presentTime(evaluation.endedAt),
    barsEndAt: presentTimeOrNull(evaluation.barsEndAt),
    barCount: evaluation.barCount ?? null,
    inputsHash: evaluation.inputsHash ?? null,
    heldQty: evaluation.netQty ?? null,
    targetQty: evaluation.targetQty ?? null,
    values: evaluation.values ?? {},
    conditions: evaluation.conditions ?? {},
    computeMs: evaluation.computeMs ?? null,
    durationMs: evaluation.durationMs ?? null,
    missed:
      missedFromAt === undefined || missedSlots === undefined
        ? null
        : { fromAt: presentTime(missedFromAt), slots: missedSlots },
  };
}

export function presentChart(chart: StrategyChart, describe: DescribeContract) {
  const { strategy, contract, bars, series, decisions } = chart;
  return {
    symbol: describe(contract).symbol,
    barMinutes: strategy.barMinutes,
    bars: bars.map(presentBar),
    indicators: series,
    decisions: decisions.map((decision) => presentEvaluation(decision, describe)),
  };
}

function presentBar({ startsAt, ...prices }: PriceBar) {
  return { time: presentTime(startsAt), ...prices };
}

/** What became of what an evaluation wanted. */
export const EVALUATION_OUTCOMES = [
  "none",
  "dryRun",
  "observed",
  "off",
  "pending",
  ...OUTCOME_KINDS,
] as const;
export type EvaluationOutcome = (typeof EVALUATION_OUTCOMES)[number];

export function evaluationOutcome(evaluation: LoggedEvaluation): EvaluationOutcome {
  const { targetQty, dryRun, heldBack, outcome } = evaluation;
  if (targetQty === undefined) return "none";
  if (dryRun === true) return "dryRun";
  if (heldBack !== undefined) return heldBack === "off" ? "off" : "observed";
  return outcome === undefined ? "pending" : outcome.kind;
}

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
