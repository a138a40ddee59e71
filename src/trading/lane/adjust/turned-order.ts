import type { AdjustIntent } from "../../../domain/adjust.ts";
import type { Intent, IntentRecord, Outcome } from "../../../domain/intent.ts";
import type { IntentResult } from "../../../domain/intent-result.ts";

type PlaceIntent = Extract<Intent, { kind: "PLACE" }>;
type Adjusted = Extract<IntentResult, { kind: "ADJUST" }>;
type Placed = Extract<IntentResult, { kind: "PLACE" }>;

/**
 * A plain order as an adjustment: out of the month that is held first, then into the front month. One
 * that is sized by its risk goes out of all of the other side, since that is what it opens with.
 */
export function turnOf({ order, isFrontMonth, handling }: PlaceIntent): AdjustIntent {
  const { contract, side, orderQty, ...terms } = order;
  return {
    kind: "ADJUST",
    contract,
    aim:
      handling?.size === undefined
        ? { to: "order", side, qty: orderQty }
        : { to: "enter", side, qty: orderQty, whenHeld: "add", whenOpposite: "close" },
    terms,
    ...(isFrontMonth && { isFrontMonth }),
    ...(handling !== undefined && { handling }),
  };
}

/** What of an intent that was begun is to be gone on with, or judged, as an adjustment. */
export function adjustmentOf({ intent, exitPlan }: IntentRecord): AdjustIntent | undefined {
  if (intent.kind === "ADJUST") return intent;
  const isTurned = exitPlan !== undefined && exitPlan.leftOut === undefined;
  return intent.kind === "PLACE" && isTurned ? turnOf(intent) : undefined;
}

/** How an adjustment ended, in the words of the intent that asked for it. */
export function answerFor({ intent }: Pick<IntentRecord, "intent">, outcome: Outcome): Outcome {
  if (intent.kind !== "PLACE" || outcome.kind !== "done") return outcome;
  const { result } = outcome;
  if (result.kind !== "ADJUST") return outcome;
  const placed = placedBy(result, intent.handling?.size !== undefined);
  return placed === undefined ? CLOSING : { kind: "done", result: placed };
}

function placedBy(
  { contract, order, closed, problems }: Adjusted,
  isSized: boolean,
): Placed | undefined {
  const told = {
    ...(closed.length > 0 && { closed }),
    ...(problems.length > 0 && { problems }),
  };
  if (order !== undefined) {
    const { side: _side, orderQty, ...placed } = order;
    return { kind: "PLACE", contract, order: placed, ...(isSized && { orderQty }), ...told };
  }
  const last = closed.at(-1);
  if (last === undefined) return undefined;
  const { orderId, netQty, order: { ordStatus, avgPx } = FILLED } = last;
  const cumQty = Math.abs(netQty);
  const close = { orderId, ordStatus, cumQty, ...(avgPx !== undefined && { avgPx }) };
  return { kind: "PLACE", contract: last.contract, order: close, ...told };
}

const FILLED: NonNullable<Adjusted["closed"][number]["order"]> = { ordStatus: "FILLED" };

const CLOSING = {
  kind: "unknown",
  reason: "What is held is being closed, and nothing of that has filled yet",
} as const satisfies Outcome;
