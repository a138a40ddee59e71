import { OUTCOME_KINDS } from "../../domain/intent.ts";
import type { LoggedEvaluation } from "../../trading/strategies/ports.ts";

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
