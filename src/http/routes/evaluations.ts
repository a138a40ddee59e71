import { presentChart, presentEvaluation } from "../present/evaluation.ts";
import { readEvaluation } from "../requests/read-strategy.ts";
import { type ApiRoute, apiRoute, OWN_RECORD } from "../route.ts";
import {
  EvaluateStrategyBody,
  EvaluationReply,
  EvaluationsQuery,
  EvaluationsReply,
  StrategyChartReply,
} from "../schemas/evaluation.ts";
import {
  EVALUATION,
  EVALUATION_BODIES,
  EVALUATIONS,
  STRATEGY_CHART,
  StrategyIdText,
} from "../schemas/strategy.ts";
import { strategyOf } from "../requests/path-ids.ts";
import type { StrategyRouteDeps } from "./strategies.ts";

/** What strategies decide, and what they decided. */
export function evaluationRoutes({
  gateway,
  describeContract: describe,
}: StrategyRouteDeps): ApiRoute[] {
  const shared = { tag: "Strategies", params: { id: StrategyIdText } } as const;
  return [
    apiRoute({
      ...shared,
      method: "POST",
      path: "/v1/strategies/{id}/evaluate",
      id: "evaluateStrategy",
      effect: "change",
      audit: OWN_RECORD,
      summary: "Evaluate a strategy now (beta)",
      description:
        "On bars in the request, or on those of the account's own broker. With mode trade it carries out what it decides, unless dryRun is true; outcome says what became of it, a broker's refusal too. The same strategy, bars and position always decide alike.",
      scope: "trade",
      body: EvaluateStrategyBody,
      bodyMayBeAbsent: true,
      bodyExamples: EVALUATION_BODIES,
      replies: [
        {
          status: 200,
          description: "What it decided, why, and what became of it",
          schema: EvaluationReply,
          example: EVALUATION,
        },
      ],
      errors: ["NOT_FOUND", "UNKNOWN_SYMBOL", "ACCOUNT_INACTIVE", "BROKER_UNAVAILABLE"],
      async handle({ caller, params, body }) {
        const request = readEvaluation(body);
        const evaluation = await gateway.evaluateStrategy(caller, strategyOf(params), request);
        return { status: 200, body: presentEvaluation(evaluation, describe) };
      },
    }),
    apiRoute({
      ...shared,
      method: "GET",
      path: "/v1/strategies/{id}/logs",
      id: "listStrategyLogs",
      summary: "List a strategy's evaluations and what became of each, newest first (beta)",
      description: "Kept for 30 days, and at most the newest 50,000 of each strategy.",
      effect: "read",
      scope: "read",
      query: EvaluationsQuery,
      replies: [
        {
          status: 200,
          description: "A page of evaluations",
          schema: EvaluationsReply,
          example: EVALUATIONS,
        },
      ],
      errors: ["NOT_FOUND"],
      async handle({ caller, params, query }) {
        const id = strategyOf(params);
        const { items, nextCursor = null } = await gateway.listEvaluations(caller, id, query);
        const logs = items.map((item) => presentEvaluation(item, describe));
        return { status: 200, body: { logs, nextCursor } };
      },
    }),
    apiRoute({
      ...shared,
      method: "GET",
      path: "/v1/strategies/{id}/chart",
      id: "readStrategyChart",
      summary: "Read what a strategy looks at: bars, indicators, decisions (beta)",
      effect: "read",
      scope: "read",
      replies: [
        {
          status: 200,
          description: "As its broker tells it now",
          schema: StrategyChartReply,
          example: STRATEGY_CHART,
        },
      ],
      errors: ["NOT_FOUND", "UNKNOWN_SYMBOL", "BROKER_UNAVAILABLE"],
      async handle({ caller, params }) {
        const chart = await gateway.readStrategyChart(caller, strategyOf(params));
        return { status: 200, body: presentChart(chart, describe) };
      },
    }),
  ];
}
