import type { OrderTerms } from "../../domain/alert.ts";
import type { LegTicket } from "../../domain/contracts/tick-reader.ts";
import type { ExitPlanTicket, PlanLevelTicket } from "../../domain/exits/exit-plan.ts";

/** The exits that an entry is to have, as a service's own words say them. */
export interface SaidExits {
  /** The one take-profit, of all that is entered. */
  readonly target?: PlanLevelTicket;
  /** Several, each of a part. */
  readonly targets?: NonNullable<ExitPlanTicket["targets"]>;
  readonly stop?: PlanLevelTicket;
  readonly breakeven?: NonNullable<ExitPlanTicket["breakeven"]>;
  readonly trailing?: NonNullable<ExitPlanTicket["trailing"]>;
}

/**
 * A plain bracket where it says all that was asked for: every broker carries that one by itself. An
 * exit plan for all else.
 */
export function exitTerms(exits: SaidExits): Pick<OrderTerms, "bracket" | "exitPlan"> {
  const { target, targets = target && [target], stop, breakeven, trailing } = exits;
  if (targets === undefined && stop === undefined && trailing === undefined) return {};
  const isMoved = breakeven !== undefined || trailing !== undefined;
  if (exits.targets === undefined && !isMoved && isLeg(target) && isLeg(stop)) {
    return {
      bracket: {
        ...(target !== undefined && { takeProfit: target }),
        ...(stop !== undefined && { stopLoss: stop }),
      },
    };
  }
  return {
    exitPlan: {
      ...(targets !== undefined && { targets }),
      ...(stop !== undefined && { stop }),
      ...(breakeven !== undefined && { breakeven }),
      ...(trailing !== undefined && { trailing }),
    },
  };
}

/** Whether a bracket can hold it; what is not asked for is no matter. */
const isLeg = (level: PlanLevelTicket | undefined): level is LegTicket | undefined =>
  level?.percent === undefined && level?.money === undefined && level?.r === undefined;
