import type { ExitPlan, PlanLevel } from "../../domain/exits/exit-plan.ts";
import type { ContractTerms } from "../../trading/orders/describe-contract.ts";
import { presentPrice } from "./figures.ts";

/** An exit plan as an order carries it, in the words in which it could be asked for again. */
export function presentPreparedPlan(plan: ExitPlan, terms: ContractTerms) {
  const { targets, stop, breakeven, trailing } = plan;
  const { closeAfterSeconds, closeBeforeSessionEndSeconds } = plan;
  const level = (at: PlanLevel) => presentLevel(at, terms);
  return {
    ...(targets.length > 0 && {
      targets: targets.map(({ at, share, qty }) => ({
        ...(at !== undefined && level(at)),
        ...(share !== undefined && { share }),
        ...(qty !== undefined && { qty }),
      })),
    }),
    ...(stop !== undefined && { stop: level(stop) }),
    ...(breakeven !== undefined && {
      breakeven: {
        after:
          breakeven.after.by === "target"
            ? { target: breakeven.after.target }
            : level(breakeven.after),
        plus: Number(breakeven.plus),
      },
    }),
    ...(trailing !== undefined && {
      trailing: {
        ...(trailing.from !== undefined && { from: level(trailing.from) }),
        distance: level(trailing.distance),
        step: Number(trailing.step),
      },
    }),
    ...(closeAfterSeconds !== undefined && { closeAfterSeconds }),
    ...(closeBeforeSessionEndSeconds !== undefined && { closeBeforeSessionEndSeconds }),
  };
}

function presentLevel(level: PlanLevel, terms: ContractTerms) {
  switch (level.by) {
    case "price":
      return { price: presentPrice(level.price, terms) };
    case "ticks":
      return { ticks: Number(level.ticks) };
    case "percent":
      return { percent: level.percent };
    case "money":
      return { money: level.money };
    case "r":
      return { r: level.r };
  }
}
