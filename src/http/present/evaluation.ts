import type { LoggedEvaluation, PriceBar } from "../../trading/strategies/ports.ts";
import { outcomeInWords } from "./alert-words.ts";
import { evaluationOutcome } from "./evaluation-outcome.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";
import type { StrategyChart } from "../../trading/strategies/strategy-views.ts";

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
