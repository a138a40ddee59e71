import {
  type Intent,
  type IntentRecord,
  type IntentState,
  type Outcome,
  OUTCOME_KINDS,
} from "../../domain/intent.ts";
import { differencesFrom, withDifferences } from "../differences.ts";

/** The state of an intent that ended so. */
export const stateOf = ({ kind }: Outcome): IntentState =>
  kind.toUpperCase() as Uppercase<Outcome["kind"]>;

const KINDS = new Map(OUTCOME_KINDS.map((kind) => [stateOf({ kind } as Outcome), kind]));

/**
 * An outcome as it is stored: without its kind, which is the record's state, and of what was achieved
 * only what the intent does not say.
 */
export function encodeOutcome(outcome: Outcome, intent?: Intent): string {
  const { kind } = outcome;
  const isAsAsked = kind === "done" && outcome.result.kind === intent?.kind;
  const expected = isAsAsked ? { kind, result: expectedOf(intent) } : { kind };
  return JSON.stringify(differencesFrom(expected, { ...outcome }));
}

/** Older outcomes say everything, their kind included. */
export function decodeOutcome(
  { state, intent }: Pick<IntentRecord, "state" | "intent">,
  text: string,
): Outcome {
  const stored = JSON.parse(text) as Partial<Outcome>;
  if (stored.kind !== undefined) return stored as Outcome;
  const kind = KINDS.get(state);
  // What was done exactly as expected says nothing of its result at all.
  const result = "result" in stored ? stored.result : undefined;
  const isAsAsked = kind === "done" && result?.kind === undefined;
  const expected = isAsAsked ? { kind, result: expectedOf(intent) } : { kind };
  return withDifferences(expected, stored) as unknown as Outcome;
}

const NOTHING_DONE = { closed: [], canceledOrderIds: [], problems: [] } as const;

/** What is expected of the result of an intent that was carried out. */
function expectedOf(intent: Intent | undefined): Readonly<Record<string, unknown>> {
  switch (intent?.kind) {
    case "PLACE":
      return { kind: intent.kind, contract: intent.order.contract };
    case "ADJUST":
      return { kind: intent.kind, contract: intent.contract, ...NOTHING_DONE };
    case "FLATTEN":
      return { kind: intent.kind, ...NOTHING_DONE, remaining: [], remainingOrderIds: [] };
    case "CANCEL_ENTRIES":
      return { kind: intent.kind, canceledOrderIds: [] };
    case "CANCEL":
    case "MODIFY":
    case "PROTECT":
      return { kind: intent.kind };
    case undefined:
      return {};
  }
}
