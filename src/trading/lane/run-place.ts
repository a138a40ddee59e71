import { clOrdIdOf, type OrderResult, type Outcome } from "../../domain/intent.ts";
import type { NewOrderSingle, OrderReport } from "../../domain/order.ts";
import type { PreparedOrder } from "../../domain/order-ticket.ts";
import type { SubmitOutcome } from "../ports.ts";
import { endsAtOnce } from "../../domain/risk.ts";
import { guardOrder } from "./guard-order.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

/** How long the lane waits for an order that is filled or cancelled at once. */
const CLOSES_WITHIN_MS = 3_000;

/**
 * Sends one order, and waits for its end where the end comes at once. Answers `held` when it must
 * not be sent before earlier outcomes are known.
 */
export async function runPlace(
  deps: LaneDeps,
  task: LaneTask,
  prepared: PreparedOrder,
): Promise<Outcome | "held"> {
  const { record, context, broker } = task;
  const guarded = await guardOrder(context, prepared, broker, deps.defaultLimits);
  if (guarded.kind === "stop") return guarded.outcome;
  if (guarded.kind === "hold") return "held";

  const order: NewOrderSingle = { ...prepared, clOrdId: clOrdIdOf(record.intentId, 1) };
  const entry = guarded.adds ? guarded.limits : undefined;
  const refused = await beforeSending(deps, task, { clOrdId: order.clOrdId, entry });
  if (refused !== undefined) return refused;

  const watched = deps.watch.watch(record.accountId, order.clOrdId);
  try {
    const answer = await broker.submitOrder(record.accountId, order);
    if (answer.kind !== "accepted") return answer;
    const report = endsAtOnce(order)
      ? await watched.closedWithin(CLOSES_WITHIN_MS)
      : watched.latest();
    return placed(order, answer, report);
  } finally {
    watched.stop();
  }
}

/** How an accepted order is answered for, with what was reported of it so far. */
export function placed(
  { contract, bracket }: PreparedOrder,
  answer: Extract<SubmitOutcome, { kind: "accepted" }>,
  report: OrderReport | undefined,
): Outcome {
  // An order that was accepted can still be refused by the broker's risk check right after.
  if (report?.ordStatus === "REJECTED") {
    return { kind: "rejected", reason: report.text ?? "The broker rejected the order" };
  }
  const { orderId, takeProfitOrderId, stopLossOrderId } = answer;
  const { ordStatus = "NEW", cumQty = 0, avgPx } = report ?? {};
  const lacksLeg =
    (bracket?.takeProfit !== undefined && takeProfitOrderId === undefined) ||
    (bracket?.stopLoss !== undefined && stopLossOrderId === undefined);
  const order: OrderResult = {
    orderId,
    ordStatus,
    cumQty,
    ...(avgPx !== undefined && { avgPx }),
    ...(takeProfitOrderId !== undefined && { takeProfitOrderId }),
    ...(stopLossOrderId !== undefined && { stopLossOrderId }),
    ...(lacksLeg && { legsUnconfirmed: true }),
  };
  return { kind: "done", result: { kind: "PLACE", contract, order } };
}
