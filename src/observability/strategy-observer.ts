import type { Alarms } from "../trading/alarms/alarm.ts";
import type { ChangeFeed } from "../trading/changes.ts";
import {
  type EvaluationObserver,
  isCarriedOut,
  whyNotCarriedOut,
} from "../trading/strategies/end-evaluation.ts";
import type { LoggedEvaluation } from "../trading/strategies/ports.ts";
import type { LogFields } from "./log-fields.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

const MS_PER_SECOND = 1_000;

interface StrategyObserverDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly alarms: Pick<Alarms, "raise">;
  readonly changes: Pick<ChangeFeed, "publish">;
}

/** Writes what strategies come to into the log and the metrics, or raises it. */
export function createStrategyObserver({
  log,
  metrics,
  alarms,
  changes,
}: StrategyObserverDeps): EvaluationObserver {
  return {
    evaluated: (strategy, evaluation) => {
      changes.publish({ accountId: evaluation.accountId }, "overview");
      const { trigger, verdict, computeMs, missedSlots = 1 } = evaluation;
      metrics.strategyEvaluated(trigger, verdict);
      if (computeMs !== undefined) metrics.strategyDecisionSeconds(computeMs / MS_PER_SECOND);
      const fields = fieldsOfEvaluation(evaluation);
      if (verdict === "missed") {
        metrics.strategySlotsMissed(missedSlots);
        if (strategy.mode === "trade") return alarms.raise({ kind: "strategyMissed", evaluation });
        return log.warn("A strategy was not evaluated", { ...fields, count: missedSlots });
      }
      if (verdict === "failed") return log.warn("A strategy could not be evaluated", fields);
      if (wasNotSent(evaluation)) {
        return alarms.raise({ kind: "strategyNotCarriedOut", evaluation });
      }
      const level = evaluation.sends === true ? "info" : "debug";
      log[level]("A strategy was evaluated", fields);
    },
  };
}

function wasNotSent({ sends, outcome }: LoggedEvaluation): boolean {
  return sends === true && outcome !== undefined && !isCarriedOut(outcome);
}

export function fieldsOfEvaluation(evaluation: LoggedEvaluation): LogFields {
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
