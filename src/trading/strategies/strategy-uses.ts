import type { StrategyId } from "../../domain/ids.ts";
import type { LoggedEvaluation } from "./ports.ts";
import type {
  EvaluationRequest,
  EvaluationsRequest,
  StrategyChange,
  StrategyRequest,
} from "./strategy-requests.ts";
import type { StrategyChart, StrategyView } from "./strategy-views.ts";
import type { Caller } from "../people/caller.ts";
import type { Page } from "../reads/page-cursor.ts";

/** What callers may ask of strategies. A strategy that is not the caller's is NOT_FOUND. */
export interface StrategyUses {
  readonly listStrategies: (caller: Caller) => Promise<readonly StrategyView[]>;
  readonly findStrategy: (caller: Caller, strategy: StrategyId) => Promise<StrategyView>;
  /** Throws VALIDATION_FAILED that names all that is wrong with it, and STRATEGY_CONFLICT. */
  readonly createStrategy: (caller: Caller, request: StrategyRequest) => Promise<StrategyView>;
  readonly changeStrategy: (
    caller: Caller,
    strategy: StrategyId,
    change: StrategyChange,
  ) => Promise<StrategyView>;
  /** Its log goes with it. What its account holds stays as it is. */
  readonly deleteStrategy: (caller: Caller, strategy: StrategyId) => Promise<void>;
  /** Evaluates it now and, unless it is told or set not to, carries out what it decides. */
  readonly evaluateStrategy: (
    caller: Caller,
    strategy: StrategyId,
    request: EvaluationRequest,
  ) => Promise<LoggedEvaluation>;
  readonly listEvaluations: (
    caller: Caller,
    strategy: StrategyId,
    request: EvaluationsRequest,
  ) => Promise<Page<LoggedEvaluation>>;
  readonly readStrategyChart: (caller: Caller, strategy: StrategyId) => Promise<StrategyChart>;
}
