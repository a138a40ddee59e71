import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import type { ChangeFeed } from "../trading/changes.ts";
import type { LoggedEvaluation } from "../trading/strategies/ports.ts";
import {
  type EvaluationObserver,
  isCarriedOut,
  whyNotCarriedOut,
} from "../trading/strategies/end-evaluation.ts";

const MS_PER_SECOND = 1_000;

/** Writes what strategies come to into the log and the metrics. */
export function createStrategyObserver(
  log: Logger,
  metrics: Metrics,
  { publish }: Pick<ChangeFeed, "publish">,
): EvaluationObserver {
  return {
    evaluated: (strategy, evaluation) => {
      publish({ accountId: evaluation.accountId }, "overview");
      const { trigger, verdict, computeMs, missedSlots = 1 } = evaluation;
      metrics.strategyEvaluated(trigger, verdict);
      if (computeMs !== undefined) metrics.strategyDecisionSeconds(computeMs / MS_PER_SECOND);
      const fields = fieldsOf(evaluation);
      if (verdict === "missed") {
        metrics.strategySlotsMissed(missedSlots);
        const level = strategy.mode === "trade" ? "error" : "warn";
        return log[level]("A strategy was not evaluated", { ...fields, count: missedSlots });
      }
      if (verdict === "failed") return log.warn("A strategy could not be evaluated", fields);
      if (wasNotSent(evaluation)) {
        metrics.strategyUnsent(evaluation.targetQty === 0 ? "exit" : "entry");
        return log.error("What a strategy decided was not carried out", fields);
      }
      const level = evaluation.sends === true ? "info" : "debug";
      log[level]("A strategy was evaluated", fields);
    },
  };
}

function wasNotSent({ sends, outcome }: LoggedEvaluation): boolean {
  return sends === true && outcome !== undefined && !isCarriedOut(outcome);
}

function fieldsOf(evaluation: LoggedEvaluation) {
  const { strategyId, evaluationId, accountId, trigger, verdict, contract } = evaluation;
  const { outcome, reason = "" } = evaluation;
  const isWell = outcome === undefined || isCarriedOut(outcome);
  const words = isWell ? reason : whyNotCarriedOut(outcome);
  return {
    strategyId,
    intentId: evaluationId,
    accountId,
    kind: trigger,
    state: verdict,
    ...(contract !== undefined && { symbol: contract }),
    ...(outcome !== undefined && { outcome: outcome.kind }),
    ...(words !== "" && { reason: words }),
  };
}
