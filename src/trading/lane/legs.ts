import { legIdOf } from "../../domain/ids.ts";
import { clOrdIdOf, type LegPlan } from "../../domain/intent.ts";
import {
  isClosed,
  isForeign,
  type OrderReport,
  type ProtectionOrder,
  type Side,
} from "../../domain/order.ts";
import { formatTicks, tickSize } from "../../domain/price.ts";
import type { BrokerPosition, SubmitOutcome } from "../ports.ts";
import { beforeSending, type LaneDeps, type LaneTask, type Refusal } from "./lane-deps.ts";

/** How large the legs are, and which of the intent's orders they are together. */
export interface LegSize {
  readonly orderQty: number;
  readonly nth: number;
}

/** How placing legs can end; `refused` is our own word, and nothing was sent. */
export type LegsOutcome =
  | SubmitOutcome
  | { readonly kind: "refused"; readonly reason: string; readonly outcome: Refusal };

/**
 * Places one or two exits as the broker's own pair; their common identifier, and the plan that they
 * are part of, are stored beforehand.
 */
export async function placeLegs(
  deps: LaneDeps,
  task: LaneTask,
  plan: LegPlan,
  { orderQty, nth }: LegSize,
): Promise<LegsOutcome> {
  const { contract, side, takeProfitPx, stopLossPx } = plan;
  const { record, broker } = task;
  const pairId = clOrdIdOf(record.intentId, nth);
  const profitId = legIdOf(pairId, "TAKE_PROFIT");
  const lossId = legIdOf(pairId, "STOP_LOSS");
  const order: ProtectionOrder = {
    contract,
    side,
    orderQty,
    ...(takeProfitPx !== undefined && { takeProfit: { clOrdId: profitId, price: takeProfitPx } }),
    ...(stopLossPx !== undefined && { stopLoss: { clOrdId: lossId, stopPx: stopLossPx } }),
  };
  const outcome = await beforeSending(deps, task, { clOrdId: pairId, plan });
  if (outcome !== undefined) return { kind: "refused", reason: outcome.reason, outcome };
  return await broker.submitProtection(record.accountId, order);
}

/** The exits of a position that can fill now, as far as they are ours. */
export function liveLegs(
  working: readonly OrderReport[],
  { contract, side }: Pick<LegPlan, "contract" | "side">,
): OrderReport[] {
  return working.filter(
    (order) =>
      order.contract === contract &&
      order.side === side &&
      order.role !== "ORDER" &&
      !isForeign(order) &&
      order.ordStatus !== "HELD" &&
      !isClosed(order.ordStatus),
  );
}

/** A leg in words, for telling a person which protection is gone. */
export function describeLeg({ describe }: LaneDeps, leg: OrderReport): string {
  const { symbol, tickSize: size } = describe(leg.contract);
  const name = leg.role === "TAKE_PROFIT" ? "take-profit" : "stop-loss";
  const level = leg.price ?? leg.stopPx;
  const price = level === undefined ? "its level" : formatTicks(level, tickSize(size));
  return `${name} of ${leg.leavesQty} ${symbol} at ${price}`;
}

/** The side that closes a position. */
export const exitSide = ({ netQty }: Pick<BrokerPosition, "netQty">): Side =>
  netQty > 0 ? "SELL" : "BUY";
