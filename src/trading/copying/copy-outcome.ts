import { type Outcome, OUTCOME_KINDS } from "../../domain/intent.ts";
import { intentOutcome } from "../alerts/alert-outcome.ts";
import type { LoggedCopy } from "./ports.ts";

/**
 * The one word for what became of a copy: its intent's outcome; `pending` until then, and until what
 * it filled is measured; `skipped` where nothing was to be sent.
 */
export type CopyOutcome = Outcome["kind"] | "pending" | "skipped";

export const COPY_OUTCOMES = [
  ...OUTCOME_KINDS,
  "pending",
  "skipped",
] as const satisfies readonly CopyOutcome[];

export function copyOutcome({ skipped, intent, measure }: LoggedCopy): CopyOutcome {
  if (skipped !== undefined) return "skipped";
  if (intent === undefined) return "pending";
  const outcome = intentOutcome(intent);
  return outcome === "done" && measure === undefined ? "pending" : outcome;
}
