import type { ContractCode } from "../../domain/contract.ts";
import { clOrdIdOf } from "../../domain/intent.ts";
import type { OrderReport, ProtectionOrder, Side } from "../../domain/order.ts";
import { formatTicks, tickSize, type Ticks } from "../../domain/price.ts";
import type { SubmitOutcome } from "../ports.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

/** The exits of one position: at least one price is there. */
export interface LegPlan {
  readonly contract: ContractCode;
  readonly side: Side;
  readonly orderQty: number;
  readonly takeProfitPx?: Ticks | undefined;
  readonly stopLossPx?: Ticks | undefined;
  /** Which of the intent's orders the first leg is; the second follows it. */
  readonly firstId: number;
}

/** Places one or two exits as the broker's own pair, each with its identifier stored beforehand. */
export async function placeLegs(
  deps: LaneDeps,
  task: LaneTask,
  plan: LegPlan,
): Promise<SubmitOutcome> {
  const { record, broker } = task;
  const { takeProfitPx, stopLossPx, firstId } = plan;
  const profitId = clOrdIdOf(record.intentId, firstId);
  const lossId = clOrdIdOf(record.intentId, firstId + 1);
  const order: ProtectionOrder = {
    contract: plan.contract,
    side: plan.side,
    orderQty: plan.orderQty,
    ...(takeProfitPx !== undefined && { takeProfit: { clOrdId: profitId, price: takeProfitPx } }),
    ...(stopLossPx !== undefined && { stopLoss: { clOrdId: lossId, stopPx: stopLossPx } }),
  };
  for (const leg of [order.takeProfit, order.stopLoss]) {
    if (leg === undefined) continue;
    const refused = await beforeSending(deps, task, leg.clOrdId);
    if (refused !== undefined) return { kind: "notSent", reason: "The intent was withdrawn" };
  }
  return await broker.submitProtection(record.accountId, order);
}

/** A leg in words, for telling a person which protection is gone. */
export function describeLeg({ describe }: LaneDeps, leg: OrderReport): string {
  const { symbol, tickSize: size } = describe(leg.contract);
  const name = leg.role === "TAKE_PROFIT" ? "take-profit" : "stop-loss";
  const level = leg.price ?? leg.stopPx;
  const price = level === undefined ? "its level" : formatTicks(level, tickSize(size));
  return `${name} of ${leg.leavesQty} ${symbol} at ${price}`;
}
