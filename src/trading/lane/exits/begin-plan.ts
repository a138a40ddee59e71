import type { ExitPlan } from "../../../domain/exits/exit-plan.ts";
import type { RunningPlan } from "../../../domain/exits/running-plan.ts";
import type { IntentId } from "../../../domain/ids.ts";
import type { NewOrderSingle } from "../../../domain/order.ts";
import type { BrokerPosition } from "../../ports.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";

/**
 * The plan of an order as it begins; undefined for none. One that only closes when it leaves may open something
 * once it fills: its plan is over where it has not.
 */
export function planOfEntry(
  { describe }: Pick<LaneDeps, "describe">,
  { record }: Pick<LaneTask, "record">,
  plan: ExitPlan | undefined,
  { contract, side, clOrdId }: NewOrderSingle,
): RunningPlan | undefined {
  if (plan === undefined) return undefined;
  const { tickValue } = describe(contract);
  return {
    ...newPlan(record.intentId, plan, record.acceptedAt),
    contract,
    side,
    scope: "entry",
    clOrdId,
    isUnseen: true,
    ...(tickValue !== undefined && { tickValue }),
  };
}

/** Begins a plan for all that is held of a contract. */
export async function beginForPosition(
  deps: LaneDeps,
  { record }: Pick<LaneTask, "record">,
  plan: ExitPlan,
  { contract, netQty, avgPx, terms }: BrokerPosition,
): Promise<void> {
  if (avgPx === undefined) return;
  const { tickValue } = deps.describe(contract, terms);
  const running: RunningPlan = {
    ...newPlan(record.intentId, plan, record.acceptedAt),
    contract,
    side: netQty > 0 ? "BUY" : "SELL",
    scope: "position",
    filled: { qty: Math.abs(netQty), avgPx },
    ...(tickValue !== undefined && { tickValue }),
  };
  await deps.exits.begin(record.accountId, running);
}

const newPlan = (planId: IntentId, plan: ExitPlan, begunAt: number) =>
  ({ planId, plan, begunAt, pairs: [], closes: 0 }) as const;
