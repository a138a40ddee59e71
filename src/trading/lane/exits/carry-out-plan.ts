import type { PlanStep } from "../../../domain/exits/plan-steps.ts";
import type { PlannedPair, RunningPlan } from "../../../domain/exits/running-plan.ts";
import type { AccountId, IntentId, OrderId } from "../../../domain/ids.ts";
import type { Intent } from "../../../domain/intent.ts";
import type { LaneConnection } from "../connected.ts";

/** A step that names an order that is there: it needs no write-ahead, and can be done twice. */
export type DirectStep = Exclude<PlanStep, { kind: "add" }>;

/** Carries direct steps out, one after another. Answers the first reason why one could not be. */
export async function carryOutSteps(
  account: AccountId,
  steps: readonly DirectStep[],
  { broker, cancelEndsLinkedLeg }: LaneConnection,
): Promise<string | undefined> {
  const ended = new Set<OrderId>();
  let failure: string | undefined;
  for (const step of steps) {
    const { orderId, cumQty, linkedOrderId } = step.leg;
    if (ended.has(orderId)) continue;
    const isEnd = step.kind === "shrink" && step.leavesQty === 0;
    const answer = isEnd
      ? await broker.cancelOrder(account, orderId)
      : await broker.modifyOrder(account, {
          orderId,
          ...(step.kind === "move"
            ? { stopPx: step.stopPx }
            : { orderQty: cumQty + step.leavesQty }),
        });
    if (answer.kind !== "accepted") failure ??= answer.reason;
    else if (isEnd) {
      ended.add(orderId);
      if (cancelEndsLinkedLeg && linkedOrderId !== undefined) ended.add(linkedOrderId);
    }
  }
  return failure;
}

/** For logs. */
export const inWords = (steps: readonly DirectStep[]): string =>
  steps
    .map((step) =>
      step.kind === "move"
        ? `moves stop ${step.leg.orderId} to ${step.stopPx} ticks`
        : `shrinks ${step.leg.orderId} to ${step.leavesQty}`,
    )
    .join(", ");

/** Contracts of the plan's own entry go first. */
export const closesOf = ({ clOrdId }: RunningPlan) =>
  clOrdId !== undefined && { closes: [clOrdId] };

export const pairIntent = (running: RunningPlan, pair: PlannedPair): Intent => ({
  kind: "PROTECT",
  contract: running.contract,
  ...closesOf(running),
  pair: { ...pair, side: running.side },
});

export const closeIntent = (running: RunningPlan, qty: number): Intent => ({
  kind: "ADJUST",
  contract: running.contract,
  ...closesOf(running),
  aim: { to: "close", qty, holding: running.side === "BUY" ? "LONG" : "SHORT" },
  terms: { ordType: "MARKET", timeInForce: "DAY" },
});

/** An intent of a plan: submitting it again is the same intent. */
export interface PlanIntent {
  readonly account: AccountId;
  readonly intentId: IntentId;
  readonly planId: IntentId;
  readonly intent: Intent;
}
