import type { Outcome } from "../../domain/intent.ts";
import type { Strategy } from "../../domain/strategies/strategy.ts";
import type { Decided } from "./compute-decision.ts";
import type { EvaluationLog, LoggedEvaluation } from "./ports.ts";

/** Hears of every evaluation once, when it has ended. Must not throw. */
export interface EvaluationObserver {
  readonly evaluated: (strategy: Strategy, evaluation: LoggedEvaluation) => void;
}

export interface EndEvaluationDeps {
  readonly log: Pick<EvaluationLog, "end">;
  readonly observer: EvaluationObserver;
}

/** Ends an evaluation in the log, and tells it unless it was ended before, by whichever process. */
export async function endEvaluation(
  { log, observer }: EndEvaluationDeps,
  strategy: Strategy,
  evaluation: Decided,
  endedAt: number,
): Promise<LoggedEvaluation> {
  const ended = { ...evaluation, endedAt };
  if (await log.end(evaluation)) observer.evaluated(strategy, ended);
  return ended;
}

/** Whether all of what was decided happened. What is not known yet is told by the lane. */
export function isCarriedOut(outcome: Outcome): boolean {
  if (outcome.kind === "unknown") return true;
  if (outcome.kind !== "done") return false;
  return outcome.result.kind !== "ADJUST" || outcome.result.problems.length === 0;
}

/** Why it was not, in words. */
export function whyNotCarriedOut(outcome: Outcome): string {
  if (outcome.kind !== "done") return outcome.reason;
  return outcome.result.kind === "ADJUST" ? outcome.result.problems.join("; ") : "";
}
