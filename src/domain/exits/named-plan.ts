import type { ExitPlanTicket } from "./exit-plan.ts";

/** An exit plan that a user keeps by a name, which is theirs alone. */
export interface NamedExitPlan {
  readonly name: string;
  /** Without the name. */
  readonly plan: ExitPlanTicket;
  readonly savedAt: number;
}

/** As it is asked for by its name: later edits change nothing of it. */
export const ticketOf = ({ name, plan }: NamedExitPlan): ExitPlanTicket => ({ ...plan, name });
