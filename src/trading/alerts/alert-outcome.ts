import { type IntentRecord, type Outcome, OUTCOME_KINDS } from "../../domain/intent.ts";
import type { AlertOutcome, LoggedAlert } from "./alert-log.ts";

export const ALERT_OUTCOMES = [
  ...OUTCOME_KINDS,
  "pending",
  "refused",
  "duplicate",
  "test",
  "split",
] as const satisfies readonly AlertOutcome[];

export function alertOutcome(alert: LoggedAlert): AlertOutcome {
  return "ending" in alert ? alert.ending.kind : outcomeOf(alert.intent);
}

export function outcomeOf(intent: IntentRecord): AlertOutcome {
  const { outcome } = intent;
  const isTest = outcome?.kind === "done" && outcome.result.kind === "TEST";
  return isTest ? "test" : intentOutcome(intent);
}

/** How an intent ended; `pending` while it waits or is under way. */
export function intentOutcome({ state, outcome }: IntentRecord): Outcome["kind"] | "pending" {
  const isUnderWay = state === "PREPARED" || state === "SENDING";
  return outcome === undefined || isUnderWay ? "pending" : outcome.kind;
}
