import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { IntentId, StrategyId } from "../../domain/ids.ts";
import type { Strategy } from "../../domain/strategies/strategy.ts";
import { errors, GatewayError } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { AnswerIntent } from "../orders/answer-intent.ts";
import type { RequireConnection } from "../connections/require-connection.ts";
import type { ComputeDecision, Decided } from "./compute-decision.ts";
import { findStrategy } from "./find-strategy.ts";
import { intentOf, sendingOf } from "./order-for.ts";
import { endEvaluation, type EndEvaluationDeps } from "./end-evaluation.ts";
import type { Evaluation, EvaluationLog, LoggedEvaluation, Strategies } from "./ports.ts";
import type { EvaluationRequest } from "./strategy-requests.ts";
import type { Caller } from "../people/caller.ts";

export interface EvaluateStrategyDeps extends EndEvaluationDeps {
  readonly strategies: Pick<Strategies, "find">;
  readonly log: Pick<EvaluationLog, "open" | "end">;
  readonly compute: ComputeDecision;
  readonly contracts: ContractDirectory;
  readonly accounts: Pick<AccountDirectory, "requireActive">;
  readonly requireConnection: RequireConnection;
  readonly answer: AnswerIntent;
  readonly newIntentId: () => IntentId;
  readonly elapsed: () => number;
}

export type EvaluateStrategy = (
  caller: Caller,
  id: StrategyId,
  request: EvaluationRequest,
) => Promise<LoggedEvaluation>;

/**
 * Evaluates a strategy for a caller, who is told what became of it. It is in the log before anything
 * is sent, so that it ends there whatever happens to this process.
 */
export function createEvaluateStrategy(deps: EvaluateStrategyDeps): EvaluateStrategy {
  const { strategies, log, compute, newIntentId, elapsed } = deps;

  return async function evaluateStrategy(caller, id, request) {
    const startedAt = elapsed();
    const strategy = await findStrategy(strategies, caller, id);
    const opened: Evaluation = {
      evaluationId: newIntentId(),
      strategyId: id,
      userId: strategy.userId,
      accountId: strategy.accountId,
      version: strategy.version,
      trigger: "request",
      openedAt: caller.receivedAt,
      ...(request.dryRun === true && { dryRun: true as const }),
    };
    const decided = await compute(strategy, opened, request);
    const ended = await carryOut(strategy, caller, decided);
    const durationMs = Math.round(elapsed() - startedAt);
    const whole = { ...ended, durationMs };
    const isOpen = ended.sends === true && ended.outcome === undefined;
    // A sweep ends it when its intent has ended.
    if (isOpen) return { ...whole, endedAt: caller.receivedAt + durationMs };
    return await endEvaluation(deps, strategy, whole, caller.receivedAt + durationMs);
  };

  /** Whoever is told an error finds it in the log as well. */
  async function carryOut(strategy: Strategy, caller: Caller, decided: Decided): Promise<Decided> {
    const opened = { ...decided, ...sendingOf(strategy, decided) };
    if (!(await log.open(opened))) throw errors.changedMeanwhile(strategy.name);
    if (opened.sends !== true) return opened;
    const intent = await prepareIntent(strategy, caller, opened);
    const { accountId, evaluationId: intentId } = opened;
    try {
      const asked = { accountId, intent, intentId, kind: "strategy" as const };
      const { record } = await deps.answer(caller, asked);
      return { ...opened, outcome: record.outcome };
    } catch (error) {
      // How it ended is not known yet; whoever reads the log later finds it by the intent.
      const isOpen = error instanceof GatewayError && error.spec.code === "OUTCOME_UNKNOWN";
      if (isOpen) return opened;
      throw error;
    }
  }

  /** The intent, unless it is known before that nothing can be sent. */
  async function prepareIntent(strategy: Strategy, caller: Caller, opened: Decided) {
    try {
      const account = await deps.accounts.requireActive(caller.userId, strategy.accountId);
      deps.requireConnection(account.connectionId);
      return intentOf(strategy, opened, deps.contracts);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const outcome = { kind: "notSent", reason: error.message } as const;
      await endEvaluation(deps, strategy, { ...opened, outcome }, opened.openedAt);
      throw error;
    }
  }
}
