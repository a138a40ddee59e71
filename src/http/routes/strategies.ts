import type { Gateway } from "../../trading/gateway.ts";
import type { StrategyView } from "../../trading/strategies/strategy-views.ts";
import type { Changed } from "../answer.ts";
import { presentStrategy } from "../present/evaluation.ts";
import { readNewStrategy, readStrategyChange } from "../requests/read-strategy.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import {
  ChangeStrategyBody,
  CreateStrategyBody,
  StrategiesReply,
  STRATEGY,
  STRATEGY_BODIES,
  STRATEGY_CHANGES,
  StrategyIdText,
  StrategyReply,
} from "../schemas/strategy.ts";
import { strategyOf } from "../requests/path-ids.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

export interface StrategyRouteDeps {
  readonly gateway: Gateway;
  readonly describeContract: DescribeContract;
}

const TAG = "Strategies";

/** Rules that trade by themselves (specification 4.1, 9 to 12). */
export function strategyRoutes(deps: StrategyRouteDeps): ApiRoute[] {
  return [...collection(deps), ...single(deps)];
}

function collection({ gateway, describeContract: describe }: StrategyRouteDeps): ApiRoute[] {
  const shared = { path: "/v1/strategies", tag: TAG } as const;
  return [
    apiRoute({
      ...shared,
      method: "GET",
      id: "listStrategies",
      summary: "List strategies, how each stands and what it decided last (beta)",
      effect: "read",
      scope: "read",
      replies: [
        {
          status: 200,
          description: "Every strategy, oldest first",
          schema: StrategiesReply,
          example: { strategies: [STRATEGY] },
        },
      ],
      errors: [],
      async handle({ caller }) {
        const views = await gateway.listStrategies(caller);
        const strategies = views.map((view) => presentStrategy(view, describe));
        return { status: 200, body: { strategies } };
      },
    }),
    apiRoute({
      ...shared,
      method: "POST",
      id: "createStrategy",
      effect: "change",
      audit: { message: "Strategy created" },
      summary: "Create a strategy (beta)",
      description:
        "It is data, not code: indicators over bars, and conditions in CEL. On an account, one strategy may trade a market.",
      scope: "trade",
      body: CreateStrategyBody,
      bodyExamples: STRATEGY_BODIES,
      replies: [
        { status: 201, description: "The strategy", schema: StrategyReply, example: STRATEGY },
      ],
      errors: [
        "NOT_FOUND",
        "UNKNOWN_SYMBOL",
        "STRATEGY_CONFLICT",
        "CHANGED_MEANWHILE",
        "TOO_MANY_STRATEGIES",
      ],
      async handle({ caller, body }) {
        const view = await gateway.createStrategy(caller, readNewStrategy(body));
        return { status: 201, body: presentStrategy(view, describe), changed: changedIn(view) };
      },
    }),
  ];
}

function single({ gateway, describeContract: describe }: StrategyRouteDeps): ApiRoute[] {
  const shared = {
    path: "/v1/strategies/{id}",
    tag: TAG,
    params: { id: StrategyIdText },
  } as const;
  const replies = [
    { status: 200, description: "The strategy", schema: StrategyReply, example: STRATEGY },
  ];
  return [
    apiRoute({
      ...shared,
      replies,
      method: "GET",
      id: "readStrategy",
      summary: "Read a strategy, how it stands and what it decided last (beta)",
      effect: "read",
      scope: "read",
      errors: ["NOT_FOUND"],
      async handle({ caller, params }) {
        const view = await gateway.findStrategy(caller, strategyOf(params));
        return { status: 200, body: presentStrategy(view, describe) };
      },
    }),
    apiRoute({
      ...shared,
      replies,
      method: "PATCH",
      id: "changeStrategy",
      effect: "change",
      audit: { message: "Strategy changed" },
      summary: "Change a strategy, turn it on or off (beta)",
      description:
        "What waits for its turn is not evaluated any more. What its account holds stays as it is.",
      scope: "trade",
      body: ChangeStrategyBody,
      bodyExamples: STRATEGY_CHANGES,
      errors: ["NOT_FOUND", "UNKNOWN_SYMBOL", "STRATEGY_CONFLICT", "CHANGED_MEANWHILE"],
      async handle({ caller, params, body }) {
        const change = readStrategyChange(body);
        const view = await gateway.changeStrategy(caller, strategyOf(params), change);
        return { status: 200, body: presentStrategy(view, describe), changed: changedIn(view) };
      },
    }),
    apiRoute({
      ...shared,
      method: "DELETE",
      id: "deleteStrategy",
      effect: "change",
      audit: { message: "Strategy deleted" },
      summary: "Delete a strategy with its logs (beta)",
      description: "What its account holds stays as it is.",
      scope: "trade",
      replies: [{ status: 204, description: "Deleted" }],
      errors: ["NOT_FOUND", "CHANGED_MEANWHILE"],
      async handle({ caller, params }) {
        const strategyId = strategyOf(params);
        await gateway.deleteStrategy(caller, strategyId);
        return { status: 204, changed: { strategyId } };
      },
    }),
  ];
}

function changedIn({ strategy }: StrategyView): Changed {
  const { strategyId, accountId, enabled, mode } = strategy;
  return { strategyId, accountId, state: enabled ? mode : "off" };
}
