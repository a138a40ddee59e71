import type { AskedExitPlan, ExitPlanTicket } from "../../domain/exits/exit-plan.ts";
import { ticketOf } from "../../domain/exits/named-plan.ts";
import type { UserId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import type { NamedPlanStore } from "./named-plan-store.ts";

const MOST_TOLD = 10;

/** Whatever may ask for an exit plan, by its name or by its definition. */
export interface MayAskPlan {
  readonly exitPlan?: AskedExitPlan;
}

/** The same with the definition, where one is asked for. */
type Defined<Asking extends MayAskPlan> = Omit<Asking, "exitPlan"> & {
  readonly exitPlan?: ExitPlanTicket;
};

/**
 * Puts the definition in the place of a plan's name, so that later edits change nothing of what is asked
 * now. The store is asked only where there is a name. Throws VALIDATION_FAILED for a name that the user
 * has not, and `StoreError`.
 */
export async function withNamedPlan<Asking extends MayAskPlan>(
  plans: Pick<NamedPlanStore, "find" | "all">,
  user: UserId,
  asking: Asking,
): Promise<Defined<Asking>> {
  const { exitPlan, ...rest } = asking;
  if (exitPlan === undefined) return rest;
  if (typeof exitPlan !== "string") return { ...rest, exitPlan };
  return { ...rest, exitPlan: await requirePlan(plans, user, exitPlan) };
}

/** Throws VALIDATION_FAILED that names those that there are, and `StoreError`. */
export async function requirePlan(
  plans: Pick<NamedPlanStore, "find" | "all">,
  user: UserId,
  name: string,
): Promise<ExitPlanTicket> {
  const found = await plans.find(user, name);
  if (found !== undefined) return ticketOf(found);
  const names = (await plans.all(user)).map((one) => one.name).toSorted();
  throw errors.validationFailed([{ path: "exitPlan", message: unknownPlan(name, names) }]);
}

function unknownPlan(name: string, names: readonly string[]): string {
  const said = `is not known: there is no exit plan "${name}"`;
  if (names.length === 0) return `${said}, and none is saved yet`;
  const told = names.slice(0, MOST_TOLD).join(", ");
  const more = names.length - MOST_TOLD;
  return `${said}; there is ${told}${more > 0 ? ` and ${more} more` : ""}`;
}
