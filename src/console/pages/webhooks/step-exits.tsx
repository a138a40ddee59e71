import type { ExitPlanTicket } from "../../../domain/exits/exit-plan.ts";
import { contractOf } from "../exit-plans/contract-of.ts";
import { readLadder } from "../exit-plans/ladder.ts";
import { LadderFigures } from "../exit-plans/ladder-figures.tsx";
import type { FuturesRoot } from "../exit-plans/use-contracts.ts";
import type { Tested } from "./types.ts";

type OrderStep = Extract<Tested["wouldDo"][number], { step: "order" }>;

/** What an order of a test may lose and win by its exits, in its own quantity. */
export function StepExits({
  step: { adds, exitPlan, order },
  contracts,
}: {
  step: OrderStep;
  contracts: readonly FuturesRoot[];
}) {
  const contract = contractOf(order.symbol, contracts);
  const plan = (exitPlan as ExitPlanTicket | null) ?? planOfBracket(order.bracket);
  // How many contracts a risk allows may be known only once it is sent.
  if (!adds || contract === undefined || plan === undefined || order.qty === null) return null;
  const entry = order.limitPrice ?? order.stopPrice;
  const reading = readLadder(plan, {
    side: order.action,
    qty: order.qty,
    tickSize: String(contract.tickSize),
    tickValue: String(contract.tickValue),
    ...(entry !== null && { entry: String(entry) }),
  });
  if (reading.kind === "problems") return null;
  return <LadderFigures ladder={reading.ladder} currency={contract.currency} />;
}

/** A take-profit and a stop-loss as the plan that they are. */
function planOfBracket(bracket: OrderStep["order"]["bracket"]): ExitPlanTicket | undefined {
  const { stopLoss, takeProfit } = bracket ?? {};
  const stop = levelOf(stopLoss);
  const target = levelOf(takeProfit);
  if (stop === undefined && target === undefined) return undefined;
  return {
    ...(target !== undefined && { targets: [target] }),
    ...(stop !== undefined && { stop }),
  };
}

type Level = NonNullable<OrderStep["order"]["bracket"]>["stopLoss"];

function levelOf(level: Level | undefined) {
  if (level === null || level === undefined) return undefined;
  if ("ticks" in level) return { ticks: level.ticks };
  return level.price === null ? undefined : { price: level.price };
}
