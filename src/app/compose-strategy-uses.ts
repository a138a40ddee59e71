import { hash } from "node:crypto";
import type { AnswerIntent } from "../trading/orders/answer-intent.ts";
import type { RequireConnection } from "../trading/connections/require-connection.ts";
import { createComputeDecision } from "../trading/strategies/compute-decision.ts";
import { createEvaluateStrategy } from "../trading/strategies/evaluate-strategy.ts";
import { createStrategyUses } from "../trading/strategies/manage-strategies.ts";
import { createReadChart } from "../trading/strategies/read-chart.ts";
import { createReadEvaluations } from "../trading/strategies/read-evaluations.ts";
import type { EvaluationObserver } from "../trading/strategies/end-evaluation.ts";
import type { StrategyUses } from "../trading/strategies/strategy-uses.ts";
import type { UseCaseParts } from "./open-links.ts";
import { newIntentId } from "./new-ids.ts";
import { newStrategyId } from "./new-ids.ts";

/** What callers ask of strategies. */
export function composeStrategyUses(
  parts: UseCaseParts & {
    readonly evaluationObserver: EvaluationObserver;
    readonly answer: AnswerIntent;
    readonly requireConnection: RequireConnection;
  },
): StrategyUses {
  const { evaluations: log, evaluationObserver: observer } = parts;
  const elapsed = () => performance.now();
  const deps = { ...parts, log, observer, newIntentId, newStrategyId, elapsed };
  const seen = { ...deps, ...parts.reading, log: parts.reading.evaluations };
  const compute = createComputeDecision({ ...deps, fingerprint: sha256 });
  return {
    ...createStrategyUses(deps),
    evaluateStrategy: createEvaluateStrategy({ ...deps, compute }),
    listEvaluations: createReadEvaluations(seen),
    readStrategyChart: createReadChart(seen),
  };
}

export const sha256 = (text: string): string => hash("sha256", text, "hex");
