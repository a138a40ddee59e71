import {
  type Intent,
  type IntentRecord,
  type Outcome,
  OUTCOME_KINDS,
  stateOf,
} from "../../domain/intent.ts";
import type { OrdStatus } from "../../domain/order.ts";
import { differencesFrom, withDifferences } from "../differences.ts";

const KINDS = new Map(OUTCOME_KINDS.map((kind) => [stateOf({ kind }), kind]));

/**
 * An outcome as it is stored: without its kind, which is the record's state, and of what was achieved
 * only what the intent does not say.
 */
export function encodeOutcome(outcome: Outcome, intent?: Intent): string {
  const { kind } = outcome;
  const result = kind === "done" ? outcome.result : undefined;
  const isAsAsked = result !== undefined && result.kind === intent?.kind;
  const isFilled = result?.kind === "PLACE" && result.order.ordStatus === FILLED;
  const expected = isAsAsked ? { kind, result: expectedOf(intent, isFilled) } : { kind };
  return JSON.stringify(differencesFrom(expected, outcome));
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
  const order = result && "order" in result ? result.order : undefined;
  const isFilled = order !== undefined && order.ordStatus === undefined;
  const expected = isAsAsked ? { kind, result: expectedOf(intent, isFilled) } : { kind };
  return withDifferences(expected, stored) as unknown as Outcome;
}

const FILLED = "FILLED" satisfies OrdStatus;

const NOTHING_DONE = { closed: [], canceledOrderIds: [], problems: [] } as const;

/**
 * What is expected of the result of an intent that was carried out, and of its order if that is
 * filled: of another one, and in results of before, the order says all.
 */
function expectedOf(intent: Intent | undefined, isFilled: boolean) {
  switch (intent?.kind) {
    case "PLACE": {
      const { contract, orderQty } = intent.order;
      const order = { ordStatus: FILLED, cumQty: orderQty, avgPx: { denominator: 1 } };
      return { kind: intent.kind, contract, ...(isFilled && { order }) };
    }
    case "ADJUST":
      return { kind: intent.kind, contract: intent.contract, ...NOTHING_DONE };
    case "FLATTEN":
      return { kind: intent.kind, ...NOTHING_DONE, remaining: [], remainingOrderIds: [] };
    case "CANCEL_ENTRIES":
      return { kind: intent.kind, canceledOrderIds: [] };
    case "CANCEL":
    case "MODIFY":
    case "PROTECT":
    case "TIMEOUT":
      return { kind: intent.kind };
    case undefined:
      return {};
  }
}
