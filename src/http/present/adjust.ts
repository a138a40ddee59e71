import type { ExitPlan } from "../../domain/exits/exit-plan.ts";
import type { IntentRecord } from "../../domain/intent.ts";
import type { IntentResult, DryRunStep } from "../../domain/intent-result.ts";
import { ACTION_OF, STATUS_OF } from "../words.ts";
import { presentAverage } from "./figures.ts";
import { presentClosed, presentHolding, sideOf } from "./holding.ts";
import { presentAskedBracket, presentAskedOrder, presentLegIds } from "./order.ts";
import type { Achieved } from "./outcome.ts";
import { presentPreparedPlan } from "./prepared-plan.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

type Adjusted = Extract<IntentResult, { kind: "ADJUST" }>;

/** What an adjustment closed, cancelled and placed, and where the position stood then. */
export function presentAdjustment(
  { record, result }: Achieved<"ADJUST">,
  describe: DescribeContract,
) {
  return {
    accountId: record.accountId,
    symbol: describe(result.contract).symbol,
    position: presentNet(result.netQty),
    closed: presentClosed(result.closed, describe),
    canceledOrders: result.canceledOrderIds,
    protected: presentExits(result, describe),
    order: presentEntry(record, result, describe),
    problems: result.problems,
    intentId: record.intentId,
  };
}

function presentExits({ exits }: Adjusted, describe: DescribeContract) {
  if (exits?.kind !== "standing") return null;
  return {
    symbol: describe(exits.contract).symbol,
    qty: exits.orderQty,
    takeProfitOrderId: exits.takeProfitOrderId ?? null,
    stopLossOrderId: exits.stopLossOrderId ?? null,
  };
}

/** Null when the broker could not be asked at the end. */
function presentNet(netQty: number | undefined) {
  if (netQty === undefined) return null;
  return { qty: Math.abs(netQty), side: netQty === 0 ? ("flat" as const) : sideOf(netQty) };
}

function presentEntry(
  { intent }: IntentRecord,
  { order, contract }: Adjusted,
  describe: DescribeContract,
) {
  if (order === undefined) return null;
  const terms = describe(contract);
  return {
    orderId: order.orderId,
    symbol: terms.symbol,
    action: ACTION_OF[order.side],
    qty: order.orderQty,
    status: STATUS_OF[order.ordStatus],
    filledQty: order.cumQty,
    averagePrice: presentAverage(order.avgPx, terms),
    bracket: presentLegIds(order, intent.kind === "ADJUST" ? intent.terms.bracket : undefined),
  };
}

/** What a test would have done at the broker, in its order. */
export function presentTest({ record, result }: Achieved<"TEST">, describe: DescribeContract) {
  const { intent } = record;
  const plan = "handling" in intent ? intent.handling?.exitPlan : undefined;
  return {
    accountId: record.accountId,
    wouldDo: result.steps.map((step) => presentStep(step, describe, plan)),
    intentId: record.intentId,
  };
}

function presentStep(step: DryRunStep, describe: DescribeContract, plan: ExitPlan | undefined) {
  switch (step.kind) {
    case "order": {
      const { adds, order } = step;
      const exitPlan =
        plan === undefined || !adds ? null : presentPreparedPlan(plan, describe(order.contract));
      return { step: "order", order: presentAskedOrder(order, describe), adds, exitPlan };
    }
    case "cancel": {
      const symbol = step.contract === undefined ? null : describe(step.contract).symbol;
      return { step: "cancel", orderId: step.orderId, symbol };
    }
    case "close":
      return { step: "close", ...presentHolding(step, describe) };
    case "protect": {
      const terms = describe(step.contract);
      const levels = presentAskedBracket(step.levels, terms);
      return { step: "protect", symbol: terms.symbol, levels };
    }
    case "wait":
    case "withhold":
      return { step: step.kind, reason: step.reason };
  }
}
