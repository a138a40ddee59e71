import type { Intent, IntentRecord } from "../../domain/intent.ts";
import type { IntentResult } from "../../domain/intent-result.ts";
import { aimInWords } from "./alert-words.ts";
import { INTENT_STATE_OF, KIND_OF } from "../words.ts";
import { presentAdjustment, presentTest } from "./adjust.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";
import { presentFlatten } from "./holding.ts";
import {
  presentAskedOrder,
  presentCancel,
  presentModifiedOrder,
  presentOrder,
  presentProtection,
  presentSizedOrder,
} from "./order.ts";
import { reasonInWords } from "./outcome.ts";
import { presentTimedOut } from "./timed-out.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

/** Everything a caller may know about one intent: what was asked, and what became of it. */
export function presentIntent(record: IntentRecord, describe: DescribeContract) {
  const { intent, outcome } = record;
  return {
    intentId: record.intentId,
    accountId: record.accountId,
    kind: KIND_OF[intent.kind],
    source: record.source.kind,
    state: INTENT_STATE_OF[record.state],
    code: outcome?.kind === "denied" ? outcome.code : null,
    reason: outcome === undefined || outcome.kind === "done" ? null : reasonInWords(outcome),
    acceptedAt: presentTime(record.acceptedAt),
    sentAt: presentTimeOrNull(record.sentAt),
    settledAt: presentTimeOrNull(record.settledAt),
    test: record.test === true,
    aim: presentAim(intent, describe),
    order: presentOrderOf(record, describe),
    orderId: "orderId" in intent ? intent.orderId : null,
    result: outcome?.kind === "done" ? presentResult(record, outcome.result, describe) : null,
  };
}

function presentAim(intent: Intent, describe: DescribeContract): string | null {
  if (intent.kind !== "ADJUST") return null;
  return aimInWords(intent.aim, describe(intent.contract).symbol, intent.handling?.size);
}

function presentOrderOf({ intent, outcome }: IntentRecord, describe: DescribeContract) {
  if (intent.kind !== "PLACE") return null;
  const rule = intent.handling?.size;
  if (rule === undefined) return presentAskedOrder(intent.order, describe);
  const result = outcome?.kind === "done" ? outcome.result : undefined;
  const qty = result?.kind === "PLACE" ? result.orderQty : undefined;
  return presentSizedOrder(intent.order, { rule, qty }, describe);
}

function presentResult(record: IntentRecord, result: IntentResult, describe: DescribeContract) {
  switch (result.kind) {
    case "PLACE":
      return presentOrder({ record, result }, describe);
    case "CANCEL":
      return presentCancel({ record, result });
    case "MODIFY":
      return presentModifiedOrder({ record, result }, describe);
    case "PROTECT":
      return presentProtection({ record, result }, describe);
    case "FLATTEN":
      return presentFlatten({ record, result }, describe);
    case "CANCEL_ENTRIES":
      return { canceledOrders: result.canceledOrderIds };
    case "ADJUST":
      return presentAdjustment({ record, result }, describe);
    case "TIMEOUT":
      return presentTimedOut({ record, result }, describe);
    case "TEST":
      return presentTest({ record, result }, describe);
  }
}
