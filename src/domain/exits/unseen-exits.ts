import type { ClOrdId } from "../ids.ts";
import type { Intent, IntentRecord } from "../intent.ts";
import type { IntentResult, OrderResult } from "../intent-result.ts";
import type { Bracket, LegLevel, Side } from "../order.ts";
import type { ExitPlan, PlanLevel } from "./exit-plan.ts";
import type { RunningPlan } from "./running-plan.ts";

/**
 * The exits that came with an order and that the broker has not shown, as a plan that places what is missing
 * of them. There is none if all were seen, if none were asked for, or if an exit plan does so already.
 */
export function unseenExits({
  intentId,
  intent,
  acceptedAt,
  outcome,
}: Pick<IntentRecord, "intentId" | "intent" | "acceptedAt" | "outcome">): RunningPlan | undefined {
  if (outcome?.kind !== "done") return undefined;
  const asked = askedWith(intent);
  const sent = sentBy(intent, outcome.result);
  if (asked === undefined || sent === undefined) return undefined;
  return {
    planId: intentId,
    plan: planOf(asked),
    contract: sent.contract,
    side: sent.side,
    scope: "entry",
    clOrdId: sent.clOrdId,
    orderId: sent.orderId,
    begunAt: acceptedAt,
    isUnseen: true,
    untilSeen: true,
    pairs: [],
    closes: 0,
  };
}

/** Every kind of intent says here what exits come with its order, so that none is forgotten. */
function askedWith(intent: Intent): Bracket | undefined {
  if ("handling" in intent && intent.handling?.exitPlan !== undefined) return undefined;
  switch (intent.kind) {
    case "PLACE":
      return intent.order.bracket;
    case "ADJUST":
      return intent.terms.bracket;
    case "TIMEOUT":
      return intent.bracket;
    // Their exits are for what is held, and not for an order.
    case "PROTECT":
    case "CANCEL":
    case "MODIFY":
    case "FLATTEN":
    case "CANCEL_ENTRIES":
      return undefined;
  }
}

interface Sent extends Pick<OrderResult, "orderId"> {
  readonly contract: RunningPlan["contract"];
  readonly side: Side;
  readonly clOrdId: ClOrdId;
}

/** The order whose exits were not confirmed. */
function sentBy(intent: Intent, result: IntentResult): Sent | undefined {
  if (!("order" in result) || result.kind === "MODIFY" || result.order === undefined) {
    return undefined;
  }
  const { contract, order } = result;
  const { clOrdId, orderId, legsUnconfirmed } = order;
  const side = "side" in order ? order.side : sideOf(intent);
  if (legsUnconfirmed !== true || clOrdId === undefined || side === undefined) return undefined;
  return { contract, side, clOrdId, orderId };
}

const sideOf = (intent: Intent): Side | undefined =>
  intent.kind === "PLACE" ? intent.order.side : undefined;

const planOf = ({ takeProfit, stopLoss }: Bracket): ExitPlan => ({
  targets: takeProfit === undefined ? [] : [{ at: levelOf(takeProfit) }],
  ...(stopLoss !== undefined && { stop: levelOf(stopLoss) }),
});

const levelOf = (level: LegLevel): PlanLevel =>
  level.by === "price" ? level : { by: "ticks", ticks: level.distance };
