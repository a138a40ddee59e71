import type { IntentId } from "../../domain/ids.ts";
import type { DescribeContract, Settled } from "../../trading/gateway.ts";
import { type Answer, errorAnswer } from "../answer.ts";
import { presentFlatten } from "./flatten.ts";
import { presentOrder } from "./order.ts";
import { errorForSender, hookStatus, outcomeError, resultOf } from "./outcome.ts";
import { ACTION_OF } from "../words.ts";

/** The answer to a sender: what became of the alert, as far as it is known in time. */
export function alertAnswer(
  { intentId, settled }: { readonly intentId: IntentId; readonly settled?: Settled },
  describe: DescribeContract,
): Answer {
  const ids = { alertId: intentId, intentId };
  if (settled === undefined) return { status: 202, body: { ...ids, outcome: "pending" } };

  const { record, replayed } = settled;
  const { outcome } = record;
  const mark = replayed ? { duplicate: true } : undefined;
  if (outcome.kind === "done") {
    const done = presentDone(settled, describe);
    return { status: 200, body: { ...ids, outcome: "done", ...done, ...mark } };
  }
  // Not an error to a sender: it must not send again what may be live at the broker.
  if (outcome.kind === "unknown") {
    return { status: 202, body: { ...ids, outcome: "unknown", ...mark } };
  }
  const facts = { alertId: record.intentId, ...mark };
  const error = errorForSender(outcomeError(record, outcome, facts));
  return errorAnswer(error, record.requestId, { status: hookStatus(error) });
}

function presentDone({ record }: Settled, describe: DescribeContract): object {
  const { outcome, intent } = record;
  if (outcome.kind !== "done") return {};
  if (intent.kind === "PLACE") {
    const result = resultOf(outcome.result, "PLACE");
    return {
      action: ACTION_OF[intent.order.side],
      ...presentOrder({ record, result }, describe),
    };
  }
  return presentFlatten({ record, result: resultOf(outcome.result, "FLATTEN") }, describe);
}
