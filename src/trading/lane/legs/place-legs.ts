import { type ClOrdId, legIdOf } from "../../../domain/ids.ts";
import type { LegPlan } from "../../../domain/carried-plan.ts";
import type { NewOrderSingle, ProtectionOrder } from "../../../domain/order.ts";
import type { SubmitOutcome } from "../../ports.ts";
import { beforeSending, type LaneDeps, type LaneTask, type Refusal } from "../lane-deps.ts";
import { describeLeg, type Exits, legsIdOf } from "./legs.ts";

/** How large the legs are, and which of the intent's orders they are together. */
export interface LegSize {
  readonly orderQty: number;
  readonly nth: number;
}

/** How placing legs can end. */
export type LegsOutcome =
  | SubmitOutcome
  /** Refused by the gateway itself; nothing was sent. */
  | { readonly kind: "refused"; readonly reason: string; readonly outcome: Refusal }
  /** The stop-loss is placed and the take-profit is not; `standing` names the stop in words. */
  | { readonly kind: "partial"; readonly reason: string; readonly standing: string };

/**
 * Places one or two exits, as the broker's own pair where it has them; their common identifier, and
 * the plan that they are part of, are stored beforehand.
 */
export async function placeLegs(
  deps: LaneDeps,
  task: LaneTask,
  legPlan: LegPlan,
  { orderQty, nth }: LegSize,
): Promise<LegsOutcome> {
  const pairId = legsIdOf(task.record, nth);
  const plan = { ...legPlan, orderQty };
  const outcome = await beforeSending(deps, task, { clOrdId: pairId, plan });
  if (outcome !== undefined) return { kind: "refused", reason: outcome.reason, outcome };
  return await submitLegs(deps, task, pairId, plan);
}

/** Sends them; their identifier must be stored already. */
export async function submitLegs(
  deps: LaneDeps,
  task: LaneTask,
  pairId: ClOrdId,
  {
    contract,
    side,
    orderQty,
    takeProfitPx,
    stopLossPx,
  }: Exits & Pick<LegPlan, "takeProfitPx" | "stopLossPx"> & Pick<LegSize, "orderQty">,
): Promise<Exclude<LegsOutcome, { kind: "refused" }>> {
  const { record, broker, connection } = task;
  const profitId = legIdOf(pairId, "TAKE_PROFIT");
  const lossId = legIdOf(pairId, "STOP_LOSS");
  const order: ProtectionOrder = {
    contract,
    side,
    orderQty,
    ...(takeProfitPx !== undefined && { takeProfit: { clOrdId: profitId, price: takeProfitPx } }),
    ...(stopLossPx !== undefined && { stopLoss: { clOrdId: lossId, stopPx: stopLossPx } }),
  };
  if (connection.nativeOco) return await broker.submitProtection(record.accountId, order);
  return await placePlain(deps, task, order);
}

/**
 * Two plain orders, the stop first: the position is not to wait for it. A stop that is placed stays also
 * where its take-profit is refused: without it the position has nothing.
 */
async function placePlain(
  deps: LaneDeps,
  task: LaneTask,
  { takeProfit, stopLoss, ...exit }: ProtectionOrder,
): Promise<Exclude<LegsOutcome, { kind: "refused" }>> {
  const submit = async (leg: Pick<NewOrderSingle, "clOrdId" | "ordType" | "price" | "stopPx">) =>
    await task.broker.submitOrder(task.record.accountId, { ...exit, ...leg, timeInForce: "GTC" });

  const loss = stopLoss && (await submit({ ...stopLoss, ordType: "STOP" }));
  if (loss !== undefined && loss.kind !== "accepted") return loss;
  const profit = takeProfit && (await submit({ ...takeProfit, ordType: "LIMIT" }));
  if (profit !== undefined && profit.kind !== "accepted") {
    if (loss === undefined || stopLoss === undefined || profit.kind === "unknown") return profit;
    const { orderQty: leavesQty, contract } = exit;
    const leg = { role: "STOP_LOSS", contract, leavesQty, stopPx: stopLoss.stopPx } as const;
    const reason = `the take-profit was not placed: ${profit.reason}`;
    return { kind: "partial", reason, standing: describeLeg(deps, leg) };
  }
  const first = profit ?? loss;
  if (first === undefined) return { kind: "rejected", reason: "There is no level to place" };
  return {
    kind: "accepted",
    orderId: first.orderId,
    ...(profit !== undefined && { takeProfitOrderId: profit.orderId }),
    ...(loss !== undefined && { stopLossOrderId: loss.orderId }),
  };
}
